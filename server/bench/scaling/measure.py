"""Measures this machine: what a request takes part by part, then points of real servers under load."""

import asyncio
import os
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import NamedTuple

import psutil
from emptychair.v1 import observation_pb2

import bots
import engine
from bots import advise
from bots.bot import Budget, Request
from bots.clock import FIRST_BITE
from engine.game import View
from server import codec
from server.bench import service
from server.bench.positions import at_round
from server.bench.scaling.inputs import EMBEDDED, ITERATIONS, RAY, Case, Costs, Measured, Point, RayCosts
from server.bench.scaling.load import Clients

ROUNDS = (2, 4, 6, 8, 10, 12, 14)
BOT, QUICK_BOT = "ismcts", "greedy"
BUDGETS = ((50, None), (200, None), (None, ITERATIONS))  # ms, iterations
CLIENTS = (1, 2, 4, 8, 16)
WORKERS = (1, 2)
SOME = 4  # clients who keep a server busy
QUEUE = 32
SHORT_QUEUE = 2  # with which some clients of many are refused
SHORT_MS = 50
FEW, MANY = 100, 1100  # iterations between whose times the cost of one is told
QUIET = 0.05  # share of the machine that others may use while a point is measured
LOOK_S = 0.5
MIB = 1 << 20
MS = 1000.0

Say = Callable[[str], None]


@dataclass(frozen=True)
class Pace:
    """How long to measure."""

    settle_s: float = 0.5
    point_s: float = 4.0
    repeats: int = 15
    tries: int = 3  # of a point, until the machine has nothing else to do
    patience_s: float = 10.0  # before each of them, for that to be so


def measure(say: Say, pace: Pace, with_ray: bool) -> Measured:
    """All of it; `say` is told what is being done. The machine should have nothing else to do."""
    machine: dict[str, str | int | float] = {"cores": psutil.cpu_count() or 1, "python": platform.python_version()}
    machine["load_before"] = os.getloadavg()[0]
    views = [at_round(engine.load(service.GAME).setup(2), number) for number in ROUNDS]
    asked = [codec.write_observation(view.to_json()) for view in views]
    say("what a request takes")
    wait_for_quiet(pace.tries * pace.patience_s)
    costs = costs_of(views, asked, pace)
    points = list(points_of(EMBEDDED, asked, pace, say))
    ray = None
    if with_ray:
        points += points_of(RAY, asked, pace, say)
        ray = ray_costs(points, costs, asked, pace)
    return Measured(machine, costs, ray, points)


def costs_of(views: Sequence[View], asked: Sequence[observation_pb2.Observation], pace: Pace) -> Costs:
    """What one request takes without Ray: of requests with hardly any search, and by searches alone."""
    quick_ms = median(timed_ms(QUICK_BOT, view, Request(Budget(1), seed=1), time.process_time) for view in views)
    write_ms = fmean(writing_ms(view, pace) for view in views)
    paces = tuple(iteration_us(view, pace) for view in views)
    with service.server(*options(EMBEDDED, 1, QUEUE)) as (address, pid):
        server = psutil.Process(pid)
        read = cpu_of(server, Clients(address, Case(EMBEDDED, 1, QUEUE, SOME, None, 1), asked, QUICK_BOT), pace)
        late = cpu_of(server, Clients(address, Case(EMBEDDED, 1, QUEUE, SOME, 1, None), asked, BOT), pace)
        full = cpu_of(server, Clients(address, Case(EMBEDDED, 1, QUEUE, SOME, None, ITERATIONS), asked, BOT), pace)
        held_mb = server.memory_info().rss / MIB
    front_ms = read.server_ms - quick_ms
    python_ms = late.server_ms - front_ms - fmean(paces) * FIRST_BITE / MS
    return Costs(
        read_ms=front_ms - write_ms,
        write_ms=write_ms,
        client_ms=read.client_ms,
        python_ms=python_ms,
        first_ms=full.server_ms - front_ms - python_ms - fmean(paces) * ITERATIONS / MS,
        over_ms=outlasted_ms(views, pace),
        iteration_us=paces,
        server_mb=held_mb,
    )


class Used(NamedTuple):
    """CPU time of one request."""

    server_ms: float
    client_ms: float


def cpu_of(server: psutil.Process, clients: Clients, pace: Pace) -> Used:
    """What these clients make a server use, and themselves."""
    asyncio.run(clients.run(0.0, pace.settle_s))
    before, mine = cpu_s(server), time.process_time()
    answered = asyncio.run(clients.run(0.0, pace.point_s)).answered
    return Used(MS * (cpu_s(server) - before) / answered, MS * (time.process_time() - mine) / answered)


