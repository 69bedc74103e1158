"""Prints everything a few searches found, byte for byte; run by the tests in other processes and modes."""

import sys

import numpy as np

import engine
from bots import Budget, Request, make
from bots.plans import Plans
from bots.search import Searcher
from engine.game import Game
from tests.bots.toy import GAME as TOY

ITERATIONS = 200


def dump(game: Game, seed: int, name: str = "ismcts", **params: object) -> str:
    """The merged root, and root edges and counts of each tree in hexadecimal."""
    setup = game.setup()
    view = setup.new(seed).view(0)
    bot = make(name, **params)
    assert isinstance(bot, Searcher)
    trees = bot.plant(view, len(view.moves()), Request(Budget(iterations=ITERATIONS), seed=seed, parallelism=2))
    for tree in trees:
        tree.bite(ITERATIONS)
    branches = Plans(view, trees, np.array([1], np.uint64), 0.1).first_moves()
    parts = [part.tobytes() for tree in trees for part in (tree.edges, tree._counts)]
    return " ".join([str([b[:4] for b in branches]), *(part.hex() for part in parts)])


def dump_all() -> str:
    """One line a search, over games, observers and rollouts."""
    games = [engine.load("kuhn_poker"), engine.load("leduc_poker"), TOY]
    lines = [dump(g, seed, observer=o) for g in games for seed in (1, 2**64 - 1) for o in ("mover", "root")]
    lines += [dump(g, 5, "pimc", worlds=3) for g in games]
    lines += [dump(TOY, 3, chance="open", rollout="uniform", cutoff=2, progress_weight=1.0)]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(dump_all())
