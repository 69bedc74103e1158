"""`arena`: what it writes, shows and refuses, and how it ends early."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from server.cli import main

VALID, INVALID, LOST, INTERRUPTED = 0, 2, 1, 130
MAIN = "if __name__ == '__main__':\n    import sys\n    from server.cli import main\n    main(sys.argv[1:])\n"
KUHN = ("arena", "run", "--game", "kuhn_poker", "--workers", 1, "--seed", 3)
TWO = ("--entrant", "ismcts@20", "--entrant", "random")

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    def invoke(*words: object, stdin: str | None = None) -> Result:
        return CliRunner().invoke(main, [str(word) for word in words], input=stdin)

    return invoke


@pytest.fixture
def results(run: Run, tmp_path: Path) -> Path:
    """A run of three entrants in a file."""
    file = tmp_path / "results.jsonl"
    assert run(*KUHN, *TWO, "--entrant", "greedy", "--deals", 4, "--out", file).exit_code == VALID
    return file


def told(result: Result) -> Any:
    """The one JSON value printed."""
    assert result.exit_code == VALID, result.stderr
    return json.loads(result.stdout)


def test_results_are_lines_on_standard_output(run: Run) -> None:
    result = run(*KUHN, *TWO, "--deals", 3)
    header, *games = map(json.loads, result.stdout.splitlines())
    assert (result.exit_code, result.stderr) == (VALID, "")
    assert (header["game"], header["entrants"], header["deals"]) == ("kuhn_poker", ["ismcts@20", "random"], 3)
    assert [game["deal"] for game in games] == [0, 0, 1, 1, 2, 2]


def test_results_in_a_file_are_the_same(run: Run, tmp_path: Path) -> None:
    file, other = tmp_path / "results.jsonl", tmp_path / "other.jsonl"
    assert run(*KUHN, *TWO, "--deals", 3, "--out", file).stdout == f"6 games: emptychair arena show {file}\n"
    assert told(run(*KUHN, *TWO, "--deals", 3, "--out", other, "--json")) == {"file": str(other), "games": 6}
    lines = [[json.loads(line) | {"ms": 0} for line in path.read_text().splitlines()] for path in (file, other)]
    assert lines[0] == lines[1]
    assert len(lines[0]) == 1 + 6


def test_a_run_is_shown_in_tables(run: Run, results: Path) -> None:
    lines = run("arena", "show", results).stdout.splitlines()
    assert lines[0] == "kuhn_poker, 2 seats, seed 3: 24 games"
    assert lines[1].split() == ["entrant", "games", "share", "95", "%", "rating", "crash", "illegal", "overrun"]
    assert {line.split()[0] for line in lines[2:5]} == {"ismcts@20", "random", "greedy"}
    assert lines[5].startswith("actions in a game")
    assert [line.split()[0] for line in lines[6:]] == ["bet", "pass"]


def test_a_run_is_shown_for_programs(run: Run, results: Path) -> None:
    shown = told(run("arena", "show", results, "--json"))
    assert shown["games"] == 24
    assert sum(standing["share"]["mean"] for standing in shown["standings"]) == pytest.approx(1.5)
    assert sum(standing["rating"] for standing in shown["standings"]) == pytest.approx(0)
    assert shown == told(run("arena", "show", "-", "--json", stdin=results.read_text()))


def test_two_are_compared(run: Run, results: Path) -> None:
    result = run("arena", "compare", results, "ismcts@020", "random")
    assert result.stdout.startswith("ismcts@20 won 0.")
    assert "in 8 games on 4 deals" in result.stdout
    found = told(run("arena", "compare", results, "ismcts@20", "random", "--json", "--elo1", 50))
    assert (found["a"], found["b"], found["elo1"], found["verdict"]) == ("ismcts@20", "random", 50, "open")


def test_rules_are_chosen(run: Run) -> None:
    given = "--rule", "trash_public=true", "--rule", "peek=auto", "--deals", 1, "--seats", 3
    result = run("arena", "run", "--workers", 1, "--entrant", "greedy", "--entrant", "random", *given)
    header, *games = map(json.loads, result.stdout.splitlines())
    assert (header["options"]["rules"]["trash_public"], header["seats"]) == (True, 3)
    assert [game["entrants"].count("random") for game in games] == [2, 2, 2]


def test_a_game_and_a_bot_of_ones_own(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    own = "--game", "tests.bots.toy:GAME", "--entrant", "bots.simple:Greedy", "--entrant", "random@5"
    assert run("arena", "run", "--workers", 1, *own, "--deals", 1, "--out", file).exit_code == VALID
    assert told(run("arena", "show", file, "--game", "tests.bots.toy:GAME", "--json"))["game"] == "toy"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), ["entrants: found 0, expected at least 2"]),
        (("--entrant", "greedy", "--entrant", "bots.simple:Greedy"), ["entrants[1]: found 'bots.simple:Greedy'"]),
        ((*TWO, "--deals", 0, "--workers", -1), ["deals: found 0", "workers: found -1"]),
        ((*TWO, "--rule", "fair=yes", "--seats", 7), ["seats: found 7"]),
        (("--entrant", "chess", "--entrant", "ismcts:c=x"), ["entrants[0].bot: ", "entrants[1].params.c: found 'x'"]),
        ((*TWO, "--out", "no/such/folder/results"), ["no/such/folder/results: found"]),
        (("--game", "chess", *TWO), ["game: found 'chess'"]),
    ],
)
def test_a_run_that_cannot_be_is_refused(run: Run, words: Sequence[object], said: Sequence[str]) -> None:
    result = run(*KUHN, *words)
    assert (result.exit_code, result.stdout) == (INVALID, "")
    assert [line[: len(start)] for line, start in zip(result.stderr.splitlines(), said, strict=True)] == list(said)


def test_results_are_never_overwritten(run: Run, results: Path) -> None:
    before = results.read_text()
    result = run(*KUHN, *TWO, "--out", results)
    assert (result.exit_code, results.read_text()) == (INVALID, before)
    assert "expected the name of a new file" in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "no_such_file"), "no_such_file: no such file"),
        (("show", "-"), "header: not JSON"),
        (
            ("compare", "FILE", "ismcts@20", "chess"),
            "entrant: found 'chess', expected one of ismcts@20, random, greedy",
        ),
        (("compare", "FILE", "ismcts@20", "a b"), "expected bot[@iterations]"),
        (("compare", "FILE", "ismcts@20", "random", "--elo1", "0"), "elo1: found 0.0"),
    ],
)
def test_what_cannot_be_shown_is_refused(run: Run, results: Path, words: Sequence[str], said: str) -> None:
    result = run("arena", *(str(results) if word == "FILE" else word for word in words), stdin="{")
    assert (result.exit_code, result.stdout) == (INVALID, "")
    assert said in result.stderr


@pytest.mark.parametrize("command", ["run", "show", "compare"])
def test_help_gives_an_example(run: Run, command: str) -> None:
    result = run("arena", command, "--help")
    assert result.exit_code == VALID
    assert f"Example:\n    emptychair arena {command}" in result.stdout


def test_without_the_extra_games_are_played_but_not_shown(results: Path) -> None:
    code = "import sys\nsys.modules['choix'] = None\nfrom server.cli import main\nmain(sys.argv[1:])"
    played, shown = (
        subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=100)
        for words in ([*map(str, KUHN), *TWO, "--deals", "1"], ["arena", "show", str(results)])
    )
    assert (played.returncode, played.stdout.count("\n")) == (VALID, 3)
    assert (shown.returncode, shown.stdout) == (INVALID, "")
    assert shown.stderr == "arena: found no choix, expected the extra: pip install 'emptychair[arena]'\n"


@pytest.fixture
def endless(tmp_path: Path) -> Iterator[tuple["subprocess.Popen[str]", Path]]:
    """A long run in two workers, some of whose games are written."""
    script, file = tmp_path / "arena.py", tmp_path / "results.jsonl"
    script.write_text(MAIN)
    words = [*map(str, KUHN), "--workers", "2", *TWO, "--deals", "1000000", "--out", str(file)]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, script, *words], stderr=subprocess.PIPE, text=True, env=env) as process:
        try:
            end = time.monotonic() + 90
            while not (file.exists() and file.read_text().count("\n") > 10):
                assert time.monotonic() < end
                time.sleep(0.1)
            yield process, file
        finally:
            process.kill()


def children(pid: int) -> list[int]:
    """The workers of a process (its other child keeps track of shared memory)."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def test_ctrl_c_keeps_the_games_so_far(endless: tuple["subprocess.Popen[str]", Path], run: Run) -> None:
    process, file = endless
    workers = children(process.pid)
    for pid in (process.pid, *workers):  # as a terminal does it
        os.kill(pid, signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (INTERRUPTED, "stopped: the games so far are kept\n")
    assert told(run("arena", "show", file, "--json"))["games"] >= 10
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]


def test_a_killed_worker_ends_the_run_with_a_word(endless: tuple["subprocess.Popen[str]", Path]) -> None:
    process, _ = endless
    workers = children(process.pid)
    os.kill(workers[0], signal.SIGKILL)
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (
        LOST,
        "a worker process was ended or ran out of memory: the games so far are kept\n",
    )
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]
