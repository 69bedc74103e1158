"""Games part-way, played by weighted chance from fixed seeds, and what their seats know."""

from collections.abc import Iterator
from itertools import count

import numpy as np

from engine.game import Setup, State, View
from engine.rng import mixed

FIRST_ROUND, ROUNDS = 6, 5  # the middle of a game: rounds 6 to 10
WEIGHTED, ONE_DECISION = 1, 1


def decisions(setup: Setup, seed: int) -> Iterator[State]:
    """A game of Arctic Scavengers at each of its decisions; the same state, played on."""
    state = setup.new(seed)
    for i in count():
        if state.over:
            return
        yield state
        word = np.uint64(mixed(np.uint64(seed), np.uint64(i)) | 1)
        setup.game.verbs.playout(setup.rules_address, state.address, word, WEIGHTED, ONE_DECISION)


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
