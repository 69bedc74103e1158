"""The verbs: what every game can do, each under one fixed signature over addresses.

A game is a tuple of compiled functions. Because the signatures are the same for all, one compiled search
takes any of them as arguments. `rules` and `state` are addresses of the game's own records; `view` is the
address of a state record in which everything a seat does not know is blank.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import types

from engine.jit import rule, verb
from engine.record import wide
from engine.rng import following, scaled

MAX_SEATS = 8
MAX_MOVES = 512
OVER = -1  # what `seat` answers when the game has ended

_int, _word, _none = types.int64, types.uint64, types.void
_moves, _numbers = types.int32[::1], types.float32[::1]

SEAT = _int(_int, _int)  # seat(rules, state): whose decision it is, or OVER
LEGAL = _int(_int, _int, _moves)  # legal(rules, state, out): writes the moves, rising; returns how many
APPLY = _none(_int, _int, _int)  # apply(rules, state, move): plays it, and what follows without a choice
RETURNS = _none(_int, _int, _numbers)  # returns(rules, state, out): result per seat of an ended game
OBSERVE = _none(_int, _int, _int, _int)  # observe(rules, state, seat, view): what the seat knows
DETERMINIZE = _int(_int, _int, _int, _word, _int, _int)
# determinize(rules, view, seat, seed, state, scratch): a world dealt for the seat to move; 0 if none fits
PROGRESS = _none(_int, _int, _numbers)  # progress(rules, state, out): nearness of the goal in [0, 1]
HEURISTIC = _none(_int, _int, _numbers)  # heuristic(rules, state, out): expected returns, for cut-off rollouts
PRIOR = _none(_int, _int, _moves, _int, _numbers)  # prior(rules, state, moves, n, out): rollout weights > 0
SEEN = _word(_int, _int, _int, _int, _int, _int)
# seen(rules, state, observer, mover, move, open): a word for what `observer` learned of the move just
# played and of its outcome, 0 for nothing; with open = 1 his own draws are left out. With mover = move = -1:
# what he sees now
PLAYOUT = _int(_int, _int, _word, _int, _int)
# playout(rules, state, seed, policy, limit): plays to the end, or `limit` decisions and on to where the heuristic
# tells most (the end of a round); returns how many. What it leaves may be asked for seat, legal, returns, progress
# and heuristic; what seats saw may be missing.
# policy: 0 uniform, 1 weighted by the prior, 2 the hand-written player with slips by the prior
GREEDY = _int(_int, _int)  # greedy(rules, view): the move of the game's hand-written player

Function = Callable[..., Any]


class Verbs(NamedTuple):
    """One game's compiled functions, in the order in which the search takes them."""

    seat: Function
    legal: Function
    apply: Function
    returns: Function
    observe: Function
    determinize: Function
    progress: Function
    heuristic: Function
    prior: Function
    seen: Function
    playout: Function
    greedy: Function


@verb(PROGRESS)
def no_progress(rules: int, state: int, out: Any) -> None:
    """For games whose result says it all: 0 for every seat."""
    for i in range(len(out)):
        out[i] = 0


@verb(HEURISTIC)
def no_heuristic(rules: int, state: int, out: Any) -> None:
    """For games that are always played out: 0 for every seat."""
    for i in range(len(out)):
        out[i] = 0


@verb(PRIOR)
def even_prior(rules: int, state: int, moves: Any, n: int, out: Any) -> None:
    """Every move is as likely as any other."""
    for i in range(n):
        out[i] = 1


@rule
def play_out(
    seat: Any, legal: Any, apply: Any, prior: Any, rules: int, state: int, seed: Any, weighted: int, limit: int
) -> int:
    """Plays to the end, or for `limit` decisions, by these verbs; returns how many were played."""
    moves = np.empty(MAX_MOVES, np.int32)
    weights = np.empty(MAX_MOVES, np.float32)
    x = seed
    played = 0
    while played < limit and seat(rules, state) >= 0:
        n = legal(rules, state, moves)
        x = following(x)
        i = scaled(x, n)
        if weighted:
            prior(rules, state, moves, n, weights)
            i = pick_weighted(weights, n, x)
        apply(rules, state, wide(moves[i]))
        played += 1
    return played


@rule
def pick_weighted(weights: Any, n: int, x: Any) -> int:
    """An index below `n`, drawn by generator word `x` in proportion to its weight."""
    total = np.float32(0)
    for i in range(n):
        total += weights[i]
    at = np.float32(scaled(x, 1 << 24)) / np.float32(1 << 24) * total
    for i in range(n):
        at -= weights[i]
        if at < 0:
            return i
    return n - 1
