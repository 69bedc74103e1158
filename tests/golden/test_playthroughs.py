"""The engine plays the golden games as they are written down."""

import pytest

import engine
from tests.golden.playthroughs import FOLDER, GAMES, file_of, playthrough


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_the_game_goes_as_written(name: str, seats: int) -> None:
    written = file_of(name, seats).read_text("utf-8").splitlines()
    assert playthrough(engine.load(name).setup(seats)).splitlines() == written


def test_every_registered_game_has_a_file_and_every_file_a_game() -> None:
    assert {name for name, _ in GAMES} == set(engine.GAMES.ours)
    assert {path.name for path in FOLDER.glob("*.txt")} == {file_of(*game).name for game in GAMES}
