"""Games by name and by path: what a file names is never imported."""

import sys

import pytest

import engine
from engine.faults import InvalidInput

OWN = "tests.bots.toy:GAME"


@pytest.mark.parametrize("name", [":x", "..:x", ".:x", "a..b:c", "this:", "\0:x", "a b:c", "\ud800:x", "", "chess"])
def test_what_is_neither_name_nor_path_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"or package\.module:object"):
        engine.load(name)


@pytest.mark.parametrize("name", ["no_such_module:x", "json:no_such_object", "json:loads"])
def test_a_path_that_leads_to_no_game_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"^game: found"):
        engine.load(name)


@pytest.mark.parametrize("name", ["antigravity:GAME", "engine.small.kuhn_poker:GAME", "chess", 3, None, ["kuhn_poker"]])
def test_known_are_names_only(name: object) -> None:
    with pytest.raises(InvalidInput, match="expected one of"):
        engine.known(name)
    assert "antigravity" not in sys.modules


def test_an_own_game_is_known_by_its_name_once_it_is_admitted(paths: dict[str, str]) -> None:
    assert engine.admit(OWN) == engine.admit("toy") == "toy"
    assert engine.known("toy") is engine.load(OWN)
    assert paths["toy"] == OWN


def test_our_games_by_path_keep_their_names(paths: dict[str, str]) -> None:
    before = dict(paths)
    assert engine.admit("engine.small.kuhn_poker:GAME") == "kuhn_poker"
    assert paths == before


def test_a_second_game_of_one_name_is_refused(paths: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(engine.load(OWN)), "name", "kuhn_poker")
    with pytest.raises(InvalidInput, match="there is a kuhn_poker already"):
        engine.admit(OWN)
