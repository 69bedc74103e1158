"""What queueing theory says of c workers: the oracle of the simulation, and a first guess at how many are needed."""

from itertools import count


def erlang_b(workers: int, load: float) -> float:
    """Share of calls refused by workers without a queue (M/G/c/c); `load` is in workers kept busy."""
    refused = 1.0
    for n in range(1, workers + 1):
        refused = load * refused / (n + load * refused)
    return refused


def erlang_c(workers: int, load: float) -> float:
    """Share of calls that wait (M/M/c); 1 where the load is more than the workers can carry."""
    if load >= workers:
        return 1.0
    refused = erlang_b(workers, load)
    return refused / (1 - load / workers * (1 - refused))


def mean_wait(workers: int, load: float, service: float) -> float:
    """Mean time waited in a queue without end (M/M/c), in the unit of `service`, the mean time of a call."""
    return erlang_c(workers, load) * service / (workers - load)


def workers_for(load: float, waiting: float) -> int:
    """The fewest workers with which no more than this share of calls wait."""
    return next(n for n in count(int(load) + 1) if erlang_c(n, load) <= waiting)
