"""Rates by CPU time; ours and the peer's are measured in turn, so that a machine that slows down slows both."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

from server.bench.figures import Row

Work = Callable[[], int]  # does a few milliseconds of work and says how many units it was
Clock = Callable[[], float]
NS = 1e9  # in a second


@dataclass(frozen=True)
class Effort:
    """How long to measure."""

    seconds: float  # CPU time of one sample
    samples: int  # of each side; medians are told
    iterations: int  # of one search in a big game
    simulations: int  # of one search in a small game
    requests: int
    starts: int  # of a warm process
    deals: int  # of an arena with two workers
    load_s: int  # of a load under which workers and nodes are lost


Measure = Callable[[Effort], Iterator[Row]]
FULL = Effort(
    seconds=0.4, samples=7, iterations=20_000, simulations=100_000, requests=100, starts=5, deals=12, load_s=180
)
QUICK = Effort(seconds=0.01, samples=1, iterations=200, simulations=2_000, requests=3, starts=1, deals=1, load_s=8)


def rate(work: Work, seconds: float, clock: Clock = time.process_time) -> float:
    """Units of work in a second of CPU time."""
    done, started, spent = 0, clock(), 0.0
    while spent < seconds or not spent:
        done += work()
        spent = clock() - started
    return done / spent


def rates(effort: Effort, *works: Work, clock: Clock = time.process_time) -> list[float]:
    """The median rate of each, measured in turn; a first round compiles and warms and is not counted."""
    for work in works:
        work()
    rounds = [[rate(work, effort.seconds, clock) for work in works] for _ in range(effort.samples)]
    return [median(column) for column in zip(*rounds, strict=True)]
