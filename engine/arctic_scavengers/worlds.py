"""Dealing what a seat does not know, by the law of contract 13.

The seat's view is completed step by step: which cards rivals trashed unseen, how the contested cards lie,
what lay in the junkyard when somebody dug there, how each rival's cards are spread over hand, deck and
discard pile.
"""

from typing import Any

import numpy as np

from engine.arctic_scavengers.accounts import account
from engine.arctic_scavengers.ledger import write_down_ledger, write_down_wins
from engine.arctic_scavengers.reunions import find_strays, places, reunite, take_back
from engine.arctic_scavengers.scratch import OPEN, SECRET, SKIPPED, Scratch, pull, pull_pool, push, push_pool, take_kind
from engine.arctic_scavengers.state import MAX_KINDS, WAY_LOST, WAY_OUT, Player, Rules, State
from engine.arctic_scavengers.trashes import choose_trashes, list_trashes, mark_open
from engine.bits import has, lowest, only, rest
from engine.jit import rule
from engine.record import wide
from engine.rng import below, seeded

STRICT = 100
RELAXED = 2000  # the record is a summary: a very long one can leave no strict way


@rule
def determinize(r: Rules, s: State, v: int, seed: Any, c: Scratch) -> int:
    """Completes `s`, a copy of the view of seat `v` who is to move; 0 if nothing fits."""
    s.rng = seeded(seed)
    account(r, s, v, c)
    list_trashes(s, v, c)
    find_strays(r, s, v, c)
    for attempt in range(STRICT + RELAXED):
        c.relaxed = attempt >= STRICT
        if attempt > 0:
            take_back(c)
        mark_open(s, v, c)
        if (
            choose_trashes(r, s, v, c)
            and deal_contested(r, s, v, c)
            and replay_junkyard(r, s, v, c)
            and deal_rivals(r, s, v, c)
        ):
            return lay_junkyard(r, s, v, c)
    return 0


# ---- the contested cards


@rule
def deal_contested(r: Rules, s: State, v: int, c: Scratch) -> bool:
    """Pile, rivals' unseen wins, and what deadlocks sent to the junkyard, as an even deal."""
    c.bag_n = 0
    for q in range(wide(s.seats)):
        c.ghosts[q] = 0
    for k in range(wide(r.kinds)):
        c.dropped[k] = max(0, wide(c.listed[k]) - c.free[k])
        if has(r.contested_kinds, k):
            if has(c.met, k):
                c.dropped[k] = max(wide(c.dropped[k]), wide(c.paired[k]))
            for _ in range(wide(c.free[k]) - c.listed[k] + c.dropped[k]):
                push(c, k)
    if not reunite(r, s, v, places(s, v, c), c):
        return False
    pile = wide(s.contested_n) - (s.contested_seen >> v & 1)
    for i in range(pile):
        s.contested[i] = pull(s, c)
    s.contested_fixed = s.contested_seen != 0
    for q in range(wide(s.seats)):
        if q != v:
            deal_wins(r, s, v, q, c)
    return deal_deadlocks(s, v, c)


@rule
def deal_wins(r: Rules, s: State, v: int, q: int, c: Scratch) -> None:
    """A rival's unidentified wins."""
    ghosts = wide(c.ghosts[q])
    left = wide(c.old_won[q])
    for i in range(wide(s.wins_n)):
        if c.win[i] != OPEN or s.win_seat[i] != q or s.win_seen[i] >> v & 1:
            continue
        c.win[i] = SKIPPED
        if s.win_cycle[i] < s.players[q].cycle:
            left -= 1
            if covered(s, q, left + 1, r.contested_kinds, c):
                continue
            if ghosts > 0 and below(s, max(1, left + 1)) < ghosts:
                ghosts -= 1
                continue
        if c.bag_n > 0:
            c.win[i] = pull(s, c)


@rule
def deal_deadlocks(s: State, v: int, c: Scratch) -> bool:
    """What is left of the contested cards came to the junkyard; if it is too little, some were sighted."""
    entries = 0
    for i in range(wide(s.ledger_n)):
        if s.ledger_way[i] >> 3 == WAY_LOST and not s.ledger_seen[i] >> v & 1:
            entries += 1
    for i in range(wide(s.ledger_n)):
        if s.ledger_way[i] >> 3 == WAY_LOST and not s.ledger_seen[i] >> v & 1:
            c.entry[i] = SKIPPED
            if below(s, entries) < c.bag_n:
                c.entry[i] = pull(s, c)
            entries -= 1
    return True


# ---- the junkyard through time


