"""The server's settings: typed, each with its unit and range, unknown keys refused."""

import contextlib
import ipaddress
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from bots import cluster
from engine.faults import Fault, InvalidInput, Reader, one_of, shown
from engine.plain import read_file

MAX_PORT = 65535
UNIX = re.compile("unix(-abstract)?:")


def _number(default: int, low: int, high: int) -> Any:
    return field(default=default, metadata={"low": low, "high": high})


@dataclass(frozen=True)
class Settings:
    """How the service runs; raises `InvalidInput` naming every setting that is out of range."""

    listen: tuple[str, ...] = ("127.0.0.1:50051",)  # host:port, [v6]:port or unix:path; port 0 picks a free one
    insecure: bool = False  # listen to other machines without encryption
    reflection: bool = False  # describe the services to any caller (grpc.reflection)
    games: tuple[str, ...] = ()  # compiled or loaded before the first request; empty: all
    ray: str = ""  # search on a Ray cluster: local, auto or host:port; empty: in this process
    workers: int = _number(0, 0, 1024)  # searches at a time; 0: one a core, or one a CPU of the cluster
    max_workers: int = _number(0, 0, 1024)  # with Ray, while requests wait; 0: no more than `workers`
    worker_idle_s: int = _number(300, 1, 86_400)  # with Ray, after which workers beyond `workers` are let go, s
    queue: int = _number(32, 0, 10_000)  # requests that may wait for a worker; more are refused
    max_message_kib: int = _number(256, 1, 4096)  # largest request, KiB
    deadline_margin_ms: int = _number(20, 0, 10_000)  # kept between the end of a search and the call's deadline, ms
    max_connection_age_s: int = _number(0, 0, 86_400)  # after which clients are told to connect anew, s; 0: never
    remembered_replies: int = _number(256, 0, 100_000)  # replies kept for retries with the same request id
    seal_key_file: str = ""  # keys of sealed games, 64 hex digits a line; the first seals; empty: by the environment
    drain_notice_ms: int = _number(200, 0, 60_000)  # from "not serving" to the closing of the listeners, ms
    drain_grace_ms: int = _number(10_000, 0, 3_600_000)  # for running searches when the server stops, ms

    def __post_init__(self) -> None:
        faults: list[Fault] = []
        values = Reader({f.name: getattr(self, f.name) for f in fields(self)}, "", faults)
        for f in fields(self):
            if f.metadata:
                values.integer(f.name, 0, f.metadata["low"], f.metadata["high"])
            elif f.type is bool:
                values.flag(f.name, False)
            elif f.type is str:
                _check_word(values, f.name)
            else:
                _check_words(values, f.name)
        faults += _address_faults(self.listen, self.insecure)
        faults += _ray_faults(self.ray, self.workers, self.max_workers)
        values.done()

    @property
    def slots(self) -> int:
        """Searches that run at the same time."""
        return self.workers or cores()


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check_word(values: Reader, name: str) -> None:
    if not isinstance(word := values.raw(name), str):
        values.fault(name, type(word).__name__, "a word")  # it may hold a key: not to be shown


def _check_words(values: Reader, name: str) -> None:
    words = values.raw(name)
    if not isinstance(words, tuple) or not all(isinstance(word, str) and word for word in words):
        values.fault(name, words, "a list of words")
    elif name == "listen" and not words:
        values.fault(name, words, "at least one address")


def _address_faults(addresses: object, insecure: object) -> Iterator[Fault]:
    for i, address in enumerate(addresses if isinstance(addresses, tuple) else ()):
        if address and isinstance(address, str):
            open_to_all = "" if insecure is True or is_local(address) else "a loopback address, or --insecure"
            if expected := _lacking(address) or open_to_all:
                yield Fault(f"listen[{i}]", shown(address), expected)


def _ray_faults(address: object, workers: object, most: object) -> Iterator[Fault]:
    if address and isinstance(address, str) and not cluster.is_address(address):
        yield Fault("ray", shown(address), cluster.EXPECTED)
    if not address and isinstance(most, int) and most > 0:
        yield Fault("max_workers", shown(most), "0 without ray: one machine has the workers it has")
    elif isinstance(most, int) and isinstance(workers, int) and 0 < most < workers:
        yield Fault("max_workers", shown(most), f"0, or at least workers ({workers})")


def _lacking(address: str) -> str:
    """What the address ought to be; "" where it is one."""
    if scheme := UNIX.match(address):
        return "" if address[scheme.end() :].strip("/") else f"{scheme[0]}path"
    host, colon, port = address.rpartition(":")
    if not colon or address.endswith("]"):
        return "a port, too: host:port"
    if not re.fullmatch(r"[^:\[\]]+|\[[^\[\]]+\]", host):
        return "host:port, [v6]:port or unix:path"
    fits = re.fullmatch("[0-9]{1,5}", port) and int(port) <= MAX_PORT
    return "" if fits else f"a port from 0 to {MAX_PORT}: host:port"


def is_local(address: str) -> bool:
    """True for addresses that only this machine can reach."""
    if UNIX.match(address):
        return True
    host = address.rpartition(":")[0].strip("[]")
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def read_settings(path: Path | None, given: Mapping[str, Any]) -> Settings:
    """Settings from a TOML file, overridden by what was given (None = not given); raises `InvalidInput` for all faults.

    A `seal_key_file` named in the file is looked for from the file's own folder.
    """
    values = _from_file(path) if path else {}
    values |= {name: value for name, value in given.items() if value is not None}
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    known = [f.name for f in fields(Settings)]
    unknown = [name for name in values if name not in known]
    faults = [Fault(name, "a setting that does not exist", one_of(name, known)) for name in unknown]
    try:
        settings = Settings(**{name: value for name, value in values.items() if name in known})
    except InvalidInput as error:
        faults += error.faults
    if faults:
        raise InvalidInput(faults)
    return settings


def _from_file(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(read_file(path))
    except InvalidInput as error:
        raise InvalidInput(fault._replace(path=str(path)) for fault in error.faults) from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput([Fault(str(path), f"not TOML ({error})", "")]) from error
    if isinstance(keys := values.get("seal_key_file"), str) and keys:
        values["seal_key_file"] = str(path.parent / keys)
    return values
