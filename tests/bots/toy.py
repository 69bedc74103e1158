"""A toy that tests what the small games do not have: long turns, chance after moves, moves legal in some worlds only.

Seat 0 takes three moves, `a` or `b`, then a coin is thrown; it has two more, then seat 1 answers: `b` only with
the king. Every `b` is a sixth of the win for seat 0, the rest is for seat 1.
"""

from functools import cached_property
from typing import Annotated, Any

import numpy as np

from engine import verbs
from engine.jit import verb
from engine.record import I8, U64, Row, caster, copy_bytes, dtype_of, wide
from engine.rng import below, following, scaled, seeded
from engine.small.cards import SEATS, UNKNOWN, SmallGame
from engine.verbs import OVER, Verbs, even_prior

BEFORE_COIN, ALL_MOVES = 3, 6
A, B = 0, 1
KING = 3


class State:
    rng: U64
    turn: I8
    coin: I8  # 0, or 1..2 once thrown
    card: Annotated[Row, np.int8, SEATS]
    move: Annotated[Row, np.int8, ALL_MOVES]


STATE = dtype_of(State)
state_at = caster(STATE)
SIZE = STATE.itemsize


@verb(verbs.SEAT)
def seat(rules: int, state: int) -> int:
    turn = wide(state_at(state).turn)
    return OVER if turn == ALL_MOVES else turn // (ALL_MOVES - 1)


@verb(verbs.LEGAL)
def legal(rules: int, state: int, out: Any) -> int:
    s = state_at(state)
    who = seat(rules, state)
    if who == OVER:
        return 0
    out[0], out[1] = A, B
    return 1 if who == 1 and s.card[1] != KING else 2


@verb(verbs.APPLY)
def apply(rules: int, state: int, move: int) -> None:
    s = state_at(state)
    s.move[s.turn] = move
    s.turn += 1
    if s.turn == BEFORE_COIN:
        s.coin = 1 + below(s, 2)


@verb(verbs.RETURNS)
def returns(rules: int, state: int, out: Any) -> None:
    s = state_at(state)
    points = 0
    for i in range(s.turn):
        points += wide(s.move[i])
    out[0], out[1] = points / ALL_MOVES, 1 - points / ALL_MOVES


@verb(verbs.PROGRESS)
def progress(rules: int, state: int, out: Any) -> None:
    turn = wide(state_at(state).turn)
    out[0], out[1] = turn / ALL_MOVES, 0


@verb(verbs.OBSERVE)
def observe(rules: int, state: int, seat: int, view: int) -> None:
    copy_bytes(view, state, SIZE)
    v = state_at(view)
    v.rng = 0
    v.card[1 - seat] = UNKNOWN


@verb(verbs.DETERMINIZE)
def determinize(rules: int, view: int, seat: int, seed: Any, state: int, scratch: int) -> int:
    copy_bytes(state, view, SIZE)
    s = state_at(state)
    s.rng = seeded(seed)
    for p in range(SEATS):
        if s.card[p] == UNKNOWN:
            s.card[p] = 1 + below(s, KING)
    return 1


@verb(verbs.SEEN)
def seen(rules: int, state: int, observer: int, mover: int, move: int, open: int) -> Any:
    s = state_at(state)
    return np.uint64(1 + (move + 1) + 4 * wide(s.coin) + 16 * wide(s.card[observer]))


@verb(verbs.PLAYOUT)
def playout(rules: int, state: int, seed: Any, weighted: int, limit: int) -> int:
    x, played = seed, 0
    while played < limit and seat(rules, state) != OVER:
        x = following(x)
        free = seat(rules, state) == 0 or state_at(state).card[1] == KING
        apply(rules, state, scaled(x, 2) if free else A)
        played += 1
    return played


@verb(verbs.GREEDY)
def greedy(rules: int, view: int) -> int:
    return A


@verb(verbs.DETERMINIZE)
def nothing_fits(rules: int, view: int, seat: int, seed: Any, state: int, scratch: int) -> int:
    return 0


class Toy(SmallGame):
    name = "toy"
    titles = {"en": "Toy", "ja": "おもちゃ"}
    min_return, max_return = 0.0, 1.0
    state_dtype = STATE
    cards = ("", "jack", "queen", "king")
    move_names = ("a", "b")
    move_sentences = {"en": ("Take a", "Take b"), "ja": ("aを取る", "bを取る")}

    @cached_property
    def verbs(self) -> Verbs:
        return Verbs(
            seat, legal, apply, returns, observe, determinize,
            progress, returns, even_prior, seen, playout, greedy,
        )  # fmt: skip


class Impossible(Toy):
    """The toy, in positions that no deal fits."""

    @cached_property
    def verbs(self) -> Verbs:
        return super().verbs._replace(determinize=nothing_fits)


GAME = Toy()
