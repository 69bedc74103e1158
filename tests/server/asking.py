"""Requests as tests send them, and errors as tests read them."""

import random
from collections.abc import Awaitable, Iterator
from typing import Any, NamedTuple

import grpc
import pytest
from emptychair.v1 import opponent_pb2
from google.rpc import error_details_pb2, status_pb2

import engine
from engine.faults import JsonObject
from server import codec

KUHN = engine.load("kuhn_poker").template()


class Refused(NamedTuple):
    """An error with its details."""

    code: grpc.StatusCode
    message: str
    reason: str
    request_id: str
    paths: list[str]
    trailers: dict[str, str | bytes]


def asked(observation: JsonObject = KUHN, **fields: Any) -> opponent_pb2.RecommendRequest:
    """A request for advice, by default about the start of Kuhn poker with 200 iterations."""
    fields.setdefault("budget", {"iterations": 200})
    return opponent_pb2.RecommendRequest(observation=codec.write_observation(observation), **fields)


def analysed(observation: JsonObject = KUHN, **fields: Any) -> opponent_pb2.AnalyzeRequest:
    """The same as an analysis, by default of a second and a half with an answer every 20 ms."""
    fields = {"budget": {"time_ms": 1500}, "report_interval_ms": 20} | fields
    return opponent_pb2.AnalyzeRequest(observation=codec.write_observation(observation), **fields)


async def refused(call: Awaitable[Any]) -> Refused:
    """The error of a call that must fail."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    error = caught.value
    trailers = dict(error.trailing_metadata() or ())
    status = status_pb2.Status.FromString(trailers["grpc-status-details-bin"])
    info, request, bad = (
        error_details_pb2.ErrorInfo(),
        error_details_pb2.RequestInfo(),
        error_details_pb2.BadRequest(),
    )
    for detail in status.details:
        for message in (info, request, bad):
            detail.Unpack(message)
    assert status.code == error.code().value[0]
    assert "Traceback" not in str(error.details()) + str(status)
    paths = [violation.field for violation in bad.field_violations]
    return Refused(error.code(), error.details() or "", info.reason, request.request_id, paths, trailers)


def positions(name: str, generator: random.Random) -> Iterator[JsonObject]:
    """What the seat to move knows, at every decision of one random game after another."""
    game = engine.load(name)
    while True:
        seats = generator.randint(game.min_seats, game.max_seats)
        state = game.setup(seats).new(generator.getrandbits(60))
        while not state.over:
            yield state.view(state.to_move).to_json()
            state.play(generator.choice(state.moves()))
