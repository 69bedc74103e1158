"""The Ray actors of one front: which are free, which are lost, how many there should be.

Ray's own queue of an actor has no bound, and what waits in it cannot be called off: so work is given only to a worker
that is free, one search at a time, and who waits for one waits here, in order of arrival.
"""

import asyncio
import logging
import pickle
import time
from collections import deque
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple

import ray
from ray.exceptions import ActorDiedError, RayError, RayTaskError

from bots.advice import CRASH, BotFailed, name_of
from engine.faults import Fault, InvalidInput
from server.workers.desk import Desk, News
from server.workers.job import About, Job, RulesDiffer, about

log = logging.getLogger(__name__)

SAY_S = 10.0  # between two words about workers that are not there yet
START_S = 300.0  # for all workers to be warm: some may have to compile, or wait for a node of their own
SILENT_S = 0.75  # a worker that ought to answer and says nothing for so long is given up
WATCH_S, WATCH_EACH_S = 1.0, 0.02  # between two looks at the free workers, and more for each worker there is
STUCK_S = 5.0  # after which a worker that was told to stop is ended
LOST_S = 60.0  # without a warm worker, after which a front is of no use
AGAIN_S = 0.5  # between two tries to reach a lost worker
REFUSED_S = 5.0  # before a worker takes the place of one that plays by other rules


def is_loss(error: BaseException | None) -> bool:
    """Whether a call failed as its worker is gone or plays by other rules; else it is the call's own error."""
    return isinstance(error, RulesDiffer) or (isinstance(error, RayError) and not isinstance(error, RayTaskError))


class Scale(NamedTuple):
    """How many workers there are."""

    least: int
    most: int
    idle_s: float  # after which those beyond the least are let go


class Worker:
    """One actor, as the front knows it."""

    def __init__(self, actor: Any) -> None:
        self.actor = actor
        self.hired = time.monotonic()
        self.free_since = 0.0  # never yet


class Call:
    """One search by one worker, from its beginning to its end; `future` holds what came of it, pickled."""

    keys = count(1)

    def __init__(self, worker: Worker, job: Job) -> None:
        self.worker = worker
        self.is_back = False
        self._key = next(Call.keys)
        self.future: asyncio.Future[bytes]
        try:
            self.future = asyncio.wrap_future(worker.actor.search.remote(self._key, pickle.dumps(job)).future())
        except Exception as error:  # noqa: BLE001 - what cannot be sent, a stranger's bot, raises what it likes
            found = f"{name_of(job.bot)}, which cannot be sent to a worker ({type(error).__name__})"
            self.future = asyncio.get_running_loop().create_future()
            self.future.set_exception(BotFailed(CRASH, Fault("bot", found, "a bot that can be pickled")))

    async def ended(self, within_s: float) -> bool:
        """Whether it is over after at most so many seconds."""
        await asyncio.wait([self.future], timeout=within_s)
        return self.future.done()

    async def tell(self) -> News:
        """What is known by now; raises `RayActorError` when the worker is lost."""
        known: News = await self._control("tell").remote(self._key)
        return known

    def stop(self) -> None:
        """Calls the search off: its worker gives what it has found."""
        self._control("stop").remote(self._key)

    def _control(self, method: str) -> Any:
        return getattr(self.worker.actor, method).options(concurrency_group="control")


