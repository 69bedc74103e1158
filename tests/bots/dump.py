"""Prints everything a few searches found, byte for byte; run by the tests in other processes and modes."""

import sys

import engine
from bots import Budget, Request, make
from bots.ismcts import Ismcts, merged
from engine.game import Game
from tests.bots.toy import GAME as TOY

ITERATIONS = 200


def dump(game: Game, seed: int, **params: object) -> str:
    """The merged root and the size of each of two trees, in hexadecimal."""
    setup = game.setup()
    view = setup.new(seed).view(0)
    bot = make("ismcts", **params)
    assert isinstance(bot, Ismcts)
    trees = bot.plant(view, len(view.moves()), Request(Budget(iterations=ITERATIONS), seed=seed, parallelism=2))
    for tree in trees:
        tree.bite(ITERATIONS)
    root = merged(trees, view.moves())
    parts = [root.visits.tobytes(), root.available.tobytes(), root.sums.tobytes()]
    parts += [tree.edges["value"].tobytes() for tree in trees]
    return " ".join(part.hex() for part in parts)


def dump_all() -> str:
    """One line a search, over games, observers and rollouts."""
    games = [engine.load("kuhn_poker"), engine.load("leduc_poker"), TOY]
    lines = [dump(g, seed, observer=o) for g in games for seed in (1, 2**64 - 1) for o in ("mover", "root")]
    lines += [dump(TOY, 3, chance="open", rollout="uniform", cutoff=2, progress_weight=1.0)]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(dump_all())
