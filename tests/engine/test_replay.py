"""Replays: what is written reads back and plays the same; every fault is named."""

import json
import random

import pytest

import engine
from engine import replay
from engine.faults import InvalidInput
from engine.game import Played, Setup, State


def a_game(name: str, seed: int) -> tuple[Setup, State, list[Played]]:
    """A random game to its end."""
    setup = engine.load(name).setup()
    state, generator, played = setup.new(seed), random.Random(seed), list[Played]()
    while not state.over:
        played += state.play(generator.choice(state.moves()))
    return setup, state, played


@pytest.mark.parametrize("name", engine.names())
@pytest.mark.parametrize("seed", range(5))
def test_a_replay_reads_back_and_ends_in_the_same_bytes(name: str, seed: int) -> None:
    setup, end, played = a_game(name, seed)
    written = replay.record(setup, seed, played)
    read = replay.read(written.lines())
    assert read == written
    assert read.warnings() == []
    *_, (state, _) = read.states()
    assert state.tobytes() == end.tobytes()


def test_forced_moves_are_not_listed() -> None:
    setup = engine.load("kuhn_poker").setup()
    played = [Played(0, "pass", forced=False), Played(1, "bet", forced=True)]
    assert [turn.move for turn in replay.record(setup, 1, played).turns] == ["pass"]


def test_other_rules_are_a_warning() -> None:
    setup, _, played = a_game("kuhn_poker", 1)
    other = replay.record(setup, 1, played)._replace(rules_hash="0" * 16)
    assert other.warnings()[0].startswith("rules_hash: ")


HEADER = '{"game": "kuhn_poker", "seats": 2, "seed": 3}'


@pytest.mark.parametrize(
    ("lines", "paths"),
    [
        ([], [""]),
        (["[]"], ["header"]),
        (['{"game": 5}'], ["game"]),
        (["{"], ["header"]),
        ([HEADER.replace("3", "-1"), "{"], ["seed", "turns[0]"]),
        (["[" * 100_000], ["header"]),
        ([HEADER, "[" * 100_000], ["turns[0]"]),
        ([HEADER.replace("}", ', "seed": 4}')], ["header.seed"]),
        ([HEADER.replace("3", "NaN")], ["header.seed"]),
        ([HEADER, '{"seat": 0, "move": "bet", "move": "pass"}'], ["turns[0].move"]),
        ([HEADER, '{"seat": 9, "move": 5}'], ["turns[0].move", "turns[0].seat"]),
    ],
)
def test_every_fault_of_a_file_is_named(lines: list[str], paths: list[str]) -> None:
    with pytest.raises(InvalidInput) as error:
        replay.read(lines)
    assert sorted(fault.path for fault in error.value.faults) == paths


@pytest.mark.parametrize(
    ("turns", "path"),
    [
        ([{"seat": 0, "move": "jump"}], "turns[0].move"),
        ([{"seat": 0, "move": "pass"}, {"seat": 0, "move": "pass"}], "turns[1].seat"),
        ([{"move": "pass"}, {"move": "pass"}, {"move": "pass"}], "turns[2].move"),
        ([{"move": "pass"}, {"move": "pass"}, {"seat": 0, "move": "pass"}], "turns[2].seat"),
    ],
)
def test_the_first_turn_that_does_not_fit_is_named(turns: list[dict[str, object]], path: str) -> None:
    read = replay.read([HEADER, *map(json.dumps, turns)])
    with pytest.raises(InvalidInput) as error:
        list(read.states())
    assert [fault.path for fault in error.value.faults] == [path]


def test_a_long_text_is_not_repeated() -> None:
    read = replay.read([HEADER, json.dumps({"move": "x" * 100_000})])
    with pytest.raises(InvalidInput) as error:
        list(read.states())
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("name", ["chess", ":x", "..:x", "\0:x", "engine.small.kuhn_poker:GAME"])
def test_a_game_nobody_knows_is_named(name: str) -> None:
    with pytest.raises(InvalidInput) as error:
        replay.read([json.dumps({"game": name})]).setup()
    assert [fault.path for fault in error.value.faults] == ["game"]


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"modules": ["hq1"]}, "options.modules[0]"),
        ({"modules": 5}, "options.modules"),
        ({"modules": "hq1"}, "options.modules"),
        ({"modules": [[1]]}, "options.modules"),
        ({"modules": [1, "a"]}, "options.modules"),
        ({"rules": {"peek": [1]}}, "options.rules.peek"),
        ({"rules": 5}, "options.rules"),
        ({"rules": ["peek"]}, "options.rules"),
        ([1], "options"),
    ],
)
def test_options_that_do_not_exist_are_named(options: object, path: str) -> None:
    read = replay.read([json.dumps({"game": "kuhn_poker", "seats": 2, "options": options})])
    with pytest.raises(InvalidInput) as error:
        read.setup()
    assert [fault.path for fault in error.value.faults] == [path]