class Pool:
    """Workers for these games (path by name), made in the Ray that this process has joined."""

    def __init__(self, games: Mapping[str, str], scale: Scale) -> None:
        self._games, self._scale = games, scale
        self._about = about(games)
        self._all = set[Worker]()
        self.free = list[Worker]()  # and warm; last in, first out: those beyond the least fall idle
        self._coming = set[Worker]()  # hired or lost, and not warm yet
        self._waiting = deque[asyncio.Future[Worker]]()
        self._calls = set[Call]()
        self._tasks = set[asyncio.Task[None]]()
        self._interrupted = False
        self.lost = asyncio.Event()  # there has been no warm worker for LOST_S

    @property
    def busy(self) -> int:
        """Searches running or waiting."""
        return len(self._calls) + len(self._waiting)

    async def start(self) -> None:
        """Waits until the least number of workers is warm; raises `InvalidInput` where that does not come about."""
        tried = [asyncio.ensure_future(self._welcome(self._hire())) for _ in range(self._scale.least)]
        try:
            await self._all_there(tried)
        finally:
            for task in tried:
                task.cancel()
        self._spawn(self._watch())
        if self._scale.most > self._scale.least:
            self._spawn(self._shrink())

    async def _all_there(self, tried: Sequence[asyncio.Task[None]]) -> None:
        """Waits for so many workers, and says what for."""
        ends = time.monotonic() + START_S
        while time.monotonic() < ends:
            done, late = await asyncio.wait(tried, timeout=SAY_S, return_when=asyncio.FIRST_EXCEPTION)
            for error in filter(None, [task.exception() for task in done]):
                if isinstance(error, RayError):
                    raise InvalidInput([Fault("ray", _last_line(error), "workers that start")]) from error
                raise error
            if not late:
                return
            log.info("%d of %d workers are there; each takes a CPU of the cluster", len(done), len(tried))
        found = f"{len(self.free)} workers after {START_S:.0f} s"
        raise InvalidInput([Fault("workers", found, f"{len(tried)}, each on a CPU of its own")])

    async def take(self, n: int) -> list[Worker]:
        """From 1 to n workers: waits for one, and takes others only while they are free and nobody waits."""
        taken = [self.free.pop() if self.free and not self._waiting else await self._next()]
        while len(taken) < n and self.free and not self._waiting:
            taken.append(self.free.pop())
        return taken

    def call(self, worker: Worker, job: Job) -> Call:
        """Gives work to a worker that was taken; it comes back by `back`."""
        call = Call(worker, job)
        self._calls.add(call)
        if self._interrupted:
            call.stop()
        return call

    def back(self, call: Call) -> None:
        """The caller is done with a search: if it goes on it is called off, and its worker is free when it has ended.

        Once is enough.
        """
        if call.is_back:
            return
        call.is_back = True
        if call.future.done():
            self._ended(call)
        else:
            call.stop()
            call.future.add_done_callback(lambda _: self._ended(call))
            asyncio.get_running_loop().call_later(STUCK_S, self._unstick, call)

    def give(self, worker: Worker) -> None:
        """A worker is free: it goes to who waits longest."""
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_result(worker)
                return
        worker.free_since = time.monotonic()
        self.free.append(worker)

    def interrupt(self) -> None:
        """Calls every search off, those that still wait too: they end as soon as they begin."""
        self._interrupted = True
        for call in self._calls:
            call.stop()

    async def close(self) -> None:
        """Lets go of all workers."""
        workers, self._all = self._all, set()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for worker in workers:
            ray.kill(worker.actor)

    async def _next(self) -> Worker:
        self._grow()
        waiting: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        try:
            return await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled():
                self.give(waiting.result())
            elif waiting in self._waiting:
                self._waiting.remove(waiting)
            raise

    def _ended(self, call: Call) -> None:
        self._calls.discard(call)
        error = call.future.exception()
        if call.worker not in self._all:
            return
        if is_loss(error):
            log.warning("a worker was lost: %s", type(error).__name__)
            self._spawn(self._mend(call.worker))
        else:
            self.give(call.worker)

    def _unstick(self, call: Call) -> None:
        """Ends the process of a worker that does not stop when it is told to; Ray starts it anew."""
        if not call.future.done() and call.worker in self._all:
            log.warning("a worker did not stop within %g s and is ended", STUCK_S)
            ray.kill(call.worker.actor, no_restart=False)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _hire(self) -> Worker:
        worker = Worker(_actor(self._games))
        self._all.add(worker)
        self._coming.add(worker)
        return worker

    async def _welcome(self, worker: Worker) -> None:
        """Makes a worker free once it is warm; raises `InvalidInput` for one that plays by other rules."""
        theirs = await self._asked(worker)
        if theirs != self._about:
            raise InvalidInput([Fault("ray", f"a worker with {_shown(theirs)}", f"workers with {_shown(self._about)}")])
        self._coming.discard(worker)
        self.give(worker)

    async def _mend(self, worker: Worker) -> None:
        """Waits until a lost worker is back, or another in its place."""
        self._coming.add(worker)
        while worker in self._all:
            try:
                await self._welcome(worker)
                log.info("a worker came, %d are free", len(self.free))
                return
            except ActorDiedError:
                if worker in self._all:
                    worker.actor = _actor(self._games)
                await asyncio.sleep(AGAIN_S)
            except RayError:
                await asyncio.sleep(AGAIN_S)
            except InvalidInput as error:
                log.error("a worker is not used: %s", error)
                ray.kill(worker.actor)
                await asyncio.sleep(REFUSED_S)

    def _grow(self) -> None:
        if len(self._all) < self._scale.most:
            self._spawn(self._mend(self._hire()))

    async def _watch(self) -> None:
        """Looks after free workers: who does not answer is not given work until it does."""
        seen = time.monotonic()
        while True:
            await asyncio.sleep(WATCH_S + len(self._all) * WATCH_EACH_S)
            await asyncio.gather(*map(self._look, tuple(self.free)))
            now = time.monotonic()
            seen = now if len(self._all) > len(self._coming) else seen
            if now - seen > LOST_S:
                self.lost.set()

    async def _look(self, worker: Worker) -> None:
        with suppress(TimeoutError, RayError):
            if await asyncio.wait_for(self._asked(worker), SILENT_S) == self._about:
                return
        if worker in self.free:
            log.warning("a free worker does not answer, or is another than it was")
            self.free.remove(worker)
            self._spawn(self._mend(worker))

    async def _asked(self, worker: Worker) -> About:
        theirs: About = await worker.actor.about.remote()
        return theirs

    async def _shrink(self) -> None:
        """Lets workers go that have been idle, as long as there are more than the least, and those that never came."""
        while True:
            await asyncio.sleep(self._scale.idle_s / 4)
            since = time.monotonic() - self._scale.idle_s
            spare = len(self._all) - len(self._coming) - self._scale.least
            idle = [worker for worker in self.free if worker.free_since <= since][: max(spare, 0)]
            late = [w for w in self._coming if not w.free_since and w.hired <= since and not self._waiting]
            for worker in idle + late:
                self._let_go(worker)

    def _let_go(self, worker: Worker) -> None:
        if worker in self.free:
            self.free.remove(worker)
        self._all.discard(worker)
        self._coming.discard(worker)
        ray.kill(worker.actor)


def _actor(games: Mapping[str, str]) -> Any:
    remote: Any = ray.remote  # its types know nothing of concurrency groups
    kind = remote(num_cpus=1, max_restarts=-1, max_task_retries=0, concurrency_groups={"control": 1})(Desk)
    return kind.options(scheduling_strategy="SPREAD").remote(games)


def _last_line(error: Exception) -> str:
    """What went wrong, without the stack of it."""
    return str(error).strip().rpartition("\n")[2].strip()


def _shown(about: About) -> str:
    rules = ", ".join(f"{game} {rules}" for game, rules in about.rules.items())
    versions = ", ".join(f"{name} {version}" for name, version in about.versions.items())
    return f"{versions}, bots {about.bots} and rules {rules}"
