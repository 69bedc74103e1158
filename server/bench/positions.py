"""Games part-way, played by weighted chance from fixed seeds, and what their seats know."""

import random
from collections.abc import Iterator, Sequence
from itertools import count

import numpy as np

from engine.game import Move, Setup, State, View

FIRST_ROUND, ROUNDS = 6, 5  # the middle of a game: rounds 6 to 10


def decisions(setup: Setup, seed: int) -> Iterator[State]:
    """A game of Arctic Scavengers at each of its decisions; the same state, played on by weighted chance."""
    state, chance = setup.new(seed), random.Random(seed)
    while not state.over:
        yield state
        moves = state.moves()
        state.play(chance.choices(moves, weights(state, moves))[0])


def weights(state: State, moves: Sequence[Move]) -> list[float]:
    """The game's prior of each move."""
    numbers, out = np.array([m.id for m in moves], np.int32), np.zeros(len(moves), np.float32)
    state.game.verbs.prior(state.setup.rules_address, state.address, numbers, len(moves), out)
    return [float(x) for x in out]


def at_round(setup: Setup, number: int, seed: int = 1) -> View:
    """What the seat to move knows at the first decision of a round."""
    state = next(s for s in decisions(setup, seed) if s.data[0].round_no == number)
    return state.view(state.to_move)


def knowing_views(setup: Setup, wanted: int) -> list[View]:
    """Views from as many games, each of a seat that knows cards in three zones."""
    views: list[View] = []
    for seed in count(1):
        rounds = range(FIRST_ROUND + seed % ROUNDS, FIRST_ROUND + ROUNDS)
        found = (s.view(s.to_move) for s in decisions(setup, seed) if s.data[0].round_no in rounds)
        views += [view for view in found if knows_three_zones(view)][:1]
        if len(views) == wanted:
            return views
    raise AssertionError("unreachable")


def knows_three_zones(view: View) -> bool:
    """Whether the seat knows cards under the junkyard, in its own piles, and in the ledger or atop the contested."""
    s, seat = view.data[0], view.seat
    bottom = s.bottom_seen[: s.bottom_n] >> seat & 1
    ledger = s.ledger_seen[: s.ledger_n] >> seat & 1
    own = s.players[seat].discard_n > 0 and s.players[seat].deck_n > 0
    return bool(bottom.any() and own and (ledger.any() or s.contested_seen >> seat & 1))
