"""Boast: five cards, one hidden card each. Seat 0 is modest or boasts, and seat 1 believes a boast or doubts it.

A modest seat shows its card at once, for a chip. A boast that is believed wins a chip; one that is doubted is shown,
for two chips. The higher card wins what is shown.
"""

from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from engine import verbs
from engine.jit import verb
from engine.record import I8, U64, Row, caster, copy_bytes, dtype_of, wide
from engine.rng import below, following, scaled, seeded
from engine.small.cards import SEATS, UNKNOWN, SmallGame
from engine.verbs import OVER, Verbs, even_prior, no_heuristic, no_progress

CARDS = 5
MAX_TURNS = 2
HIGH = 4  # what the hand-written player calls a high card


class Act(IntEnum):
    MODEST = 0
    BOAST = 1
    BELIEVE = 2
    DOUBT = 3


class State:
    rng: U64  # the generator's word; 0 in a view
    turn: I8  # moves played
    card: Annotated[Row, np.int8, SEATS]  # 1..CARDS; UNKNOWN in the other seat's view
    move: Annotated[Row, np.int8, MAX_TURNS]


STATE = dtype_of(State)
state_at = caster(STATE)
SIZE = STATE.itemsize


@verb(verbs.SEAT)
def seat(rules: int, state: int) -> int:
    """Whose decision it is, or OVER."""
    s = state_at(state)
    if s.turn == 0 or (s.turn == 1 and s.move[0] == Act.BOAST):
        return wide(s.turn)
    return OVER


@verb(verbs.LEGAL)
def legal(rules: int, state: int, out: Any) -> int:
    """Writes the legal moves, rising, and returns how many there are."""
    asked = seat(rules, state)
    if asked < 0:
        return 0
    out[0], out[1] = 2 * asked, 2 * asked + 1
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
    last = s.move[s.turn - 1]
    chips = 2 if last == Act.DOUBT else 1
    if last != Act.BELIEVE and s.card[0] < s.card[1]:
        chips = -chips
    out[0], out[1] = chips, -chips


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
        s.card[seat] = 1 + below(s, CARDS)
    s.card[1 - seat] = 1 + (s.card[seat] + below(s, CARDS - 1)) % CARDS
    return 1


@verb(verbs.SEEN)
def seen(rules: int, state: int, observer: int, mover: int, move: int, open: int) -> Any:
    """A word for what the observer knows after a move: the move, and his card unless `open`."""
    card = 0 if open else wide(state_at(state).card[observer])
    return np.uint64(1 + (move + 1) + 8 * card)


@verb(verbs.PLAYOUT)
def playout(rules: int, state: int, seed: Any, weighted: int, limit: int) -> int:
    """Random moves to the end, or `limit` of them."""
    x, played = seed, 0
    while played < limit and seat(rules, state) >= 0:
        x = following(x)
        apply(rules, state, 2 * seat(rules, state) + scaled(x, 2))
        played += 1
    return played


@verb(verbs.GREEDY)
def greedy(rules: int, view: int) -> int:
    """Boasts and doubts with a high card alone."""
    asked = seat(rules, view)
    return wide(2 * asked + (1 if state_at(view).card[asked] >= HIGH else 0))


class Boast(SmallGame):
    name = "boast"
    titles = {"en": "Boast", "ja": "ほら吹き"}
    min_return, max_return = -2.0, 2.0
    state_dtype = STATE
    cards = ("", "one", "two", "three", "four", "five")
    move_names = ("modest", "boast", "believe", "doubt")
    move_sentences = {
        "en": ("Be modest", "Boast", "Believe it", "Doubt it"),
        "ja": ("控えめにする", "ほらを吹く", "信じる", "疑う"),
    }

    @property
    def folder(self) -> Path:
        """A folder of its own: the compiled code is kept until a file in it changes."""
        return Path(__file__).parent

    @cached_property
    def verbs(self) -> Verbs:
        return Verbs(
            seat, legal, apply, returns, observe, determinize,
            no_progress, no_heuristic, even_prior, seen, playout, greedy,
        )  # fmt: skip


GAME = Boast()
