"""The services as the wire reaches them, without sockets: bytes in, bytes or an error out, and what must hold of it."""

import asyncio
import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from unittest import mock

import grpc
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from server.config import Settings
from server.front import Front
from server.seal import KEYS_VARIABLE, Sealer
from server.workers import EmbeddedWorkers
from tests.fuzz.seeds import KEY
from tests.server.asking import refused
from tests.server.test_error_table import METHODS, rows

PATIENCE = 0.02  # of every caller, s: whatever a budget says, a search ends
ROOM = 8192  # bytes of trailers that clients take
OURS = ("INTERNAL", "UNAVAILABLE")  # codes for which no input may be the reason
SEALER = Sealer([KEY])


class Listener:
    """What a front takes for its gRPC server: keeps the handlers and listens nowhere."""

    def __init__(self) -> None:
        self.handlers: list[Any] = []

    def add_generic_rpc_handlers(self, handlers: Sequence[Any]) -> None:
        self.handlers += handlers

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Any]) -> None:
        """Those of the health service, of which nothing is asked here."""


class Context:
    """A call as a handler sees it."""

    def time_remaining(self) -> float:
        return PATIENCE

    async def abort(self, code: grpc.StatusCode, details: str, trailers: Sequence[tuple[str, str | bytes]]) -> None:
        assert sum(len(key) + len(value) for key, value in trailers) < ROOM
        raise grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(*trailers), details)


class Wire:
    """A front with its own loop and searching threads."""

    def __init__(self) -> None:
        listener = Listener()
        settings = Settings(remembered_replies=0, deadline_margin_ms=0)
        self.workers = EmbeddedWorkers(1, 0, settings.deadline_margin_ms)
        keys = {KEYS_VARIABLE: KEY.hex()}
        with mock.patch("grpc.aio.server", return_value=listener), mock.patch.dict(os.environ, keys):
            Front(settings, self.workers)
        self.loop = asyncio.new_event_loop()
        self._handlers = {name: self._handler(listener, name) for name in METHODS}

    def close(self) -> None:
        self.loop.run_until_complete(self.workers.close())
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()

    def ask(self, rpc: str, raw: bytes) -> list[bytes]:
        """The replies; raises `AioRpcError` for a request that is refused."""
        return self.loop.run_until_complete(self._asked(self._handlers[rpc], raw))

    async def _asked(self, handler: Any, raw: bytes) -> list[bytes]:
        if handler.response_streaming:
            return [reply async for reply in handler.unary_stream(raw, Context())]
        return [await handler.unary_unary(raw, Context())]

    def _handler(self, listener: Listener, rpc: str) -> Any:
        details = mock.Mock(method=f"/{METHODS[rpc].containing_service.full_name}/{rpc}")
        return next(found for generic in listener.handlers if (found := generic.service(details)))


@cache
def wire() -> Wire:
    """The one of this process."""
    return Wire()


def request_type(rpc: str) -> type[Message]:
    return GetMessageClass(METHODS[rpc].input_type)


@cache
def allowed(rpc: str) -> set[tuple[str, str]]:
    """The codes and reasons with which docs/errors.md lets this RPC refuse an input."""
    told = {(row.code, row.reason) for row in rows() if row.rpcs == "every" or rpc in row.rpcs.split(", ")}
    return {(code, reason) for code, reason in told if code not in OURS}


def answers(rpc: str, raw: bytes) -> bool:
    """True for a request that is answered, False for one that is refused as the table of errors has it."""
    try:
        replies = wire().ask(rpc, raw)
    except grpc.aio.AioRpcError as error:
        _check_refusal(rpc, error)
        return False
    made = [GetMessageClass(METHODS[rpc].output_type).FromString(reply) for reply in replies]
    request: Any = request_type(rpc).FromString(raw)
    for reply in made:
        assert reply.request_id == request.request_id or re.fullmatch("[0-9a-f]{32}", reply.request_id)
        _check_reply(rpc, reply)
    if METHODS[rpc].server_streaming:
        assert [reply.final for reply in made] == [False] * (len(made) - 1) + [True]
    else:
        assert len(made) == 1
    return True


def _check_refusal(rpc: str, error: grpc.aio.AioRpcError) -> None:
    async def again() -> None:
        raise error

    told = wire().loop.run_until_complete(refused(again()))
    assert (told.code.name, told.reason) in allowed(rpc)
    assert told.message
    assert told.request_id
    assert bool(told.paths) == (told.code.name in ("INVALID_ARGUMENT", "NOT_FOUND"))


def _check_reply(rpc: str, reply: Any) -> None:
    match rpc:
        case "ListMoves":
            assert reply.moves
        case "Recommend" | "Analyze":
            assert reply.recommendation.plan
        case "NewGame" | "ApplyMoves":
            assert SEALER.open(reply.sealed).state.over == bool(reply.status.returns)
        case "ValidateObservation":
            assert all(fault.found for fault in reply.faults)
