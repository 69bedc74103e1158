"""Loops around the compiled verbs, so that Python is not what is timed.

Verbs are called by address, as the search calls them. The loops themselves are compiled afresh in each run:
a cache might hold older code than the one that is to be measured.
"""

from typing import Any

import numba
import numpy as np

from bots.descent import NO_LIMIT, call_determinize, call_playout
from engine.arctic_scavengers.state import state_at
from engine.arctic_scavengers.verbs import copy_state, deal
from engine.record import copy_bytes
from engine.rng import seeded

compiled = numba.njit(nogil=True, error_model="numpy")


@compiled
def play_games(
    playout: Any, rules: int, blank: int, state: int, size: int, seed: Any, games: int, weighted: int
) -> int:
    """Deals and plays that many games of Arctic Scavengers; returns how many decisions were made."""
    decisions = 0
    for i in range(games):
        word = seeded(seed + np.uint64(i))
        copy_bytes(state, blank, size)
        deal(rules, state, word)
        decisions += call_playout(playout, rules, state, seeded(word), weighted, NO_LIMIT)
    return decisions


@compiled
def deal_worlds(
    determinize: Any, rules: int, views: int, size: int, seats: Any, world: int, scratch: int, seed: Any, worlds: int
) -> int:
    """Deals that many worlds from the views in turn; returns how many fitted."""
    fitted = 0
    for i in range(worlds):
        word, at = seeded(seed + np.uint64(i)), i % len(seats)
        fitted += call_determinize(determinize, rules, views + at * size, seats[at], word, world, scratch)
    return fitted


@compiled
def copy_states(source: int, pool: int, size: int, room: int, copies: int) -> None:
    """Copies a state of Arctic Scavengers into a pool of `room` (a power of two) places, and writes to each copy."""
    for i in range(copies):
        target = pool + (i & (room - 1)) * size
        copy_state(target, source)
        state_at(target).rng = np.uint64(i)
