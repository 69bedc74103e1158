"""What the services share: a request and its call in, a message out; knows no sockets, raises what errors.py tells."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from emptychair.v1 import game_pb2, opponent_pb2

from engine.game import View
from server import codec
from server.order import asked_seat, mover_view, read_view
from server.seal import Sealer

Method = Callable[[Any, "Call"], Any]  # a request message and its call -> a response to await, or a stream of them
Asking = game_pb2.ListMovesRequest | opponent_pb2.RecommendRequest | opponent_pb2.AnalyzeRequest


class Call(NamedTuple):
    """What a request comes with."""

    request_id: str  # the caller's own, or one made for it
    arrived: float  # by time.monotonic
    ends_at: float | None = None  # the call's deadline, by time.monotonic


def methods(service: object) -> Mapping[str, Method]:
    """The RPCs of a service by name."""
    return {name: getattr(service, name) for name in vars(type(service)) if name[0].isupper()}


def asked_view(request: Asking, sealer: Sealer) -> View:
    """What the seat to move knows of the position asked about; raises `NotNow` when nobody, or another, is to move."""
    if request.WhichOneof("position") == "sealed":
        return mover_view(sealer.open(request.sealed).state)
    return asked_seat(read_view(codec.read_observation(request.observation)))
