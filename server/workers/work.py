"""A search to be done, and the interface of those who do it."""

from typing import NamedTuple, Protocol

from bots.bot import Answer, Bot, Request
from engine.game import View
from server.errors import Overloaded

FIRST_GUESS_MS = 1000.0  # of how long a search takes
SMOOTHING = 0.1  # weight of the latest search in that guess


class Work(NamedTuple):
    """One search."""

    bot: Bot
    view: View
    request: Request
    arrived: float  # when it was asked for, by time.monotonic
    ends_at: float | None  # when the caller stops waiting, by time.monotonic; None: never


class Workers(Protocol):
    """Those who search; the same work gets the same answer from each implementation."""

    @property
    def busy(self) -> int:
        """Searches running or waiting."""
        ...

    async def start(self) -> None:
        """Makes them ready for work; raises `InvalidInput` where that cannot be."""
        ...

    async def lost(self) -> None:
        """Returns when there are no workers any more, and it is of no use to wait for others."""
        ...

    def admit(self) -> None:
        """Raises `Overloaded` when the queue is full: before a request is read, which takes milliseconds."""
        ...

    async def search(self, work: Work) -> Answer:
        """The answer, given before the caller stops waiting; the time since it was asked for counts as used.

        Raises `Overloaded` at once when the queue is full. A cancelled caller stops its search within a bite.
        """
        ...

    def interrupt(self) -> None:
        """Ends every search now; each caller gets what was found so far."""
        ...

    async def close(self) -> None:
        """Lets go of the workers; nothing may run any more."""
        ...


class Door:
    """Lets in as many searches as there are places, running ones among them; it remembers how long one takes."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._typical_ms = FIRST_GUESS_MS

    def enter(self, busy: int) -> None:
        """Raises `Overloaded` when so many are in there already that there is no place left."""
        if busy >= self._places:
            raise Overloaded(round(self._typical_ms))

    def left(self, answer: Answer) -> None:
        """A search is over."""
        self._typical_ms += SMOOTHING * (answer.elapsed_ms - self._typical_ms)
