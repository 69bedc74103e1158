"""What a machine was measured to take, and the measured points: `docs/scaling.json`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

FILE = Path("docs", "scaling.json")
EMBEDDED, RAY = "embedded", "ray"
ITERATIONS = 500  # of a budget that is measured
QUIET = 0.1  # share of the machine that others may use while a point is measured


@dataclass(frozen=True)
class Case:
    """A server and what is asked of it."""

    pool: str  # EMBEDDED or RAY
    workers: int
    queue: int  # requests that may wait for a worker
    clients: int  # each with one request at a time
    time_ms: int | None  # budget of a request, waiting included
    iterations: int | None  # the same, in iterations; one of the two is given


@dataclass(frozen=True)
class Outcome:
    """What came of it."""

    answered: int  # requests
    throughput: float  # answers/s
    p50_ms: float  # from asking to the answer, as clients see it, times refused included
    p99_ms: float
    used: float  # share of the time budget that was searched; 1 for iterations
    refused: float  # share of all calls that were refused


@dataclass(frozen=True)
class Point:
    """A case as it was measured."""

    case: Case
    outcome: Outcome
    others: float  # share of the machine that other work used meanwhile, `QUIET` at most


@dataclass(frozen=True)
class Costs:
    """What one request takes; CPU time where nothing else is said."""

    read_ms: float  # in the front, until a worker is sought
    refuse_ms: float  # in the front, of a request that finds the queue full
    write_ms: float  # in the front, of the answer
    client_ms: float  # of the load generator, which shares the machine when points are measured
    python_ms: float  # of a search besides its iterations: what is held under Python's lock
    first_ms: float  # of the first `ITERATIONS` together, more than of as many later ones
    over_ms: float  # by which a search with time outlasts its budget
    iteration_us: tuple[float, ...]  # of one iteration, in positions from early to late
    server_mb: float  # resident memory of a warm server

    def work_ms(self, iterations: int) -> tuple[float, ...]:
        """CPU time of so many iterations, by position."""
        first = self.first_ms * min(1.0, iterations / ITERATIONS)
        return tuple(first + iterations * us / 1000 for us in self.iteration_us)


@dataclass(frozen=True)
class RayCosts:
    """What Ray adds."""

    extra_ms: float  # by which an answer comes later than without Ray
    write_ms: float  # in place of that without it
    worker_mb: float  # memory of an actor that nothing else shares
    head_mb: float  # memory of Ray's own processes on the head

    def away_ms(self, costs: Costs) -> float:
        """The part of `extra_ms` in which the front is not at work; none where it works on when an answer is out."""
        return max(0.0, self.extra_ms - (self.write_ms - costs.write_ms))


@dataclass(frozen=True)
class Measured:
    """The file."""

    machine: Mapping[str, str | int | float]  # where; how busy it was before, and with others while costs were measured
    costs: Costs
    ray: RayCosts | None  # None: not measured yet
    points: Sequence[Point]


def read(path: Path = FILE) -> Measured:
    """What `write` wrote."""
    held = json.loads(path.read_text())
    costs = held["costs"] | {"iteration_us": tuple(held["costs"]["iteration_us"])}
    points = [Point(Case(**point["case"]), Outcome(**point["outcome"]), point["others"]) for point in held["points"]]
    return Measured(held["machine"], Costs(**costs), RayCosts(**held["ray"]) if held["ray"] else None, points)


def write(measured: Measured, path: Path = FILE) -> None:
    """Writes the file, numbers to four digits."""
    path.write_text(json.dumps(_rounded(asdict(measured)), indent=1) + "\n")


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, list | tuple) else value
