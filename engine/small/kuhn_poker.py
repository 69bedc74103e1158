"""Kuhn poker, the smallest game with a secret: read this file first, every game has the same verbs.

Three cards, two seats, one chip each in the pot. In turn the seats pass or bet a chip; after a bet, a bet
calls it and a pass folds. The higher card wins the pot at showdown.
"""

from enum import IntEnum
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from engine import verbs
from engine.jit import verb
from engine.record import I8, U64, Row, caster, copy_bytes, dtype_of, wide
from engine.rng import below, following, scaled, seeded
from engine.small.cards import SEATS, UNKNOWN, SmallGame
from engine.verbs import OVER, Verbs, even_prior, no_heuristic, no_progress

MAX_TURNS = 3
JACK, QUEEN, KING = 1, 2, 3


class Act(IntEnum):
    PASS = 0
    BET = 1


class State:
    rng: U64  # the generator's word; 0 in a view
    turn: I8  # moves played
    card: Annotated[Row, np.int8, SEATS]  # JACK..KING; UNKNOWN in the other seat's view
    move: Annotated[Row, np.int8, MAX_TURNS]


STATE = dtype_of(State)
state_at = caster(STATE)
SIZE = STATE.itemsize


@verb(verbs.SEAT)
def seat(rules: int, state: int) -> int:
    """Whose decision it is, or OVER."""
    s = state_at(state)
    n = wide(s.turn)
    if n < 2 or (n == 2 and s.move[0] == Act.PASS and s.move[1] == Act.BET):
        return n % 2
    return OVER


@verb(verbs.LEGAL)
def legal(rules: int, state: int, out: Any) -> int:
    """Writes the legal moves, rising, and returns how many there are."""
    if seat(rules, state) < 0:
        return 0
    out[0], out[1] = Act.PASS, Act.BET
    return 2


@verb(verbs.APPLY)
def apply(rules: int, state: int, move: int) -> None:
    s = state_at(state)
    s.move[s.turn] = move
    s.turn += 1


@verb(verbs.RETURNS)
def returns(rules: int, state: int, out: Any) -> None:
    """Chips won by each seat of an ended game."""
    s = state_at(state)
    last, before = s.move[s.turn - 1], s.move[s.turn - 2]
    winner, chips = wide(0 if s.card[0] > s.card[1] else 1), 1 + last
    if last == Act.PASS and before == Act.BET:
        winner = wide(s.turn % 2)  # the one who bet, after a fold
    out[winner], out[1 - winner] = chips, -chips


@verb(verbs.OBSERVE)
def observe(rules: int, state: int, seat: int, view: int) -> None:
    """Copies what the seat may know; everything else is left blank."""
    copy_bytes(view, state, SIZE)
    v = state_at(view)
    v.rng = 0
    v.card[1 - seat] = UNKNOWN


@verb(verbs.DETERMINIZE)
def determinize(rules: int, view: int, seat: int, seed: Any, state: int, scratch: int) -> int:
    """Deals a world that the view cannot tell from the real one."""
    copy_bytes(state, view, SIZE)
    s = state_at(state)
    s.rng = seeded(seed)
    if s.card[seat] == UNKNOWN:  # only at the deal: a seat always knows its card
        s.card[seat] = JACK + below(s, KING)
    s.card[1 - seat] = JACK + (s.card[seat] - JACK + 1 + below(s, KING - 1)) % KING
    return 1


@verb(verbs.SEEN)
def seen(rules: int, state: int, observer: int, mover: int, move: int, open: int) -> Any:
    """A word for what the observer knows after a move: the move, and his card unless `open`."""
    card = 0 if open else wide(state_at(state).card[observer])
    return np.uint64(1 + (move + 1) + 4 * card)


@verb(verbs.PLAYOUT)
def playout(rules: int, state: int, seed: Any, weighted: int, limit: int) -> int:
    """Random moves to the end, or `limit` of them; both moves are always legal."""
    x, played = seed, 0
    while played < limit and seat(rules, state) >= 0:
        x = following(x)
        apply(rules, state, scaled(x, 2))
        played += 1
    return played


@verb(verbs.GREEDY)
def greedy(rules: int, view: int) -> int:
    """Bets the king, and the queen when nobody has bet before."""
    v = state_at(view)
    first_bet = v.turn == 1 and v.move[0] == Act.PASS
    return wide(Act.BET if v.card[seat(rules, view)] >= (QUEEN if first_bet else KING) else Act.PASS)


class KuhnPoker(SmallGame):
    name = "kuhn_poker"
    titles = {"en": "Kuhn poker", "ja": "クーンポーカー"}
    min_return, max_return = -2.0, 2.0
    state_dtype = STATE
    cards = ("", "jack", "queen", "king")
    move_names = ("pass", "bet")
    move_sentences = {"en": ("Pass", "Put in a chip"), "ja": ("パスする", "チップを1枚出す")}

    @cached_property
    def verbs(self) -> Verbs:
        return Verbs(
            seat, legal, apply, returns, observe, determinize,
            no_progress, no_heuristic, even_prior, seen, playout, greedy,
        )  # fmt: skip


GAME = KuhnPoker()
