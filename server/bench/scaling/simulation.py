"""A service as a discrete-event simulation: clients, a front, its queue, workers."""

import random
from collections.abc import Generator
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from math import inf
from statistics import fmean
from typing import Any

import simpy

from server.bench.scaling.inputs import Outcome
from server.bench.scaling.load import percentiles
from server.bench.scaling.plans import Forecast, Plan, Turnover

FIRST_GUESS_S, SMOOTHING = 1.0, 0.1  # of how long a search takes, as the server guesses it
AT_ONCE, SEARCHING = 0, 1  # who goes first on a core: short work is served as soon as it wakes up
BITE_S = 0.003  # a search stops so often to look at the clock, for which it needs Python's lock
LOOK_S = 0.00005
MS = 1000.0  # in a second

Process = Generator[simpy.Event, Any, Any]


@dataclass
class Errand:
    """A search on its way."""

    order: int
    arrived: float
    least_s: float
    done: simpy.Event
    queued: float = 0.0
    waited_s: float = 0.0
    searched_s: float = 0.0

    def __lt__(self, other: "Errand") -> bool:
        return self.order < other.order


@dataclass
class Seen:
    """What is counted once all has settled."""

    trips_ms: list[float] = field(default_factory=list)
    used: list[float] = field(default_factory=list)
    waits_s: list[float] = field(default_factory=list)
    refused: int = 0
    front_s: float = 0.0  # the front at work
    busy_s: float = 0.0  # workers at work


def simulate(plan: Plan, seed: int = 1) -> Forecast:
    """The same result for the same plan and seed, always."""
    env = simpy.Environment()
    service = Service(env, plan, random.Random(seed))
    env.run(plan.settle_s + plan.seconds)
    return service.result()


simulated = cache(simulate)  # what was simulated once is known


