"""One search over one or several workers of a pool, any of which may be lost on the way."""

import asyncio
import logging
import pickle
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import Any

import bots
from bots import advise
from bots.advice import OURS, checked
from bots.bot import Answer, Share, StopReason
from bots.search import Part, Searcher
from server.workers.desk import News, Outcome
from server.workers.job import job_of
from server.workers.pool import SILENT_S, Call, Pool, Worker, is_loss
from server.workers.work import Work

log = logging.getLogger(__name__)

TELL_S, LEAST_TELL_S = 0.25, 0.05  # between two questions about a search; the least, when its caller follows it
FEW = 8  # shares of a search; more are asked less often
LATE_S = 0.25  # after the end of the budget what is known must do
TRIES = 4  # workers that a share may cost: a bot that ends its process would end them all
FALLBACK = "greedy"
SMOOTHING, MOST_S = 0.1, 0.1  # weight of the latest time, and the most that is believed of it


class Lost(Exception):
    """A worker is gone, or cannot be reached."""


class Pace:
    """What a search takes besides searching, as learned from those before."""

    def __init__(self) -> None:
        self.way_s = 0.002  # from here to a worker and back
        self.merge_s = 0.02  # to make an answer out of what several know


def learned(known_s: float, taken_s: float) -> float:
    """What is known of how long something takes, after one more time, within reason."""
    return known_s + SMOOTHING * (min(max(taken_s, 0.0), MOST_S) - known_s)


