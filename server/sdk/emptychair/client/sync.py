"""The client that waits for its answers."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import grpc

from emptychair.client.calls import Call, Methods, Running, channel_options, serialized
from emptychair.client.errors import Closed, refused
from emptychair.v1.opponent_pb2 import AnalyzeResponse

P = ParamSpec("P")
R = TypeVar("R")


class Analysis(Running, Iterator[AnalyzeResponse]):
    """Answers of one search, each of all that was done so far; leaving it as a context manager stops the search."""

    def __next__(self) -> AnalyzeResponse:
        try:
            answer: AnalyzeResponse = next(self._call)
        except grpc.RpcError as error:
            if self._stopped:
                raise StopIteration from None
            raise refused(error, self._request_id) from error
        self.latest = answer
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()


def _asking(describe: Callable[Concatenate[Any, P], Call[R]]) -> Callable[Concatenate["Client", P], R]:
    """The method that makes the call described, and waits for the reply."""

    @wraps(describe)
    def method(client: "Client", /, *args: P.args, **kwargs: P.kwargs) -> R:
        return client._ask(describe(client, *args, **kwargs))

    return method


def _following(
    describe: Callable[Concatenate[Any, P], Call[AnalyzeResponse]],
) -> Callable[Concatenate["Client", P], Analysis]:
    """The method that makes the call described, and returns at once."""

    @wraps(describe)
    def method(client: "Client", /, *args: P.args, **kwargs: P.kwargs) -> Analysis:
        return client._follow(describe(client, *args, **kwargs))

    return method


class Client:
    """A server at an address such as "127.0.0.1:50051", until it is closed; errors are raised as `Refused`."""

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
            grpc.secure_channel(address, credentials, chosen) if credentials else grpc.insecure_channel(address, chosen)
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

    def close(self) -> None:
        """Ends all calls; who asks after that is told so by `Closed`."""
        self._closed = True
        self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _ask(self, call: Call[R]) -> R:
        self._check_open(call)
        rpc = self._channel.unary_unary(call.path, serialized, call.read)
        try:
            return rpc(call.request, call.timeout)
        except grpc.RpcError as error:
            raise refused(error, call.request.request_id) from error

    def _follow(self, call: Call[AnalyzeResponse]) -> Analysis:
        self._check_open(call)
        rpc = self._channel.unary_stream(call.path, serialized, call.read)
        return Analysis(rpc(call.request, call.timeout), call.request.request_id)

    def _check_open(self, call: Call[Any]) -> None:
        if self._closed:
            raise Closed(call.request.request_id)
