"""Files that somebody else wrote: told what is wrong with them, with exit code 2; nothing they name is run."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from server.cli import main
from tests.server.asking import KUHN

OWN = "tests.bots.toy:GAME"


def run(*words: object, stdin: str = "") -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], input=stdin)


@pytest.mark.parametrize("name", ["antigravity:GAME", ":x", "..:x", "os:system", "engine.small.kuhn_poker:GAME"])
def test_no_file_names_code_to_import(tmp_path: Path, name: str) -> None:
    cases = tmp_path / "cases.json"
    cases.write_text(json.dumps({"game": name, "case": []}))
    position = json.dumps(KUHN | {"game": name})
    replay = json.dumps({"game": name, "seats": 2, "seed": 1})
    for result in (run("hint", "-", stdin=position), run("replay", "-", stdin=replay), run("check", cases)):
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"game: found {name!r}, expected one of " in result.stderr
    assert "antigravity" not in sys.modules


def test_a_game_of_ones_own_is_named_by_an_option(tmp_path: Path) -> None:
    position, cases = tmp_path / "position.json", tmp_path / "cases.json"
    position.write_text(run("hint", "--template", OWN).stdout)
    case = {"name": "a", "observation": json.loads(position.read_text()), "expect": {"legal": ["a", "b"]}}
    cases.write_text(json.dumps({"game": "toy", "case": [case]}))
    assert run("hint", position, "--check").exit_code == 2
    assert run("hint", position, "--check", "--game", OWN).exit_code == 0
    assert run("check", cases, "--game", OWN).exit_code == 0
    assert run("replay", "-", "--game", OWN, stdin='{"game": "toy"}').exit_code == 0


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('{"game": "kuhn_poker", "seat": 0, "seat": 1}', "seat"),
        ('{"game": "kuhn_poker", "seat": NaN}', "seat"),
        ('{"game": "kuhn_poker", "x": 1e999}', "x"),
        ("[" * 100_000, "input"),
    ],
    ids=["repeated", "not a number", "infinite", "deep"],
)
def test_a_position_that_is_not_plain_json(text: str, path: str) -> None:
    result = run("hint", "-", "--check", stdin=text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"{path}: found ")


POSITION, CASES = json.dumps(KUHN, indent=1), 'game = "kuhn_poker"\n[[case]]\nname = "a"\n'
REPLAY = '{"game": "kuhn_poker", "options": {}, "seats": 2, "seed": 1}\n{"seat": 0, "move": "bet"}\n'
RESULTS = '{"game": "kuhn_poker", "seats": 2, "seed": 1, "deals": 2, "entrants": ["greedy", "random"]}\n{"deal": 0}\n'
OF = {
    "arena show": "results of an arena",
    "hint": "a position",
    "check": "cases of the rules",
    "replay": "a replay",
}  # what each command takes


@pytest.mark.parametrize(
    ("command", "text", "taken_by"),
    [
        ("hint", CASES, "check"),
        ("hint", json.dumps({"game": "kuhn_poker", "case": []}), "check"),
        ("hint", REPLAY, "replay"),
        ("check", POSITION, "hint"),
        ("check", json.dumps(KUHN), "hint"),
        ("check", REPLAY, "replay"),
        ("replay", POSITION, "hint"),
        ("replay", json.dumps(KUHN), "hint"),
        ("replay", CASES, "check"),
        ("replay", RESULTS, "arena show"),
        ("hint", RESULTS, "arena show"),
    ],
)
@pytest.mark.parametrize("suffix", ["json", "toml"])
def test_a_file_of_another_kind_is_told_by_its_name(
    tmp_path: Path, command: str, text: str, taken_by: str, suffix: str
) -> None:
    file = tmp_path / f"file.{suffix}"
    file.write_text(text)
    result = run(command, file)
    other, wanted = OF[taken_by], OF[command]
    told = f"found {other}, expected {wanted}; `emptychair {taken_by}` takes {other}\n"
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"{file if command == 'check' else 'input'}: {told}"


@pytest.mark.parametrize("command", ["hint", "check", "replay"])
def test_a_file_of_no_kind_is_one_fault(tmp_path: Path, command: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("some words\n" * 100)
    result = run(command, file)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert "not " in result.stderr


def test_every_game_in_the_settings_is_named(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('games = ["kuhn_poker", "nope", "..:x", "json:loads"]')
    result = run("serve", "--config", file)
    assert (result.exit_code, result.stdout) == (2, "")
    assert [line.partition(":")[0] for line in result.stderr.splitlines()] == ["games[1]", "games[2]", "games[3]"]


def test_what_a_terminal_would_obey_is_written_out(tmp_path: Path) -> None:
    position = KUHN | {"\x1b]0;owned\x07": 1}
    result = run("hint", "-", "--check", stdin=json.dumps(position))
    assert result.exit_code == 0
    assert r"\x1b]0;owned\x07: not used" in result.output
    assert "\x1b" not in result.output
