"""The service makes the cluster grow while requests wait, and lets it shrink after them."""

import time
from collections.abc import Callable

import grpc
import pytest
from emptychair.v1 import opponent_pb2_grpc

from server.bench.clusters import request
from server.bench.nodes import alive
from server.bench.service import server
from tests.ray.autoscaling import autoscaling

LONG_MS = 20_000
PATIENCE_S = 90


def until(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE_S
    while not holds() and time.monotonic() < end:
        time.sleep(0.2)
    return holds()


@pytest.mark.timeout(4 * PATIENCE_S)
def test_nodes_come_and_go_with_the_requests() -> None:
    scale = ("--workers", "1", "--max-workers", "3", "--worker-idle-s", "2")
    with autoscaling() as cluster, server("--ray", cluster.address, *scale) as (address, _):
        assert len(alive(cluster.address)) == 1
        with grpc.insecure_channel(address) as channel:
            stub = opponent_pb2_grpc.OpponentServiceStub(channel)
            calls = [stub.Recommend.future(request(seed, time_ms=LONG_MS)) for seed in range(3)]
            assert until(lambda: len(alive(cluster.address)) == 3)
            answers = [call.result().recommendation for call in calls]
        assert all(answer.iterations > 0 and not answer.degraded for answer in answers)
        assert until(lambda: len(alive(cluster.address)) == 1)
