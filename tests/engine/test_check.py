"""The runner of cases from outside: what holds, what differs, and what is no case."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine import check
from engine.faults import InvalidInput

WORLD = {"players": [{"hand": ["king"]}, {"hand": ["jack"]}]}
OBSERVATION = {"seat": 0, "players": [{"hand": ["king"]}]}


def outcome(expect: dict[str, Any], **case: Any) -> list[str]:
    """The differences of one Kuhn poker case."""
    fields = {"name": "a case", "expect": expect} | ({"world": WORLD} | case if "observation" not in case else case)
    (read,) = check.read({"game": "kuhn_poker", "case": [fields]})
    return list(check.run(read).differences)


@pytest.mark.parametrize(
    ("expect", "case"),
    [
        ({"legal": ["bet", "pass"], "legal_has": ["bet"], "legal_lacks": ["jump"]}, {}),
        ({"refused": "jump"}, {}),
        ({"refused": ["jump", "fly"]}, {}),
        ({"over": False}, {"moves": ["pass", "bet"]}),
        ({"over": True, "returns": [2, -2.0]}, {"moves": ["bet", "bet"]}),
        ({"world": {"moves": ["pass"], "to_move": 1}}, {"moves": ["pass"]}),
        ({"world": {"players": [{"seat": 1, "hand": ["jack"]}]}}, {}),
        ({"view": {"1": {"seat": 1, "players": [{"seat": 0, "hand": None, "hand_count": 1}]}}}, {}),
        ({"view": {"0": {"public": []}}}, {}),
        ({"legal": ["pass", "bet"]}, {"observation": OBSERVATION}),
        ({"faults": ["seat"]}, {"observation": OBSERVATION | {"seat": 5}}),
        ({"faults": ["moves[1]"]}, {"moves": ["pass", "jump"]}),
        ({"faults": ["moves[0]"]}, {"world": WORLD | {"moves": ["jump"]}}),
    ],
)
def test_what_holds(expect: dict[str, Any], case: dict[str, Any]) -> None:
    assert outcome(expect, **case) == []


@pytest.mark.parametrize(
    ("expect", "case", "said"),
    [
        ({"legal": ["bet"]}, {}, "legal: has pass, which is not expected"),
        ({"legal": ["bet", "pass", "jump"]}, {}, "legal: lacks jump"),
        ({"legal_has": ["jump"]}, {}, "legal_has: lacks jump; legal are pass, bet"),
        ({"legal_lacks": ["bet"]}, {}, "legal_lacks: has bet"),
        ({"refused": "bet"}, {}, "refused: bet is accepted"),
        ({"over": True}, {}, "over: found false, expected true"),
        ({"returns": [1, -1]}, {}, "returns: none, the game is not over"),
        ({"world": {"to_move": 1}}, {}, "world.to_move: found 0, expected 1"),
        ({"world": {"no_such_field": 3}}, {}, "world.no_such_field: found null, expected 3"),
        (
            {"world": {"players": [{"seat": 1, "hand": ["queen"]}]}},
            {},
            'world.players[seat 1].hand: found ["jack"], expected ["queen"]',
        ),
        ({"view": {"1": {"players": [{"seat": 0, "hand": ["king"]}]}}}, {}, "view.1.players[seat 0].hand: found null"),
        ({"world": {"seats": [1]}}, {}, "world.seats: found 2, expected [1]"),
        ({"world": {"seats": [{"seat": 0}]}}, {}, "world.seats[seat 0]: found nothing, expected"),
        ({"world": {"players": [{"seat": 7}]}}, {}, "world.players[seat 7]: found nothing, expected"),
        ({"world": {"players": [{"seat": [0]}]}}, {}, "world.players: found [{"),
        ({"view": {"7": {}}}, {}, "view.7: found no such seat"),
        ({"faults": ["seat"]}, {}, "faults: none, expected seat"),
        ({"faults": ["seat"]}, {"moves": ["jump"]}, "faults: found moves[0], expected seat"),
        ({"legal": ["bet"]}, {"moves": ["jump"]}, "refused: moves[0]: found 'jump'"),
    ],
)
def test_what_differs(expect: dict[str, Any], case: dict[str, Any], said: str) -> None:
    (difference,) = outcome(expect, **case)
    assert difference.startswith(said)


@pytest.mark.parametrize(
    ("found", "wanted", "differs"),
    [
        ({"hand": ["a", "b", "a"]}, {"hand": ["a", "a", "b"]}, False),  # a hand in any order
        ({"deck": ["a", "b"]}, {"deck": ["b", "a"]}, True),  # a pile in its own
        ({"junkyard": {"cards": ["a", "b"]}}, {"junkyard": {"cards": ["b", "a"]}}, True),
        ({"forces": [{"seat": 1, "cards": ["a", "b"]}]}, {"forces": [{"seat": 1, "cards": ["b", "a"]}]}, False),
        ({"known_bottom": [None, "a"]}, {"known_bottom": ["a", None]}, True),
        ({"hand": ["a", "a"]}, {"hand": ["a"]}, True),
        ({"market": {"a": 1}}, {"market": {"a": 1, "b": 0}}, False),  # a count of 0 need not be told
        ({"n": 0}, {"n": False}, True),
        ({"n": 1}, {"n": None}, True),
        ({"n": 0.1 + 0.2}, {"n": 0.3}, False),
    ],
)
def test_how_forms_match(found: dict[str, Any], wanted: dict[str, Any], differs: bool) -> None:
    assert bool(list(check.differences(found, wanted))) == differs


@pytest.mark.parametrize(
    ("case", "paths"),
    [
        ({}, ["case[0]", "case[0].expect", "case[0].name"]),
        ({"name": "x", "world": {}, "observation": {}, "expect": {"over": True}}, ["case[0]"]),
        ({"name": "x", "world": {}, "expect": {"leagl": []}}, ["case[0].expect.leagl"]),
        ({"name": "x", "world": {}, "expect": {"legal": "bet"}}, ["case[0].expect.legal"]),
        ({"name": "x", "world": {}, "expect": {"over": 1}}, ["case[0].expect.over"]),
        ({"name": "x", "world": {}, "expect": {"view": {"²": {}}}}, ["case[0].expect.view"]),
        ({"name": "x", "world": {}, "expect": {"view": {"9" * 5000: {}}}}, ["case[0].expect.view"]),
        ({"name": "x", "world": {}, "expect": {"over": 16**5000}}, ["case[0].expect.over"]),
        ({"name": "x", "observation": {}, "expect": {"over": True}}, ["case[0].expect.over"]),
        ({"name": "x", "observation": {}, "moves": ["bet"], "expect": {"legal": []}}, ["case[0].moves"]),
        ({"name": "x", "world": {}, "moves": "bet", "expect": {"legal": []}}, ["case[0].moves"]),
        ({"name": "x", "world": {}, "mvoes": [], "expect": {"legal": []}}, ["case[0].mvoes"]),
    ],
)
def test_a_case_that_could_never_be_run_is_refused(case: dict[str, Any], paths: list[str]) -> None:
    with pytest.raises(InvalidInput) as error:
        check.read({"game": "kuhn_poker", "case": [case]})
    assert sorted(fault.path for fault in error.value.faults) == paths


@pytest.mark.parametrize(
    "form", [{}, {"game": 3}, {"game": "this:GAME"}, {"game": "kuhn_poker"}, {"game": "kuhn_poker", "case": 7}]
)
def test_a_file_without_cases_is_refused(form: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        check.read(form)


@pytest.mark.parametrize("name", ["cases.toml", "cases.json"])
def test_both_kinds_of_files_are_read(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    form = {"game": "kuhn_poker", "n": 1}
    file.write_text(json.dumps(form) if name.endswith("json") else 'game = "kuhn_poker"\nn = 1')
    assert check.parsed(file) == form
    file.write_text("{")
    with pytest.raises(InvalidInput):
        check.parsed(file)


def test_a_file_without_cases_is_one_fault() -> None:
    with pytest.raises(InvalidInput) as error:
        check.read({"game": "kuhn_poker", "listen": 1, "queue": 2})
    assert [str(fault) for fault in error.value.faults] == ["case: found nothing, expected at least one case"]


def test_a_misspelled_field_names_the_one_that_was_meant() -> None:
    with pytest.raises(InvalidInput, match=r"expected one of legal, .*; did you mean legal\?$"):
        check.read({"game": "kuhn_poker", "case": [{"name": "x", "world": WORLD, "expect": {"leagl": []}}]})
