"""Settings, listeners, and what is remembered for retries."""

import socket
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from engine.faults import InvalidInput
from server.config import Settings, read_settings
from server.front import Front
from server.replies import Replies
from server.workers import EmbeddedWorkers


def paths(error: pytest.ExceptionInfo[InvalidInput]) -> set[str]:
    return {fault.path for fault in error.value.faults}


def test_a_file_is_overridden_by_what_was_given(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('listen = ["127.0.0.1:1", "unix:/tmp/x"]\nqueue = 5\nreflection = true\n')
    settings = read_settings(file, {"queue": 7, "insecure": None})
    assert settings == Settings(listen=("127.0.0.1:1", "unix:/tmp/x"), queue=7, reflection=True)


@pytest.mark.parametrize("text", ["quueue = 5", "[server]\nqueue = 5"])
def test_unknown_keys_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    with pytest.raises(InvalidInput) as error:
        read_settings(file, {})
    assert paths(error) <= {"quueue", "server"}


@pytest.mark.parametrize("text", ["queue = ", "games = " + "[" * 3000, None])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "settings.toml"
    if text:
        file.write_text(text)
    with pytest.raises(InvalidInput) as error:
        read_settings(file, {})
    assert paths(error) == {str(file)}


@pytest.mark.parametrize(
    ("text", "path"),
    [("workers = 0x" + "F" * 5000, "workers"), (".".join("a" * 3000) + " = 1", "a"), ("queue = 2024-01-01", "queue")],
    ids=["number", "levels", "date"],
)
def test_what_is_too_large_to_be_shown_is_named(tmp_path: Path, text: str, path: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    with pytest.raises(InvalidInput) as error:
        read_settings(file, {})
    assert paths(error) == {path}


def test_unknown_and_wrong_settings_are_told_together(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('foo = 1\nworkers = "x"\n')
    with pytest.raises(InvalidInput) as error:
        read_settings(file, {"queue": -1})
    assert paths(error) == {"foo", "workers", "queue"}


def test_the_key_file_of_a_settings_file_lies_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('seal_key_file = "keys"')
    assert read_settings(file, {}).seal_key_file == str(tmp_path / "keys")
    assert read_settings(file, {"seal_key_file": "mine"}).seal_key_file == "mine"
    file.write_text('seal_key_file = "/keys"')
    assert read_settings(file, {}).seal_key_file == "/keys"


def test_every_setting_out_of_range_is_named() -> None:
    wrong: dict[str, Any] = {"queue": -1, "workers": "two", "listen": (), "games": "kuhn_poker", "insecure": 1}
    with pytest.raises(InvalidInput) as error:
        Settings(**wrong)
    assert paths(error) == set(wrong)


@pytest.mark.parametrize("address", ["locale", "ray://127.0.0.1:10001", "10.0.0.1", "10.0.0.1:port"])
def test_what_is_no_address_of_a_cluster_is_named(address: str) -> None:
    with pytest.raises(InvalidInput, match="expected local, auto or host:port") as error:
        Settings(ray=address)
    assert paths(error) == {"ray"}


def test_fewer_workers_at_most_than_at_least_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"at least workers \(3\)") as error:
        Settings(ray="local", workers=3, max_workers=2)
    assert paths(error) == {"max_workers"}
    assert Settings(ray="local", workers=3, max_workers=3).max_workers == 3
    with pytest.raises(InvalidInput, match="0 without ray"):
        Settings(max_workers=2)


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.0.2.1:5", "example.org:5"])
def test_addresses_that_others_can_reach_need_a_word(address: str) -> None:
    with pytest.raises(InvalidInput, match="--insecure") as error:
        Settings(listen=("unix:a", address))
    assert paths(error) == {"listen[1]"}
    assert Settings(listen=(address,), insecure=True).listen == (address,)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("127.0.0.1", "a port, too"),
        ("[::1]", "a port, too"),
        ("127.0.0.1:", "a port from 0 to 65535"),
        ("127.0.0.1:-1", "a port from 0 to 65535"),
        ("127.0.0.1:65536", "a port from 0 to 65535"),
        ("[::1]:99999", "a port from 0 to 65535"),
        (":50051", r"host:port, \[v6\]:port or unix:path"),
        ("::1:50051", r"host:port, \[v6\]:port or unix:path"),
        ("unix:", "unix:path"),
        ("unix:///", "unix:path"),
        ("unix-abstract:", "unix-abstract:path"),
    ],
)
def test_what_is_no_address_is_refused(address: str, expected: str) -> None:
    with pytest.raises(InvalidInput, match=f"expected {expected}") as error:
        Settings(listen=("127.0.0.1:65535", "[::1]:0", "unix:a", "unix:///a", address))
    assert paths(error) == {"listen[4]"}


