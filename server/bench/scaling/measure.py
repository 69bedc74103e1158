"""Measures this machine: what a request takes part by part, then points of real servers under load."""

import asyncio
import os
import platform
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Generic, NamedTuple, TypeVar

import grpc
import llvmlite.binding as llvm
import psutil
from emptychair.v1 import observation_pb2, opponent_pb2, opponent_pb2_grpc

import bots
import engine
from bots import advise
from bots.bot import Budget, Request
from bots.clock import FIRST_BITE
from engine.game import View
from server import codec
from server.bench import clusters, service
from server.bench.positions import at_round
from server.bench.scaling.inputs import (
    EMBEDDED,
    ITERATIONS,
    QUIET,
    RAY,
    Case,
    Costs,
    Measured,
    Outcome,
    Point,
    RayCosts,
)
from server.bench.scaling.load import Clients
from server.bench.timing import FULL
from server.config import Settings

ROUNDS = (2, 4, 6, 8, 10, 12, 14)
BOT, QUICK_BOT = "ismcts", "greedy"
BUDGETS = ((50, None), (200, None), (None, ITERATIONS))  # ms, iterations
CLIENTS = (1, 2, 4, 8, 16)
WORKERS = (1, 2)
SOME = 4  # clients who keep a server busy
QUEUE = Settings().queue
SHORT_QUEUE = 2  # with which some clients of many are refused
SHORT_MS = 50
FEW, MANY = 100, 1100  # iterations between whose times the cost of one is told
LOOK_S = 0.5
CPUS = Path("/proc/cpuinfo")
MIB = 1 << 20
MS = 1000.0

Say = Callable[[str], None]
T = TypeVar("T")


@dataclass(frozen=True)
class Lengths:
    """How long to measure."""

    settle_s: float = 0.5
    point_s: float = 4.0
    repeats: int = 15
    tries: int = 6  # of a measurement, until one is quiet
    patience_s: float = 200.0  # that may be lost to others, over all: waiting for them, and measuring again


class Tried(Generic[T]):
    """What came of a measurement, and the share of the machine that others used meanwhile."""

    def __init__(self, found: T, others: float) -> None:
        self.found, self.others = found, others


class Patience:
    """Measures when others leave the machine alone, as long as there is time for it."""

    def __init__(self, lengths: Lengths, say: Say) -> None:
        self._lengths, self._say = lengths, say
        self._left_s = lengths.patience_s

    def quietly(self, name: str, measured: Callable[[], T]) -> Tried[T]:
        """The first try that was quiet, whatever came of it; the last one where none was."""
        for _ in range(self._lengths.tries):
            self._wait()
            begun, others = time.perf_counter(), Others()
            tried = Tried(measured(), others.share())
            self._say(f"{name}: others {100 * tried.others:.0f} %")
            if tried.others <= QUIET:
                break
            self._left_s -= time.perf_counter() - begun
            if self._left_s <= 0:
                break
        return tried

    def _wait(self) -> None:
        """Until nobody uses the machine, or patience is over."""
        while psutil.cpu_percent(LOOK_S) > 100 * QUIET and self._left_s > 0:
            self._left_s -= LOOK_S


def measure(say: Say, lengths: Lengths, with_ray: bool) -> Measured:
    """All of it; `say` is told what is being done. The machine should have nothing else to do."""
    machine: dict[str, str | int | float] = {"processor": processor(), "cores": psutil.cpu_count() or 1}
    machine |= {"python": platform.python_version(), "load_before": os.getloadavg()[0]}
    patience = Patience(lengths, say)
    views = [at_round(engine.load(service.GAME).setup(2), number) for number in ROUNDS]
    asked = [codec.write_observation(view.to_json()) for view in views]
    costs = patience.quietly("what a request takes", lambda: costs_of(views, asked, lengths))
    points, ray = list(points_of(EMBEDDED, asked, lengths, patience, say)), None
    machine["others"] = costs.others
    if with_ray:
        points += points_of(RAY, asked, lengths, patience, say)
        added = ray_costs(costs.found, asked, lengths, patience)
        machine["others"], ray = max(costs.others, added.others), added.found
    return Measured(machine, costs.found, ray, points)


def processor() -> str:
    """Its name as the system has it, and the family that compilers know it by."""
    names = re.findall(r"^model name\s*: (.+)$", CPUS.read_text(), re.MULTILINE) if CPUS.exists() else []
    return f"{(names or [platform.processor()])[0]} ({llvm.get_host_cpu_name()})"


