"""Threads in the server's process: searches are compiled and run without the GIL."""

import asyncio
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

from bots import advise
from bots.bot import Answer
from server.workers.work import Door, Work


class EmbeddedWorkers:
    """`slots` searches at a time, up to `queue` waiting in order of arrival; one search uses one core."""

    def __init__(self, slots: int, queue: int, margin_ms: int) -> None:
        self._pool = ThreadPoolExecutor(slots, thread_name_prefix="search")
        self._door = Door(slots + queue)
        self._margin = margin_ms / 1000  # between the end of a search and the call's deadline, s
        self._stops: dict[Future[Answer], threading.Event] = {}

    @property
    def busy(self) -> int:
        """Searches running or waiting."""
        return len(self._stops)

    async def start(self) -> None:
        """See `Workers.start`."""

    async def lost(self) -> None:
        """See `Workers.lost`: threads stay."""
        await asyncio.Event().wait()

    def admit(self) -> None:
        """See `Workers.admit`."""
        self._door.enter(self.busy)

    async def search(self, work: Work) -> Answer:
        """See `Workers.search`."""
        self.admit()
        stop = threading.Event()
        future = self._pool.submit(self._run, work, stop)
        self._stops[future] = stop
        future.add_done_callback(self._forget)
        try:
            return await asyncio.wrap_future(future)
        finally:
            stop.set()  # tells the thread of a caller who was cancelled; else the search has ended already

    def interrupt(self) -> None:
        """See `Workers.interrupt`."""
        for stop in tuple(self._stops.values()):
            stop.set()

    async def close(self) -> None:
        """See `Workers.close`."""
        self.interrupt()
        await asyncio.to_thread(self._pool.shutdown, wait=True, cancel_futures=True)

    def _forget(self, future: Future[Answer]) -> None:
        self._stops.pop(future, None)

    def _run(self, work: Work, stop: threading.Event) -> Answer:
        waited_ms = (time.monotonic() - work.arrived) * 1000
        deadline = None if work.ends_at is None else work.ends_at - self._margin
        request = replace(work.request, queue_ms=waited_ms, deadline=deadline, stop=stop.is_set)
        answer = advise(work.bot, work.view, request)
        self._door.left(answer)
        return answer