async def test_a_socket_file_belongs_to_the_first_server(tmp_path: Path) -> None:
    address, file = f"unix:{tmp_path}/socket", tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(file))
    one, other = (
        Front(Settings(listen=(listen,), drain_notice_ms=0), EmbeddedWorkers(1, 1, 0))
        for listen in (address, f"unix://{tmp_path}/socket")
    )
    await one.start()  # nobody listened there any more
    with pytest.raises(InvalidInput, match="on which nobody listens") as error:
        await other.start()
    await other.stop()
    assert paths(error) == {"listen[0]"}
    async with grpc.aio.insecure_channel(address) as channel:
        await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
    await one.stop()
    assert not file.exists()


async def test_said_so_they_are_served() -> None:
    front = Front(
        Settings(listen=("0.0.0.0:0", "localhost:0"), insecure=True, drain_notice_ms=0), EmbeddedWorkers(1, 1, 0)
    )
    await front.start()
    assert [address.rpartition(":")[0] for address in front.addresses] == ["0.0.0.0", "localhost"]
    await front.stop()


@pytest.mark.parametrize(
    ("address", "reason"),
    [("{}", "address already in use"), ("203.0.113.7:0", "cannot assign requested address"), ("no.invalid:5", "name")],
)
async def test_an_address_that_cannot_be_bound_is_told_in_a_line(
    address: str, reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    one = Front(Settings(listen=("127.0.0.1:0",), drain_notice_ms=0), EmbeddedWorkers(1, 1, 0))
    await one.start()
    listen = (address.format(*one.addresses),)
    other = Front(Settings(listen=listen, insecure=True, drain_notice_ms=0), EmbeddedWorkers(1, 1, 0))
    with pytest.raises(InvalidInput, match=f"listen.0.: found '{listen[0]}': {reason}.*, expected an address") as error:
        await other.start()
    assert "GRPC" not in str(error.value)
    assert capfd.readouterr().err == ""
    for front in (one, other):
        await front.stop()


async def asked_again(replies: Replies[str], names: str) -> list[str]:
    """What replies to these ids, each answered by its turn unless remembered."""

    async def answer(turn: int) -> str:
        return f"turn {turn}"

    return [await replies.once(name, b"", lambda turn=turn: answer(turn)) for turn, name in enumerate(names)]


async def test_the_oldest_reply_is_forgotten_first() -> None:
    told = await asked_again(Replies(2), "abcba")
    assert told == ["turn 0", "turn 1", "turn 2", "turn 1", "turn 4"]


async def test_without_an_id_or_room_nothing_is_remembered() -> None:
    assert await asked_again(Replies(0), "aa") == ["turn 0", "turn 1"]
    replies: Replies[str] = Replies(2)
    assert await replies.once("", b"", partial(told, "x")) == "x"
    assert await replies.once("", b"", partial(told, "y")) == "y"


async def told(word: str) -> str:
    return word


async def test_a_try_that_failed_is_not_remembered() -> None:
    async def fail() -> str:
        raise TimeoutError

    replies: Replies[str] = Replies(2)
    with pytest.raises(TimeoutError):
        await replies.once("a", b"", fail)
    assert await replies.once("a", b"", partial(told, "x")) == "x"
