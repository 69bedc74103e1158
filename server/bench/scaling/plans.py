"""What is simulated: a service, its clients, what happens to it on the way; seconds of simulated time."""

import random
from dataclasses import dataclass

from server.bench.scaling.inputs import Outcome


@dataclass(frozen=True)
class Demand:
    """What one request asks for: a time, waiting included, or work."""

    time_s: float | None = None
    least_s: tuple[float, ...] = (0.0,)  # of a search whose time is over when it begins; one of these is drawn
    work_s: tuple[float, ...] = (0.0,)  # of a search without a time; one of these is drawn
    exponential_s: float | None = None  # its mean, if it is to be as theory has it

    def least(self, chance: random.Random) -> float:
        """Seconds that a search takes whatever time it has."""
        if self.exponential_s is not None:
            return chance.expovariate(1 / self.exponential_s)
        return chance.choice(self.work_s if self.time_s is None else self.least_s)


@dataclass(frozen=True)
class Turnover:
    """Workers lost or added on the way."""

    at_s: float
    workers: int  # negative: lost with what they search


@dataclass(frozen=True)
class Plan:
    """A service and its clients."""

    budget: Demand
    workers: int
    queue: int
    clients: int = 0  # closed: each asks, waits for the answer, thinks
    think_s: float = 0.0  # mean of an exponential distribution
    asks: int = 1  # requests one after the other before the client thinks again
    rate: float = 0.0  # open: requests/s of clients who never come back when refused
    read_s: float = 0.0  # CPU of the front before a search
    refuse_s: float = 0.0  # in place of it, for a request that finds the queue full
    write_s: float = 0.0  # and after it
    client_s: float = 0.0  # CPU of the clients' one process for a request
    extra_s: float = 0.0  # from front to worker and back
    python_s: float = 0.0  # CPU of a search besides its iterations
    over_s: float = 0.0  # by which a search with a time outlasts its budget
    shared_cores: int = 0  # of the one machine on which everything runs; 0: each has a core of its own
    one_process: bool = False  # front and workers, so that one runs Python at a time
    max_workers: int = 0  # how far the pool may grow, by one for each request that begins to wait; 0: not at all
    grow_s: float = 0.0  # from the wish for one more to a warm one
    notice_s: float = 0.0  # from the loss of a worker to its search's being taken up again
    replace_s: float = 0.0  # from the loss of a worker to a warm one in its place; 0: never
    changes: tuple[Turnover, ...] = ()
    settle_s: float = 1.0  # not counted
    seconds: float = 10.0


@dataclass(frozen=True)
class Forecast:
    """What came of it, and how busy everybody was."""

    outcome: Outcome
    front_busy: float  # share of the front's core
    workers_busy: float  # share of the workers' time
    waited_s: float  # mean time in the queue
    waiting: float  # share of requests that waited at all
