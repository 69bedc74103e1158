"""The simulation beside what was measured: the same cases, run again with the costs of the machine."""

from collections.abc import Iterator
from dataclasses import dataclass

from bots.clock import FIRST_BITE
from server.bench.scaling.inputs import EMBEDDED, RAY, Case, Measured, Outcome, Point
from server.bench.scaling.plans import Demand, Plan
from server.bench.scaling.simulation import simulated

SETTLE_S, SECONDS = 0.5, 3.0


@dataclass(frozen=True)
class Compared:
    """A point, measured and simulated."""

    point: Point
    simulated: Outcome

    @property
    def throughput_error(self) -> float:
        """Of the simulation, as a share of what was measured."""
        return self.simulated.throughput / self.point.outcome.throughput - 1

    @property
    def p50_error(self) -> float:
        """The same of the median latency."""
        return self.simulated.p50_ms / self.point.outcome.p50_ms - 1


def compared(measured: Measured) -> Iterator[Compared]:
    """Every measured point and its simulation."""
    for point in measured.points:
        yield Compared(point, simulated(plan_of(measured, point.case)).outcome)


def budget_of(measured: Measured, time_ms: int | None, iterations: int | None) -> Demand:
    """A budget as the simulation takes it: the work of a search by position."""
    least = tuple(FIRST_BITE * us / 1e6 for us in measured.costs.iteration_us)
    work = tuple(ms / 1000 for ms in measured.costs.work_ms(iterations or 0))
    return Demand(None if time_ms is None else time_ms / 1000, least, work)


def plan_of(measured: Measured, case: Case) -> Plan:
    """A case on the machine that was measured, load generator and all."""
    costs, ray = measured.costs, measured.ray if case.pool == RAY else None
    return Plan(
        budget_of(measured, case.time_ms, case.iterations),
        case.workers,
        case.queue,
        case.clients,
        read_s=costs.read_ms / 1000,
        refuse_s=costs.refuse_ms / 1000,
        write_s=(ray.write_ms if ray else costs.write_ms) / 1000,
        client_s=costs.client_ms / 1000,
        extra_s=ray.away_ms(costs) / 1000 if ray else 0.0,
        python_s=costs.python_ms / 1000,
        over_s=costs.over_ms / 1000,
        shared_cores=int(measured.machine["cores"]),
        one_process=case.pool == EMBEDDED,
        settle_s=SETTLE_S,
        seconds=SECONDS,
    )