def costs_of(views: Sequence[View], asked: Sequence[observation_pb2.Observation], lengths: Lengths) -> Costs:
    """What one request takes without Ray: of requests with hardly any search, and by searches alone."""
    quick_ms = median(timed_ms(QUICK_BOT, view, Request(Budget(1), seed=1), time.process_time) for view in views)
    write_ms = fmean(writing_ms(view, lengths) for view in views)
    paces = tuple(iteration_us(view, lengths) for view in views)
    with service.server(*options(EMBEDDED, 1, QUEUE)) as (address, pid):
        server = psutil.Process(pid)
        read = cpu_of(server, Clients(address, Case(EMBEDDED, 1, QUEUE, SOME, None, 1), asked, QUICK_BOT), lengths)
        late = cpu_of(server, Clients(address, Case(EMBEDDED, 1, QUEUE, SOME, 1, None), asked, BOT), lengths)
        full = cpu_of(server, Clients(address, Case(EMBEDDED, 1, QUEUE, SOME, None, ITERATIONS), asked, BOT), lengths)
        held_mb = server.memory_info().rss / MIB
    front_ms = read.server_ms - quick_ms
    python_ms = late.server_ms - front_ms - fmean(paces) * FIRST_BITE / MS
    return Costs(
        read_ms=front_ms - write_ms,
        refuse_ms=refusing_ms(asked[0], lengths),
        write_ms=write_ms,
        client_ms=read.client_ms,
        python_ms=python_ms,
        first_ms=full.server_ms - front_ms - python_ms - fmean(paces) * ITERATIONS / MS,
        over_ms=outlasted_ms(views, lengths),
        iteration_us=paces,
        server_mb=held_mb,
    )


class Spent(NamedTuple):
    """CPU time of one request."""

    server_ms: float
    client_ms: float


def cpu_of(server: psutil.Process, clients: Clients, lengths: Lengths) -> Spent:
    """What these clients make a server use, and themselves."""
    asyncio.run(clients.run(0.0, lengths.settle_s))
    before, mine = cpu_s(server), time.process_time()
    answered = asyncio.run(clients.run(0.0, lengths.point_s)).answered
    return Spent(MS * (cpu_s(server) - before) / answered, MS * (time.process_time() - mine) / answered)


def refusing_ms(asked: observation_pb2.Observation, lengths: Lengths) -> float:
    """CPU time of a request that finds no place: of all threads of the server but the one that searches meanwhile."""
    with service.server(*options(EMBEDDED, 1, 0)) as (address, pid), grpc.insecure_channel(address) as channel:
        stub, server = opponent_pb2_grpc.OpponentServiceStub(channel), psutil.Process(pid)
        budget = opponent_pb2.Budget(time_ms=round(2 * MS * lengths.point_s))
        request = opponent_pb2.RecommendRequest(observation=asked, budget=budget, bot=BOT)
        searching = stub.Recommend.future(request)
        time.sleep(lengths.settle_s)
        before = threads_s(server)
        refusals = refused(stub, request, lengths.point_s)
        spent = [used - before.get(thread, 0.0) for thread, used in threads_s(server).items()]
        searching.cancel()
    return MS * (sum(spent) - max(spent)) / refusals


def refused(stub: opponent_pb2_grpc.OpponentServiceStub, request: opponent_pb2.RecommendRequest, seconds: float) -> int:
    """How often a request is refused in so many seconds."""
    end, refusals = time.perf_counter() + seconds, 0
    while time.perf_counter() < end:
        with suppress(grpc.RpcError):
            stub.Recommend(request)
            raise RuntimeError("a server without a place has answered")
        refusals += 1
    return refusals


def threads_s(process: psutil.Process) -> dict[int, float]:
    """CPU time of each of its threads."""
    return {thread.id: float(thread.user_time + thread.system_time) for thread in process.threads()}


def outlasted_ms(views: Sequence[View], lengths: Lengths) -> float:
    """By which a search outlasts its budget: the median."""
    request = Request(Budget(time_ms=SHORT_MS), seed=1)
    times = [timed_ms(BOT, view, request, time.perf_counter) for view in views for _ in range(lengths.repeats)]
    return median(times) - SHORT_MS


def writing_ms(view: View, lengths: Lengths) -> float:
    """What the front does once it has an answer."""
    answer, times = advise(bots.make(BOT), view, Request(Budget(ITERATIONS), seed=1)), list[float]()
    for _ in range(lengths.repeats):
        started = time.process_time()
        codec.write_answer(answer).SerializeToString(deterministic=True)
        times.append((time.process_time() - started) * MS)
    return median(times)


