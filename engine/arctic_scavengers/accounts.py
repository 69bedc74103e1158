"""What a seat can place: the copies in sight, and what each rival is known to have (contract 13)."""

import numpy as np

from engine.arctic_scavengers.scratch import Scratch
from engine.arctic_scavengers.state import MAX_SEATS, WAY_IN, WAY_LOST, WAY_OUT, Rules, State
from engine.bits import only
from engine.jit import rule
from engine.record import wide


@rule
def account(r: Rules, s: State, v: int, c: Scratch) -> None:
    """Subtracts from the copies in play all that the seat can place, and all that rivals claim."""
    me = s.players[v]
    c.met = np.uint64(0)
    for k in range(wide(r.kinds)):
        if me.known[k] > 0:
            c.met |= only(k)
        c.known[k] = me.known[k]
        open_now = wide(s.market[k]) + s.play[k] + me.hand[k] + me.front[k] + me.known[k]
        c.free[k] = wide(r.total[k]) - open_now
        c.sighted[k] = 0
        c.kept[k] = 0
        c.listed[k] = 0
    for i in range(wide(me.deck_n)):
        c.free[me.deck[i]] -= 1
    for i in range(wide(me.discard_n)):
        c.free[me.discard[i]] -= 1
    for i in range(wide(s.look_n)):
        see(c, s.look[i])
    for i in range(wide(s.bottom_n)):
        if s.bottom_seen[i] >> v & 1:
            see(c, s.bottom[i])
    if s.contested_seen >> v & 1:
        c.free[s.contested[wide(s.contested_n) - 1]] -= 1
    account_ledger(s, v, c)
    for q in range(wide(s.seats)):
        if q != v:
            account_rival(r, s, v, q, c)
    for k in range(wide(r.kinds)):
        if c.free[k] < 0 and c.known[k] > 0 and dug_since(s, v, wide(me.since[k])):
            away = min(wide(c.known[k]), -wide(c.free[k]))
            c.known[k] -= away
            c.free[k] += away


@rule
def dug_since(s: State, v: int, at: int) -> bool:
    """True when a rival kept a dug card after ledger index `at`, which may be one the seat saw there."""
    for i in range(at, wide(s.ledger_n)):
        if s.ledger_way[i] >> 3 == WAY_OUT and not s.ledger_seen[i] >> v & 1:
            return True
    return False


@rule
def see(c: Scratch, k: int) -> None:
    c.free[k] -= 1
    c.sighted[k] += 1
    c.met |= only(k)


@rule
def account_ledger(s: State, v: int, c: Scratch) -> None:
    """What the seat itself knows of cards that entered or left the junkyard."""
    c.losses = 0
    for q in range(MAX_SEATS):
        c.old_outs[q] = 0
        c.old_wins[q] = 0
    for i in range(wide(s.ledger_n)):
        way = wide(s.ledger_way[i]) >> 3
        q = wide(s.ledger_way[i]) & 7
        if s.ledger_seen[i] >> v & 1:
            k = wide(s.ledger_kind[i])
            if way == WAY_OUT:
                c.kept[k] += 1
                c.kept_at[k] = i
                c.met |= only(k)
            else:
                c.listed[k] += 1
        elif way == WAY_LOST:
            c.losses += 1
        elif way == WAY_OUT and s.ledger_cycle[i] < s.players[q].cycle:
            c.old_outs[q] += 1


@rule
def account_rival(r: Rules, s: State, v: int, q: int, c: Scratch) -> None:
    """A rival's claims: the cards the record gives him that do not lie open."""
    you = s.players[q]
    size = wide(you.hand_n) + you.deck_n + you.discard_n
    c.named_dug[q] = you.named_dug
    c.dug[q] = wide(you.dug) - you.named_dug
    c.won[q] = wide(you.won) - you.named_won
    received = wide(c.dug[q]) + c.won[q]
    for k in range(wide(r.kinds)):
        played = wide(s.play[k]) if q == s.actor else wide(0)
        laid = wide(you.openly[k]) + you.front[k] + you.held[k]
        if s.shown:
            laid += you.hand[k]
        owned = wide(you.owned[k])
        c.located[q, k] = laid + played
        c.claims[q, k] = owned - laid - played
        c.free[k] -= laid
        received += owned
        size += you.front[k] + played
    c.trashed[q] = received - size
    c.old_won[q] = c.won[q]
    account_wins(r, s, v, q, c)
    reconcile_wins(q, c)
    c.old_dug[q] = max(0, wide(c.old_outs[q]) - c.named_dug[q])
    for k in range(wide(r.kinds)):
        c.free[k] -= c.claims[q, k]


@rule
def account_wins(r: Rules, s: State, v: int, q: int, c: Scratch) -> None:
    """Contested cards of the rival that the seat has seen: in his discard pile, or among his claims."""
    you = s.players[q]
    for i in range(wide(s.wins_n)):
        if s.win_seat[i] != q:
            continue
        old = s.win_cycle[i] < you.cycle
        if not s.win_seen[i] >> v & 1:
            c.old_wins[q] += old
            c.old_won[q] -= not old
            continue
        k = wide(s.win_kind[i])
        if not old:
            c.free[k] -= 1
            c.won[q] -= 1
            c.old_won[q] -= 1
            continue
        alike = 0
        for j in range(i + 1):
            if s.win_seat[j] == q and s.win_seen[j] >> v & 1 and s.win_kind[j] == k:
                alike += s.win_cycle[j] < you.cycle
        if alike > wide(you.owned[k]) + openly_trashed(r, s, q, k):
            c.claims[q, k] += 1
            c.won[q] -= 1
            c.old_won[q] -= 1


@rule
def reconcile_wins(q: int, c: Scratch) -> None:
    """The seat has seen some wins, so it knows better than the record which identified cards were won, which dug."""
    excess = wide(c.old_won[q]) - min(max(0, wide(c.old_won[q])), wide(c.old_wins[q]))
    c.old_won[q] -= excess
    c.won[q] -= excess
    c.dug[q] += excess
    c.named_dug[q] -= excess


@rule
def openly_trashed(r: Rules, s: State, q: int, k: int) -> int:
    """Copies the rival trashed for all to see (switch trash_public)."""
    n = 0
    if r.trash_public:
        for i in range(wide(s.ledger_n)):
            n += s.ledger_way[i] == WAY_IN * 8 + q and s.ledger_kind[i] == k
    return n