class Service:
    """One front with its workers, and everybody who asks it."""

    def __init__(self, env: simpy.Environment, plan: Plan, chance: random.Random) -> None:
        self._env, self._plan, self._chance = env, plan, chance
        self._seen, self._orders = Seen(), count()
        self._cores = simpy.PreemptiveResource(env, plan.shared_cores) if plan.shared_cores else None
        self._front, self._asker = simpy.Resource(env), simpy.Resource(env)
        self._queue = simpy.PriorityStore(env)
        self._busy, self._typical_s = 0, FIRST_GUESS_S  # searches running or waiting
        self._workers: list[simpy.Process] = []
        self._coming = 0  # workers on their way
        for _ in range(plan.workers):
            self._add()
        for _ in range(plan.clients):
            env.process(self._client())
        for change in plan.changes:
            env.process(self._changed(change))
        if plan.rate:
            env.process(self._arrivals())

    def result(self) -> Forecast:
        """The figures since all had settled."""
        seen, seconds = self._seen, self._plan.seconds
        n = len(seen.trips_ms)
        cuts, refused = percentiles(seen.trips_ms), seen.refused / (n + seen.refused)
        return Forecast(
            outcome=Outcome(n, n / seconds, *cuts, fmean(seen.used), refused),
            front_busy=seen.front_s / seconds,
            workers_busy=seen.busy_s / (len(self._workers) * seconds),
            waited_s=fmean(seen.waits_s),
            waiting=sum(wait > 0 for wait in seen.waits_s) / len(seen.waits_s),
        )

    @property
    def _settled(self) -> bool:
        return self._env.now >= self._plan.settle_s

    def _client(self) -> Process:
        """Thinks, asks, waits for each answer."""
        think = self._plan.think_s
        while True:
            if think:
                yield self._env.timeout(self._chance.expovariate(1 / think))
            for _ in range(self._plan.asks):
                yield from self._ask(again=True)

    def _arrivals(self) -> Process:
        while True:
            yield self._env.timeout(self._chance.expovariate(self._plan.rate))
            self._env.process(self._ask(again=False))

    def _ask(self, again: bool) -> Process:
        """One request as its client sees it; a refused one is sent again when the server said."""
        asked, plan = self._env.now, self._plan
        while True:
            yield from self._short(self._asker, plan.client_s / 2)
            if (yield from self._admitted()):
                break
            self._seen.refused += self._settled
            if not again:
                return
            yield self._env.timeout(self._typical_s)
        arrived = self._env.now - plan.read_s  # the server does not see what a request waited for its front
        errand = Errand(next(self._orders), arrived, plan.budget.least(self._chance), self._env.event())
        yield from self._searched(errand)
        yield from self._at_front(plan.write_s)
        yield from self._short(self._asker, plan.client_s / 2)
        self._count(errand, asked)

    def _admitted(self) -> Generator[simpy.Event, Any, bool]:
        """Whether there is a place: the front looks before it reads a request, and does nothing else in between."""
        plan = self._plan
        with self._front.request() as turn:
            yield turn
            admitted = self._busy < max(plan.workers, plan.max_workers) + plan.queue
            self._busy += admitted
            seconds = plan.read_s if admitted else plan.refuse_s
            yield from self._at_once(seconds)
        self._seen.front_s += seconds * self._settled
        return admitted

    def _searched(self, errand: Errand) -> Process:
        errand.queued = self._env.now
        if not self._queue.get_queue:
            self._grow()
        yield self._queue.put(errand)
        yield errand.done
        self._busy -= 1

    def _count(self, errand: Errand, asked: float) -> None:
        if self._settled:
            time_s = self._plan.budget.time_s
            self._seen.trips_ms.append((self._env.now - asked) * MS)
            self._seen.used.append(errand.searched_s / time_s if time_s else 1.0)
            self._seen.waits_s.append(errand.waited_s)

    def _at_front(self, seconds: float) -> Process:
        yield from self._short(self._front, seconds)
        self._seen.front_s += seconds * self._settled

    def _short(self, who: simpy.Resource, seconds: float) -> Process:
        """Work of one thread, which does one thing at a time; on a shared core it goes before searches."""
        if not seconds:
            return
        with who.request() as turn:
            yield turn
            yield from self._at_once(seconds)

    def _at_once(self, seconds: float) -> Process:
        """Work on a core of its own, or on a shared one before searches."""
        if self._cores is None:
            yield self._env.timeout(seconds)
            return
        with self._cores.request(AT_ONCE) as core:
            yield core
            yield self._env.timeout(seconds)

    def _add(self) -> None:
        self._workers.append(self._env.process(self._worker()))

    def _worker(self) -> Process:
        """Takes one search after another until it is lost; what it had then goes back to the queue."""
        while True:
            taking = self._queue.get()
            try:
                errand = yield taking
            except simpy.Interrupt:
                taking.cancel()
                return
            begun = self._env.now
            errand.waited_s = begun - errand.queued
            try:
                yield from self._search(errand)
            except simpy.Interrupt:
                self._env.process(self._lost(errand, begun))
                return
            self._seen.busy_s += max(0.0, self._env.now - max(begun, self._plan.settle_s))
            self._typical_s += SMOOTHING * (self._env.now - begun - self._typical_s)
            errand.searched_s += self._env.now - begun
            errand.done.succeed()

    def _search(self, errand: Errand) -> Process:
        """Until the budget is over, and at least as long as the least takes; prepared before it, and told after it.

        The way to the worker and back is part of a budget in time, and keeps the worker: it is free once the front
        has its answer.
        """
        plan, timed = self._plan, self._plan.budget.time_s is not None
        yield self._env.timeout(plan.extra_s / 2)
        yield from self._python(plan.python_s / 2)
        ends = errand.arrived + (plan.budget.time_s or 0.0) + plan.over_s - (plan.python_s + plan.extra_s) / 2
        seconds = max(ends - self._env.now, errand.least_s) if timed else errand.least_s
        if self._cores is None:
            yield self._env.timeout(seconds)
        else:
            yield from self._bites(seconds, timed)
        yield from self._python(plan.python_s / 2)
        yield self._env.timeout(plan.extra_s / 2)

    def _python(self, seconds: float) -> Process:
        """Work of a worker that keeps a front in the same process from its own."""
        if self._plan.one_process:
            yield from self._short(self._front, seconds)
        elif self._cores is None:
            yield self._env.timeout(seconds)
        else:
            yield from self._on_core(seconds)

    def _bites(self, seconds: float, timed: bool) -> Process:
        """A search on a shared core: so much work, or until so much time is over."""
        until, left = self._env.now + seconds, seconds
        while left > 0:
            bite = min(BITE_S, left) if self._plan.one_process else left
            yield from self._on_core(bite)
            if self._plan.one_process:
                with self._front.request() as lock:
                    yield lock
                    yield self._env.timeout(LOOK_S)
            left = until - self._env.now if timed else left - bite

    def _on_core(self, seconds: float) -> Process:
        """Work on a shared core, from which short work pushes it for a while."""
        assert self._cores is not None
        while seconds > 0:
            begun = inf
            with self._cores.request(SEARCHING) as core:
                try:
                    yield core
                    begun = self._env.now
                    yield self._env.timeout(seconds)
                    return
                except simpy.Interrupt:  # by short work; it may come before the core was begun with
                    seconds -= max(0.0, self._env.now - begun)

    def _lost(self, errand: Errand, begun: float) -> Process:
        """What was found so far is kept, for a search with a time; another worker takes it up, while there is time."""
        time_s, now = self._plan.budget.time_s, self._env.now
        if time_s is None:
            yield self._env.timeout(self._plan.notice_s)
            yield self._queue.put(errand)
            return
        errand.searched_s += now - begun
        left = errand.arrived + time_s - now
        yield self._env.timeout(max(0.0, min(self._plan.notice_s, left)))
        if left > self._plan.notice_s:
            yield self._queue.put(errand)
        else:
            errand.done.succeed()

    def _changed(self, change: Turnover) -> Process:
        """Workers go, and come back when they are replaced; or come."""
        yield self._env.timeout(change.at_s)
        for _ in range(change.workers):
            self._add()
        for worker in self._workers[len(self._workers) + min(change.workers, 0) :] if change.workers < 0 else ():
            self._workers.remove(worker)
            worker.interrupt()
        if change.workers < 0 and self._plan.replace_s:
            yield self._env.timeout(self._plan.replace_s)
            for _ in range(-change.workers):
                self._add()

    def _grow(self) -> None:
        """One worker more for a request that begins to wait, as far as the pool goes."""
        if len(self._workers) + self._coming < self._plan.max_workers:
            self._coming += 1
            self._env.process(self._grown())

    def _grown(self) -> Process:
        yield self._env.timeout(self._plan.grow_s)
        self._coming -= 1
        self._add()
