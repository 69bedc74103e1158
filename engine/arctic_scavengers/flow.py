"""Rounds and moves: what starts a round, what an answer does, how a game ends (rules 4, 5, 10)."""

from typing import Any

import numpy as np

from engine.arctic_scavengers.asking import Ask, Say, asked, question
from engine.arctic_scavengers.skirmish import aim, end_slot, hit, reveal, score
from engine.arctic_scavengers.state import LAST_QUIET_ROUND, MAX_KINDS, UNITS, Player, Rules, State
from engine.arctic_scavengers.turn import (
    begin_turn,
    choose_to_trash,
    commit,
    finish_trash,
    keep,
    next_response,
    open_window,
    pay,
    respond,
    return_card,
    take_action,
)
from engine.arctic_scavengers.zones import discard, discard_openly, draw, peek, reshuffle
from engine.bits import lowest, only, rest
from engine.jit import hot_rule, rule
from engine.record import wide
from engine.rng import MULTIPLIER, below, seeded

HAND = 5


@rule
def deal(r: Rules, s: State, seed: Any) -> None:
    """Sets up a game from a blank state and begins round 1 (3)."""
    s.rng = seeded(seed)
    s.seats = r.seats
    junk = wide(0)
    contested = wide(0)
    for k in range(wide(r.kinds)):
        s.market[k] = r.market[k]
        if r.market[k] > 0:
            s.market_set |= only(k)
        for _ in range(r.junkyard[k]):
            s.junk[junk] = k
            junk += 1
        for _ in range(r.contested[k]):
            s.contested[contested] = k
            contested += 1
    s.junk_n = junk
    s.contested_n = contested
    for p in range(wide(s.seats)):
        me = s.players[p]
        for k in range(wide(r.kinds)):
            me.owned[k] = r.start[k]
            for _ in range(r.start[k]):
                discard(me, k)
        reshuffle(s, me)
        me.cycle = 0
        for k in range(MAX_KINDS):
            me.sure[k] = 0
    s.first = below(s, wide(s.seats))
    begin_round(r, s)


@rule
def begin_round(r: Rules, s: State) -> None:
    """Old hands away, five new cards, the initiator's look, the first turn (5)."""
    s.round_no += 1
    for p in range(wide(s.seats)):
        clear_hand(s.players[p], s.shown)
    s.shown = 0
    for p in range(wide(s.seats)):
        draw(s, p, wide(HAND))
    s.initiator = initiator(s.first, s.round_no, s.seats)
    if s.round_no > LAST_QUIET_ROUND and r.peek:
        peek(s, s.initiator)
    s.actor = s.initiator
    s.turns = 0
    begin_turn(r, s)


@rule
def initiator(first: int, round_no: int, seats: int) -> int:
    """The seat with the initiator card: the same in rounds 1 to 3, then one further each round (4.4)."""
    return (wide(first) + max(0, wide(round_no) - 3)) % seats


@rule
def clear_hand(me: Player, shown: int) -> None:
    """What is left of the last round goes to the own discard pile (5.1), face down if nobody saw it."""
    m = me.hand_set
    while m:
        k = lowest(m)
        m = rest(m)
        for i in range(wide(me.hand[k])):
            if shown or i < me.held[k]:
                discard_openly(me, k)
            else:
                discard(me, k)
                me.left += 1
        me.hand[k] = 0
        me.held[k] = 0
    me.hand_n = 0
    me.hand_set = np.uint64(0)
    me.done = 0
    for u in range(UNITS):
        me.spent[u] = 0
        me.responses[u] = 0


@rule
def clear_front(s: State) -> None:
    """Cards that stayed in front go to the discard piles (switch used_cards_to_discard)."""
    for p in range(wide(s.seats)):
        me = s.players[p]
        for k in range(MAX_KINDS):
            for _ in range(me.front[k]):
                discard_openly(me, k)
            me.front[k] = 0


