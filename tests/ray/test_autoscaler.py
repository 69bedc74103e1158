"""The autoscaler follows a pool of actors; `EMPTYCHAIR_SOAK=1` asks again and again, and for more than there may be."""

import multiprocessing
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import cast

import pytest
import ray
from ray.actor import ActorHandle

from server.bench.nodes import alive, driver
from tests.ray.autoscaling import autoscaling

SOAK = os.environ.get("EMPTYCHAIR_SOAK") == "1"
UP_S = 60
DOWN_S = 60


class Chair:
    """An actor that says on which node it is."""

    @ray.method
    def home(self) -> str:
        """The node's id in hex."""
        return str(ray.get_runtime_context().get_node_id())


def seated(address: str, asked: int, granted: int) -> tuple[list[str], dict[str, str]]:
    """Where the first `granted` of so many actors came up, and the nodes that stay for good once all were let go."""
    with driver(address):
        chairs = ray.remote(Chair).options(num_cpus=1)
        pool = [cast("ActorHandle[Chair]", chairs.remote()) for _ in range(asked)]
        homes, _ = ray.wait([chair.home.remote() for chair in pool], num_returns=granted, timeout=UP_S)
        found: list[str] = ray.get(homes)
        for chair in pool:
            ray.kill(chair)
        end = time.monotonic() + DOWN_S
        while (left := alive(address)) and time.monotonic() < end:
            time.sleep(0.2)
    return found, left


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with autoscaling() as cluster:
        yield cluster.address


@pytest.mark.timeout(UP_S + DOWN_S + 60)
@pytest.mark.parametrize(("asked", "granted"), [(2, 2), (5, 3), (1, 1), (3, 3)] if SOAK else [(2, 2)])
def test_nodes_come_for_a_pool_and_go_after_it(address: str, asked: int, granted: int) -> None:
    """The driver is a process of its own, as this one may be that of another cluster."""
    assert alive(address) == {}
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as elsewhere:
        homes, left = elsewhere.submit(seated, address, asked, granted).result()
    assert len(set(homes)) == granted
    assert left == {}
