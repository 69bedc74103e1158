"""Which cards rivals trashed unseen: an even choice, weighed by what was seen later (contract 13.1, 13.4)."""

from engine.arctic_scavengers.reunions import stray_odds
from engine.arctic_scavengers.scratch import OPEN, SECRET, SKIPPED, Scratch
from engine.arctic_scavengers.state import CONTESTED, HIDDEN, MAX_KINDS, WAY_IN, WAY_OUT, Rules, State
from engine.bits import has
from engine.jit import rule
from engine.record import wide
from engine.rng import below, fraction

CHAIN = 1


@rule
def list_trashes(s: State, v: int, c: Scratch) -> None:
    """One task for each card trashed unseen; those an observation does not list come first."""
    c.tasks = 0
    for q in range(wide(s.seats)):
        if q == v:
            continue
        logged = 0
        for i in range(wide(s.ledger_n)):
            if s.ledger_way[i] == WAY_IN * 8 + q and not s.ledger_seen[i] >> v & 1:
                logged += 1
        for _ in range(c.trashed[q] - logged):
            add_task(c, q, wide(-1), wide(s.players[q].cycle))
    for i in range(wide(s.ledger_n)):
        q = wide(s.ledger_way[i]) & 7
        if s.ledger_way[i] >> 3 == WAY_IN and not s.ledger_seen[i] >> v & 1:
            add_task(c, q, i, wide(s.ledger_cycle[i]))


@rule
def add_task(c: Scratch, q: int, at: int, cycle: int) -> None:
    c.task_seat[c.tasks] = q
    c.task_at[c.tasks] = at
    c.task_cycle[c.tasks] = cycle
    c.tasks += 1


@rule
def mark_open(s: State, v: int, c: Scratch) -> None:
    """Which of the rivals' dug and won cards are the identified ones: an even choice among the older ones."""
    for q in range(wide(s.seats)):
        old = wide(c.old_outs[q])
        named = wide(c.named_dug[q])
        for i in range(wide(s.ledger_n)):
            if s.ledger_way[i] != WAY_OUT * 8 + q or s.ledger_seen[i] >> v & 1:
                continue
            c.gone[i] = 0
            c.entry[i] = OPEN
            if s.ledger_cycle[i] < s.players[q].cycle:
                if below(s, old) < named:
                    c.entry[i] = SKIPPED
                    named -= 1
                old -= 1
        mark_open_wins(s, v, q, c)


@rule
def mark_open_wins(s: State, v: int, q: int, c: Scratch) -> None:
    old = wide(c.old_wins[q])
    named = old - max(0, wide(c.old_won[q]))
    for i in range(wide(s.wins_n)):
        if s.win_seat[i] != q:
            continue
        c.win_gone[i] = 0
        c.win[i] = SKIPPED
        if s.win_seen[i] >> v & 1:
            continue
        c.win[i] = OPEN
        if s.win_cycle[i] < s.players[q].cycle:
            if below(s, old) < named:
                c.win[i] = SKIPPED
                named -= 1
            old -= 1


@rule
def choose_trashes(r: Rules, s: State, v: int, c: Scratch) -> bool:
    """Decides every task by a short independence chain (Metropolis-Hastings) over whole choices.

    Each choice is made in proportion to the weights, card by card, so that what is left to the chain is
    how the sums of weights differ; with one card trashed they do not, and the first choice has the law.
    """
    forced = wide(0)
    for k in range(wide(r.kinds)):
        forced += max(0, -wide(c.free[k]))
    if c.tasks == 0:
        return forced == 0
    kept = s.rng
    if not choose_all(r, s, v, forced, c):
        return False
    if c.tasks == 1:
        return True
    likely = c.likely
    start = kept
    for _ in range(CHAIN):
        start = s.rng
        if choose_all(r, s, v, forced, c) and fraction(s) * likely < c.likely:
            kept = start
            likely = c.likely
    if kept != start:
        end = s.rng
        s.rng = kept
        choose_all(r, s, v, forced, c)
        s.rng = end
    return True


@rule
def choose_all(r: Rules, s: State, v: int, forced: int, c: Scratch) -> bool:
    """First what must have been trashed, then a weighed choice for the rest; false if none is possible."""
    reset_choice(r, s, c)
    if forced > 0 and not choose_forced(r, s, c):
        return False
    for t in range(wide(c.tasks)):
        if c.task_card[t] == HIDDEN and not choose_one(r, s, v, t, c):
            return False
    return True


