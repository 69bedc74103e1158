"""The figures of the server and of starting up, on processes as a user starts them, by wall clock."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean, median, quantiles
from tempfile import TemporaryDirectory

import grpc
from emptychair.v1 import opponent_pb2, opponent_pb2_grpc

import engine
from server import codec
from server.bench.figures import Row, row
from server.bench.positions import at_round
from server.bench.timing import Effort, Measure

COMMAND = (sys.executable, "-c", "from server.cli import main; main()")
GAME = "arctic_scavengers"
BUDGET_MS = 100
ITERATIONS = 1000
ROUND = 8
FIRST_CALLS = 3  # not counted


@contextmanager
def server(*options: str, **env: str) -> Iterator[tuple[str, int]]:
    """The address of a server on loopback with these options and variables, and the process it has of its own."""
    serve = [*COMMAND, "serve", "--json", "--listen", "127.0.0.1:0", "--game", GAME, *options]
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(serve, stdout=pipe, stderr=null, text=True, env=os.environ | env) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            yield json.loads(line)["listening"][0], process.pid
        finally:
            process.terminate()


def answers(address: str, n: int) -> Iterator[tuple[float, float]]:
    """Round trip of each request and what it used of its budget, both in ms."""
    observation = codec.write_observation(at_round(engine.load(GAME).setup(2), ROUND).to_json())
    with grpc.insecure_channel(address) as channel:
        stub = opponent_pb2_grpc.OpponentServiceStub(channel)
        for i in range(FIRST_CALLS + n):
            budget = opponent_pb2.Budget(time_ms=BUDGET_MS)
            request = opponent_pb2.RecommendRequest(observation=observation, budget=budget, seed=i)
            started = time.perf_counter()
            advice = stub.Recommend(request).recommendation
            if i >= FIRST_CALLS:
                yield (time.perf_counter() - started) * 1000, advice.elapsed_ms + advice.queue_ms


def recommend(effort: Effort) -> Iterator[Row]:
    with server() as (address, _):
        trips, searched = zip(*answers(address, effort.requests), strict=True)
    over = quantiles([trip - BUDGET_MS for trip in trips], n=100, method="inclusive")
    yield row("recommend_over_budget_ms_p50", over[49], len(trips))
    yield row("recommend_over_budget_ms_p99", over[98], len(trips))
    yield row("recommend_budget_used", 100 * fmean(searched) / BUDGET_MS, len(trips))


def timed(*words: str, cache: str | None = None) -> tuple[float, float]:
    """Seconds by the wall clock and of CPU time that a command takes, with an empty or the usual cache."""
    env = os.environ | ({} if cache is None else {"EMPTYCHAIR_CACHE": cache})
    before, started = os.times(), time.perf_counter()
    subprocess.run([*COMMAND, *words], env=env, check=True, capture_output=True)
    wall, after = time.perf_counter() - started, os.times()
    return wall, sum(after[2:4]) - sum(before[2:4])  # user and system time of children


@contextmanager
def a_hint() -> Iterator[tuple[str, ...]]:
    """The command that asks for advice on the game's own template."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "position.json")
        file.write_text(json.dumps(engine.load(GAME).template()))
        yield "hint", str(file), "--iterations", str(ITERATIONS)


def start_warm(effort: Effort) -> Iterator[Row]:
    with a_hint() as hint:
        timed(*hint)
        yield row("start_warm_s", median(timed(*hint)[0] for _ in range(effort.starts)), effort.starts)


def start_cold(effort: Effort) -> Iterator[Row]:
    with a_hint() as hint, TemporaryDirectory() as cache:
        yield row("start_cold_s", timed(*hint, cache=cache)[0], 1)


def compile_cold(effort: Effort) -> Iterator[Row]:
    with TemporaryDirectory() as cache:
        wall, cpu = timed("warmup", GAME, cache=cache)
    yield row("compile_cold_s_arctic_scavengers", cpu, 1)
    yield row("compile_cold_wall_s_arctic_scavengers", wall, 1)


MEASURES: dict[str, Measure] = {
    "recommend_over_budget_ms_p50": recommend,
    "start_warm_s": start_warm,
    "start_cold_s": start_cold,
    "compile_cold_s_arctic_scavengers": compile_cold,
}