@rule
def replay_junkyard(r: Rules, s: State, v: int, c: Scratch) -> bool:
    """Runs through the ledger: what lay there at each dig, and which of it was kept."""
    for k in range(wide(r.kinds)):
        if not has(r.contested_kinds, k):
            for _ in range(wide(c.free[k]) - c.listed[k]):
                push(c, k)
    task = 0
    while task < c.tasks and c.task_at[task] < 0:
        if c.task_card[task] < MAX_KINDS:
            push_unless_seen(c, wide(c.task_card[task]))
        task += 1
    for q in range(wide(s.seats)):
        c.outs_left[q] = c.old_dug[q]
    known = known_kinds(r, c)
    for i in range(wide(s.ledger_n)):
        know_again(s, v, i, known, c)
        way = wide(s.ledger_way[i]) >> 3
        if way == WAY_OUT:
            if not dig_again(r, s, v, i, c):
                return False
        elif s.ledger_seen[i] >> v & 1:
            push_unless_seen(c, wide(s.ledger_kind[i]))
        elif way == WAY_LOST:
            if c.entry[i] < MAX_KINDS:
                push(c, wide(c.entry[i]))
        else:
            if not trash_again(s, v, i, wide(c.task_card[task]), c):
                return False
            task += 1
    know_again(s, v, wide(s.ledger_n), known, c)
    for q in range(wide(s.seats)):
        if q != v and c.tasks > 0 and c.covers[q] != 0:
            return False
    return True


@rule
def known_kinds(r: Rules, c: Scratch) -> Any:
    """The kinds of which the seat has seen cards in the junkyard."""
    kinds = np.uint64(0)
    for k in range(wide(r.kinds)):
        if c.known[k] > 0:
            kinds |= only(k)
    return kinds


@rule
def know_again(s: State, v: int, i: int, known: Any, c: Scratch) -> None:
    """Cards the seat has seen in the junkyard at this time were not dug before."""
    me = s.players[v]
    m = known
    while m:
        k = lowest(m)
        m = rest(m)
        if me.since[k] == i:
            for _ in range(wide(c.known[k])):
                push(c, k)


@rule
def push_unless_seen(c: Scratch, k: int) -> None:
    """A card enters the junkyard, unless it is one of those that the seat sees elsewhere now."""
    if c.dropped[k] > 0:
        c.dropped[k] -= 1
    else:
        push(c, k)


@rule
def dig_again(r: Rules, s: State, v: int, i: int, c: Scratch) -> bool:
    """A rival keeps a card; an identified one is among his cards already."""
    if s.ledger_seen[i] >> v & 1 or c.entry[i] != OPEN:
        return True
    q = wide(s.ledger_way[i]) & 7
    c.entry[i] = SKIPPED
    if s.ledger_cycle[i] < s.players[q].cycle:
        c.outs_left[q] -= 1
        if covered(s, q, wide(c.outs_left[q]) + 1, ~r.contested_kinds, c):
            return True
    if c.bag_n == 0:
        return False
    c.entry[i] = pull(s, c)
    return True


@rule
def covered(s: State, q: int, left: int, kinds: Any, c: Scratch) -> bool:
    """One of the `left` unidentified cards may have to be of one of these kinds, that replaced a trashed one."""
    n = 0
    for k in range(MAX_KINDS):
        if has(kinds, k):
            n += wide(c.cover[q, k])
    if c.tasks == 0 or n == 0 or below(s, max(1, left)) >= n:
        return False
    for k in range(MAX_KINDS):
        if c.cover[q, k] > 0 and has(kinds, k) and take_kind(c, k):
            c.cover[q, k] -= 1
            c.covers[q] -= 1
            return True
    return False


@rule
def trash_again(s: State, v: int, i: int, k: int, c: Scratch) -> bool:
    """A rival trashes a card: one of his claims, or one he had dug or won unseen before."""
    card = k
    q = wide(s.ledger_way[i]) & 7
    if k == SECRET and c.ghosts[q] > 0:
        c.ghosts[q] -= 1
        card = SKIPPED
    elif k == SECRET:
        card = spend_secret(s, v, q, wide(s.ledger_cycle[i]), c)
        if card < 0:
            return False
        push(c, card)
    else:
        push_unless_seen(c, card)
    c.entry[i] = card
    return True


@rule
def spend_secret(s: State, v: int, q: int, cycle: int, c: Scratch) -> int:
    """Takes one of the rival's unidentified cards of before this cycle, each with equal chance."""
    n = 0
    out = -1
    win = -1
    for i in range(wide(s.ledger_n)):
        if s.ledger_way[i] != WAY_OUT * 8 + q or s.ledger_cycle[i] >= cycle or s.ledger_seen[i] >> v & 1:
            continue
        if c.entry[i] < MAX_KINDS and not c.gone[i]:
            n += 1
            if below(s, n) == 0:
                out = i
    for i in range(wide(s.wins_n)):
        if s.win_seat[i] != q or s.win_cycle[i] >= cycle or s.win_seen[i] >> v & 1:
            continue
        if c.win[i] < MAX_KINDS and not c.win_gone[i]:
            n += 1
            if below(s, n) == 0:
                win = i
    if win >= 0:
        c.win_gone[win] = 1
        return wide(c.win[win])
    if out >= 0:
        c.gone[out] = 1
        return wide(c.entry[out])
    return -1