@rule
def end_turn(r: Rules, s: State) -> None:
    """The rest of the hand is the reserve; the next seat gathers, or the round goes on."""
    s.players[s.actor].done = 1
    s.used = 0
    s.food = 0
    s.turns += 1
    if s.turns < s.seats:
        s.actor = (wide(s.actor) + 1) % s.seats
        begin_turn(r, s)
    elif s.round_no > LAST_QUIET_ROUND:
        reveal(r, s)
        after_skirmish(r, s)
    else:
        end_round(r, s)


@rule
def after_skirmish(r: Rules, s: State) -> None:
    """Once no slot is open any more the round ends, and with the last contested card the game."""
    if s.turns < s.seats:
        return
    if s.contested_n > 0:
        end_round(r, s)
    else:
        s.depth = 0
        s.legal = np.uint64(0)


@rule
def end_round(r: Rules, s: State) -> None:
    if r.used_to_front:
        clear_front(s)
    begin_round(r, s)


@hot_rule
def step(r: Rules, s: State, move: int) -> None:
    """Plays one answer to the question on top."""
    q = question(s)
    if q == Ask.COMMIT:
        if move == Say.STOP:
            open_window(r, s)
        else:
            commit(r, s, move)
    elif q == Ask.ACTION:
        if move == Say.END:
            end_turn(r, s)
        else:
            take_action(r, s, move)
    elif q == Ask.KEEP:
        keep(r, s, move)
    elif q == Ask.TRASH:
        if move == Say.STOP:
            finish_trash(r, s)
        else:
            choose_to_trash(r, s, move)
    elif q == Ask.PAY:
        pay(r, s, move)
    elif q == Ask.REACT:
        if move == Say.STOP:
            s.passes += 1
            next_response(r, s)
        else:
            respond(r, s, asked(s), move)
    elif q == Ask.RETURN:
        return_card(r, s, move)
    else:
        step_slot(r, s, move)


@rule
def step_slot(r: Rules, s: State, move: int) -> None:
    """An answer in the skirmish."""
    if move == Say.END:
        end_slot(r, s)
    elif Say.AIM <= move < Say.SPENT:
        aim(r, s, move - Say.AIM)
    else:
        hit(r, s, move)
    after_skirmish(r, s)


SECRET_CARD = 62  # what others see of a card chosen face down


@rule
def visible(r: Rules, q: int, move: int) -> Any:
    """What everybody sees of an answer; a pass in a response window is seen by nobody."""
    if q == Ask.REACT and move == Say.STOP:
        return np.uint64(0)
    hidden = q == Ask.KEEP or (q == Ask.TRASH and not r.trash_public)
    if hidden and move != Say.STOP:
        return np.uint64(q * 64 + SECRET_CARD)
    if q == Ask.RETURN:
        return np.uint64(q * 64 + SECRET_CARD)
    return np.uint64(q * 64 + move + 1)


@rule
def play(r: Rules, s: State, move: int) -> None:
    """Plays a move, and then all that leaves no choice."""
    if question(s) != Ask.REACT:
        s.event = np.uint64(0)  # while responses are pending the event grows, and is seen when they are over
        s.whisper = np.uint64(0)
    note(r, s, move)
    step(r, s, move)
    while r.skip_forced and s.legal and rest(s.legal) == 0:
        only_move = lowest(s.legal)
        note(r, s, only_move)
        step(r, s, only_move)


@rule
def note(r: Rules, s: State, move: int) -> None:
    """Adds an answer to what everybody saw, and a hidden card to what the mover saw."""
    q = question(s)
    word = visible(r, q, move)
    if word:
        s.event = s.event * MULTIPLIER + word
        if word == np.uint64(q * 64 + SECRET_CARD):
            s.whisper = s.whisper * MULTIPLIER + np.uint64(move + 1)


@rule
def write_returns(r: Rules, s: State, out: Any) -> None:
    """1 for the largest tribe, 1/k for k equal ones, 0 for the others (10; final_tie = shared)."""
    best = -1
    equal = 0
    for p in range(wide(s.seats)):
        n = score(r, s, p)
        out[p] = n
        if n > best:
            best = n
            equal = 1
        elif n == best:
            equal += 1
    for p in range(wide(s.seats)):
        out[p] = np.float32(1) / np.float32(equal) if out[p] == best else np.float32(0)
