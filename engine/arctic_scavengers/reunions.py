"""Contested cards met twice: one seen in the junkyard, or dug there, may be one that was known before.

At first all the copies that a seat knows of are different cards. One that it did not see leave the contested pile
came of a deadlock, then; or it is one that was trashed, and its twin lies anywhere among the hidden contested
cards. The number of places each way leaves open is its weight.
"""

from engine.arctic_scavengers.scratch import Scratch, push
from engine.arctic_scavengers.state import MAX_KINDS, WAY_IN, WAY_LOST, WAY_OUT, Rules, State
from engine.bits import has, lowest, rest
from engine.jit import rule
from engine.record import wide
from engine.rng import fraction

NO_OTHER_WAY = 1e6  # odds of what nothing else explains
NO_LOSS = 0.05  # stands for the deadlocks a stray may have come of where there is none: other ways then fail


# ---- what there is to explain


@rule
def find_strays(r: Rules, s: State, v: int, c: Scratch) -> None:
    """Contested copies seen in the junkyard, or dug, that the seat did not see come in, and what they speak for."""
    c.met &= r.contested_kinds
    m = c.met
    while m:
        k = lowest(m)
        m = rest(m)
        c.paired[k] = pairs(s, v, k, c) if c.listed[k] > 0 else wide(0)
        c.strays[k] = wide(c.sighted[k]) + c.known[k] + c.kept[k] - c.paired[k]
        c.released[k] = 0
    if c.met:
        weigh_strays(r, s, v, c)


@rule
def pairs(s: State, v: int, k: int, c: Scratch) -> int:
    """Copies that the seat saw in the junkyard, or dug, after it had known them to come there."""
    there = wide(0)
    paired = wide(0)
    for i in range(wide(s.ledger_n) + 1):
        if c.known[k] > 0 and s.players[v].since[k] == i:
            n = min(there, wide(c.known[k]))
            there -= n
            paired += n
        if i < s.ledger_n and s.ledger_seen[i] >> v & 1 and s.ledger_kind[i] == k:
            if s.ledger_way[i] >> 3 != WAY_OUT:
                there += 1
            elif there > 0:
                there -= 1
                paired += 1
    return paired + min(there, wide(c.sighted[k]))


@rule
def losses_before(s: State, v: int, end: int) -> int:
    """Deadlocks before this ledger index whose card the seat did not see."""
    n = wide(0)
    for i in range(end):
        n += s.ledger_way[i] >> 3 == WAY_LOST and not s.ledger_seen[i] >> v & 1
    return n


@rule
def weigh_strays(r: Rules, s: State, v: int, c: Scratch) -> None:
    """The odds with which the trashes are chosen; they are those of `reunite` before anything is decided."""
    hidden = wide(0)
    m = r.contested_kinds
    while m:
        k = lowest(m)
        m = rest(m)
        hidden += max(0, wide(c.free[k]) - c.listed[k] + apart(c, k))
    by_loss = max(NO_LOSS, float(hidden + 1 - places(s, v, c)))
    c.twin_odds = (hidden + 1) / by_loss
    c.secret_odds = 1 / by_loss


@rule
def apart(c: Scratch, k: int) -> int:
    """Copies known to have come to the junkyard that must be in sight now, all others being different cards."""
    n = max(0, wide(c.listed[k]) - c.free[k])
    return max(n, wide(c.paired[k])) if has(c.met, k) else n


@rule
def places(s: State, v: int, c: Scratch) -> int:
    """How many hidden cards the pile and the rivals' unidentified wins take."""
    need = wide(s.contested_n) - (s.contested_seen >> v & 1)
    for q in range(wide(s.seats)):
        if q != v:
            need += max(0, wide(c.won[q]))
    return need


@rule
def stray_odds(s: State, v: int, at: int, k: int, c: Scratch) -> float:
    """How many deadlocks there are for each that a stray seen after ledger index `at` may have come of; 0: none."""
    if not has(c.met, k) or c.strays[k] <= c.picked[k]:
        return 0.0
    end = last_seen(s, v, k, c)
    if end <= at:
        return 0.0
    return odds(wide(c.losses), losses_before(s, v, end))


