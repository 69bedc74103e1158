"""Joining a Ray cluster, one way for all: Ray is imported when somebody asks for it, and tells nobody anything.

What it would print is left out; what its calls raise is for the callers.
"""

import logging
import os
import re
import secrets
import shutil
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Any

from engine.extras import extra
from engine.faults import Fault, InvalidInput, shown

LOCAL, AUTO = "local", "auto"
EXPECTED = f"{LOCAL}, {AUTO} or host:port, where a Ray cluster runs of which this machine is a node"
HOST_PORT = re.compile(r"(?!\w+://)\[?([^\s\[\]]+?)\]?:(\d{1,5})")
PATIENCE_S = 3.0  # for a machine that does not answer
STORE_BYTES = 256 * 2**20  # of shared memory, which is scarce in containers: what tasks give is small
SWITCHES = {  # of Ray, where the environment does not say otherwise; read when Ray is first imported
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_task_oom_retries": "3",  # in place of no end: what takes all memory takes it again
}
JOINING = {  # in place of minutes, where something listens that is no Ray, or a Ray of other machines
    "RAY_NUM_REDIS_GET_RETRIES": "1",
    "RAY_py_gcs_connect_timeout_s": "5",
    "RAY_gcs_server_request_timeout_seconds": "10",
}
SHORT = 300  # characters of what Ray says is wrong


@contextmanager
def connected(address: str, cpus: int = 0) -> Iterator[None]:
    """Ray for as long as this lasts: one of its own for `local`, or the one at `auto` or `host:port`, which stays.

    A local Ray has `cpus` (0: those of this machine). A process is part of one cluster at a time: one that is part of
    a cluster already stays so. Raises `InvalidInput` for `ray` where there is no cluster, or one of another version.
    Signal handlers are what they were.
    """
    _prepare(address)
    with extra("ray", "ray"):
        import ray
    logging.getLogger("ray").setLevel(logging.ERROR)
    if ray.is_initialized():
        yield
        return
    try:
        _join(address, cpus)
        yield
    finally:
        with undisturbed():
            _leave(address)


def is_address(text: str) -> bool:
    """Whether this says where a cluster might be."""
    return text in (LOCAL, AUTO) or HOST_PORT.fullmatch(text) is not None


def cpus() -> int:
    """How many CPUs the cluster has now, over all its nodes."""
    import ray

    return int(ray.cluster_resources().get("CPU", 0))


def _prepare(address: str) -> None:
    """Sets up what Ray reads from the environment; raises `InvalidInput` for what is no address."""
    if not is_address(address):
        raise InvalidInput([Fault("ray", shown(address), EXPECTED)])
    switches = SWITCHES | ({"RAY_AUTH_TOKEN": secrets.token_hex(32)} if address == LOCAL else JOINING)
    for name, value in switches.items():
        os.environ.setdefault(name, value)


def _join(address: str, cpus: int) -> None:
    import ray
    from ray._private import worker

    worker._worker_logs_enabled = False  # what became of workers would be told on standard output, among results
    own: dict[str, Any] = {"num_cpus": cpus or None, "object_store_memory": STORE_BYTES, "include_dashboard": False}
    try:
        if address != LOCAL:
            _knock(address)
        with undisturbed():
            ray.init(address, configure_logging=False, log_to_driver=False, **(own if address == LOCAL else {}))
    except InterruptedError:
        raise
    except Exception as error:
        raise InvalidInput([Fault("ray", _told(address, error), EXPECTED)]) from error


def _told(address: str, error: Exception) -> str:
    """Why a cluster cannot be joined; of Ray, which raises many things, in its own words."""
    if address == AUTO and isinstance(error, ConnectionError) and "RAY_ADDRESS" not in os.environ:
        return f"{shown(address)}: no Ray runs on this machine"
    where = f" (RAY_ADDRESS is {shown(os.environ['RAY_ADDRESS'])})" if "RAY_ADDRESS" in os.environ else ""
    return f"{shown(address)}{where}: " + " ".join(str(error).split())[:SHORT]


def _leave(address: str) -> None:
    """Ends what `_join` began; of a local Ray nothing stays, its logs neither."""
    import ray
    from ray._private import worker

    folder = worker._global_node.get_session_dir_path() if address == LOCAL and worker._global_node else None
    ray.shutdown()
    if folder:
        shutil.rmtree(folder, ignore_errors=True)


def _knock(address: str) -> None:
    """Raises `OSError` where nobody listens: Ray itself would try for minutes."""
    from ray._private.services import canonicalize_bootstrap_address

    place = HOST_PORT.fullmatch(canonicalize_bootstrap_address(address) or "")
    if place:
        socket.create_connection((place[1], int(place[2])), PATIENCE_S).close()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Signals that come meanwhile are heard afterwards: what a handler raises in the middle of Ray may end the process.

    Ray puts a handler of its own in the place of SIGTERM's; that one's `SystemExit` is the signal again.
    """
    if current_thread() is not main_thread():
        yield
        return
    came, left = list[int](), False
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number, handler in usual.items():
        if handler != signal.SIG_IGN:
            signal.signal(number, lambda number, frame: came.append(number))
    try:
        yield
    except SystemExit:
        left = True
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
    if left:
        came.append(signal.SIGTERM)
    for each in came:
        signal.raise_signal(each)
    if left:
        raise InterruptedError("told to end")