def outlasted_ms(views: Sequence[View], pace: Pace) -> float:
    """By which a search outlasts its budget; of the quicker half, as what others do can only add to it."""
    request = Request(Budget(time_ms=SHORT_MS), seed=1)
    times = [timed_ms(BOT, view, request, time.perf_counter) for view in views for _ in range(pace.repeats)]
    return median(sorted(times)[: len(times) // 2]) - SHORT_MS


def writing_ms(view: View, pace: Pace) -> float:
    """What the front does once it has an answer."""
    answer, times = advise(bots.make(BOT), view, Request(Budget(ITERATIONS), seed=1)), list[float]()
    for _ in range(pace.repeats):
        started = time.process_time()
        codec.write_answer(answer).SerializeToString(deterministic=True)
        times.append((time.process_time() - started) * MS)
    return median(times)


def timed_ms(bot: str, view: View, request: Request, clock: Callable[[], float]) -> float:
    """One answer in this process."""
    started = clock()
    advise(bots.make(bot), view, request)
    return (clock() - started) * MS


def iteration_us(view: View, pace: Pace) -> float:
    """CPU time of an iteration more."""

    def taken(iterations: int) -> float:
        request = Request(Budget(iterations), seed=1)
        return median(timed_ms(BOT, view, request, time.process_time) for _ in range(pace.repeats // 3 + 1))

    return MS * (taken(MANY) - taken(FEW)) / (MANY - FEW)


def cpu_s(process: psutil.Process) -> float:
    """CPU time a process has used."""
    times = process.cpu_times()
    return float(times.user + times.system)


def points_of(pool: str, asked: Sequence[observation_pb2.Observation], pace: Pace, say: Say) -> Iterator[Point]:
    """A server for each number of workers, under every load."""
    for workers in WORKERS:
        with service.server(*options(pool, workers, QUEUE)) as (address, pid):
            for case in cases(pool, workers):
                yield point(address, psutil.Process(pid), case, asked, pace, say)
    case = Case(pool, 1, SHORT_QUEUE, max(CLIENTS), None, ITERATIONS)
    with service.server(*options(pool, 1, SHORT_QUEUE)) as (address, pid):
        yield point(address, psutil.Process(pid), case, asked, pace, say)


def options(pool: str, workers: int, queue: int) -> tuple[str, ...]:
    """Of the command `serve`."""
    ray = ("--ray", "local") if pool == RAY else ()
    return "--workers", str(workers), "--queue", str(queue), *ray


def cases(pool: str, workers: int) -> Iterator[Case]:
    """Every load of a server with so many workers."""
    for time_ms, iterations in BUDGETS:
        for clients in CLIENTS:
            yield Case(pool, workers, QUEUE, clients, time_ms, iterations)


def point(
    address: str,
    server: psutil.Process,
    case: Case,
    asked: Sequence[observation_pb2.Observation],
    pace: Pace,
    say: Say,
) -> Point:
    """One load; tried again while others use the machine. The most answers are told, as others only take from them."""
    tries = list[Point]()
    while len(tries) < pace.tries and not any(p.others <= QUIET for p in tries):
        wait_for_quiet(pace.patience_s)
        others = Others(server)
        outcome = asyncio.run(Clients(address, case, asked, BOT).run(pace.settle_s, pace.point_s))
        tries.append(Point(case, outcome, others.share()))
        say(f"{case}: {outcome.throughput:.1f}/s, {outcome.p50_ms:.1f} ms, others {100 * tries[-1].others:.0f} %")
    return max(tries, key=lambda p: p.outcome.throughput)


def wait_for_quiet(patience_s: float) -> None:
    """Until nobody uses the machine, or patience is over."""
    end = time.perf_counter() + patience_s
    while time.perf_counter() < end and psutil.cpu_percent(LOOK_S) > 100 * QUIET:
        pass


class Others:
    """What share of the machine's cores everybody else used since it was made."""

    def __init__(self, server: psutil.Process) -> None:
        self._server = server
        self._started, self._before = time.perf_counter(), self._used()

    def share(self) -> float:
        """Between 0 and 1."""
        cores = (time.perf_counter() - self._started) * (psutil.cpu_count() or 1)
        return max(0.0, self._used() - self._before) / cores

    def _used(self) -> float:
        """CPU seconds of all but the server, its children and the load generator."""
        times = psutil.cpu_times()
        ours = [self._server, *self._server.children(recursive=True), psutil.Process()]
        stolen = getattr(times, "steal", 0.0)  # by other machines of the same host
        return float(times.user + times.nice + times.system + stolen - sum(map(cpu_s, ours)))


def ray_costs(
    points: Sequence[Point], costs: Costs, asked: Sequence[observation_pb2.Observation], pace: Pace
) -> RayCosts:
    """What Ray adds: to the median of one client's searches, to the front's work, and in processes."""
    first = {"workers": 1, "clients": 1, "iterations": ITERATIONS}
    alone = {p.case.pool: p.outcome.p50_ms for p in points if first.items() <= vars(p.case).items()}
    with service.server(*options(RAY, 1, QUEUE)) as (address, pid):
        front = psutil.Process(pid)
        used = cpu_of(front, Clients(address, Case(RAY, 1, QUEUE, SOME, None, 1), asked, BOT), pace)
        held_mb = [process.memory_full_info().uss / MIB for process in front.children(recursive=True)]
    worker_mb = max(held_mb)  # the actor has compiled rules and numba loaded; none of Ray's own processes is as big
    return RayCosts(
        extra_ms=max(0.0, alone[RAY] - alone[EMBEDDED]),
        write_ms=used.server_ms - costs.read_ms,
        worker_mb=worker_mb,
        head_mb=sum(held_mb) - worker_mb,
    )
