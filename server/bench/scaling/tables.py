"""The tables of `docs/scaling.md`, made of what was measured."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from server.bench.scaling import sizes
from server.bench.scaling.inputs import Measured
from server.bench.scaling.simulation import simulated
from server.bench.scaling.sizes import Mix
from server.bench.scaling.validation import compared

DOCUMENT = Path("docs", "scaling.md")
PLACE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)

Table = Callable[[Measured, Mix], Iterable[str]]


def line(*cells: object) -> str:
    """A line of a table."""
    return "| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in cells) + " |"


def columns(*names: str) -> Iterable[str]:
    """The names of its columns."""
    yield line(*names)
    yield "|" + "---|" * len(names)


def share(value: float) -> str:
    """As per cent."""
    return f"{100 * value:.0f} %"


def machine(measured: Measured, mix: Mix) -> Iterable[str]:
    """Where it was measured."""
    yield from columns("processor", "cores", "Python", "load of the minute before", "others")
    where, others = measured.machine, float(measured.machine["others"])
    yield line(*(where[name] for name in ("processor", "cores", "python", "load_before")), share(others))


def parts(measured: Measured, mix: Mix) -> Iterable[str]:
    """What a front, a worker and a head bear."""
    costs, ray = measured.costs, sizes.ray_costs(measured)
    yield from columns("part", "bears", "memory, MB")
    for name, on_ray, held in (("server without Ray", False, costs.server_mb), ("front on Ray", True, costs.server_mb)):
        front = sizes.front_s(measured, on_ray)
        told = f"{1000 * front:.1f} ms of its core a request: {mix.front_busy / front:.0f} requests/s at"
        yield line(name, f"{told} {share(mix.front_busy)}", round(held))
    told = "measured" if measured.ray else "not measured yet, taken to be"
    yield line("worker on Ray", f"one search; {ray.extra_ms:.1f} ms of latency more ({told})", round(ray.worker_mb))
    yield line("a refusal, with and without Ray", f"{costs.refuse_ms:.1f} ms of the front's core", "")
    yield line("Ray's head", "no search passes through it", round(ray.head_mb))


def validation(measured: Measured, mix: Mix) -> Iterable[str]:
    """Every measured point beside its simulation."""
    names = ("pool", "workers", "queue", "budget", "clients", "answers/s", "simulated", "error", "median, ms")
    yield from columns(*names, "simulated", "error", "others")
    for pair in compared(measured):
        case, told, made = pair.point.case, pair.point.outcome, pair.simulated
        budget = f"{case.time_ms} ms" if case.time_ms else f"{case.iterations} iterations"
        throughput = (f"{told.throughput:.1f}", f"{made.throughput:.1f}", f"{100 * pair.throughput_error:+.0f} %")
        latency = (f"{told.p50_ms:,.0f}", f"{made.p50_ms:,.0f}", f"{100 * pair.p50_error:+.0f} %")
        yield line(
            case.pool, case.workers, case.queue, budget, case.clients, *throughput, *latency, share(pair.point.others)
        )


def machines(measured: Measured, mix: Mix) -> Iterable[str]:
    """What so many games need."""
    yield from columns(
        "games", "requests/s", "Ray clusters", "fronts", "workers", f"machines of {mix.cores} cores",
        "median, ms", "99 %, ms", "budget searched", "refused",
    )  # fmt: skip
    budget = sizes.timed(mix)
    for games in sizes.SIZES:
        need = sizes.size(measured, mix, budget, games)
        got = simulated(sizes.plan_of(measured, mix, budget, need)).outcome
        counts = (games, round(need.requests_s), need.clusters or "none", need.fronts, need.workers, need.machines)
        yield line(*counts, f"{got.p50_ms:,.0f}", f"{got.p99_ms:,.0f}", share(got.used), share(got.refused))


def levels(measured: Measured, mix: Mix) -> Iterable[str]:
    """What many games need by strength."""
    yield from columns("budget", "keeps a worker, ms", "searches a front keeps going", "fronts", "workers", "machines")
    for budget in sizes.budgets(mix):
        need, search_s = sizes.size(measured, mix, budget, sizes.MANY), sizes.service_s(measured, budget)
        fed = search_s * mix.front_busy / sizes.front_s(measured, True)
        yield line(budget.name, f"{1000 * search_s:.0f}", f"{fed:.1f}", need.fronts, need.workers, need.machines)


def limits(measured: Measured, mix: Mix) -> Iterable[str]:
    """A service under rising load."""
    yield from columns(
        "budget", "load", "games", "answers/s", "median, ms", "99 %, ms", "budget searched", "refused",
        "front busy", "workers busy", "breaks",
    )  # fmt: skip
    for budget in [b for b in sizes.budgets(mix) if b.name in ("casual", sizes.timed(mix).name)]:
        for step in sizes.strained(measured, mix, budget):
            got, made = step.forecast.outcome, step.forecast
            figures = (f"{got.throughput:.0f}", f"{got.p50_ms:,.0f}", f"{got.p99_ms:,.0f}")
            shares = map(share, (got.used, got.refused, made.front_busy, made.workers_busy))
            yield line(budget.name, share(step.load), step.games, *figures, *shares, ", ".join(step.breaks))


def mishaps(measured: Measured, mix: Mix) -> Iterable[str]:
    """What becomes of answers when something happens."""
    yield from columns("what happens", "answers/s", "median, ms", "99 %, ms", "budget searched", "refused")
    for name, plan in sizes.mishaps(measured, mix, sizes.timed(mix)):
        got = simulated(plan).outcome
        figures = (f"{got.throughput:.0f}", f"{got.p50_ms:,.0f}", f"{got.p99_ms:,.0f}")
        yield line(name, *figures, share(got.used), share(got.refused))


TABLES: dict[str, Table] = {
    "machine": machine,
    "parts": parts,
    "validation": validation,
    "machines": machines,
    "levels": levels,
    "limits": limits,
    "mishaps": mishaps,
}


def filled(text: str, measured: Measured, mix: Mix) -> str:
    """The document with its tables made anew."""

    def table(place: re.Match[str]) -> str:
        lines = TABLES[place[2]](measured, mix)
        return place[1] + "".join(f"{told}\n" for told in lines) + place[3]

    return PLACE.sub(table, text)