# ---- the rivals' cards


@rule
def deal_rivals(r: Rules, s: State, v: int, c: Scratch) -> bool:
    """Spreads each rival's cards over discard pile, hand and deck."""
    for q in range(wide(s.seats)):
        if q != v and not deal_rival(r, s, v, q, c):
            return False
    return True


@rule
def deal_rival(r: Rules, s: State, v: int, q: int, c: Scratch) -> bool:
    """New unseen cards lie in the discard pile; the rest is an even deal over what is hidden."""
    you = s.players[q]
    c.pool_n = 0
    n = wide(0)
    for k in range(wide(r.kinds)):
        for _ in range(you.openly[k]):
            you.discard[n] = k
            n += 1
        taken = wide(c.taken[q, k]) if c.tasks > 0 else wide(0)
        for _ in range(wide(c.claims[q, k]) - taken):
            push_pool(c, k)
    n = place_unseen(s, v, q, n, c)
    hand = wide(0) if s.shown else unknown_in_hand(r, you)
    if n > you.discard_n or wide(c.pool_n) != you.discard_n - n + hand + you.deck_n:
        return False
    for i in range(n, wide(you.discard_n)):
        you.discard[i] = pull_pool(s, c)
    if not s.shown:
        fill_hand(s, q, hand, c)
    for i in range(wide(you.deck_n)):
        you.deck[i] = c.pool[i]
    return True


@rule
def unknown_in_hand(r: Rules, you: Player) -> int:
    n = wide(you.hand_n)
    for k in range(wide(r.kinds)):
        n -= you.held[k]
    return n


@rule
def fill_hand(s: State, q: int, n: int, c: Scratch) -> None:
    """A hidden hand: what is known of it, and `n` other cards."""
    you = s.players[q]
    you.hand_set = np.uint64(0)
    for k in range(MAX_KINDS):
        you.hand[k] = you.held[k]
        if you.held[k] > 0:
            you.hand_set |= only(k)
    for _ in range(n):
        k = pull_pool(s, c)
        you.hand[k] += 1
        you.hand_set |= only(k)


@rule
def place_unseen(s: State, v: int, q: int, start: int, c: Scratch) -> int:
    """The rival's dug and won cards: new ones onto the discard pile, older ones into the pool."""
    you = s.players[q]
    n = start
    listed = 0
    for i in range(wide(s.ledger_n)):
        if s.ledger_way[i] != WAY_OUT * 8 + q or s.ledger_seen[i] >> v & 1:
            continue
        listed += 1
        if c.entry[i] == SKIPPED or c.gone[i]:
            continue
        if s.ledger_cycle[i] == you.cycle:
            you.discard[n] = c.entry[i]
            n += 1
        else:
            push_pool(c, wide(c.entry[i]))
    identified = min(wide(c.named_dug[q]), wide(c.old_outs[q]))  # of the listed ones
    for _ in range(wide(c.dug[q]) + identified - listed):
        if c.bag_n > 0:
            push_pool(c, pull(s, c))
    return place_wins(s, v, q, n, c)


@rule
def place_wins(s: State, v: int, q: int, start: int, c: Scratch) -> int:
    """The rival's contested cards; those the seat saw go where it knows them to be."""
    you = s.players[q]
    n = start
    for i in range(wide(s.wins_n)):
        if s.win_seat[i] != q:
            continue
        new = s.win_cycle[i] == you.cycle
        if s.win_seen[i] >> v & 1:
            if new:
                you.discard[n] = s.win_kind[i]
                n += 1
        elif c.win[i] != SKIPPED and not c.win_gone[i]:
            if new:
                you.discard[n] = c.win[i]
                n += 1
            else:
                push_pool(c, wide(c.win[i]))
    return n


@rule
def lay_junkyard(r: Rules, s: State, v: int, c: Scratch) -> int:
    """What is left in the bag lies in the junkyard; the ledger and the wins get their cards."""
    if wide(c.bag_n) != wide(s.junk_n) + unseen_below(s, v):
        return 0
    for i in range(wide(s.bottom_n)):
        if not s.bottom_seen[i] >> v & 1:
            s.bottom[i] = pull(s, c)
    for i in range(wide(s.junk_n)):
        s.junk[i] = c.bag[i]
    write_down_wins(r, s, v, c)
    write_down_ledger(r, s, v, c)
    return 1


@rule
def unseen_below(s: State, v: int) -> int:
    n = 0
    for i in range(wide(s.bottom_n)):
        if not s.bottom_seen[i] >> v & 1:
            n += 1
    return n
