"""A search to be done, and the interface of those who do it."""

from typing import NamedTuple, Protocol

from bots.bot import Answer, Bot, Request
from engine.game import View


class Work(NamedTuple):
    """One search."""

    bot: Bot
    view: View
    request: Request
    arrived: float  # when it was asked for, by time.monotonic
    ends_at: float | None  # when the caller stops waiting, by time.monotonic; None: never


class Workers(Protocol):
    """Those who search; the same work gets the same answer from each implementation."""

    async def search(self, work: Work) -> Answer:
        """The answer, given before the caller stops waiting; the time since it was asked for counts as used.

        Raises `Overloaded` at once when the queue is full. A cancelled caller stops its search within a bite.
        """
        ...

    def interrupt(self) -> None:
        """Ends every search now; each caller gets what was found so far."""
        ...

    def close(self) -> None:
        """Lets go of the workers; nothing may run any more."""
        ...
