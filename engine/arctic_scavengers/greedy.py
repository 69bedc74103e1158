"""A sound hand-written player: the yardstick."""

from typing import Any

import numpy as np

from engine.arctic_scavengers.appraisal import best_hire, is_weak, kinds_of, med_in_hand, plan, whole, worth
from engine.arctic_scavengers.asking import Ask, Say, asked, question
from engine.arctic_scavengers.cards import Act
from engine.arctic_scavengers.skirmish import fight, ready, winner
from engine.arctic_scavengers.state import MAX_KINDS, Rules, State
from engine.arctic_scavengers.values import total
from engine.bits import has, lowest, only, rest
from engine.jit import rule

THIN_UNTIL = 6  # last round in which weak people are trashed
REACT_LOSS = 3  # value an action must lose to be worth a response


@rule
def choose(r: Rules, s: State, best: Any, planned: bool) -> int:
    """The move of the seat asked, judged from its view alone.

    `best` becomes the set of cards for the action chosen or under way; it is already when `planned` is true.
    """
    q = question(s)
    if q == Ask.ACTION:
        return choose_action(r, s, best)
    if q == Ask.COMMIT:
        return choose_commit(r, s, best, planned)
    if q == Ask.REACT:
        return choose_response(r, s)
    if q == Ask.KEEP:
        return choose_keep(r, s)
    if q == Ask.PAY:
        return choose_payment(r, s)
    if q == Ask.TRASH:
        return choose_trash(r, s)
    if q == Ask.RETURN:
        return lowest(s.legal)
    return choose_hit(r, s)


# ---- the turn


@rule
def choose_action(r: Rules, s: State, best: Any) -> int:
    """Draws, hunts, hires, digs, trashes: whatever gains, in this order."""
    p = asked(s)
    if has(s.legal, Say.DRAW) and plan(r, s, p, whole(Act.DRAW), best) > 0:
        return whole(Say.DRAW)
    if has(s.legal, Say.HUNT) and not s.used >> Act.HIRE & 1 and plan(r, s, p, whole(Act.HUNT), best) > 0:
        return whole(Say.HUNT)
    if not s.used >> Act.HIRE & 1:
        k = best_hire(r, s, whole(s.food), med_in_hand(r, s.players[p]))
        if k >= 0:
            return k
    if has(s.legal, Say.DIG) and plan(r, s, p, whole(Act.DIG), best) > 0:
        return whole(Say.DIG)
    if has(s.legal, Say.TRASH) and worst_card(r, s, s.players[p].hand_set) >= 0:
        return whole(Say.TRASH)
    return whole(Say.END)


@rule
def choose_commit(r: Rules, s: State, best: Any, planned: bool) -> int:
    """The next card of the best set, or go."""
    if not planned:
        plan(r, s, asked(s), whole(s.act), best)
    m = s.legal & ~only(Say.STOP)
    while m:
        k = lowest(m)
        m = rest(m)
        if best[k] > s.play[k]:
            return k
    return whole(Say.STOP) if has(s.legal, Say.STOP) else lowest(s.legal)


@rule
def worst_card(r: Rules, s: State, kinds: Any) -> int:
    """The next card to trash of these, -1 if none is worth trashing: junk at any time, weak people early."""
    m = kinds
    while m:
        k = lowest(m)
        m = rest(m)
        if is_weak(r, k) and (r.people[k] == 0 or s.round_no <= THIN_UNTIL):
            return k
    return -1


@rule
def choose_trash(r: Rules, s: State) -> int:
    """Everything worth trashing, then go."""
    k = worst_card(r, s, s.legal & ~only(Say.STOP))
    if k >= 0:
        return k
    return whole(Say.STOP) if has(s.legal, Say.STOP) else lowest(s.legal)


@rule
def choose_keep(r: Rules, s: State) -> int:
    """The card of the dig most worth owning, none if that is worth nothing."""
    best = whole(Say.STOP)
    most = 0
    m = s.legal & ~only(Say.STOP)
    while m:
        k = lowest(m)
        m = rest(m)
        value = worth(r, s, k)
        if is_weak(r, k) and s.round_no <= THIN_UNTIL:
            value = 0
        if value > most:
            most = value
            best = k
    return best


