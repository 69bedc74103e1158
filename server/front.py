"""The gRPC server: listeners, health, reflection, the way of each request in and of each error out."""

import asyncio
import contextlib
import errno
import inspect
import logging
import os
import signal
import socket
import time
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, TypeVar

import grpc
from emptychair.v1 import game_pb2, opponent_pb2
from google.protobuf.message import DecodeError, Message
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from engine.extras import extra
from engine.faults import Fault, InvalidInput, shown
from server.config import Settings
from server.errors import Draining, TooLarge, Unreadable, refusal
from server.games import Games
from server.opponent import Opponent
from server.seal import read_sealer
from server.service import Call, Method, methods
from server.workers import Workers

log = logging.getLogger(__name__)

M = TypeVar("M", bound=Message)
Context = grpc.aio.ServicerContext[bytes, bytes]
GAMES = game_pb2.DESCRIPTOR.services_by_name["GameService"].full_name
OPPONENT = opponent_pb2.DESCRIPTOR.services_by_name["OpponentService"].full_name
MAX_REQUEST_ID = 128  # characters
HARD_LIMIT_KIB = 8192  # gRPC itself refuses more, without our details
OPTIONS = [
    ("grpc.max_receive_message_length", HARD_LIMIT_KIB << 10),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    ("grpc.so_reuseport", 0),
]


class Front:
    """One server: made, started, stopped once.

    Raises `InvalidInput` for seal keys that are none, and for reflection where its extra is missing.
    """

    def __init__(self, settings: Settings, workers: Workers) -> None:
        sealer = read_sealer(settings)
        self.addresses: list[str] = []  # where it listens, known after `start`
        self._settings = settings
        self._workers = workers
        self._draining = False
        self._health = health.aio.HealthServicer()
        self._server = grpc.aio.server(options=[*OPTIONS, *_connection_age(settings)])
        games, opponent = Games(settings, sealer), Opponent(workers, sealer, settings.remembered_replies)
        self._add(GAMES, game_pb2, methods(games))
        self._add(OPPONENT, opponent_pb2, methods(opponent))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        if settings.reflection:
            _add_reflection(self._server)

    async def start(self) -> None:
        """Makes the workers ready, binds every address, serves; raises `InvalidInput` for what cannot be had."""
        await self._workers.start()
        self.addresses = [self._bind(f"listen[{i}]", address) for i, address in enumerate(self._settings.listen)]
        await self._server.start()
        for service in ("", GAMES, OPPONENT):
            await self._health.set(service, health_pb2.HealthCheckResponse.SERVING)

    async def stop(self) -> None:
        """Takes no new requests, lets running ones end within the grace, then ends them with what they have."""
        if self._draining:
            return
        self._draining = True
        if self._workers.busy:
            log.info("stopping: %d searches have up to %g s", self._workers.busy, self._settings.drain_grace_ms / 1000)
        await self._health.enter_graceful_shutdown()
        await asyncio.sleep(self._settings.drain_notice_ms / 1000)
        grace = self._settings.drain_grace_ms / 1000
        asyncio.get_running_loop().call_later(max(grace - 0.5, grace / 2), self._workers.interrupt)
        await self._server.stop(grace)
        await self._workers.close()
        del self._server  # it shuts down on this loop when it goes, so it has to go before the loop does
        await asyncio.sleep(0)

    def _bind(self, path: str, address: str) -> str:
        """Listens there; returns the address with the port that was free."""
        if _is_taken(address):
            raise InvalidInput([Fault(path, shown(address), "a socket on which nobody listens")])
        if reason := _obstacle(address):
            raise InvalidInput([Fault(path, f"{shown(address)}: {reason}", "an address that can be bound")])
        try:
            port = self._server.add_insecure_port(address)
        except RuntimeError as error:
            raise InvalidInput([Fault(path, shown(address), "an address that can be bound")]) from error
        return address if address.startswith("unix") else f"{address.rpartition(':')[0]}:{port}"

    def _add(self, service: str, module: Any, methods: Mapping[str, Method]) -> None:
        handlers = {name: self._handler(getattr(module, f"{name}Request"), method) for name, method in methods.items()}
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, handlers),))

    def _handler(self, request_type: type[M], method: Method) -> "grpc.RpcMethodHandler[bytes, bytes]":
        """Raw bytes in and out: grpcio would answer bytes that do not decode with a Python exception."""

        async def stream(raw: bytes, context: Context) -> AsyncIterator[bytes]:
            async with self._answered(raw, context, request_type) as asked:
                async for reply in method(*asked):
                    yield reply.SerializeToString(deterministic=True)

        async def unary(raw: bytes, context: Context) -> bytes:
            async with self._answered(raw, context, request_type) as asked:
                reply: Message = await method(*asked)
            return reply.SerializeToString(deterministic=True)

        if inspect.isasyncgenfunction(method):
            return grpc.unary_stream_rpc_method_handler(stream)
        return grpc.unary_unary_rpc_method_handler(unary)

    @contextlib.asynccontextmanager
    async def _answered(self, raw: bytes, context: Context, request_type: type[M]) -> AsyncIterator[tuple[M, Call]]:
        """A request and its call; whatever goes wrong with them is told to the caller as a status."""
        arrived, request_id = time.monotonic(), uuid.uuid4().hex
        try:
            self._admit(raw)
            request = _decoded(request_type, raw)
            request_id = _request_id(request) or request_id
            left = context.time_remaining()
            yield request, Call(request_id, arrived, None if left is None else arrived + left)
        except Exception as error:  # noqa: BLE001 - the last fence: whatever it is, the caller gets a status
            refused = refusal(error, request_id)
            status = rpc_status.to_status(refused.status)
            trailers = (*status.trailing_metadata, *refused.trailers)
            await context.abort(status.code, status.details, trailers)  # raises

    def _admit(self, raw: bytes) -> None:
        if self._draining:
            raise Draining
        limit = self._settings.max_message_kib << 10
        if len(raw) > limit:
            raise TooLarge(len(raw), limit)


