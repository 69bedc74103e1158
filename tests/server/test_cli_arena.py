"""`arena`: what it writes, shows and refuses, and how it ends early."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import engine
from bots.arena import contest_of
from bots.arena import run as play
from bots.arena.results import line_of
from server.cli import main

VALID, INVALID, LOST = 0, 2, 1
PATHS = {"PYTHONPATH": os.pathsep.join(sys.path)}
MAIN = "if __name__ == '__main__':\n    import sys\n    from server.cli import main\n    main(sys.argv[1:])\n"
KUHN = ("arena", "run", "--game", "kuhn_poker", "--workers", 1, "--seed", 3)
TWO = ("--entrant", "ismcts@20", "--entrant", "random")

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    def invoke(*words: object, stdin: str | None = None) -> Result:
        return CliRunner().invoke(main, [str(word) for word in words], input=stdin)

    return invoke


@pytest.fixture(scope="module")
def lines() -> str:
    """The results of three entrants."""
    contest = contest_of(engine.load("kuhn_poker"), ["ismcts@20", "random", "greedy"], deals=4, seed=3)
    return "".join(line_of(entry) + "\n" for entry in (contest, *(game for games in play(contest) for game in games)))


@pytest.fixture
def results(lines: str, tmp_path: Path) -> Path:
    """A file of results."""
    file = tmp_path / "results.jsonl"
    file.write_text(lines)
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
    assert lines[:2] == ["kuhn_poker, 2 seats, seed 3: 24 of 24 games", "an even share is 0.500"]
    assert lines[2].split() == ["entrant", "games", "share", "95", "%", "rating", "crash", "illegal", "overrun"]
    assert {line.split()[0] for line in lines[3:6]} == {"ismcts@20", "random", "greedy"}
    assert lines[6].startswith("actions in a game")
    assert [line.split()[0] for line in lines[7:]] == ["bet", "pass"]


def test_a_run_is_shown_for_programs(run: Run, results: Path) -> None:
    shown = told(run("arena", "show", results, "--json"))
    assert (shown["games"], shown["deals"], shown["planned"]) == (24, 4, {"deals": 4, "games": 24})
    assert shown["even_share"] == pytest.approx(0.5)
    assert sum(standing["share"]["mean"] for standing in shown["standings"]) == pytest.approx(1.5)
    assert sum(standing["rating"] for standing in shown["standings"]) == pytest.approx(0)
    assert shown == told(run("arena", "show", "-", "--json", stdin=results.read_text()))


def test_two_are_compared(run: Run, results: Path) -> None:
    result = run("arena", "compare", results, "ismcts@020", "random")
    won, lead, verdict, note = result.stdout.splitlines()
    assert won.startswith("ismcts@20 won 0.")
    assert won.endswith("of the points of the two, in 8 games on 4 deals")
    assert lead == "an even share is 0.500: either may be better"
    assert verdict.startswith("open: ismcts@20 may or may not be better by 20 Elo points (log likelihood ratio ")
    assert verdict.endswith(", open from -2.94 to +2.94);")
    assert note.startswith("this test is for small differences")
    found = told(run("arena", "compare", results, "ismcts@20", "random", "--json", "--elo1", 50))
    assert (found["a"], found["b"], found["elo1"], found["verdict"]) == ("ismcts@20", "random", 50, "open")


@pytest.mark.parametrize(
    ("points", "elo1", "lead", "verdict"),
    [
        ([2, -2], 20, "a@1 is better", "open: a@1 may or may not be better by 20 Elo points"),
        ([2, -2], 200, "a@1 is better", "accepted: a@1 is better by 200 Elo points"),
        ([-2, 2], 50, "b is better", "rejected: a@1 is not better by 50 Elo points"),
    ],
)
def test_what_a_verdict_means_is_said(run: Run, points: list[float], elo1: float, lead: str, verdict: str) -> None:
    """Forty deals, of which one entrant wins every game."""
    header = {"game": "kuhn_poker", "options": {}, "seats": 2, "seed": 1, "deals": 40, "entrants": ["a@1", "b"]}
    rest = {"decisions": 3, "ms": 1.0, "faults": [], "used": [{}, {}]}
    games = [
        rest | {"deal": deal, "entrants": ["a@1", "b"][::turn], "returns": points[::turn]}
        for deal in range(40)
        for turn in (1, -1)
    ]
    text = "\n".join(map(json.dumps, [header, *games]))
    told = run("arena", "compare", "-", "a@1", "b", "--elo1", elo1, stdin=text).stdout.splitlines()
    assert told[1] == f"an even share is 0.500: {lead}"
    assert told[2].startswith(f"{verdict} (")


def test_a_run_that_is_not_over_says_so_and_a_cut_line_is_a_warning(run: Run, results: Path) -> None:
    results.write_text(results.read_text()[:-5])
    result = run("arena", "show", results)
    assert result.stderr == "warning: line 25: cut off, and left out\n"
    assert "23 of 24 games" in result.stdout
    results.write_text("".join(results.read_text().splitlines(keepends=True)[:7]))
    shown = told(run("arena", "show", results, "--json"))
    assert (shown["games"], shown["deals"], shown["planned"]["games"]) == (6, 1, 24)


def test_results_may_go_to_standard_output_by_its_usual_name(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*KUHN, *TWO, "--deals", 1, "--out", "-")
    assert (result.stderr, result.stdout.count("\n"), list(tmp_path.iterdir())) == ("", 3, [])


def test_a_level_enters_by_its_name(run: Run) -> None:
    header, *games = run(*KUHN, "--entrant", "casual", "--entrant", "beginner", "--deals", 1).stdout.splitlines()
    assert json.loads(header)["entrants"] == ["casual", "beginner"]
    assert len(games) == 2


def test_rules_are_chosen(run: Run) -> None:
    given = "--rule", "trash_public=true", "--rule", "peek=auto", "--deals", 1, "--seats", 3
    result = run("arena", "run", "--workers", 1, "--entrant", "greedy", "--entrant", "random", *given)
    header, *games = map(json.loads, result.stdout.splitlines())
    assert (header["options"]["rules"]["trash_public"], header["seats"]) == (True, 3)
    assert [game["entrants"].count("random") for game in games] == [2, 2, 2]


def test_a_game_and_a_bot_of_ones_own(run: Run, tmp_path: Path) -> None:
    """What is printed to be typed shows the results, whatever the file is called."""
    file = tmp_path / "my  results.jsonl"
    own = "--game", "tests.bots.toy:GAME", "--entrant", "bots.simple:Greedy", "--entrant", "random@5"
    result = run("arena", "run", "--workers", 1, *own, "--deals", 1, "--out", file)
    count, _, command = result.stdout.strip().partition(": emptychair ")
    assert (result.exit_code, count) == (VALID, "2 games")
    assert told(run(*shlex.split(command), "--json"))["game"] == "toy"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), ["entrants: found 0, expected at least 2"]),
        (("--entrant", "greedy", "--entrant", "bots.simple:Greedy"), ["entrants[1]: found 'bots.simple:Greedy'"]),
        ((*TWO, "--deals", 0, "--workers", -1), ["deals: found 0", "workers: found -1"]),
        ((*TWO, "--rule", "fair=yes", "--seats", 7), ["seats: found 7"]),
        (("--entrant", "chess", "--entrant", "ismcts:c=x"), ["entrants[0].bot: ", "entrants[1].params.c: found 'x'"]),
        (
            (*TWO, "--out", "no/such/folder/results"),
            ["out: found 'no/such/folder/results', expected a file in a folder that exists"],
        ),
        ((*TWO, "--out", "/"), ["out: found '/', expected the name of a new file"]),
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
    assert result.stderr == f"out: found {str(results)!r}, expected the name of a new file\n"
    results.write_text(before.splitlines()[0] + "\n")
    said = run(*KUHN, *TWO, "--out", results).stderr
    assert said.endswith("expected the name of a new file; this one holds no game: delete it first\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "no_such_file"), "no_such_file: no such file"),
        (("show", "-"), "header: not JSON"),
        (
            ("compare", "FILE", "ismcts@20", "chess"),
            "b: found 'chess', expected one of ismcts@20, random, greedy",
        ),
        (("compare", "FILE", "@@", "a b"), "a: found '@@', expected bot[@iterations][:name=value,...], as in "),
        (("compare", "FILE", "random", "a b"), "b: found 'a b', expected bot[@iterations]"),
        (("compare", "FILE", "ismcts@20", "random", "--elo1", "0"), "elo1: found 0.0"),
    ],
)
def test_what_cannot_be_shown_is_refused(run: Run, results: Path, words: Sequence[str], said: str) -> None:
    result = run("arena", *(str(results) if word == "FILE" else word for word in words), stdin="{")
    assert (result.exit_code, result.stdout) == (INVALID, "")
    assert said in result.stderr


@pytest.mark.parametrize("command", ["show", "compare"])
def test_another_kind_of_file_is_one_fault(run: Run, command: str) -> None:
    position = json.dumps({"game": "kuhn_poker", "seat": 0, "players": [{}] * 2}, indent=1)
    result = run("arena", command, "-", *(["a", "b"] if command == "compare" else []), stdin=position)
    told = "input: found a position, expected results of an arena; `emptychair hint` takes a position\n"
    assert (result.exit_code, result.stderr) == (INVALID, told)


@pytest.mark.parametrize("command", ["run", "show", "compare"])
def test_help_gives_an_example(run: Run, command: str) -> None:
    result = run("arena", command, "--help")
    assert result.exit_code == VALID
    assert f"Example:\n    emptychair arena {command}" in result.stdout


def without(module: str, *words: str) -> "subprocess.CompletedProcess[str]":
    """A command where a package is not installed."""
    code = f"import sys\nsys.modules[{module!r}] = None\n{MAIN}"
    return subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=100)


def test_without_the_extra_games_are_played_but_not_rated(results: Path, tmp_path: Path) -> None:
    script = tmp_path / "arena.py"
    script.write_text(f"import sys\nsys.modules['scipy'] = sys.modules['choix'] = None\n{MAIN}")
    command = [sys.executable, script, *map(str, KUHN), *TWO, "--deals", "1"]
    played = subprocess.run(command, capture_output=True, text=True, timeout=100, env=os.environ | PATHS)
    assert (played.returncode, played.stdout.count("\n")) == (VALID, 3)
    compared = without("choix", "arena", "compare", str(results), "ismcts@20", "random")
    assert (compared.returncode, compared.stderr) == (VALID, "")


@pytest.mark.parametrize(
    ("module", "command", "asked", "extra"),
    [
        ("choix", "arena show FILE", "ratings", "arena"),
        ("scipy", "arena compare FILE random greedy", "interval", "arena"),
        ("ray", "arena run --game kuhn_poker --entrant greedy --entrant random --ray local", "ray", "ray"),
        ("grpc_reflection", "serve --reflection --listen 127.0.0.1:0 --game kuhn_poker", "reflection", "reflection"),
        ("psutil", "bench --only rss_mb_after_1000_requests", "rss_mb_after_1000_requests", "bench"),
        ("pyspiel", "bench --quick --only kuhn_vs_openspiel", "peer", "bench"),
    ],
)
def test_an_extra_that_is_missing_is_told_with_the_command_that_installs_it(
    results: Path, module: str, command: str, asked: str, extra: str
) -> None:
    done = without(module, *command.replace("FILE", str(results)).split())
    told = f"the extra {extra}: .venv/bin/pip install -e '.[{extra}]' in the project's folder"
    assert (done.returncode, done.stdout) == (INVALID, "")
    assert done.stderr.splitlines()[-1] == f"{asked}: found no {module}, expected {told}"


def test_a_wrong_figure_is_told_without_the_extra() -> None:
    assert "only: found 'nope'" in without("psutil", "bench", "--only", "nope").stderr


@pytest.fixture
def endless(tmp_path: Path) -> Iterator[tuple["subprocess.Popen[str]", Path]]:
    """A long run in two workers, some of whose games are written."""
    script, file = tmp_path / "arena.py", tmp_path / "results.jsonl"
    script.write_text(MAIN)
    words = [*map(str, KUHN), "--workers", "2", *TWO, "--deals", "1000000", "--out", str(file)]
    command = [sys.executable, script, *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | PATHS) as process:
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


def gone(*pids: int) -> bool:
    """Waits for processes that end by themselves."""
    end = time.monotonic() + 20
    while alive := [pid for pid in pids if Path(f"/proc/{pid}/cmdline").is_file() and not is_zombie(pid)]:
        if time.monotonic() > end:
            return not alive
        time.sleep(0.05)
    return True


def is_zombie(pid: int) -> bool:
    """Whether a process has ended, though nobody has asked how."""
    return ") Z " in Path(f"/proc/{pid}/stat").read_text()


@pytest.mark.parametrize(("number", "code", "everybody"), [(signal.SIGINT, 130, True), (signal.SIGTERM, 143, False)])
def test_a_signal_keeps_the_games_so_far(
    endless: tuple["subprocess.Popen[str]", Path], run: Run, number: int, code: int, everybody: bool
) -> None:
    """Sent to all, as a terminal does it, or to the one process that was started."""
    process, file = endless
    workers = children(process.pid)
    for pid in (process.pid, *workers) if everybody else (process.pid,):
        os.kill(pid, number)
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (code, "stopped: the games so far are kept\n")
    assert told(run("arena", "show", file, "--json"))["games"] >= 10
    assert gone(*workers)


def test_workers_end_with_the_process_that_started_them(endless: tuple["subprocess.Popen[str]", Path]) -> None:
    process, _ = endless
    workers = children(process.pid)
    assert len(workers) == 2
    process.kill()
    process.communicate(timeout=30)  # which waits for all that hold its standard error
    assert gone(*workers)


def test_a_run_that_ends_before_its_first_game_leaves_no_file(tmp_path: Path) -> None:
    script, file = tmp_path / "arena.py", tmp_path / "results.jsonl"
    script.write_text(MAIN)
    words = [*map(str, KUHN), "--entrant", "ismcts@100000000", "--entrant", "random", "--out", str(file)]
    command = [sys.executable, script, *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | PATHS) as process:
        end = time.monotonic() + 90
        while not (file.exists() and file.read_text().count("\n") == 1):
            assert time.monotonic() < end
            time.sleep(0.05)
        process.terminate()
        _, said = process.communicate(timeout=30)
    assert (process.returncode, said, file.exists()) == (143, "stopped: no game was played\n", False)


def test_a_bot_that_ends_its_process_ends_the_run_with_a_word(run: Run, tmp_path: Path) -> None:
    entrants = "--entrant", "tests.bots.test_arena:Leaver", "--entrant", "random"
    result = run("arena", "run", "--game", "leduc_poker", "--workers", 1, *entrants, "--deals", 50)
    assert (result.exit_code, result.stderr.partition(":")[0]) == (
        LOST,
        "a worker process was ended or ran out of memory",
    )


def test_a_reader_that_goes_is_told(tmp_path: Path) -> None:
    script = tmp_path / "arena.py"
    script.write_text(MAIN)
    command = [sys.executable, script, *map(str, KUHN), *TWO, "--deals", "100000"]
    pipe, env = subprocess.PIPE, os.environ | PATHS
    with subprocess.Popen(command, text=True, env=env, stdout=pipe, stderr=pipe) as process:
        assert process.stdout
        assert process.stdout.readline().startswith('{"game": "kuhn_poker"')
        process.stdout.close()
        assert process.stderr
        assert process.stderr.read() == "stopped: nobody reads the results any more\n"
    assert process.returncode == 1


def test_a_killed_worker_ends_the_run_with_a_word(endless: tuple["subprocess.Popen[str]", Path]) -> None:
    process, _ = endless
    workers = children(process.pid)
    os.kill(workers[0], signal.SIGKILL)
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (
        LOST,
        "a worker process was ended or ran out of memory: the games so far are kept\n",
    )
    assert gone(*workers)