class Spread:
    """The search of a work whose request has a seed.

    It ends twice `margin_s` before the call's deadline; what is known once before it must do. Both leave time to merge.
    """

    def __init__(self, pool: Pool, work: Work, margin_s: float, pace: Pace) -> None:
        self._pool, self._work, self._request, self._pace = pool, work, work.request, pace
        self._began = time.monotonic()
        limit_ms = work.request.budget.limit_ms
        self._budget_ends = inf if limit_ms is None else work.arrived + limit_ms / 1000
        self._margin_s = margin_s
        self._answer_ends = inf if work.ends_at is None else work.ends_at - margin_s - pace.merge_s
        self._searches = isinstance(work.bot, Searcher)
        self._told: list[News] = []  # by share: the most that was heard of it
        self._news = False

    async def answer(self) -> Answer:
        """The answer, whatever becomes of the workers."""
        workers = await self._taken(self._wanted(), self._budget_ends + LATE_S)
        self._began = time.monotonic()
        self._told = [None] * len(workers)
        calls = [self._call(Share(i, len(workers)), worker) for i, worker in enumerate(workers)]
        shares = [asyncio.ensure_future(self._share(Share(i, len(calls)), call)) for i, call in enumerate(calls)]
        reports = asyncio.ensure_future(self._reports())
        try:
            outcomes = await asyncio.gather(*shares)
            ended = time.monotonic()
            answer = await self._made(outcomes)
            self._learn(outcomes, ended)
            return answer
        finally:
            for task in (reports, *shares):
                task.cancel()
            for call in calls:  # of a task that was cancelled before it began
                self._pool.back(call)

    def _learn(self, outcomes: Sequence[News], ended: float) -> None:
        """How much of the time was not spent searching."""
        match outcomes:
            case [_, _, *_]:
                self._pace.merge_s = learned(self._pace.merge_s, time.monotonic() - ended)
            case [Answer(stop_reason=StopReason.BUDGET) as answer]:
                self._pace.way_s = learned(self._pace.way_s, ended - self._began - answer.elapsed_ms / 1000)

    def _call(self, share: Share, worker: Worker) -> Call:
        way_s, merge_s = self._pace.way_s, self._pace.merge_s if share.among > 1 else 0.0
        waited_s = time.monotonic() - self._work.arrived
        request = replace(self._request, share=share, queue_ms=(waited_s + way_s + merge_s) * 1000)
        ends_at = None if self._answer_ends == inf else self._answer_ends - way_s - self._margin_s
        return self._pool.call(worker, job_of(self._work, request, ends_at))

    def _wanted(self) -> int:
        """How many workers can share the search; a stranger's bot may do more than its trees tell."""
        ours = type(self._work.bot).__module__.startswith(OURS)
        splits = self._searches and ours and len(self._work.view.legal()) > 1
        return self._request.parallelism if splits else 1

    async def _taken(self, n: int, until: float) -> list[Worker]:
        """Workers, from 1 to n; none where nobody is free in time."""
        until = min(until, self._answer_ends)
        with suppress(TimeoutError):
            async with asyncio.timeout(None if until == inf else until - time.monotonic()):
                return await self._pool.take(n)
        return []

    async def _share(self, share: Share, call: Call) -> News:
        """What came of a share; of one that was lost, or is late, the most that was heard."""
        for _ in range(TRIES):
            try:
                outcome = await self._searched(share, call)
            except TimeoutError:
                break
            except Lost as lost:
                log.warning("share %d of %d of a search is searched again: %s", share.number + 1, share.among, lost)
                if not (others := await self._taken(1, self._budget_ends)):
                    break
                call = self._call(share, others[0])
            else:
                if isinstance(outcome, Exception):
                    raise outcome
                self._hear(share, outcome)
                break
        return self._told[share.number]

    async def _searched(self, share: Share, call: Call) -> Outcome:
        """What came of a search by one worker; raises `Lost`, and `TimeoutError` when the answer cannot wait for it."""
        latest = min(max(self._budget_ends, time.monotonic()) + LATE_S, self._answer_ends)
        heard = time.monotonic()
        try:
            while not await call.ended(min(self._ask_s(share), latest - time.monotonic())):
                if time.monotonic() >= latest:
                    raise TimeoutError
                if await self._heard(call, share, latest):
                    heard = time.monotonic()
                elif time.monotonic() - heard > SILENT_S and self._searches:
                    raise Lost(f"nothing was heard of its worker for {SILENT_S} s")
            outcome: Outcome = pickle.loads(call.future.result())
            return outcome
        except Exception as error:
            if not is_loss(error):
                raise
            raise Lost(type(error).__name__) from error
        finally:
            self._pool.back(call)

    def _ask_s(self, share: Share) -> float:
        usual = TELL_S * max(1.0, share.among / FEW)
        return min(usual, self._report_s) if self._request.report else usual

    @property
    def _report_s(self) -> float:
        return max(LEAST_TELL_S, self._request.report_ms / 1000)

    async def _heard(self, call: Call, share: Share, latest: float) -> bool:
        """Asks what is known of a share; False when nobody says anything."""
        telling = asyncio.ensure_future(call.tell())
        within = min(SILENT_S, latest - time.monotonic())
        either: list[asyncio.Future[Any]] = [telling, call.future]
        await asyncio.wait(either, timeout=within, return_when=asyncio.FIRST_COMPLETED)
        if not telling.done():
            telling.cancel()
            return call.future.done()
        self._hear(share, telling.result())
        return True

    def _hear(self, share: Share, told: News) -> None:
        """Keeps what is known of a share, unless a search that was lost had come further."""
        if _done(told) >= _done(self._told[share.number]):
            self._told[share.number] = told
            self._news = self._news or told is not None

    async def _reports(self) -> None:
        """Tells who follows the search what is known, as often as was asked for."""
        while tell := self._request.report:
            await asyncio.sleep(self._report_s)
            if self._news:
                self._news = False
                answer = await self._made(self._told)
                tell(replace(answer, stop_reason=StopReason.UNSPECIFIED, degraded=False, incomplete=False))

    async def _made(self, told: Sequence[News]) -> Answer:
        """The answer out of what is known of the shares; the way to a worker and back is part of its time."""
        if len(told) == 1 and isinstance(told[0], Answer):
            reported = told[0].stop_reason is StopReason.UNSPECIFIED
            answer = replace(told[0], incomplete=reported)
        else:
            known = any(_done(news) > 0 for news in told)
            answer = await asyncio.to_thread(self._merged if known else self._fallback, told)
        elapsed_ms = (time.monotonic() - self._began) * 1000
        queue_ms = (self._began - self._work.arrived) * 1000
        answer = replace(answer, elapsed_ms=elapsed_ms, queue_ms=queue_ms)
        if not answer.incomplete:
            return answer
        limit = StopReason.DEADLINE if self._answer_ends < self._budget_ends else StopReason.BUDGET
        return replace(answer, degraded=True, stop_reason=limit)

    def _merged(self, told: Sequence[News]) -> Answer:
        bot, view = self._work.bot, self._work.view
        assert isinstance(bot, Searcher)
        parts = [part if isinstance(part, Part) else None for part in told]
        return checked(bot, view, self._request, bot.merged(view, self._request, parts))

    def _fallback(self, told: Sequence[News]) -> Answer:
        """What the front plays by itself, when no worker has told anything."""
        request = replace(self._request, evaluate_moves=(), report=None)
        return replace(advise(bots.make(FALLBACK), self._work.view, request), incomplete=True)


def _done(told: News) -> int:
    """Iterations that are known of."""
    match told:
        case Answer():
            return told.iterations
        case Part():
            return sum(tree.done for tree in told.trees)
    return -1
