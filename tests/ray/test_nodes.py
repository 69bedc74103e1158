"""Nodes come up, and go without a trace."""

import time

from server.bench.nodes import alive, running

SOON = {"RAY_health_check_period_ms": "200", "RAY_health_check_failure_threshold": "2"}
NOTICED_S = 30


def test_a_killed_node_is_missed_and_nothing_outlives_the_cluster() -> None:
    with running(1, env=SOON) as cluster:
        head, first = cluster.nodes
        assert list(alive(cluster.address).values()) == ["node-1"]
        cluster.remove_node(first)
        assert first.processes() == []
        second = cluster.add_node()
        end = time.monotonic() + NOTICED_S
        while list(alive(cluster.address).values()) != ["node-2"] and time.monotonic() < end:
            time.sleep(0.1)
        assert list(alive(cluster.address).values()) == ["node-2"]
        assert head.processes() != []
    assert head.processes() + second.processes() == []
    assert not cluster.folder.exists()
