"""The figures of the service on Ray: what it costs, and what becomes of answers when workers and nodes are lost."""

import asyncio
import os
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from statistics import median, quantiles
from typing import TYPE_CHECKING

import grpc
from emptychair.v1 import opponent_pb2, opponent_pb2_grpc

import engine
from engine.extras import extra
from server import codec
from server.bench import service
from server.bench.figures import Row, row
from server.bench.positions import at_round
from server.bench.running import cancellations
from server.bench.timing import Effort, Measure
from server.config import Settings

if TYPE_CHECKING:
    from server.bench.nodes import Cluster

LONG_MS, SHORT = 1000, 1  # milliseconds, iterations
CALLERS = 3  # at a time, of two workers
DEADLINE_S = 2.0
KILL_EVERY_S = 5.0
GRACE_S = 4.0  # that a load goes on after the last loss


@dataclass
class Load:
    """What became of requests that were sent one after the other by several callers."""

    ms: list[float] = field(default_factory=list)  # of those that were answered
    degraded: int = 0
    failed: list[str] = field(default_factory=list)

    @property
    def asked(self) -> int:
        return len(self.ms) + len(self.failed)


def request(seed: int, **budget: int) -> opponent_pb2.RecommendRequest:
    """A question about the middle of a game."""
    observation = codec.write_observation(at_round(engine.load(service.GAME).setup(2), service.ROUND).to_json())
    return opponent_pb2.RecommendRequest(observation=observation, budget=opponent_pb2.Budget(**budget), seed=seed)


@contextmanager
def kept_to(choose: Callable[[set[int]], int]) -> Iterator[None]:
    """This process, and those it starts meanwhile, keep to one core of those it may use."""
    usual = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {choose(usual)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, usual)


def needs_ray() -> None:
    """Raises `InvalidInput` where Ray is not installed."""
    with extra("ray", "figures of the service on Ray"):
        import_module("ray")


@contextmanager
def both() -> Iterator[list[opponent_pb2_grpc.OpponentServiceStub]]:
    """Two servers of one worker each, on Ray and without, all on one core, and a client of both on another."""
    needs_ray()
    with ExitStack() as running:
        with kept_to(min):
            cluster, _ = running.enter_context(service.server("--ray", "local", "--workers", "1"))
            embedded, _ = running.enter_context(service.server("--workers", "1"))
        running.enter_context(kept_to(max))
        channels = [running.enter_context(grpc.insecure_channel(address)) for address in (cluster, embedded)]
        stubs = [opponent_pb2_grpc.OpponentServiceStub(channel) for channel in channels]
        for stub in stubs * service.FIRST_CALLS:
            stub.Recommend(request(0, iterations=SHORT))
        yield stubs


def iterations(effort: Effort) -> Iterator[Row]:
    """Searches of a second, in turn."""
    with both() as stubs:
        rounds = [
            [stub.Recommend(request(seed, time_ms=LONG_MS)).recommendation.iterations for stub in stubs]
            for seed in range(effort.samples)
        ]
    ours, embedded = map(median, zip(*rounds, strict=True))
    yield row("ray_vs_embedded", ours, effort.samples, embedded)


def latency(effort: Effort) -> Iterator[Row]:
    """Answers that take hardly any search, in turn."""

    def ms(stub: opponent_pb2_grpc.OpponentServiceStub, asked: opponent_pb2.RecommendRequest) -> float:
        started = time.perf_counter()
        stub.Recommend(asked)
        return (time.perf_counter() - started) * 1000

    with both() as stubs:
        asked = request(0, iterations=SHORT)
        rounds = [[ms(stub, asked) for stub in stubs] for _ in range(effort.requests)]
    ours, embedded = map(median, zip(*rounds, strict=True))
    yield row("ray_extra_latency_ms", ours - embedded, effort.requests)
    taken = asyncio.run(cancellations(effort.requests, Settings(ray="local", workers=1)))
    yield row("ray_cancel_ms", quantiles(taken, n=100, method="inclusive")[98], len(taken))
    yield row("ray_cancel_ms_p50", median(taken), len(taken))


