"""The skirmish: forces revealed, one slot a seat, comparison, reward (rules 9)."""

from typing import Any

import numpy as np

from engine.arctic_scavengers.asking import Ask, Say, ask, back_to
from engine.arctic_scavengers.cards import Act
from engine.arctic_scavengers.state import MAX_KINDS, UNITS, Rules, State
from engine.arctic_scavengers.values import cards_word, sum_of, total, unit_against
from engine.arctic_scavengers.zones import (
    discard_openly,
    identify,
    lose,
    lose_contested,
    win_contested,
)
from engine.bits import lowest, only, rest
from engine.jit import rule
from engine.record import wide
from engine.rng import MULTIPLIER, mixed


@rule
def reveal(r: Rules, s: State) -> None:
    """All reserves are turned face up; the initiator has the first slot."""
    s.shown = 1
    s.turns = 0
    s.actor = s.initiator
    for p in range(wide(s.seats)):
        me = s.players[p]
        if s.quiet == 0:
            s.event = mixed(s.event, cards_word(me))
        m = me.hand_set if s.quiet == 0 else np.uint64(0)
        while m:
            k = lowest(m)
            m = rest(m)
            me.held[k] = 0
            identify(r, s, me, k, wide(me.hand[k]))
    next_slot(r, s)


@rule
def ready(r: Rules, s: State, u: int) -> bool:
    """True when the seat in its slot has a special unit of this kind that has not acted."""
    me = s.players[s.actor]
    return me.hand[r.unit_kind[u]] > me.spent[u]


@rule
def targets(r: Rules, s: State, q: int) -> Any:
    """The kinds in the force of seat `q` that the seat in its slot could hit."""
    hits = np.uint64(0)
    for u in range(wide(r.units_n)):
        if ready(r, s, u):
            hits |= s.players[q].hand_set & r.unit_targets[u]
    return hits


@rule
def next_slot(r: Rules, s: State) -> None:
    """Asks the next seat that can act, in turn order; without one the forces are compared."""
    while s.turns < s.seats:
        s.depth = 0
        if offer_slot(r, s):
            return
        s.turns += 1
        s.actor = (wide(s.actor) + 1) % s.seats
    compare(r, s)


@rule
def offer_slot(r: Rules, s: State) -> bool:
    """Puts the SLOT question if the actor can hit anything; with one possible rival he is aimed at already."""
    rivals = 0
    last = wide(0)
    legal = np.uint64(0)
    for q in range(wide(s.seats)):
        if q != s.actor and targets(r, s, q):
            rivals += 1
            last = q
            legal |= only(Say.AIM + q)
    if rivals == 0:
        return False
    ask(s, Ask.SLOT, s.actor)
    s.aim = -1
    if rivals == 1:
        s.aim = last
        legal = copies(r, s, last)
    s.legal = legal | only(Say.END)
    return True


@rule
def copies(r: Rules, s: State, q: int) -> Any:
    """Targets in the force of seat `q`, with copies that have acted told apart from fresh ones."""
    you = s.players[q]
    hits = targets(r, s, q)
    for u in range(wide(r.units_n)):
        k = wide(r.unit_kind[u])
        if hits & only(k) and you.spent[u] > 0:
            hits |= only(Say.SPENT + u)
            if you.spent[u] == you.hand[k]:
                hits &= ~only(k)
    return hits


@rule
def aim(r: Rules, s: State, q: int) -> None:
    """The actor names the rival first."""
    s.aim = q
    ask(s, Ask.HIT, s.actor)
    s.legal = copies(r, s, q)


@rule
def hit(r: Rules, s: State, move: int) -> None:
    """One special unit sends one card of the rival's force to his discard pile (9.2)."""
    you = s.players[s.aim]
    k = move
    if move >= Say.SPENT:
        you.spent[move - Say.SPENT] -= 1
        k = wide(r.unit_kind[move - Say.SPENT])
    s.players[s.actor].spent[unit_against(r, k)] += 1
    lose(you, k)
    discard_openly(you, k)
    next_slot(r, s)


@rule
def end_slot(r: Rules, s: State) -> None:
    """The actor's special units do nothing more."""
    back_to(s, 0)
    s.turns += 1
    s.actor = (wide(s.actor) + 1) % s.seats
    next_slot(r, s)


@rule
def fight(r: Rules, s: State, p: int) -> int:
    """The fight of a force."""
    me = s.players[p]
    value, _ = total(r, me.hand_set, me.hand, me.spent, wide(Act.FIGHT))
    return value


@rule
def people_in_force(r: Rules, s: State, p: int) -> int:
    """The people of a force, fighters or not."""
    me = s.players[p]
    return sum_of(me.hand_set, me.hand, r.people)


@rule
def winner(r: Rules, s: State) -> int:
    """Who wins the skirmish, -1 for a deadlock (9.3; 11 for two seats)."""
    best = -1
    second = -1
    first = -1
    tied = np.uint64(0)
    for p in range(wide(s.seats)):
        value = fight(r, s, p)
        if value > best:
            second = best
            best = value
            first = p
            tied = only(p)
        elif value == best:
            second = best
            tied |= only(p)
        elif value > second:
            second = value
    if best - second >= r.margin:
        return first
    if not r.people_break_ties:
        return -1
    return most_people(r, s, tied)


@rule
def most_people(r: Rules, s: State, tied: Any) -> int:
    """Among the tied seats the one with most people, -1 if that is a tie too."""
    best = -1
    first = -1
    m = tied
    while m:
        p = lowest(m)
        m = rest(m)
        n = people_in_force(r, s, p)
        if n > best:
            best = n
            first = p
        elif n == best:
            first = -1
    return first


@rule
def compare(r: Rules, s: State) -> None:
    """The reward goes to the winner unseen, or the card to the junkyard."""
    w = winner(r, s)
    s.event = s.event * MULTIPLIER + np.uint64(w + 2)
    if s.quiet == 0:
        remember_forces(s, w)
    if w >= 0:
        win_contested(s, w)
    else:
        lose_contested(s)


@rule
def remember_forces(s: State, w: int) -> None:
    """What everybody saw of the comparison, kept until the next one; only to be told."""
    s.outcome = w + 2
    for p in range(wide(s.seats)):
        me = s.players[p]
        for k in range(MAX_KINDS):
            me.fought[k] = me.hand[k]
        for u in range(UNITS):
            me.acted[u] = me.spent[u]


@rule
def score(r: Rules, s: State, p: int) -> int:
    """People over all cards of a tribe (10)."""
    me = s.players[p]
    n = people_in_force(r, s, p)
    for i in range(wide(me.deck_n)):
        n += wide(r.people[me.deck[i]])
    for i in range(wide(me.discard_n)):
        n += wide(r.people[me.discard[i]])
    if r.used_to_front:
        for k in range(MAX_KINDS):
            n += wide(me.front[k]) * r.people[k]
    return n