def timed_ms(bot: str, view: View, request: Request, clock: Callable[[], float]) -> float:
    """One answer in this process."""
    started = clock()
    advise(bots.make(bot), view, request)
    return (clock() - started) * MS


def iteration_us(view: View, lengths: Lengths) -> float:
    """CPU time of an iteration more."""

    def taken(iterations: int) -> float:
        request = Request(Budget(iterations), seed=1)
        return median(timed_ms(BOT, view, request, time.process_time) for _ in range(lengths.repeats // 3 + 1))

    return MS * (taken(MANY) - taken(FEW)) / (MANY - FEW)


def cpu_s(process: psutil.Process) -> float:
    """CPU time a process has used."""
    times = process.cpu_times()
    return float(times.user + times.system)


def points_of(
    pool: str, asked: Sequence[observation_pb2.Observation], lengths: Lengths, patience: Patience, say: Say
) -> Iterator[Point]:
    """A server for each number of workers, under every load; only what was quiet."""
    short = Case(pool, 1, SHORT_QUEUE, max(CLIENTS), None, ITERATIONS)
    for loads in (*(list(cases(pool, workers)) for workers in WORKERS), [short]):
        with service.server(*options(pool, loads[0].workers, loads[0].queue)) as (address, _):
            for case in loads:
                if found := point(Clients(address, case, asked, BOT), lengths, patience, say):
                    yield found


def options(pool: str, workers: int, queue: int) -> tuple[str, ...]:
    """Of the command `serve`."""
    ray = ("--ray", "local") if pool == RAY else ()
    return "--workers", str(workers), "--queue", str(queue), *ray


def cases(pool: str, workers: int) -> Iterator[Case]:
    """Every load of a server with so many workers."""
    for time_ms, iterations in BUDGETS:
        for clients in CLIENTS:
            yield Case(pool, workers, QUEUE, clients, time_ms, iterations)


def point(clients: Clients, lengths: Lengths, patience: Patience, say: Say) -> Point | None:
    """One load; None, and told so, where others used the machine at every try."""

    def loaded() -> Outcome:
        outcome = asyncio.run(clients.run(lengths.settle_s, lengths.point_s))
        say(f"{outcome.throughput:.1f}/s, {outcome.p50_ms:.1f} ms")
        return outcome

    tried = patience.quietly(str(clients.case), loaded)
    if tried.others <= QUIET:
        return Point(clients.case, tried.found, tried.others)
    say("left out: others were never quiet")
    return None


class Others:
    """What share of the machine's cores everybody else used since it was made."""

    def __init__(self) -> None:
        self._started, self._before = time.perf_counter(), self._used()

    def share(self) -> float:
        """Between 0 and 1."""
        cores = (time.perf_counter() - self._started) * (psutil.cpu_count() or 1)
        return max(0.0, self._used() - self._before) / cores

    def _used(self) -> float:
        """CPU seconds of all but this process and those it has begun, those that have ended among them."""
        times, ours = psutil.cpu_times(), 0.0
        for process in (psutil.Process(), *psutil.Process().children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                ours += sum(process.cpu_times()[:4])  # of the user and the system, then the same of ended children
        stolen = getattr(times, "steal", 0.0)  # by other machines of the same host
        return float(times.user + times.nice + times.system + stolen - ours)


def memory_mb(processes: Sequence[psutil.Process]) -> Iterator[float]:
    """What each of those that are still there holds alone."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            yield process.memory_full_info().uss / MIB


def ray_costs(
    costs: Costs, asked: Sequence[observation_pb2.Observation], lengths: Lengths, patience: Patience
) -> Tried[RayCosts]:
    """What Ray adds: to the time of an answer, both servers asked in turn; to the front's work; and in processes."""
    latency, *_ = clusters.latency(FULL)
    with service.server(*options(RAY, 1, QUEUE)) as (address, pid):
        front = psutil.Process(pid)
        clients = Clients(address, Case(RAY, 1, QUEUE, SOME, None, 1), asked, BOT)
        used = patience.quietly("what Ray adds", lambda: cpu_of(front, clients, lengths))
        held_mb = list(memory_mb(front.children(recursive=True)))
    worker_mb = max(held_mb)  # the actor has compiled rules and numba loaded; none of Ray's own processes is as big
    added = RayCosts(
        extra_ms=float(latency["value"]),
        write_ms=used.found.server_ms - costs.read_ms,
        worker_mb=worker_mb,
        head_mb=sum(held_mb) - worker_mb,
    )
    return Tried(added, used.others)