async def call(
    stub: "opponent_pb2_grpc.OpponentServiceAsyncStub", asked: opponent_pb2.RecommendRequest, load: Load
) -> None:
    """One request with a deadline, noted down."""
    started = time.perf_counter()
    try:
        reply = await stub.Recommend(asked, timeout=DEADLINE_S)
    except grpc.aio.AioRpcError as error:
        load.failed.append(f"{error.code().name}: {error.details()}")
        return
    load.ms.append((time.perf_counter() - started) * 1000)
    load.degraded += reply.recommendation.degraded


async def loaded(address: str, trouble: Callable[[], Awaitable[None]]) -> Load:
    """A load for as long as the trouble lasts, and a little longer."""
    load, over = Load(), asyncio.Event()

    async def caller(stub: "opponent_pb2_grpc.OpponentServiceAsyncStub", number: int) -> None:
        seed = number
        while not over.is_set():
            await call(stub, request(seed := seed + CALLERS, time_ms=LONG_MS), load)

    async with grpc.aio.insecure_channel(address) as channel:
        stub: opponent_pb2_grpc.OpponentServiceAsyncStub = opponent_pb2_grpc.OpponentServiceStub(channel)
        callers = [asyncio.ensure_future(caller(stub, i)) for i in range(CALLERS)]
        await trouble()
        await asyncio.sleep(GRACE_S)
        over.set()
        await asyncio.gather(*callers)
    return load


def kills(effort: Effort) -> Iterator[Row]:
    """A worker is killed every few seconds, by chance one of two."""
    with extra("bench", "ray_kill_answers"):
        import psutil
    needs_ray()
    chance = random.Random(1)

    with service.server("--ray", "local", "--workers", "2") as (address, pid):

        async def trouble() -> None:
            for _ in range(round(effort.load_s / KILL_EVERY_S)):
                await asyncio.sleep(KILL_EVERY_S)
                workers = [p for p in psutil.Process(pid).children(recursive=True) if "ray::Desk" in p.name()]
                chance.choice(workers).kill()

        load = asyncio.run(loaded(address, trouble))
    yield row("ray_kill_answers", 100 * len(load.ms) / load.asked, load.asked)
    yield row("ray_kill_degraded", 100 * load.degraded / load.asked, load.asked)
    yield row("ray_kill_ms_p99", quantiles(load.ms, n=100, method="inclusive")[98], len(load.ms))


@contextmanager
def on(cluster: "Cluster", *options: str) -> Iterator[str]:
    """A server on this cluster of `server.bench.nodes`, two workers unless said otherwise."""
    from server.bench.nodes import ALONE

    with service.server("--ray", cluster.address, *(options or ("--workers", "2")), **ALONE) as (address, _):
        yield address


def node_loss(effort: Effort) -> Iterator[Row]:
    """One node of two is killed under load, and another one joins."""
    needs_ray()
    from server.bench import nodes

    with nodes.running(2) as cluster, on(cluster) as address:

        async def trouble() -> None:
            quiet_s = effort.load_s / 12
            await asyncio.sleep(quiet_s)
            await asyncio.to_thread(cluster.remove_node, cluster.nodes[-1])
            await asyncio.sleep(quiet_s)
            await asyncio.to_thread(cluster.add_node)
            await asyncio.sleep(quiet_s)

        load = asyncio.run(loaded(address, trouble))
    yield row("ray_node_loss", len(load.failed), load.asked)
    yield row("ray_node_loss_answers", len(load.ms), load.asked)
    yield row("ray_node_loss_degraded", 100 * load.degraded / load.asked, load.asked)


MEASURES: dict[str, Measure] = {
    "ray_vs_embedded": iterations,
    "ray_extra_latency_ms": latency,
    "ray_kill_answers": kills,
    "ray_node_loss": node_loss,
}
