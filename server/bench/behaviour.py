"""What a game does, as a hash of seeded games; what is kept beside this file changes only when behaviour does.

`make fingerprint` writes it anew.
"""

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

import engine
from engine.game import Game, Setup, State
from engine.rng import following, scaled, seeded
from server.bench.figures import FIGURES, Row
from server.bench.timing import Effort, Measure

GAMES = 200
DIGITS = 12  # hexadecimal
FIGURE = "fingerprint_{}"
KEPT = Path(__file__).with_name("fingerprints.json")


def fingerprint(setups: Sequence[Setup], games: int = GAMES) -> str:
    """A hash of the moves, the results and the last bytes of so many games, by random and by greedy players in turn.

    The setups take turns too, each for two games.
    """
    digest = sha256()
    for seed in range(games):
        for text in _told(setups[seed // 2 % len(setups)].new(seed), seed):
            digest.update(text.encode() + b"\n")
    return digest.hexdigest()[:DIGITS]


def _told(state: State, seed: int) -> Iterator[str]:
    """The moves of one game, then how it ended."""
    game, rules, word = state.game, state.setup.rules_address, seeded(np.uint64(seed))
    while not state.over:
        if seed % 2:
            view = state.view(state.to_move)
            move = int(game.verbs.greedy(rules, view.address))
        else:
            legal, word = state.legal(), following(word)
            move = legal[scaled(word, len(legal))]
        yield f"{state.to_move} {game.move_text(state.setup, state.data, move)}"
        game.verbs.apply(rules, state.address, move)
    yield f"{state.returns()} {state.tobytes().hex()}"


def every_size(game: Game) -> list[Setup]:
    """The game without modules and house rules, for every number of seats."""
    return [game.setup(seats) for seats in range(game.min_seats, game.max_seats + 1)]


def kept() -> dict[str, str]:
    """The fingerprints as they are kept, by game."""
    found: dict[str, str] = json.loads(KEPT.read_text("utf-8"))
    return found


def fingerprints(effort: Effort) -> Iterator[Row]:
    """A row a game; the value is a text, and holds when it is the one that is kept."""
    expected = kept()
    for name in engine.GAMES.ours:
        figure, value = FIGURE.format(name), fingerprint(every_size(engine.load(name)))
        goal = expected.get(name)
        yield {
            "figure": figure,
            "value": value,
            "unit": FIGURES[figure].unit,
            "peer": None,
            "ratio": None,
            "goal": goal,
            "holds": value == goal,
            "samples": GAMES,
        }


MEASURES: dict[str, Measure] = {FIGURE.format("arctic_scavengers"): fingerprints}


def write() -> None:
    """Keeps the fingerprints as they are now."""
    found = {name: fingerprint(every_size(engine.load(name))) for name in engine.GAMES.ours}
    KEPT.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