@rule
def last_seen(s: State, v: int, k: int, c: Scratch) -> int:
    """The ledger index before which the seat last met a copy in the junkyard; -1 if it never did."""
    if c.sighted[k] > 0:
        return wide(s.ledger_n)
    at = wide(c.kept_at[k]) if c.kept[k] > 0 else wide(-1)
    return max(at, wide(s.players[v].since[k])) if c.known[k] > 0 else at


@rule
def odds(a: int, b: int) -> float:
    """The one number against the other; 1 if neither counts."""
    if b > 0:
        return a / b
    return NO_OTHER_WAY if a > 0 else 1.0


# ---- how it came about


@rule
def reunite(r: Rules, s: State, v: int, need: int, c: Scratch) -> bool:
    """Decides for each copy too many whether it came of a deadlock or was met twice; false if neither can be."""
    losses = wide(c.losses)
    left = need
    if left + losses > c.bag_n:
        count_exits(r, s, v, c)
    while left + losses > c.bag_n:
        by_loss = float(max(0, wide(c.bag_n) + 1 - left))
        secret = secret_wins(s, v, c)
        total = secret + weigh_meetings(r, s, v, c)
        if total == 0:
            return left <= c.bag_n or force(r, s, v, need, c)
        at = fraction(s) * (by_loss + total)
        if at < by_loss:
            losses -= 1
        elif at < by_loss + secret:
            raise_ghost(s, v, at - by_loss, c)
            left -= 1
        else:
            meet(r, at - by_loss - secret, c)
    return True


@rule
def count_exits(r: Rules, s: State, v: int, c: Scratch) -> None:
    """What the seat knows to have left the contested pile, and how many such cards each rival must have dug."""
    for k in range(MAX_KINDS):
        c.exits[k] = 0
    for q in range(wide(s.seats)):
        c.dug_up[q] = -max(0, wide(c.old_wins[q]) - max(0, wide(c.old_won[q])))
        for k in range(wide(r.kinds)):
            if has(r.contested_kinds, k):
                c.dug_up[q] += c.claims[q, k] + c.located[q, k]
    for i in range(wide(s.wins_n)):
        if s.win_seen[i] >> v & 1:
            c.exits[s.win_kind[i]] += 1
            c.dug_up[s.win_seat[i]] -= s.win_cycle[i] < s.players[s.win_seat[i]].cycle
    for i in range(wide(s.ledger_n)):
        k = wide(s.ledger_kind[i])
        if s.ledger_seen[i] >> v & 1 and has(r.contested_kinds, k):
            c.exits[k] += s.ledger_way[i] >> 3 == WAY_LOST
            c.dug_up[s.ledger_way[i] & 7] += s.ledger_way[i] >> 3 == WAY_IN and r.trash_public
    if s.contested_seen >> v & 1:
        c.exits[s.contested[wide(s.contested_n) - 1]] += 1


@rule
def weigh_meetings(r: Rules, s: State, v: int, c: Scratch) -> float:
    """By kind, the weights of a copy met twice, whose twin is hidden then; returns their sum."""
    total = 0.0
    for k in range(wide(r.kinds)):
        c.twin[k] = 0
        c.release[k] = 0
        if has(r.contested_kinds, k) and wide(c.free[k]) - c.listed[k] + c.dropped[k] + c.exits[k] < r.total[k]:
            weigh_digs(s, v, k, c)
            if c.dropped[k] < wide(c.listed[k]) + c.picked[k]:
                c.twin[k] = (wide(c.bag_n) + 1) * (c.twin[k] + seen_again(s, v, k, c))
            else:
                c.twin[k] = 0
            c.release[k] = (wide(c.bag_n) + 1) * c.release[k]
            total += c.twin[k] + c.release[k]
    return total


@rule
def seen_again(s: State, v: int, k: int, c: Scratch) -> float:
    """Trashed copies that the seat may have seen in the junkyard afterwards."""
    if c.picked[k] == 0 or not has(c.met, k) or c.strays[k] <= c.dropped[k] - apart(c, k):
        return 0.0
    n = wide(0)
    end = last_seen(s, v, k, c)
    for t in range(wide(c.tasks)):
        n += c.task_card[t] == k and c.task_at[t] < end
    return n * odds(wide(c.losses), losses_before(s, v, end))


