"""Measures this machine: what a request takes part by part, then points of real servers under load."""

import asyncio
import os
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median

import psutil
from emptychair.v1 import observation_pb2, opponent_pb2

import bots
import engine
from bots import advise
from bots.bot import Budget, Request
from bots.clock import FIRST_BITE
from engine.game import View
from server import codec
from server.bench import service
from server.bench.positions import at_round
from server.bench.scaling.inputs import EMBEDDED, RAY, Case, Costs, Measured, Point, RayCosts
from server.bench.scaling.load import Clients
from server.order import asked_seat, read_order, read_view

ROUNDS = (2, 4, 6, 8, 10, 12, 14)
BOT, QUICK_BOT = "ismcts", "greedy"
ITERATIONS = 500
BUDGETS = ((50, None), (200, None), (None, ITERATIONS))  # ms, iterations
CLIENTS = (1, 2, 4, 8, 16)
WORKERS = (1, 2)
QUEUE = 32
SHORT_QUEUE = 2  # with which some clients of many are refused
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
    """What one request takes without Ray."""
    quick = median(timed_ms(QUICK_BOT, view, Request(Budget(1), seed=1), time.process_time) for view in views)
    case = Case(EMBEDDED, 1, QUEUE, 1, None, 1)
    with service.server("--workers", "1") as (address, pid):
        server = psutil.Process(pid)
        before, mine = cpu_s(server), time.process_time()
        outcome = asyncio.run(Clients(address, case, asked, QUICK_BOT).run(0.0, pace.point_s))
        client_ms = MS * (time.process_time() - mine) / outcome.answered
        front_ms = MS * (cpu_s(server) - before) / outcome.answered - quick
        held_mb = server.memory_info().rss / MIB

    def middle(request: Request, clock: Callable[[], float]) -> float:
        """Over positions, the mean of the median time of an answer."""
        rows = ([timed_ms(BOT, v, replace(request, seed=i), clock) for i in range(pace.repeats)] for v in views)
        return fmean(map(median, rows))

    read_ms = fmean(reading_ms(observation, pace) for observation in asked)
    paces = tuple(iteration_us(view, pace) for view in views)
    late_ms = middle(Request(Budget(time_ms=50), queue_ms=60), time.process_time)
    return Costs(
        read_ms=read_ms,
        write_ms=front_ms - read_ms,
        client_ms=client_ms,
        wire_ms=max(0.0, outcome.p50_ms - front_ms - client_ms - quick),
        python_ms=late_ms - fmean(paces) * FIRST_BITE / MS,
        over_ms=middle(Request(Budget(time_ms=50)), time.perf_counter) - 50,
        iteration_us=paces,
        server_mb=held_mb,
    )


def reading_ms(observation: observation_pb2.Observation, pace: Pace) -> float:
    """What the front does with a request before it looks for a worker."""
    request = opponent_pb2.RecommendRequest(observation=observation, bot=BOT, seed=1)
    times, raw = list[float](), request.SerializeToString()
    for _ in range(pace.repeats):
        started = time.process_time()
        message = opponent_pb2.RecommendRequest.FromString(raw)
        read_order(codec.read_asked(message))
        asked_seat(read_view(codec.read_observation(message.observation)))
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
    """One load; tried again while others use the machine, and the quietest told."""
    tries = list[Point]()
    while len(tries) < pace.tries and not any(p.others <= QUIET for p in tries):
        wait_for_quiet(pace.patience_s)
        others = Others(server)
        outcome = asyncio.run(Clients(address, case, asked, BOT).run(pace.settle_s, pace.point_s))
        tries.append(Point(case, outcome, others.share()))
        say(f"{case}: {outcome.throughput:.1f}/s, {outcome.p50_ms:.1f} ms, others {100 * tries[-1].others:.0f} %")
    return min(tries, key=lambda p: p.others)


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
        return float(times.user + times.system - sum(map(cpu_s, ours)))


def ray_costs(
    points: Sequence[Point], costs: Costs, asked: Sequence[observation_pb2.Observation], pace: Pace
) -> RayCosts:
    """What Ray adds: to the median of one client's searches, to the front's work, and in processes."""
    first = {"workers": 1, "clients": 1, "iterations": ITERATIONS}
    alone = {p.case.pool: p.outcome.p50_ms for p in points if first.items() <= vars(p.case).items()}
    with service.server(*options(RAY, 1, QUEUE)) as (address, pid):
        front = psutil.Process(pid)
        before = cpu_s(front)
        outcome = asyncio.run(Clients(address, Case(RAY, 1, QUEUE, 4, None, 1), asked, BOT).run(0.0, pace.point_s))
        front_ms = MS * (cpu_s(front) - before) / outcome.answered
        held_mb = [process.memory_full_info().uss / MIB for process in front.children(recursive=True)]
    worker_mb = max(held_mb)  # the actor has compiled rules and numba loaded; none of Ray's own processes is as big
    return RayCosts(
        extra_ms=alone[RAY] - alone[EMBEDDED],
        write_ms=front_ms - costs.read_ms,
        worker_mb=worker_mb,
        head_mb=sum(held_mb) - worker_mb,
    )
