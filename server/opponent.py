"""OpponentService: who can be asked for advice, and the advice."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import Field, fields, replace
from typing import Any

from emptychair.v1 import opponent_pb2

import bots
from bots.bot import Answer
from bots.levels import LEVELS
from engine.game import View
from server import codec
from server.order import Order, both, read_order
from server.replies import Replies, content_of
from server.seal import Sealer
from server.service import Asking, Call, asked_view
from server.workers import Work, Workers


class Opponent:
    """OpponentService."""

    def __init__(self, workers: Workers, sealer: Sealer, remembered: int) -> None:
        self._workers = workers
        self._sealer = sealer
        self._replies: Replies[opponent_pb2.RecommendResponse] = Replies(remembered)

    async def ListBots(self, request: opponent_pb2.ListBotsRequest, call: Call) -> opponent_pb2.ListBotsResponse:
        return bot_list(call.request_id)

    async def Recommend(self, request: opponent_pb2.RecommendRequest, call: Call) -> opponent_pb2.RecommendResponse:
        content = content_of(request)
        return await self._replies.once(request.request_id, content, lambda: self._recommend(request, call))

    async def Analyze(
        self, request: opponent_pb2.AnalyzeRequest, call: Call
    ) -> AsyncIterator[opponent_pb2.AnalyzeResponse]:
        self._workers.admit()
        order, view = self._asked(request)
        loop, answers = asyncio.get_running_loop(), asyncio.Queue[Answer | None]()

        def report(answer: Answer | None) -> None:
            loop.call_soon_threadsafe(answers.put_nowait, answer)

        work = Work(order.bot, view, replace(order.request, report=report), call.arrived, call.ends_at)
        search = asyncio.ensure_future(self._workers.search(work))
        search.add_done_callback(lambda _: report(None))
        try:
            while (answer := await _newest(answers)) is not None:
                yield _analysis(call, answer, final=False)
            yield _analysis(call, await search, final=True)
        finally:
            search.cancel()

    def _asked(self, request: Asking) -> tuple[Order, View]:
        return both(lambda: read_order(codec.read_asked(request)), lambda: asked_view(request, self._sealer))

    async def _recommend(self, request: opponent_pb2.RecommendRequest, call: Call) -> opponent_pb2.RecommendResponse:
        self._workers.admit()
        order, view = self._asked(request)
        work = Work(order.bot, view, order.request, call.arrived, call.ends_at)
        answer = await self._workers.search(work)
        return opponent_pb2.RecommendResponse(request_id=call.request_id, recommendation=codec.write_answer(answer))


async def _newest(answers: asyncio.Queue[Answer | None]) -> Answer | None:
    """The last answer there is, so that a slow reader is not told what is old; None at the end."""
    answer = await answers.get()
    while not answers.empty():
        answer = answers.get_nowait()
    return answer


def _analysis(call: Call, answer: Answer, *, final: bool) -> opponent_pb2.AnalyzeResponse:
    return opponent_pb2.AnalyzeResponse(
        request_id=call.request_id, recommendation=codec.write_answer(answer), final=final
    )


def bot_list(request_id: str = "") -> opponent_pb2.ListBotsResponse:
    """The bots with their parameters, and the levels."""
    return opponent_pb2.ListBotsResponse(
        request_id=request_id, bots=list(bots.BOTS.available(_bot)), levels=[_level(name) for name in LEVELS]
    )


def _bot(name: str) -> opponent_pb2.BotSummary:
    kind = bots.find(name)
    description = (kind.__doc__ or "").strip().partition("\n")[0]
    return opponent_pb2.BotSummary(
        name=name,
        description=description,
        parameters=[_parameter(f) for f in fields(kind.params_type)],
        cheats=kind.cheats,
    )


def _parameter(declared: "Field[Any]") -> opponent_pb2.Parameter:
    return opponent_pb2.Parameter(
        name=declared.name,
        default_value=codec.write_value(declared.default),
        allowed=[codec.write_value(value) for value in declared.metadata.get("words", ())],
        description=declared.metadata.get("description", ""),
        **dict(zip(("low", "high"), declared.metadata.get("range", ()), strict=False)),
    )


def _level(name: str) -> opponent_pb2.Level:
    level = LEVELS[name]
    return opponent_pb2.Level(
        name=name,
        bot=level.bot,
        parameters=codec.write_struct(level.parameters),
        budget=opponent_pb2.Budget(iterations=level.budget.iterations, time_ms=level.budget.time_ms),
        description=level.description,
    )
