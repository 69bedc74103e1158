"""A server in this process, reached through real channels."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from emptychair import client as sdk
from emptychair.v1 import game_pb2_grpc, opponent_pb2_grpc
from grpc_health.v1 import health_pb2_grpc

import bots
import engine
from server.config import Settings
from server.front import Front
from server.warm import warm
from server.workers import Workers, workers_for


@dataclass
class Client:
    """Stubs over one channel, and what lies behind it."""

    channel: grpc.aio.Channel
    front: Front
    workers: Workers

    def __post_init__(self) -> None:
        self.games = game_pb2_grpc.GameServiceStub(self.channel)
        self.opponent = opponent_pb2_grpc.OpponentServiceStub(self.channel)
        self.health = health_pb2_grpc.HealthStub(self.channel)


Ask = Callable[..., Coroutine[Any, Any, Any]]
Running = Callable[..., AbstractAsyncContextManager[Client]]


@asynccontextmanager
async def a_server(**given: object) -> AsyncIterator[Client]:
    """A server with these settings on a free port, and a client of it."""
    settings = Settings(**{"listen": ("127.0.0.1:0",), "workers": 2, "drain_notice_ms": 0} | given)
    with workers_for(settings, engine.names()) as workers:
        front = Front(settings, workers)
        await front.start()
        try:
            async with grpc.aio.insecure_channel(front.addresses[0]) as channel:
                yield Client(channel, front, workers)
        finally:
            await front.stop()


@pytest.fixture(scope="session", autouse=True)
def warmed() -> None:
    """Nobody waits for the compiler, or is told about it, in the middle of a test."""
    warm(["kuhn_poker"], lambda _: None)


@pytest.fixture
def running() -> Running:
    return a_server


@pytest.fixture(scope="session")
async def client() -> AsyncIterator[Client]:
    """One server for all tests that leave it as it was."""
    async with a_server() as made:
        yield made


@pytest.fixture
def doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the bots of doubles.py known by name."""
    for name in ("cheat", "crasher", "sleeper"):
        monkeypatch.setitem(bots.BOTS.paths, name, f"tests.server.doubles:{name.title()}")


@pytest.fixture(params=["sync", "aio"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which client."""
    chosen: str = request.param
    return chosen


@pytest.fixture
def ask(kind: str) -> Ask:
    """Calls a method by name, on either kind of client."""

    async def awaiting(address: str, name: str, *args: Any, **kwargs: Any) -> Any:
        async with sdk.AsyncClient(address) as client:
            return await getattr(client, name)(*args, **kwargs)

    def waiting(address: str, name: str, *args: Any, **kwargs: Any) -> Any:
        with sdk.Client(address) as client:
            return getattr(client, name)(*args, **kwargs)

    async def threaded(*args: Any, **kwargs: Any) -> Any:
        return await asyncio.to_thread(waiting, *args, **kwargs)

    return awaiting if kind == "aio" else threaded


@pytest.fixture
def follow(kind: str) -> Ask:
    """Follows an analysis, which `act` is shown after each answer; returns how far each answer was, and the last."""

    async def awaiting(address: str, position: Any, act: Callable[[Any], bool], **asked: Any) -> Any:
        seen = []
        async with sdk.AsyncClient(address) as client, client.analysis(position, **asked) as analysis:
            async for answer in analysis:
                seen.append(answer.recommendation.iterations)
                if act(analysis):
                    break
        return seen, analysis.latest

    def waiting(address: str, position: Any, act: Callable[[Any], bool], **asked: Any) -> Any:
        seen = []
        with sdk.Client(address) as client, client.analysis(position, **asked) as analysis:
            for answer in analysis:
                seen.append(answer.recommendation.iterations)
                if act(analysis):
                    break
        return seen, analysis.latest

    async def threaded(*args: Any, **kwargs: Any) -> Any:
        return await asyncio.to_thread(waiting, *args, **kwargs)

    return awaiting if kind == "aio" else threaded
