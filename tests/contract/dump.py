"""Prints digests of whole games, one line a decision; run by the tests in other processes and modes.

`python -m tests.contract.dump EVERY [search]`: a line for every so many decisions, and whether searches are added.
"""

import hashlib
import sys

import numpy as np

from bots import Budget, Request, make
from engine.game import View
from tests.contract.games import AS, Kind, positions

ROWS = (("kuhn_poker", 2, 30), ("leduc_poker", 2, 30), (AS, 2, 1), (AS, 3, 1), (AS, 5, 1))


def digest(*parts: bytes) -> str:
    return hashlib.sha256(b"|".join(parts)).hexdigest()[:16]


def line(view: View, state: bytes, seed: int) -> str:
    """The bytes of one position, its view, two worlds, a rollout and its chances; and the greedy move."""
    setup, verbs = view.setup, view.game.verbs
    worlds = [view.world(seed + i) for i in range(2)]
    bytes_dealt = [world.tobytes() for world in worlds]
    verbs.playout(setup.rules_address, worlds[0].address, np.uint64(seed + 1), seed % 3, 20)
    chances = " ".join(chance.hex() for chance in view.game.numbers(verbs.heuristic, worlds[0]))
    greedy = verbs.greedy(setup.rules_address, view.address)
    return f"{digest(state)} {digest(view.tobytes(), *bytes_dealt)} {digest(worlds[0].tobytes())} {chances} {greedy}"


def dump(every: int) -> str:
    """Every so many decisions of each game, and its returns."""
    lines = []
    for name, seats, games in ROWS:
        for seed in range(games):
            for i, state in enumerate(positions(Kind(name, seats).setup, seed)):
                if state.over:
                    lines.append(f"{name} {seats} {seed} returns {state.returns()}")
                elif i % every == 0:
                    view = state.view(state.to_move)
                    lines.append(f"{name} {seats} {seed} {i} {line(view, state.tobytes(), i)}")
    return "\n".join(lines)


def searched(name: str, seats: int) -> str:
    """All that a search answers, but for the time it took."""
    state = Kind(name, seats).setup.new(7)
    answer = make("ismcts").recommend(state.view(state.to_move), Request(Budget(iterations=300), seed=9))
    return str((answer.plan, answer.alternatives, answer.explanation, answer.iterations, answer.stop_reason))


def search_all() -> str:
    return "\n".join(searched(name, seats) for name, seats, _ in ROWS)


if __name__ == "__main__":
    sys.stdout.write(dump(int(sys.argv[1])) + "\n")
    if "search" in sys.argv:
        sys.stdout.write(search_all() + "\n")
