"""Where a worker searches, in a process of its own: one search at a time, asked about and called off by others."""

import logging
import pickle
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

import engine
from bots import BotFailed, advise
from bots.advice import CRASH
from bots.bot import Answer
from bots.search import Part, Searcher
from engine.faults import Fault, InvalidInput, NotNow
from server import warm
from server.workers.job import About, Job, about

log = logging.getLogger(__name__)

TELL_S = 0.3  # for how long a search may stay between two bites
News = Part | Answer | None  # of a search under way: what its trees know, or what its bot reported last
Outcome = Part | Answer | Exception  # an error of the question or of the bot is an outcome too


def unpacked(sent: bytes) -> Job:
    """The job that was sent; raises `BotFailed` where its bot is not installed."""
    try:
        job: Job = pickle.loads(sent)
    except (ImportError, AttributeError) as error:
        raise BotFailed(
            CRASH, Fault("bot", f"one that a worker does not have ({error})", "a bot that it has")
        ) from error
    return job


class Desk:
    """Made once the games (path by name) are compiled and every bot has moved in them: a warm worker.

    `search` runs in one thread, `tell` and `stop` in another.
    """

    def __init__(self, games: Mapping[str, str]) -> None:
        for path in games.values():
            engine.admit(path)
        warm.warm(games, log.info)
        self._about = about(games)
        self._key = self._stopped = 0  # of the search under way, and of the one that was called off
        self._known: News = None
        self._wanted, self._fresh = False, threading.Event()

    def about(self) -> About:
        """What this worker is."""
        return self._about

    def search(self, key: int, sent: bytes) -> bytes:
        """The `Outcome` of a `Job`, both pickled: Ray's own way of sending objects takes a millisecond longer.

        `key` (> 0) is the caller's name for this search.
        """
        self._key, self._known = key, None
        try:
            return pickle.dumps(self._searched(key, unpacked(sent)))
        except (InvalidInput, NotNow, BotFailed) as error:
            return pickle.dumps(error)
        finally:
            self._key = 0
            self._fresh.set()

    def tell(self, key: int) -> News:
        """What is known of a search by now; None of one that is not under way, or that has nothing to tell."""
        if self._key != key:
            return None
        self._fresh.clear()
        self._wanted = True
        self._fresh.wait(TELL_S)
        return self._known if self._key == key else None

    def stop(self, key: int) -> None:
        """Calls a search off: it ends within a bite, with what is known."""
        self._stopped = key

    def _searched(self, key: int, job: Job) -> Outcome:
        view, bot = job.view(), job.bot
        deadline = None if job.left_s is None else time.monotonic() + job.left_s
        request = replace(job.request, deadline=deadline, stop=lambda: self._stopped == key)
        if not isinstance(bot, Searcher):
            return advise(bot, view, replace(request, report=self._report if job.followed else None))
        request = replace(request, watch=self._watch)
        if request.share.among > 1:
            return bot.part(view, request, time.monotonic())
        return advise(bot, view, request)

    def _watch(self, tell: Callable[[], object]) -> None:
        if self._wanted:
            known = tell()
            assert isinstance(known, Part)
            self._wanted, self._known = False, known
            self._fresh.set()

    def _report(self, answer: Answer) -> None:
        self._known = answer
        self._fresh.set()