@rule
def reset_choice(r: Rules, s: State, c: Scratch) -> None:
    c.likely = 1.0
    for k in range(wide(r.kinds)):
        c.picked[k] = 0
    for q in range(wide(s.seats)):
        c.secrets[q] = 0
        c.covers[q] = 0
        for k in range(MAX_KINDS):
            c.taken[q, k] = 0
            c.cover[q, k] = 0
    for t in range(wide(c.tasks)):
        c.task_card[t] = HIDDEN


@rule
def choose_forced(r: Rules, s: State, c: Scratch) -> bool:
    """Copies seen elsewhere than where they are claimed were trashed by somebody who had them."""
    for k in range(wide(r.kinds)):
        for _ in range(-wide(c.free[k])):
            weight = 0.0
            chosen = wide(-1)
            for t in range(wide(c.tasks)):
                n = claims_left(r, s, t, k, c) if c.task_card[t] == HIDDEN else 0
                if n > 0:
                    share = n / max(1, all_claims(r, wide(c.task_seat[t]), c))
                    weight += share
                    if fraction(s) * weight < share:
                        chosen = t
            if chosen < 0:
                return False
            take_claim(c, chosen, k)
    return True


@rule
def all_claims(r: Rules, q: int, c: Scratch) -> int:
    n = 0
    for k in range(wide(r.kinds)):
        n += wide(c.claims[q, k]) - c.taken[q, k]
    return n


@rule
def claims_left(r: Rules, s: State, t: int, k: int, c: Scratch) -> int:
    """Copies of a kind that task `t` could have trashed: not those seen in the tribe after that time."""
    q = wide(c.task_seat[t])
    n = wide(c.claims[q, k]) - c.taken[q, k]
    if c.relaxed:
        return n
    if c.task_cycle[t] < s.players[q].cycle:
        n += wide(c.located[q, k]) - s.players[q].sure[k]  # what lies open now has its weight in shown_weight
    if n > 0 and has(r.contested_kinds, k):
        n -= won_later(s, q, k, wide(c.task_cycle[t]))
    return max(0, n)


@rule
def won_later(s: State, q: int, k: int, cycle: int) -> int:
    """Copies of a contested kind that the rival is known to have won only afterwards."""
    n = 0
    for i in range(wide(s.wins_n)):
        if s.win_seat[i] == q and s.win_kind[i] == k and s.win_cycle[i] < s.players[q].cycle:
            n += s.win_cycle[i] >= cycle
    return n


@rule
def take_claim(c: Scratch, t: int, k: int) -> None:
    c.task_card[t] = k
    c.taken[c.task_seat[t], k] += 1
    c.picked[k] += 1


@rule
def weigh_task(r: Rules, s: State, v: int, t: int, c: Scratch) -> tuple[float, int, int]:
    """Weights of all the task may have trashed: their sum, their number, how many are unidentified cards."""
    q = wide(c.task_seat[t])
    unseen = max(0, secrets_before(s, q, wide(c.task_cycle[t]), c) - c.secrets[q])
    n = unseen
    total = float(unseen)
    if unseen > 0 and c.met:
        total += secret_weight(r, s, v, t, c)
    for k in range(wide(r.kinds)):
        c.weight[k] = 0
        c.cover_weight[k] = 0
        if c.claims[q, k] + c.located[q, k] == 0:
            continue
        left = claims_left(r, s, t, k, c)
        if left > 0:
            n += left
            weight = float(left)
            if not c.relaxed:
                weight *= shown_weight(s, t, k, c) * sighting_weight(r, s, v, t, k, c)
            c.weight[k] = weight
            total += c.weight[k]
        if c.old_dug[q] + c.old_won[q] > 0:
            c.cover_weight[k] = cover_weight(r, s, q, k, c)
            total += c.cover_weight[k]
    return total, n, unseen


@rule
def secret_weight(r: Rules, s: State, v: int, t: int, c: Scratch) -> float:
    """How much contested cards met in the junkyard speak for a card that the rival had won and trashed unseen."""
    q = wide(c.task_seat[t])
    n = wide(-c.secrets[q])
    for i in range(wide(s.wins_n)):
        n += c.win[i] == OPEN and s.win_seat[i] == q and s.win_cycle[i] < c.task_cycle[t]
    stray = 0.0
    for k in range(wide(r.kinds)):
        stray = max(stray, stray_odds(s, v, wide(c.task_at[t]), k, c))
    return max(0, n) * c.secret_odds * stray


