"""Games by name and by path: what a file names is never imported."""

import sys
from typing import NamedTuple

import pytest

import engine
from engine.faults import InvalidInput
from engine.registry import Registry

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


class Point(NamedTuple):
    name: str
    value: str


def registry(monkeypatch: pytest.MonkeyPatch, *points: Point) -> Registry:
    """Ours among what packages offer."""
    monkeypatch.setattr("engine.registry.entry_points", lambda group: points)
    return Registry("game", {"kuhn_poker": "engine.small.kuhn_poker:GAME"}, "test.games")


def test_a_name_that_two_packages_use_is_nobodys(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    two = Point("chess", "a.b:C"), Point("chess", "d.e:F"), Point("kuhn_poker", "a.b:K")
    assert registry(monkeypatch, *two).names() == ["kuhn_poker"]
    assert "game chess is left out: a.b:C, d.e:F all offer it" in caplog.text


@pytest.mark.parametrize("value", ["tests.engine.broken:GAME", "no_such_module:x", "json:nothing"])
def test_a_broken_package_is_left_out_of_lists(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, value: str
) -> None:
    found = registry(monkeypatch, Point("broken", value))
    assert list(found.available(found.find)) == [engine.load("kuhn_poker")]
    assert "left out: game: found 'broken'" in caplog.text
    with pytest.raises(InvalidInput, match="an importable game"):
        found.find("broken")


def test_our_games_by_path_keep_their_names(paths: dict[str, str]) -> None:
    before = dict(paths)
    assert engine.admit("engine.small.kuhn_poker:GAME") == "kuhn_poker"
    assert paths == before


def test_a_second_game_of_one_name_is_refused(paths: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(engine.load(OWN)), "name", "kuhn_poker")
    with pytest.raises(InvalidInput, match="there is a kuhn_poker already"):
        engine.admit(OWN)
