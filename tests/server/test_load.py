"""Many callers, callers who vanish, and a server that stops."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import grpc
import pytest
from emptychair.v1 import opponent_pb2, opponent_pb2_grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.server.asking import asked, refused
from tests.server.conftest import Running
from tests.server.doubles import Sleeper

SERVING, NOT_SERVING = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING


async def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Waits for something that is about to happen."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.005)


async def test_64_requests_at_once(running: Running, doubles: None) -> None:
    async with running(workers=2, queue=6) as client:
        request = asked(bot="sleeper", budget={"time_ms": 2000})
        calls = [client.opponent.Recommend(request) for _ in range(64)]
        health = await client.health.Check(health_pb2.HealthCheckRequest(), timeout=2)
        codes = [await call.code() for call in calls]
        assert health.status == SERVING
        assert codes.count(grpc.StatusCode.OK) == 8
        assert codes.count(grpc.StatusCode.RESOURCE_EXHAUSTED) == 56
        refusals = [await refused(c) for c, code in zip(calls, codes, strict=True) if code is not grpc.StatusCode.OK]
        assert {error.reason for error in refusals} == {"OVERLOADED"}
        assert all(int(error.trailers["grpc-retry-pushback-ms"]) > 0 for error in refusals)
        assert await client.opponent.Recommend(asked())  # there is room again


async def test_a_client_that_retries_as_told_gets_in(running: Running, doubles: None) -> None:
    policy = {"maxAttempts": 5, "initialBackoff": "0.05s", "maxBackoff": "1s", "backoffMultiplier": 2}
    policy |= {"retryableStatusCodes": ["RESOURCE_EXHAUSTED"]}
    config = json.dumps({"methodConfig": [{"name": [{}], "retryPolicy": policy}]})
    async with running(workers=1, queue=0) as client:
        address = client.front.addresses[0]
        async with grpc.aio.insecure_channel(address, options=[("grpc.service_config", config)]) as channel:
            stub = opponent_pb2_grpc.OpponentServiceStub(channel)
            calls = [stub.Recommend(asked(bot="sleeper", budget={"time_ms": 20})) for _ in range(2)]
            assert [await call.code() for call in calls] == [grpc.StatusCode.OK] * 2


async def test_a_client_that_vanishes_stops_its_search(running: Running, doubles: None) -> None:
    async with running(workers=1, queue=4) as client:
        before = Sleeper.cancelled
        request = asked(bot="sleeper", budget={"time_ms": 60_000})
        running_call = client.opponent.Recommend(request)
        await until(lambda: Sleeper.running == 1)
        waiting_call = client.opponent.Recommend(request)
        await until(lambda: client.workers.busy == 2)
        waiting_call.cancel()
        await until(lambda: client.workers.busy == 1)
        running_call.cancel()
        await until(lambda: client.workers.busy == 0, seconds=1)
        assert (Sleeper.running, Sleeper.cancelled) == (0, before + 1)


async def test_a_real_search_ends_when_its_client_vanishes(running: Running) -> None:
    async with running(workers=1) as client:
        call = client.opponent.Recommend(asked(budget={"time_ms": 600_000}))
        await until(lambda: client.workers.busy == 1)
        call.cancel()
        await until(lambda: client.workers.busy == 0, seconds=1)


async def test_a_stop_that_cannot_wait_ends_searches_with_what_they_have(running: Running, doubles: None) -> None:
    async with running(drain_grace_ms=1000) as client:
        call = client.opponent.Recommend(asked(bot="sleeper", budget={"time_ms": 60_000}))
        await until(lambda: Sleeper.running == 1)
        begun = time.monotonic()
        stopping = asyncio.create_task(client.front.stop())
        advice = (await call).recommendation
        await stopping
        assert advice.stop_reason == opponent_pb2.STOP_REASON_CANCELLED
        assert time.monotonic() - begun < 1.5


@pytest.fixture
def process() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and its address."""
    code = "from server.cli import main; main()"
    options = ("serve", "--listen", "127.0.0.1:0", "--game", "kuhn_poker", "--json")
    with subprocess.Popen(
        [sys.executable, "-c", code, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout
        yield server, json.loads(server.stdout.readline())["listening"][0]
        server.kill()


async def test_sigterm_lets_running_searches_end(process: tuple[subprocess.Popen[str], str]) -> None:
    server, address = process
    async with grpc.aio.insecure_channel(address) as channel:
        opponent, health = opponent_pb2_grpc.OpponentServiceStub(channel), health_pb2_grpc.HealthStub(channel)
        watch = health.Watch(health_pb2.HealthCheckRequest(service="emptychair.v1.OpponentService"))
        assert (await watch.read()).status == SERVING
        call = opponent.Recommend(asked(budget={"time_ms": 1500}))
        await asyncio.sleep(0.3)
        server.send_signal(signal.SIGTERM)
        assert (await watch.read()).status == NOT_SERVING
        late = await refused(opponent.Recommend(asked()))
        assert (late.code, late.reason) == (grpc.StatusCode.UNAVAILABLE, "DRAINING")
        assert (await call).recommendation.elapsed_ms > 1400
    assert await asyncio.to_thread(server.wait, 10) == 0


async def test_a_second_signal_ends_at_once(process: tuple[subprocess.Popen[str], str]) -> None:
    server, address = process
    async with grpc.aio.insecure_channel(address) as channel:
        call = opponent_pb2_grpc.OpponentServiceStub(channel).Recommend(asked(budget={"time_ms": 60_000}))
        await asyncio.sleep(0.3)
        begun = time.monotonic()
        server.send_signal(signal.SIGINT)
        await asyncio.sleep(0.1)
        server.send_signal(signal.SIGINT)
        assert await asyncio.to_thread(server.wait, 5) == 1
        assert time.monotonic() - begun < 2
        assert await call.code() is grpc.StatusCode.UNAVAILABLE
