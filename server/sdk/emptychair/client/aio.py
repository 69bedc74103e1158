"""The client that awaits its answers, on asyncio."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import grpc

from emptychair.client.calls import Call, Methods, Running, channel_options, serialized
from emptychair.client.errors import Closed, refused
from emptychair.v1.opponent_pb2 import AnalyzeResponse

P = ParamSpec("P")
R = TypeVar("R")


class AsyncAnalysis(Running, AsyncIterator[AnalyzeResponse]):
    """Answers of one search, each of all that was done so far; leaving it as a context manager stops the search.

    Giving up a wait for the next answer ends it: after that it raises `Closed`. One task at a time may read.
    """

    _is_read = False

    async def __anext__(self) -> AnalyzeResponse:
        if self._is_read:
            raise RuntimeError("another task is reading this analysis")
        self._is_read = True
        try:
            answer = await self._call.read()
        except asyncio.CancelledError:  # what grpc.aio raises for a call that has been ended, too
            if _is_cancelled():
                raise
            if self._stopped:
                raise StopAsyncIteration from None
            raise Closed(self._request_id, "the analysis was ended") from None
        except grpc.RpcError as error:
            raise refused(error, self._request_id) from error
        finally:
            self._is_read = False
        if not isinstance(answer, AnalyzeResponse):  # the end of the stream
            raise StopAsyncIteration
        self.latest = answer
        return answer

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.stop()


def _asking(
    describe: Callable[Concatenate[Any, P], Call[R]],
) -> Callable[Concatenate["AsyncClient", P], Coroutine[Any, Any, R]]:
    """The method that makes the call described, and awaits the reply."""

    @wraps(describe)
    async def method(client: "AsyncClient", /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await client._ask(describe(client, *args, **kwargs))

    return method


def _following(
    describe: Callable[Concatenate[Any, P], Call[AnalyzeResponse]],
) -> Callable[Concatenate["AsyncClient", P], AsyncAnalysis]:
    """The method that makes the call described, and returns at once."""

    @wraps(describe)
    def method(client: "AsyncClient", /, *args: P.args, **kwargs: P.kwargs) -> AsyncAnalysis:
        return client._follow(describe(client, *args, **kwargs))

    return method


class AsyncClient:
    """As `Client`, with methods to be awaited; made where a loop runs."""

    def __init__(
        self,
        address: str,
        *,
        credentials: grpc.ChannelCredentials | None = None,  # None: the channel is not encrypted
        options: Iterable[tuple[str, Any]] = (),  # of the channel, as gRPC names them
    ) -> None:
        self._closed = False
        chosen = channel_options(options)
        self._channel = (
            grpc.aio.secure_channel(address, credentials, chosen)
            if credentials
            else grpc.aio.insecure_channel(address, chosen)
        )

    games = _asking(Methods.games)
    game = _asking(Methods.game)
    moves = _asking(Methods.moves)
    validate = _asking(Methods.validate)
    new_game = _asking(Methods.new_game)
    apply_moves = _asking(Methods.apply_moves)
    observe = _asking(Methods.observe)
    server_info = _asking(Methods.server_info)
    bots = _asking(Methods.bots)
    play = _asking(Methods.play)
    analysis = _following(Methods.analysis)

    async def close(self) -> None:
        """Ends all calls; who asks after that is told so by `Closed`."""
        self._closed = True
        await self._channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def _ask(self, call: Call[R]) -> R:
        self._check_open(call)
        rpc = self._channel.unary_unary(call.path, serialized, call.read)
        try:
            return await rpc(call.request, timeout=call.timeout)
        except asyncio.CancelledError:  # what grpc.aio raises for a call that `close` has ended, too
            if _is_cancelled():
                raise
            raise Closed(call.request.request_id) from None
        except grpc.RpcError as error:
            raise refused(error, call.request.request_id) from error

    def _follow(self, call: Call[AnalyzeResponse]) -> AsyncAnalysis:
        self._check_open(call)
        rpc = self._channel.unary_stream(call.path, serialized, call.read)
        return AsyncAnalysis(rpc(call.request, timeout=call.timeout), call.request.request_id)

    def _check_open(self, call: Call[Any]) -> None:
        if self._closed:
            raise Closed(call.request.request_id)


def _is_cancelled() -> bool:
    """True when it is the caller's own task that is being cancelled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
