"""Several Ray nodes on this machine as one cluster, which ends whole and alone.

Each `ray start` has a session of processes of its own, and all of it is ended; `ray stop` would end every Ray of the
machine, and `ray.cluster_utils` writes its address where the commands of others look theirs up.
"""

import contextlib
import os
import socket
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

import psutil
import ray
from ray._raylet import GcsClient  # type: ignore[attr-defined]  # compiled, without types; needs no driver to list nodes

RAY = str(Path(sysconfig.get_path("scripts"), "ray"))
ALONE = {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0", "RAY_ADDRESS": ""}  # whatever the machine has set
START_S = 60
ASK_S = 10
STORE = 80 * 2**20  # bytes, the least that Ray takes is 75 MiB


@dataclass
class Node:
    """What one `ray start` started, under the name that Ray knows it by."""

    name: str
    process: "subprocess.Popen[bytes]"
    log: Path

    def processes(self) -> list[psutil.Process]:
        """Those that live, workers included."""
        return [process for process in psutil.process_iter() if in_session(process, self.process.pid)]

    def wait(self) -> None:
        """Until it is up; raises RuntimeError with what it said when it does not come up."""
        end = time.monotonic() + START_S
        while b"Ray runtime started" not in (said := self.log.read_bytes()):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{self.name} did not start: {said.decode()}")
            time.sleep(0.05)

    def kill(self) -> None:
        """Ends it without notice."""
        while alive := self.processes():
            for process in alive:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            time.sleep(0.01)
        self.process.wait()


def in_session(process: psutil.Process, session: int) -> bool:
    try:
        return os.getsid(process.pid) == session and process.status() != psutil.STATUS_ZOMBIE
    except (ProcessLookupError, psutil.NoSuchProcess):
        return False


def start(folder: Path, name: str, *options: str, env: Mapping[str, str] | None = None) -> Node:
    """A node whose ports are free ones; it may not be up yet."""
    command = [RAY, "start", "--block", f"--node-name={name}", f"--object-store-memory={STORE}", *options]
    command += ["--min-worker-port=0", "--max-worker-port=0", "--dashboard-agent-listen-port=0"]
    log = folder / f"{name}.log"
    environment = os.environ | ALONE | dict(env or {})
    with log.open("wb") as said:
        process = subprocess.Popen(command, env=environment, stdout=said, stderr=said, start_new_session=True)
    return Node(name, process, log)


@dataclass
class Cluster:
    """A head, which has no CPU, and nodes."""

    address: str  # host:port
    folder: Path
    nodes: list[Node] = field(default_factory=list)  # those that were not removed, the head first
    started: int = 0

    def start_head(self, *options: str, env: Mapping[str, str] | None = None) -> None:
        """Starts the head; raises RuntimeError where it does not come up."""
        port = self.address.rpartition(":")[2]
        options = (f"--port={port}", f"--ray-client-server-port={free_port()}", f"--temp-dir={self.folder}", *options)
        head = start(self.folder, "head", "--head", "--num-cpus=0", "--include-dashboard=false", *options, env=env)
        self.nodes.append(head)
        head.wait()

    def add_node(self, cpus: int = 1) -> Node:
        """A further node, which is up."""
        self.started += 1
        node = start(self.folder, f"node-{self.started}", f"--address={self.address}", f"--num-cpus={cpus}")
        self.nodes.append(node)
        node.wait()
        return node

    def remove_node(self, node: Node) -> None:
        """Kills the node and its workers; Ray learns of it by itself."""
        node.kill()
        self.nodes.remove(node)


def alive(address: str) -> dict[str, str]:
    """The names of the nodes that Ray believes to live, by their ids in hex; but for the head."""
    nodes = GcsClient(address=address).get_all_node_info(timeout=ASK_S).values()
    return {node.node_id.hex(): node.node_name for node in nodes if node.state == node.ALIVE and not node.is_head_node}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def prepared() -> Iterator[Cluster]:
    """A cluster of no nodes yet, whatever was started in it ends with it; drivers should have left before that."""
    with tempfile.TemporaryDirectory(prefix="ray-") as folder:  # short: Ray's sockets lie in it
        cluster = Cluster(f"127.0.0.1:{free_port()}", Path(folder))
        try:
            yield cluster
        finally:
            for node in reversed(cluster.nodes):
                node.kill()


@contextmanager
def running(nodes: int, cpus: int = 1, env: Mapping[str, str] | None = None) -> Iterator[Cluster]:
    """A cluster of so many nodes of so many CPUs each beside the head, which alone is given `env`."""
    with prepared() as cluster:
        cluster.start_head(env=env)
        for _ in range(nodes):
            cluster.add_node(cpus)
        yield cluster


@contextmanager
def driver(address: str) -> Iterator[None]:
    """This process is a driver of that cluster for a while."""
    with mock.patch.dict(os.environ, ALONE):
        ray.init(address, log_to_driver=False)
        try:
            yield
        finally:
            ray.shutdown()