@rule
def cover_weight(r: Rules, s: State, q: int, k: int, c: Scratch) -> float:
    """A copy seen in the tribe later may be an unidentified card of the same kind: then the first was trashed."""
    pile: float = 1.0 + s.junk_n + s.bottom_n
    unidentified = wide(c.old_dug[q])
    if has(r.contested_kinds, k):
        pile = float(CONTESTED)
        unidentified = wide(c.old_won[q])
    unidentified -= wide(c.secrets[q]) + c.covers[q]
    seen_later = max(wide(c.located[q, k]), wide(s.players[q].sure[k])) - c.cover[q, k]
    copies = max(0, wide(c.free[k])) + wide(c.picked[k])
    if unidentified <= 0 or seen_later <= 0 or copies <= 0:
        return 0.0
    return seen_later * unidentified * copies / pile


@rule
def choose_one(r: Rules, s: State, v: int, t: int, c: Scratch) -> bool:
    """One card among the rival's claims and the unidentified cards he could have held, by weight.

    An even choice is what the law says before the weights; their mean is what the choice leaves out.
    """
    total, n, unseen = weigh_task(r, s, v, t, c)
    if total <= 0:
        return False
    c.likely *= total / max(1, n)
    at = fraction(s) * total
    for k in range(wide(r.kinds)):
        at -= c.weight[k]
        if at < 0:
            take_claim(c, t, k)
            return True
        at -= c.cover_weight[k]
        if at < 0:
            c.task_card[t] = k
            c.picked[k] += 1
            c.cover[c.task_seat[t], k] += 1
            c.covers[c.task_seat[t]] += 1
            return True
    if unseen == 0:
        return False
    c.task_card[t] = SECRET
    c.secrets[c.task_seat[t]] += 1
    return True


@rule
def secrets_before(s: State, q: int, cycle: int, c: Scratch) -> int:
    """Unidentified cards the rival had dug or won before that reshuffle of his."""
    n = 0
    for i in range(wide(s.ledger_n)):
        n += c.entry[i] == OPEN and s.ledger_way[i] == WAY_OUT * 8 + q and s.ledger_cycle[i] < cycle
    for i in range(wide(s.wins_n)):
        n += c.win[i] == OPEN and s.win_seat[i] == q and s.win_cycle[i] < cycle
    return n


@rule
def shown_weight(s: State, t: int, k: int, c: Scratch) -> float:
    """How likely the copies shown since the last reshuffle are, with this copy trashed before it."""
    q = wide(c.task_seat[t])
    if c.task_cycle[t] == s.players[q].cycle:
        return 1.0
    owned = float(c.claims[q, k]) + c.located[q, k]
    for i in range(t):
        if c.task_seat[i] == q and c.task_card[i] == k and c.task_cycle[i] < s.players[q].cycle:
            owned -= 1.0
    return max(0.0, (owned - c.located[q, k]) / max(1.0, owned))


@rule
def sightings(s: State, v: int, at: int, k: int, c: Scratch) -> int:
    """Copies the seat has seen in the junkyard after ledger index `at`, as different cards."""
    me = s.players[v]
    n = wide(c.sighted[k])
    if me.since[k] > at:
        n += c.known[k]
    if c.kept[k] > 0 and c.kept_at[k] > at:
        n += c.kept[k]
    return n


@rule
def sighting_weight(r: Rules, s: State, v: int, t: int, k: int, c: Scratch) -> float:
    """How much likelier the sightings are when one more copy of the kind was trashed."""
    x = wide(c.picked[k])
    forced = max(0, -wide(c.free[k]))
    if has(c.met, k):
        stray = stray_odds(s, v, wide(c.task_at[t]), k, c)
        if stray > 0:
            return (1 + c.twin_odds * stray) * (x + 1 - forced) / (x + 1)
    there = 1.0 + max(0, in_junkyard(r, k, c) + x)
    return (there + sightings(s, v, wide(c.task_at[t]), k, c)) / there * (x + 1 - forced) / (x + 1)


@rule
def in_junkyard(r: Rules, k: int, c: Scratch) -> int:
    """Copies of a kind that nobody claims and that may lie in the junkyard."""
    if has(r.contested_kinds, k):
        return min(wide(c.listed[k]), wide(c.free[k]))
    return wide(c.free[k])
