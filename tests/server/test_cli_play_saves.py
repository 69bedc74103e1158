"""Games kept in files: what is replaced and what never is, how one goes on, what bots that misbehave leave."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine import replay
from server.cli import main

KUHN = ("play", "kuhn_poker", "--opponent", "greedy", "--seed", "3")
DOUBLES = "tests.server.doubles"
GREEDY, TOY = "bots.simple:Greedy", "tests.bots.toy:GAME"
ROOT = Path(__file__).parents[2]


def run(*words: object, typed: list[str] | None = None) -> Result:
    lines = "".join(f"{line}\n" for line in typed or [])
    return CliRunner().invoke(main, [str(word) for word in words], input=lines)


def moves(file: Path) -> list[str]:
    return [turn.move for turn in replay.read(file.read_text().splitlines()).turns]


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def test_a_game_is_kept_elsewhere_from_then_on(tmp_path: Path) -> None:
    file = tmp_path / "my  game.jsonl"
    shown = run(*KUHN, typed=[f"save {file}", "pass"]).stdout
    assert f"saved in {file}\n" in shown
    assert moves(file) == ["pass", "bet"]


def test_a_file_that_was_there_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("notes")
    told = f"save: found {file}, which exists, expected a new file, or this game's own\n"
    asked, typed = run(*KUHN, "--save", file), run(*KUHN, typed=[f"save {file}", "pass", "quit"])
    assert (asked.exit_code, asked.stdout, asked.stderr) == (2, "", told)
    assert told in typed.stdout
    assert typed.stdout.endswith("not saved: nobody said where (save FILE, or play with --save FILE)\n")
    assert (file.read_text(), names(tmp_path)) == ("notes", {"notes.txt"})


def test_a_game_may_be_saved_again_where_it_was(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    shown = run(*KUHN, "--save", one, typed=[f"save {two}", "pass", f"save {one}", "save", "quit"]).stdout
    assert (shown.count(f"saved in {one}\n"), shown.count("expected")) == (2, 0)
    assert (moves(one), moves(two)) == (["pass", "bet"], ["pass", "bet"])
    assert run("play", "--resume", one, "--save", two).exit_code == 2  # that is another game's
    assert run("play", "--resume", one, "--save", tmp_path / "." / "one").exit_code == 0


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["a pipe", "a folder"])
def test_what_is_no_regular_file_stays_what_it_is(tmp_path: Path, make: Callable[[Path], None]) -> None:
    thing, link = tmp_path / "thing", tmp_path / "link"
    make(thing)
    link.symlink_to(thing)
    kind = stat.S_IFMT(thing.stat().st_mode)
    for file in (thing, link):
        result = run(*KUHN, "--save", file)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"save: found {file}, which is no regular file, expected a new file\n"
        assert f"save: found {file}, which is" in run(*KUHN, typed=[f"save {file}"]).stdout
    assert (stat.S_IFMT(thing.stat().st_mode), names(tmp_path)) == (kind, {"thing", "link"})


def test_a_game_behind_a_link_is_kept_there(tmp_path: Path) -> None:
    file, link, loose = tmp_path / "game", tmp_path / "link", tmp_path / "loose"
    link.symlink_to(file.name)
    run(*KUHN, "--save", link, typed=["pass"])
    file.chmod(0o640)
    assert run("play", "--resume", link, typed=["bet"]).exit_code == 0
    assert (link.is_symlink(), moves(file)) == (True, ["pass", "bet", "bet"])
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    loose.symlink_to(loose.name)
    assert f"save: found {loose}, expected a file that can be written (" in run(*KUHN, "--save", loose).stderr
    assert names(tmp_path) == {"game", "link", "loose"}


def test_a_save_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    kept, new = tmp_path / "kept", tmp_path / "new"
    run(*KUHN, "--save", kept, typed=["pass"])
    before = kept.read_text()
    monkeypatch.setattr(Path, "replace", full)
    for words in (("--resume", kept), (*KUHN[1:], "--save", new)):
        result = run("play", *words, typed=["bet"])
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.endswith(f"{words[-1]}, expected a file that can be written (no space left on device)\n")
        assert (kept.read_text(), names(tmp_path)) == (before, {"kept"})


# ---- going on


@pytest.fixture
def shell(tmp_path: Path) -> Callable[[str], str]:
    """What a shell prints in which `emptychair` is a command."""
    command = tmp_path / "bin" / "emptychair"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -c "from server.cli import main; main()" "$@"\n')
    command.chmod(0o755)
    path = os.pathsep.join(map(str, (ROOT, *sys.path)))
    env = os.environ | {"PATH": f"{command.parent}:{os.environ['PATH']}", "PYTHONPATH": path}

    def paste(line: str) -> str:
        words = ["sh", "-c", line]
        done = subprocess.run(words, cwd=tmp_path, env=env, input="", capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return paste


@pytest.mark.parametrize(
    ("words", "file"),
    [
        ("kuhn_poker", "game.jsonl"),
        ("kuhn_poker --lang ja", 'it\'s; a  "game" $HOME'),
        (f"{TOY} --opponent {GREEDY}", "toy game"),
        ("arctic_scavengers --seats 4 --opponent beginner --opponent bots.simple:Greedy@5 --opponent random", "-x"),
    ],
)
def test_the_command_that_goes_on_works_as_printed(shell: Callable[[str], str], words: str, file: str) -> None:
    quoted = "'" + file.replace("'", "'\\''") + "'"
    first = shell(f"emptychair play {words} --save {quoted}")
    again = shell(command_in(first))
    assert again.rpartition("\n\n")[2] == first.rpartition("\n\n")[2]  # the same table, and the same command


def command_in(shown: str) -> str:
    return "emptychair play" + shown.partition("emptychair play")[2]


def test_a_file_says_which_option_its_own_code_needs(tmp_path: Path) -> None:
    file = tmp_path / "game"
    run("play", "kuhn_poker", "--opponent", GREEDY, "--save", file)
    told = run("play", "--resume", file).stderr
    assert told.startswith(f"opponents: found '{GREEDY}', expected ")
    assert "which only the option --opponent may name" in told


def test_the_middle_of_an_action_is_gone_on_with_before_the_whole_table(tmp_path: Path) -> None:
    file = tmp_path / "game"
    scavengers = ("play", "arctic_scavengers", "--opponent", "greedy", "--seed", 3, "--save", file)
    left = run(*scavengers, typed=["trash", "discard refugee"]).stdout.split("\n> \n")[-2]
    again = run("play", "--resume", file, typed=["undo", "quit"]).stdout
    assert left.startswith("hand: Refugee ×2, ")
    begun, middle, _ = again.partition("\n\n")[2].split("\n> \n")
    assert begun.startswith("round 1, ")
    assert "used: Refugee; " in begun
    assert middle.startswith("hand: Refugee ×3, ")
    assert moves(file)[-1] == "trash"


# ---- bots of others


@pytest.mark.parametrize(
    ("bot", "told"),
    [("Crasher", "crashed: ZeroDivisionError: secret detail"), ("Dreamer", "wants to play 'fly', which is not legal")],
)
def test_a_bot_that_misbehaves_is_told_by_seat_and_name(tmp_path: Path, bot: str, told: str) -> None:
    file, name = tmp_path / "game", f"{DOUBLES}:{bot}"
    words = ("play", "kuhn_poker", "--opponent", name, "--seed", 3)
    result = run(*words, "--save", file, typed=["pass"])
    assert result.exit_code == 1
    assert result.stderr.startswith(f"seat 1 ({name}) {told}")
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout.endswith(f"saved in {file}; go on with: emptychair play --resume {file} --opponent {name}\n")
    assert moves(file) == ["pass"]
    assert run(*words, typed=["pass"]).stdout.endswith("(save FILE, or play with --save FILE)\n")
    assert run("play", "--resume", file, "--opponent", "greedy", typed=["bet"]).exit_code == 0
    assert json.loads(file.read_text().splitlines()[0])["opponents"] == ["greedy"]
