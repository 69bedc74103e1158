"""Whole games in words, one file a game and seat count; `python -m tests.golden.playthroughs` writes them anew."""

from collections.abc import Iterator
from pathlib import Path

import engine
from engine.game import Setup, State

FOLDER = Path(__file__).parent
GAMES = (("arctic_scavengers", 2), ("arctic_scavengers", 4), ("kuhn_poker", 2), ("leduc_poker", 2))
SEED = 2026
HEADER = "# Greedy play from seed {seed}. Written by: python -m tests.golden.playthroughs"


def file_of(name: str, seats: int) -> Path:
    """Where a game of so many seats is kept."""
    return FOLDER / f"{name}_{seats}.txt"


def playthrough(setup: Setup) -> str:
    """The whole game as text: a header a round, a line a decision, the returns.

    A line has the seat, the move with the forced ones that followed, and the move in words.
    """
    lines = [HEADER.format(seed=SEED), f"# {setup.game.titles['en']}, {setup.seats} seats"]
    lines += moves(setup.new(SEED))
    return "\n".join(lines) + "\n"


def moves(state: State) -> Iterator[str]:
    """The lines of a game that greedy players play to its end."""
    game, setup = state.game, state.setup
    round_no = None
    while not state.over:
        if state.to_json().get("round") != round_no:
            round_no = state.to_json()["round"]
            yield f"\nround {round_no}"
        view = state.view(state.to_move)
        move = game.verbs.greedy(setup.rules_address, view.address)
        words = game.move_words(setup, state.data, move, "en")
        seat, text = state.to_move, "; ".join(played.text for played in state.play(move))
        yield f"{seat}  {text}  | {words}"
    yield "\nreturns " + " ".join(f"{x:g}" for x in state.returns())


def main() -> None:
    for name, seats in GAMES:
        file_of(name, seats).write_text(playthrough(engine.load(name).setup(seats)), "utf-8")


if __name__ == "__main__":
    main()