async def serve(settings: Settings, workers: Workers, started: Callable[[Front], None]) -> bool:
    """Serves until SIGTERM or SIGINT, then stops in order; a second signal ends the process at once.

    False when it has ended as there are no workers any more: somebody has to start it anew.
    """
    front, ending = Front(settings, workers), asyncio.Event()

    def end() -> None:
        if ending.is_set():
            os._exit(1)
        ending.set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end)
    starting, told = asyncio.ensure_future(front.start()), asyncio.ensure_future(ending.wait())
    await asyncio.wait([starting, told], return_when=asyncio.FIRST_COMPLETED)
    lost = asyncio.ensure_future(workers.lost())
    if starting.done():
        await starting
        started(front)
        await asyncio.wait([told, lost], return_when=asyncio.FIRST_COMPLETED)
    else:
        starting.cancel()
        await asyncio.wait([starting])
    await front.stop()
    ended_well = not lost.done()
    for waiting in (told, lost):
        waiting.cancel()
    return ended_well


def _connection_age(settings: Settings) -> list[tuple[str, int]]:
    """So that clients find servers that came later; calls under way may end."""
    age_ms, grace_ms = settings.max_connection_age_s * 1000, settings.drain_grace_ms
    return [("grpc.max_connection_age_ms", age_ms), ("grpc.max_connection_age_grace_ms", grace_ms)] if age_ms else []


def _decoded(request_type: type[M], raw: bytes) -> M:
    try:
        return request_type.FromString(raw)
    except DecodeError as error:
        raise Unreadable([Fault("", f"{len(raw)} bytes", f"a message {request_type.DESCRIPTOR.full_name}")]) from error


def _request_id(request: Any) -> str:
    """The id the caller chose, or "" if it chose none."""
    chosen: str = request.request_id
    if len(chosen) > MAX_REQUEST_ID:
        raise InvalidInput([Fault("request_id", shown(chosen), f"at most {MAX_REQUEST_ID} characters")])
    return chosen


def _is_taken(address: str) -> bool:
    """True for a socket file on which somebody listens: gRPC would replace it, as it does one that was left behind."""
    if not address.startswith("unix:"):
        return False
    with socket.socket(socket.AF_UNIX) as caller, contextlib.suppress(OSError):
        caller.setblocking(False)
        return caller.connect_ex(address.removeprefix("unix:").removeprefix("//")) in (0, errno.EAGAIN)
    return False


def _obstacle(address: str) -> str:
    """Why a port cannot be bound, or ""; gRPC would say it at length, and on standard error besides."""
    if address.startswith("unix"):
        return ""
    host, _, port = address.rpartition(":")
    try:
        places = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    except OSError as error:
        return (error.strerror or str(error)).lower()
    errors = [error for error in (_bound(family, place) for family, *_, place in places) if error]
    taken = [error for error in errors if error.errno == errno.EADDRINUSE]
    met = taken or (errors if len(errors) == len(places) else ())  # of the addresses of a name, some will do
    return (met[0].strerror or str(met[0])).lower() if met else ""


def _bound(family: int, place: Any) -> OSError | None:
    """What goes wrong when a socket is bound there; nobody listens on it, and it is closed again."""
    try:
        with socket.socket(family, socket.SOCK_STREAM) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(place)
    except OSError as error:
        return error
    return None


def _add_reflection(server: grpc.aio.Server) -> None:
    with extra("reflection", "reflection"):
        from grpc_reflection.v1alpha import reflection
    names = (GAMES, OPPONENT, health.SERVICE_NAME, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, server)
