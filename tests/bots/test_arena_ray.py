"""The arena on a Ray cluster: the same results, whatever becomes of workers; who cannot play is refused."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import engine
from bots.arena import Result, contest_of, run, spread, spreading
from bots.arena.results import line_of
from bots.arena.running import WorkerLost
from bots.cluster import connected, cpus
from engine.faults import InvalidInput
from server.cli import main

pytestmark = pytest.mark.timeout(300)  # a busy machine takes its time to start processes

LEDUC = engine.load("leduc_poker")
DOUBLES = "tests.bots.test_arena"
COMMAND = "import sys; from server.cli import main; main(sys.argv[1:])"
RUN = ("arena", "run", "--game", "leduc_poker", "--entrant", "ismcts@200", "--entrant", "random")

STOPPED = "stopped: the games so far are kept"


def lines(games: "Iterator[list[Result]]") -> list[str]:
    """The results as they are kept, but for the times."""
    return [line_of(game._replace(ms=0.0)) for some in games for game in some]


def descendants(pid: int) -> Iterator[int]:
    """The processes that a process has started, and those that these have."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    for child in map(int, children.read_text().split() if children.exists() else ()):
        yield child
        yield from descendants(child)


def playing(pid: int = os.getpid()) -> list[int]:
    """The workers that play a chunk now, of the Ray that a process started; Ray names them by what they do."""
    return [pid for pid in descendants(pid) if titled(pid).startswith("ray::_play")]


def titled(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def until(true: Callable[[], object], seconds: float = 90) -> bool:
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.parametrize("workers", [0, 1])
def test_the_results_are_those_of_a_run_in_this_process(ray_cluster: str, workers: int) -> None:
    contest = contest_of(LEDUC, ["ismcts@30", "random", f"{DOUBLES}:Crasher"], 6, 5)
    assert lines(spread(contest, ray_cluster, workers)) == lines(run(contest))


def test_a_game_given_by_its_path_is_played_by_workers(ray_cluster: str) -> None:
    game = engine.load(engine.admit("tests.bots.toy:GAME"))
    contest = contest_of(game, ["bots.simple:Random", "greedy"], 4, 1)
    assert lines(spread(contest, ray_cluster)) == lines(run(contest))


def test_short_games_go_in_chunks_and_not_all_at_once(ray_cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    contest, sizes, flying = contest_of(LEDUC, ["greedy", "random"], 1000), list[int](), list[int]()
    send = spreading.Field._send

    def noted(field: spreading.Field) -> None:
        left = field.left
        send(field)
        sizes.append(left - field.left)
        flying.append(len(field.running))

    monkeypatch.setattr(spreading.Field, "_send", noted)
    assert lines(spread(contest, ray_cluster, 4)) == lines(run(contest))
    assert (sizes[0], sum(sizes), max(flying)) == (4, 1000, 4)
    assert len(sizes) < 100


def test_a_worker_that_is_killed_changes_nothing(ray_cluster: str) -> None:
    contest = contest_of(LEDUC, ["ismcts@2000", "greedy"], 80)
    results = spread(contest, ray_cluster)
    first = next(results)
    assert until(playing)
    os.kill(playing()[0], signal.SIGKILL)
    assert lines(iter([first, *results])) == lines(run(contest))


def test_a_bot_that_ends_every_worker_ends_the_run(ray_cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreading, "RETRIES", 1)
    with pytest.raises(WorkerLost, match="ended or ran out of memory, 2 times"):
        lines(spread(contest_of(LEDUC, ["random", f"{DOUBLES}:Leaver"], 50), ray_cluster))
    assert until(lambda: not playing())


def test_a_run_that_is_left_ends_what_is_played(ray_cluster: str) -> None:
    there, results = cpus(), spread(contest_of(LEDUC, ["ismcts@200", "random"], 100_000), ray_cluster)
    assert len(next(results)) == 2
    results.close()
    assert until(lambda: not playing())
    assert cpus() == there


def test_workers_with_other_code_are_refused(ray_cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreading, "code_hash", lambda contest: "other")
    with pytest.raises(InvalidInput, match=r"a worker that says: rules_hash: found .*, expected other") as refused:
        lines(spread(contest_of(LEDUC, ["greedy", "random"], 2), ray_cluster))
    assert [fault.path for fault in refused.value.faults] == ["ray"]


def test_what_a_worker_lacks_is_told(ray_cluster: str) -> None:
    """A bot that this process has and workers do not find."""
    contest = contest_of(LEDUC, ["greedy", "random"], 2)
    with pytest.raises(InvalidInput, match=r"ray: found a worker that says: bot: found 'nowhere:Bot'"):
        lines(spread(contest._replace(entrants=("greedy", "nowhere:Bot")), ray_cluster))


@pytest.mark.parametrize("address", ["", "rubbish", "ray://127.0.0.1:1", "127.0.0.1:port"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(InvalidInput, match="expected local, auto or host:port"), connected(address):
        pass


def command(*words: str) -> "subprocess.Popen[str]":
    """The command line in a process and a session of its own."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    pipe = subprocess.PIPE
    started = [sys.executable, "-W", "error", "-c", COMMAND, *words]
    return subprocess.Popen(started, stdout=pipe, stderr=pipe, text=True, env=env, start_new_session=True)


def test_the_command_plays_on_a_cluster(ray_cluster: str) -> None:
    words = [*RUN, "--deals", "3", "--workers", "1"]
    here, there = (CliRunner().invoke(main, words + more) for more in ([], ["--ray", ray_cluster]))
    assert there.exit_code == 0, there.stderr
    told = [[json.loads(line) | {"ms": 0} for line in result.stdout.splitlines()] for result in (here, there)]
    assert told[0] == told[1]


def test_where_no_cluster_is_the_command_says_so_and_leaves_no_file(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    with command(*RUN, "--ray", "127.0.0.1:9", "--out", str(file)) as process:
        _, said = process.communicate(timeout=100)
    assert (process.returncode, file.exists()) == (2, False)
    assert said.splitlines()[-1].startswith("ray: found '127.0.0.1:9': ")


def test_a_signal_ends_what_is_played_on_a_cluster_that_stays(ray_cluster: str, tmp_path: Path) -> None:
    there, file = cpus(), tmp_path / "results.jsonl"
    with command(*RUN, "--deals", "1000000", "--ray", ray_cluster, "--out", str(file)) as process:
        assert until(lambda: file.exists() and file.read_text().count("\n") > 10)
        process.terminate()
        told, said = process.communicate(timeout=60)
    assert (process.returncode, told, said.splitlines()[-1:]) == (143, "", [STOPPED])
    assert until(lambda: not playing())
    assert cpus() == there


def test_ctrl_c_ends_a_ray_of_its_own() -> None:
    with command(*RUN, "--deals", "1000000", "--ray", "local", "--workers", "1") as process:
        assert process.stdout
        assert [process.stdout.readline()[:2] for _ in range(10)] == ['{"'] * 10
        assert until(lambda: playing(process.pid))
        started = list(descendants(process.pid))
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said.splitlines()[-1:]) == (130, [STOPPED])
    assert until(lambda: not any(map(titled, started)))
