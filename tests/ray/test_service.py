"""Ray's autoscaler brings nodes while requests wait for the service, and lets them go after them.

`EMPTYCHAIR_SOAK=1` has them come and go again and again.
"""

import os
import time
from collections.abc import Callable

import grpc
import pytest
from emptychair.v1 import opponent_pb2_grpc

from server.bench.clusters import on, request
from server.bench.nodes import alive
from tests.ray.autoscaling import autoscaling

LONG_MS = 20_000
ROUNDS = 5 if os.environ.get("EMPTYCHAIR_SOAK") == "1" else 1
PATIENCE_S = 90


def until(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE_S
    while not holds() and time.monotonic() < end:
        time.sleep(0.2)
    return holds()


@pytest.mark.timeout((2 + 2 * ROUNDS) * PATIENCE_S)
def test_nodes_come_and_go_with_the_requests() -> None:
    scale = ("--workers", "1", "--max-workers", "3", "--worker-idle-s", "2")
    with autoscaling() as cluster, on(cluster, *scale) as address, grpc.insecure_channel(address) as channel:
        stub = opponent_pb2_grpc.OpponentServiceStub(channel)
        for _ in range(ROUNDS):
            assert until(lambda: len(alive(cluster.address)) == 1)
            calls = [stub.Recommend.future(request(seed, time_ms=LONG_MS)) for seed in range(3)]
            assert until(lambda: len(alive(cluster.address)) == 3)
            answers = [call.result().recommendation for call in calls]
            assert all(answer.iterations > 0 for answer in answers)
            assert not any(answer.degraded for answer in answers)
        assert until(lambda: len(alive(cluster.address)) == 1)
