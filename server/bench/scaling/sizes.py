"""How many fronts and workers so many games need; sized by theory, tried by the simulation."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from math import ceil
from statistics import fmean

from bots.levels import LEVELS
from server.bench.scaling.inputs import Measured, Outcome, RayCosts
from server.bench.scaling.plans import Forecast, Plan, Turnover
from server.bench.scaling.simulation import simulated
from server.bench.scaling.theory import workers_for
from server.bench.scaling.validation import budget_of
from server.config import Settings

SIZES = (100, 10_000, 1_000_000)  # games at the same time
LOADS = (0.5, 1.0, 1.5, 2.0)  # of what a service is sized for
MANY = 10_000  # games of the service, one of whose fronts is tried under other loads
FEW = 500  # games of the service to which something happens
WAITING = 0.05  # share of requests that may wait for a worker, as theory has it
LEAST_USED, MOST_REFUSED = 0.9, 0.01  # beyond this a service is broken, or where
SLOWER = 2.0  # times the latency at the least load
MOST_WORKERS: int = next(f.metadata["high"] for f in fields(Settings) if f.name == "workers")
NOTICE_S = 1.5  # until Ray tells that a worker is gone
REPLACE_S = 15.0  # until one that was lost is there again, warm
GROW_S = 60.0  # until a machine more is there, its workers warm
NODE = 16  # workers lost with a machine
EACH_S = 5  # from one lost worker to the next


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
    most_workers: int = MOST_WORKERS  # of one front: as many as the setting takes


@dataclass(frozen=True)
class NamedBudget:
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


def budgets(mix: Mix) -> Iterator[NamedBudget]:
    """Those of the levels, by rising strength, and the one in time."""
    for name, level in LEVELS.items():
        yield NamedBudget(name, level.budget.time_ms, level.budget.iterations)
    yield timed(mix)


def timed(mix: Mix) -> NamedBudget:
    """The budget in time."""
    return NamedBudget(f"{mix.time_ms} ms", mix.time_ms, None)


def ray_costs(measured: Measured) -> RayCosts:
    """What Ray adds: as measured, else as it is taken to be until it is."""
    return measured.ray or RayCosts(extra_ms=3.0, write_ms=measured.costs.write_ms + 0.5, worker_mb=200, head_mb=450)


def front_s(measured: Measured, ray: bool) -> float:
    """CPU time of a front for one request."""
    costs = measured.costs
    return (costs.read_ms + (ray_costs(measured).write_ms if ray else costs.write_ms)) / 1000


def service_s(measured: Measured, budget: NamedBudget) -> float:
    """Time that one request keeps a worker on Ray, on average; without, it is less by the way to it and back."""
    costs = measured.costs
    if budget.time_ms is not None:
        return (budget.time_ms + costs.over_ms) / 1000
    away_ms = ray_costs(measured).away_ms(costs)
    return (away_ms + costs.python_ms + fmean(costs.work_ms(budget.iterations or 0))) / 1000


def rate(measured: Measured, mix: Mix, budget: NamedBudget, games: int) -> float:
    """Requests/s of so many games where nobody waits."""
    return games * mix.asks / (mix.think_s + mix.asks * (service_s(measured, budget) + front_s(measured, True)))


def size(measured: Measured, mix: Mix, budget: NamedBudget, games: int) -> Size:
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


def plan_of(measured: Measured, mix: Mix, budget: NamedBudget, wanted: Size) -> Plan:
    """One of the fronts with its workers and its share of the games."""
    costs, ray = measured.costs, ray_costs(measured)
    return Plan(
        budget_of(measured, budget.time_ms, budget.iterations),
        wanted.workers // wanted.fronts,
        Settings().queue,
        clients=wanted.games // wanted.fronts,
        think_s=mix.think_s,
        asks=mix.asks,
        read_s=costs.read_ms / 1000,
        refuse_s=costs.refuse_ms / 1000,
        write_s=(ray.write_ms if wanted.ray else costs.write_ms) / 1000,
        extra_s=ray.away_ms(costs) / 1000 if wanted.ray else 0.0,
        python_s=costs.python_ms / 1000,
        over_s=costs.over_ms / 1000,
        one_process=not wanted.ray,
        settle_s=mix.think_s / 4,
        seconds=mix.think_s,
    )


@dataclass(frozen=True)
class Strained:
    """A service under another load than it is sized for."""

    load: float
    games: int
    forecast: Forecast
    breaks: tuple[str, ...]  # what is too much for it: what its clients see


def strained(measured: Measured, mix: Mix, budget: NamedBudget) -> Iterator[Strained]:
    """One of the fronts for `MANY` games and its workers, under rising load."""
    plan = plan_of(measured, mix, budget, size(measured, mix, budget, MANY))
    usual_ms = simulated(replace(plan, clients=round(LOADS[0] * plan.clients))).outcome.p50_ms
    for load in LOADS:
        games = round(load * plan.clients)
        forecast = simulated(replace(plan, clients=games))
        yield Strained(load, games, forecast, breaks(forecast.outcome, usual_ms))


def breaks(outcome: Outcome, usual_ms: float) -> tuple[str, ...]:
    """What clients see of a service that has too much to do; nothing where it holds."""
    seen = {
        "late": outcome.p50_ms > SLOWER * usual_ms,
        "weaker": outcome.used < LEAST_USED,
        "refused": outcome.refused > MOST_REFUSED,
    }
    return tuple(name for name, there in seen.items() if there)


def mishaps(measured: Measured, mix: Mix, budget: NamedBudget) -> Iterator[tuple[str, Plan]]:
    """What may happen to a service for `FEW` games on Ray, in a time in which all that is lost is replaced."""
    plan = plan_of(measured, mix, budget, replace(size(measured, mix, budget, FEW), ray=True))
    plan = replace(plan, notice_s=NOTICE_S, replace_s=REPLACE_S, seconds=2 * GROW_S)
    start, end = plan.settle_s, plan.settle_s + plan.seconds
    each = tuple(Turnover(start + second, -1) for second in range(0, int(end - start), EACH_S))
    yield "nothing", plan
    yield f"a worker lost every {EACH_S} s, replaced after {REPLACE_S:.0f} s", replace(plan, changes=each)
    yield (
        f"{NODE} workers lost, replaced after {GROW_S:.0f} s",
        replace(plan, changes=(Turnover(start, -NODE),), replace_s=GROW_S),
    )
    doubled = replace(plan, clients=2 * plan.clients)
    yield "twice the games", doubled
    grown = replace(doubled, max_workers=2 * plan.workers, grow_s=GROW_S)
    yield f"twice the games, workers added after {GROW_S:.0f} s", grown