@rule
def weigh_digs(s: State, v: int, k: int, c: Scratch) -> None:
    """Digs of rivals who showed such a card: after it came in, after it was looked at, and after deadlocks."""
    there = wide(0)
    losses = wide(0)
    met = wide(0)
    freed = wide(0)
    by_loss = wide(0)
    t = wide(0)
    while t < c.tasks and c.task_at[t] < 0:
        there += c.task_card[t] == k
        t += 1
    for i in range(wide(s.ledger_n)):
        way = wide(s.ledger_way[i]) >> 3
        q = wide(s.ledger_way[i]) & 7
        if s.ledger_seen[i] >> v & 1:
            if s.ledger_kind[i] == k:
                there = there + 1 if way != WAY_OUT else max(wide(0), there - 1)
        elif way == WAY_LOST:
            losses += 1
        elif way == WAY_IN:
            there += c.task_card[t] == k
            t += 1
        elif c.dug_up[q] > 0 and c.claims[q, k] + c.located[q, k] > 0:
            met += there
            by_loss += losses
            if i >= s.players[v].since[k]:
                freed += c.known[k]
    scale = odds(wide(c.losses), by_loss)
    c.twin[k] = met * scale
    c.release[k] = freed * scale


@rule
def meet(r: Rules, at: float, c: Scratch) -> None:
    """The copy drawn by weight was met twice: its twin is dealt."""
    left = at
    chosen = wide(-1)
    is_release = False
    for k in range(wide(r.kinds)):
        if has(r.contested_kinds, k) and c.twin[k] + c.release[k] > 0:
            chosen = k
            is_release = left >= c.twin[k]
            left -= c.twin[k] + c.release[k]
            if left < 0:
                break
    if is_release and c.release[chosen] > 0:
        release(c, chosen)
    else:
        c.dropped[chosen] += 1
        push(c, chosen)


@rule
def release(c: Scratch, k: int) -> None:
    """A copy looked at in the junkyard is no longer there."""
    c.known[k] -= 1
    c.free[k] += 1
    c.released[k] += 1
    push(c, k)


@rule
def take_back(c: Scratch) -> None:
    """Undoes what an attempt released."""
    m = c.met
    while m:
        k = lowest(m)
        m = rest(m)
        c.known[k] += c.released[k]
        c.free[k] -= c.released[k]
        c.released[k] = 0


@rule
def secret_wins(s: State, v: int, c: Scratch) -> float:
    """How many cards won and trashed unseen a stray may be: each rival's trashed secrets, by the share of wins."""
    total = 0.0
    strays = wide(0)
    m = c.met
    while m:
        k = lowest(m)
        m = rest(m)
        strays += c.strays[k]
    for q in range(wide(s.seats)):
        if q != v and c.tasks > 0:
            strays -= c.ghosts[q]
            total += secret_share(q, c)
    return total if strays > 0 else 0.0


@rule
def secret_share(q: int, c: Scratch) -> float:
    n = min(wide(c.secrets[q]), wide(c.old_won[q])) - c.ghosts[q]
    if n <= 0:
        return 0.0
    return n * (c.old_won[q] / (wide(c.old_won[q]) + c.old_dug[q]))


@rule
def raise_ghost(s: State, v: int, at: float, c: Scratch) -> None:
    """A rival won a card and trashed it, unseen both times, and the seat met it since."""
    left = at
    chosen = wide(-1)
    for q in range(wide(s.seats)):
        if q != v and secret_share(q, c) > 0:
            chosen = q
            left -= secret_share(q, c)
            if left < 0:
                break
    c.ghosts[chosen] += 1


# ---- records that leave no such way


@rule
def force(r: Rules, s: State, v: int, need: int, c: Scratch) -> bool:
    """Deals the twins of cards that may have been met twice, whatever the order of things."""
    left = need
    for q in range(wide(s.seats)):
        left -= c.ghosts[q]
        while left > c.bag_n and q != v and c.tasks > 0 and c.ghosts[q] < min(wide(c.secrets[q]), wide(c.won[q])):
            c.ghosts[q] += 1
            left -= 1
    if c.tasks == 0 or c.relaxed:
        for k in range(wide(r.kinds)):
            entered = wide(c.listed[k])
            if c.tasks > 0:
                entered += c.picked[k]
            while has(r.contested_kinds, k) and c.bag_n < left and c.dropped[k] < entered:
                c.dropped[k] += 1
                push(c, k)
            while has(r.contested_kinds, k) and c.bag_n < left and c.known[k] > 0:
                release(c, k)
    return left <= c.bag_n
