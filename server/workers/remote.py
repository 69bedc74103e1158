"""Workers on a Ray cluster."""

import secrets
from dataclasses import replace

from bots.bot import Answer
from server.workers.pool import Pool
from server.workers.spread import Pace, Spread
from server.workers.work import Door, Work


class RayWorkers:
    """The workers of a pool, for so many requests at a time, waiting ones among them; answers as without Ray."""

    def __init__(self, pool: Pool, places: int, margin_ms: int) -> None:
        self.pool = pool
        self._door = Door(places)
        self._margin_s = margin_ms / 1000  # between the end of a search and the call's deadline
        self._pace = Pace()

    @property
    def busy(self) -> int:
        """Searches running or waiting."""
        return self.pool.busy

    async def start(self) -> None:
        """See `Workers.start`."""
        await self.pool.start()

    async def lost(self) -> None:
        """See `Workers.lost`."""
        await self.pool.lost.wait()

    def admit(self) -> None:
        """See `Workers.admit`."""
        self._door.enter(self.busy)

    async def search(self, work: Work) -> Answer:
        """See `Workers.search`."""
        self.admit()
        request = work.request
        request.check_moves([move.text for move in work.view.moves()])
        if request.seed is None:
            request = replace(request, seed=secrets.randbits(64))
        answer = await Spread(self.pool, work._replace(request=request), self._margin_s, self._pace).answer()
        self._door.left(answer)
        return answer

    def interrupt(self) -> None:
        """See `Workers.interrupt`."""
        self.pool.interrupt()

    async def close(self) -> None:
        """See `Workers.close`."""
        await self.pool.close()