@rule
def choose_payment(r: Rules, s: State) -> int:
    """The largest medicine that wastes nothing, else the smallest."""
    best = lowest(s.legal)
    m = s.legal
    while m:
        k = lowest(m)
        m = rest(m)
        med, so_far = whole(r.med[k]), whole(r.med[best])
        need = whole(s.need)
        if (so_far > need and med < so_far) or so_far < med <= need:
            best = k
    return best


# ---- special units


@rule
def play_value(r: Rules, s: State, counts: Any) -> int:
    """What these of the committed cards are worth for the action under way."""
    value, _ = total(r, kinds_of(counts, s.play_set), counts, s.players[s.actor].spent, whole(s.act))
    return value


@rule
def choose_response(r: Rules, s: State) -> int:
    """Hits the card whose loss hurts the action most, if it hurts enough."""
    counts = np.zeros(MAX_KINDS, np.uint8)
    for k in range(whole(r.kinds)):
        counts[k] = s.play[k]
    now = play_value(r, s, counts)
    best = whole(Say.STOP)
    most = REACT_LOSS - 1
    m = s.legal & ~only(Say.STOP)
    while m:
        k = lowest(m)
        m = rest(m)
        counts[k] -= 1
        loss = now - play_value(r, s, counts)
        counts[k] += 1
        if loss > most:
            most = loss
            best = k
    return best


@rule
def threats(r: Rules, s: State, p: int) -> int:
    """How many special units of rivals have not acted."""
    n = 0
    for q in range(whole(s.seats)):
        for u in range(whole(r.units_n)):
            if q != p:
                n += whole(s.players[q].hand[r.unit_kind[u]]) - s.players[q].spent[u]
    return n


@rule
def lead(r: Rules, s: State, p: int) -> int:
    """How the skirmish stands for a seat: winning safely comes first, then nobody winning, then the margin of fight."""
    w = winner(r, s)
    if w == p:
        return 1000 - threats(r, s, p)
    most = 0
    for q in range(whole(s.seats)):
        if q != p:
            most = max(most, fight(r, s, q))
    return (200 if w < 0 else 0) + fight(r, s, p) - most


@rule
def lead_after(r: Rules, s: State, p: int, q: int, k: int, u: int) -> int:
    """The same once unit `u` has hit card `k` of seat `q`."""
    me, you = s.players[p], s.players[q]
    me.spent[u] += 1
    you.hand[k] -= 1
    if you.hand[k] == 0:
        you.hand_set &= ~only(k)
    value = lead(r, s, p)
    you.hand[k] += 1
    you.hand_set |= only(k)
    me.spent[u] -= 1
    return value


@rule
def best_target(r: Rules, s: State, p: int, q: int) -> tuple[int, int]:
    """The card of seat `q` to hit, and how the skirmish stands then; -1 if there is none."""
    best = -1
    most = -1000
    for u in range(whole(r.units_n)):
        if not ready(r, s, u):
            continue
        m = s.players[q].hand_set & r.unit_targets[u]
        while m:
            k = lowest(m)
            m = rest(m)
            value = lead_after(r, s, p, q, k, u)
            if value > most:
                most = value
                best = k
    return best, most


@rule
def with_copies(r: Rules, s: State, k: int) -> int:
    """The move that hits this card, a fresh copy first."""
    if has(s.legal, k):
        return k
    return whole(Say.SPENT) + whole(r.unit_of[k])


@rule
def choose_hit(r: Rules, s: State) -> int:
    """In the own slot: hits while that betters the result of the skirmish."""
    p = asked(s)
    if question(s) == Ask.HIT:
        k, _ = best_target(r, s, p, whole(s.aim))
        return with_copies(r, s, k)
    best = whole(Say.END)
    most = lead(r, s, p)
    for q in range(whole(s.seats)):
        if q == p or (s.aim >= 0 and q != s.aim):
            continue
        k, value = best_target(r, s, p, q)
        if value > most:
            most = value
            best = with_copies(r, s, k) if s.aim >= 0 else whole(Say.AIM) + q
    return best
