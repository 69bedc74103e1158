"""Prints random games of the small games, byte for byte; run by the tests in plain Python."""

import sys

import numpy as np

import engine

GAMES = 40


def dump() -> str:
    """Every state, view and world of some games, in hexadecimal, one a line."""
    lines = []
    for name in ("kuhn_poker", "leduc_poker"):
        generator, setup = np.random.default_rng(1), engine.load(name).setup()
        for seed in range(GAMES):
            state = setup.new(seed)
            while not state.over:
                view = state.view(state.to_move)
                greedy = setup.game.verbs.greedy(setup.rules_address, view.address)
                world = view.world(seed)
                setup.game.verbs.playout(setup.rules_address, world.address, np.uint64(seed + 1), 0, 100)
                lines.append(f"{state.tobytes().hex()} {view.tobytes().hex()} {world.tobytes().hex()} {greedy}")
                state.play(state.moves()[int(generator.integers(len(state.moves())))])
            lines.append(str(state.returns()))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(dump())
