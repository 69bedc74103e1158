"""How many fronts and workers so many games need; sized by theory, tried by the simulation."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil
from statistics import fmean

from bots.levels import LEVELS
from server.bench.scaling.inputs import Measured, RayCosts
from server.bench.scaling.plans import Change, Plan, Result
from server.bench.scaling.simulation import simulated
from server.bench.scaling.theory import workers_for
from server.bench.scaling.validation import budget_of

SIZES = (100, 10_000, 1_000_000)  # games at the same time
LOADS = (0.5, 1.0, 1.5, 2.0)  # of what a service is sized for
MANY = 10_000  # games of the service, one of whose fronts is tried under other loads
FEW = 500  # games of the service to which something happens
WAITING = 0.05  # share of requests that may wait for a worker, as theory has it
LEAST_USED, MOST_REFUSED = 0.9, 0.01  # beyond this a service is overloaded, or where
SLOWER = 2.0  # times the latency at half the load
QUEUE = 32  # the server's default
NOTICE_S = 1.5  # until Ray tells that a worker is gone
REPLACE_S = 15.0  # until one that was lost is there again, warm
GROW_S = 60.0  # until a machine more is there, its workers warm
NODE = 16  # workers lost with a machine


@dataclass(frozen=True)
class Mix:
    """Who plays, and on what; all of it may be chosen."""

    think_s: float = 20.0  # between the answers a game gets and its next requests, mean
    asks: int = 1  # requests one after the other: bots at the table
    time_ms: int = 1000  # budget of a request where no level is meant
    cores: int = 16  # of a machine
    reserve: float = 0.1  # workers more than are needed, for what is lost or unevenly spread
    front_busy: float = 0.6  # share of its core that a front should be busy
    cluster_workers: int = 10_000  # half of what Ray is tested with
    most_workers: int = 256  # of one front: the largest that the setting takes


@dataclass(frozen=True)
class Budget:
    """What a request asks for, by name."""

    name: str
    time_ms: int | None
    iterations: int | None


@dataclass(frozen=True)
class Size:
    """A service for so many games."""

    games: int
    requests_s: float
    ray: bool
    fronts: int
    workers: int  # of all fronts together
    clusters: int
    machines: int  # heads among them


def budgets(mix: Mix) -> Iterator[Budget]:
    """Those of the levels, by rising strength, and the one in time."""
    for name, level in LEVELS.items():
        yield Budget(name, level.budget.time_ms, level.budget.iterations)
    yield timed(mix)


def timed(mix: Mix) -> Budget:
    """The budget in time."""
    return Budget(f"{mix.time_ms} ms", mix.time_ms, None)


def ray_costs(measured: Measured) -> RayCosts:
    """What Ray adds: as measured, else as it is taken to be until it is."""
    return measured.ray or RayCosts(extra_ms=3.0, write_ms=measured.costs.write_ms + 0.5, worker_mb=200, head_mb=450)


def front_s(measured: Measured, ray: bool) -> float:
    """CPU time of a front for one request."""
    costs = measured.costs
    return (costs.read_ms + (ray_costs(measured).write_ms if ray else costs.write_ms)) / 1000


def service_s(measured: Measured, budget: Budget) -> float:
    """Time that one request keeps a worker, on average."""
    costs = measured.costs
    if budget.time_ms is not None:
        return (budget.time_ms + costs.over_ms) / 1000
    return (costs.python_ms + fmean(costs.work_ms(budget.iterations or 0))) / 1000


def rate(measured: Measured, mix: Mix, budget: Budget, games: int) -> float:
    """Requests/s of so many games where nobody waits."""
    return games * mix.asks / (mix.think_s + mix.asks * (service_s(measured, budget) + front_s(measured, True)))


def size(measured: Measured, mix: Mix, budget: Budget, games: int) -> Size:
    """As few fronts as may be, each with workers of its own; without Ray where one machine is enough."""
    requests = rate(measured, mix, budget, games)
    load = requests * service_s(measured, budget)
    fronts = ceil(requests * front_s(measured, True) / mix.front_busy)
    while (each := ceil(workers_for(load / fronts, WAITING) * (1 + mix.reserve))) > mix.most_workers:
        fronts += 1
    if fronts == 1 and each < mix.cores:
        return Size(games, requests, False, 1, each, 0, 1)
    workers = fronts * each
    clusters = ceil(workers / mix.cluster_workers)
    return Size(games, requests, True, fronts, workers, clusters, ceil((workers + fronts) / mix.cores) + clusters)


def plan_of(measured: Measured, mix: Mix, budget: Budget, wanted: Size) -> Plan:
    """One of the fronts with its workers and its share of the games."""
    costs, ray = measured.costs, ray_costs(measured)
    return Plan(
        budget_of(measured, budget.time_ms, budget.iterations),
        wanted.workers // wanted.fronts,
        QUEUE,
        clients=wanted.games // wanted.fronts,
        think_s=mix.think_s,
        asks=mix.asks,
        read_s=costs.read_ms / 1000,
        write_s=(ray.write_ms if wanted.ray else costs.write_ms) / 1000,
        extra_s=ray.extra_ms / 1000 if wanted.ray else 0.0,
        python_s=costs.python_ms / 1000,
        over_s=costs.over_ms / 1000,
        one_process=not wanted.ray,
        settle_s=mix.think_s / 4,
        seconds=mix.think_s,
    )


@dataclass(frozen=True)
class Step:
    """A service under another load than it is sized for."""

    load: float
    games: int
    result: Result


def steps(measured: Measured, mix: Mix, budget: Budget) -> list[Step]:
    """One of the fronts for `MANY` games and its workers, under rising load."""
    plan = plan_of(measured, mix, budget, size(measured, mix, budget, MANY))
    loads = [(load, round(load * plan.clients)) for load in LOADS]
    return [Step(load, games, simulated(replace(plan, clients=games))) for load, games in loads]


def broken(steps: list[Step]) -> Step | None:
    """The first step that is too much."""
    usual = steps[0].result.outcome.p50_ms
    for step in steps:
        outcome = step.result.outcome
        slow = outcome.p50_ms > SLOWER * usual
        if outcome.used < LEAST_USED or outcome.refused > MOST_REFUSED or slow:
            return step
    return None


def mishaps(measured: Measured, mix: Mix, budget: Budget) -> Iterator[tuple[str, Plan]]:
    """What may happen to a service for `FEW` games on Ray."""
    plan = plan_of(measured, mix, budget, replace(size(measured, mix, budget, FEW), ray=True))
    start, end = plan.settle_s, plan.settle_s + plan.seconds
    plan = replace(plan, notice_s=NOTICE_S, replace_s=REPLACE_S)
    each_5_s = tuple(Change(start + second, -1) for second in range(0, int(end - start), 5))
    yield "nothing", plan
    yield f"a worker lost every 5 s, replaced after {REPLACE_S:.0f} s", replace(plan, changes=each_5_s)
    yield (
        f"{NODE} workers lost, replaced after {GROW_S:.0f} s",
        replace(plan, changes=(Change(start, -NODE),), replace_s=GROW_S),
    )
    doubled = replace(plan, clients=2 * plan.clients, settle_s=0.0, seconds=2 * GROW_S)
    yield "twice the games", doubled
    grown = replace(doubled, max_workers=2 * plan.workers, grow_s=GROW_S)
    yield f"twice the games, workers added after {GROW_S:.0f} s", grown
