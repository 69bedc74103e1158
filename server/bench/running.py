"""The figures of a service that runs on: calling off, memory, threads, games; by wall clock."""

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import pbkdf2_hmac
from statistics import median, quantiles

import grpc
from emptychair.v1 import opponent_pb2, opponent_pb2_grpc

import bots
import engine
from bots.bot import Budget, Request
from engine.extras import extra
from server import codec
from server.bench import service
from server.bench.figures import Row, row
from server.bench.positions import at_round
from server.bench.timing import Effort, Measure
from server.config import Settings
from server.front import Front
from server.workers import Workers, workers_for

LONG_MS = 600_000
SHORT = 100  # iterations
MIB = 1 << 20


def analysis() -> opponent_pb2.AnalyzeRequest:
    """An analysis of the middle of a game that would take minutes."""
    observation = codec.write_observation(at_round(engine.load(service.GAME).setup(2), service.ROUND).to_json())
    budget = opponent_pb2.Budget(time_ms=LONG_MS)
    return opponent_pb2.AnalyzeRequest(observation=observation, budget=budget, report_interval_ms=10)


async def cancellations(n: int, settings: Settings) -> list[float]:
    """Milliseconds from the cancelling of each of so many calls to the end of its search."""
    settings, taken = replace(settings, listen=("127.0.0.1:0",), drain_notice_ms=0), list[float]()
    with workers_for(settings, [service.GAME]) as workers:
        front = Front(settings, workers)
        await front.start()
        await cancelled(n, front.addresses[0], workers, taken)
        await front.stop()
    return taken


async def cancelled(n: int, address: str, workers: Workers, taken: list[float]) -> None:
    """Calls off so many analyses, one after the other."""
    async with grpc.aio.insecure_channel(address) as channel:
        stub: opponent_pb2_grpc.OpponentServiceAsyncStub = opponent_pb2_grpc.OpponentServiceStub(channel)
        for _ in range(n):
            call = stub.Analyze(analysis())
            await call.read()
            started = time.perf_counter()
            call.cancel()
            while workers.busy:
                await asyncio.sleep(0.0002)
            taken.append((time.perf_counter() - started) * 1000)


def cancel(effort: Effort) -> Iterator[Row]:
    taken = asyncio.run(cancellations(effort.requests, Settings(workers=1)))
    yield row("cancel_ms", quantiles(taken, n=100, method="inclusive")[98], len(taken))
    yield row("cancel_ms_p50", median(taken), len(taken))


def memory(effort: Effort) -> Iterator[Row]:
    with extra("bench", "rss_mb_after_1000_requests"):
        import psutil
    n = 10 * effort.requests
    with service.server() as (address, pid), grpc.insecure_channel(address) as channel:
        stub, process = opponent_pb2_grpc.OpponentServiceStub(channel), psutil.Process(pid)
        observation, held = analysis().observation, list[int]()
        for i in range(n):
            budget = opponent_pb2.Budget(iterations=SHORT)
            stub.Recommend(opponent_pb2.RecommendRequest(observation=observation, budget=budget, seed=i))
            held.append(process.memory_info().rss)
    yield row("rss_mb_after_1000_requests", held[-1] / MIB, n)
    yield row("rss_growth_percent", 100 * (held[-1] / held[n // 2] - 1), n)


def cores(effort: Effort) -> float:
    """How much faster two threads are that share nothing and need no memory: what the machine has to give."""

    def seconds(threads: int) -> float:
        started = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda salt: pbkdf2_hmac("sha256", b"", salt, 20 * effort.iterations), (b"one", b"other")))
        return time.perf_counter() - started

    return seconds(1) / seconds(2)


def threads(effort: Effort) -> Iterator[Row]:
    """The same two trees one after the other and side by side, and what the machine's cores do for any two threads."""
    bot, view = bots.make("ismcts"), at_round(engine.load(service.GAME).setup(2), service.ROUND)

    def seconds(threads: int) -> float:
        budget = Budget(iterations=effort.iterations)
        return bot.recommend(view, Request(budget, seed=1, parallelism=2, threads=threads)).elapsed_ms

    rounds = [(seconds(1) / seconds(2), cores(effort)) for _ in range(effort.starts)]
    ours, bare = map(median, zip(*rounds, strict=True))
    yield row("threads_2_vs_1", ours, len(rounds))
    yield row("cores_2_vs_1", bare, len(rounds))


MEASURES: dict[str, Measure] = {
    "cancel_ms": cancel,
    "rss_mb_after_1000_requests": memory,
    "threads_2_vs_1": threads,
}
