"""What is measured while others use the machine is measured again, and left out where they never stop."""

from collections.abc import Iterator
from itertools import count

import psutil
import pytest

from server.bench.scaling.inputs import EMBEDDED, QUIET, Case, Outcome
from server.bench.scaling.load import Clients
from server.bench.scaling.measure import Lengths, Others, Patience, point

CASE = Case(EMBEDDED, 1, 32, 1, 50, None)
OUTCOME = Outcome(answered=20, throughput=20.0, p50_ms=50.0, p99_ms=51.0, used=1.0, refused=0.0)


class Settled(Clients):
    """Clients whose outcome is known."""

    async def run(self, settle_s: float, seconds: float) -> Outcome:
        return OUTCOME


@pytest.fixture
def shares(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What others will use, try by try."""
    to_come: list[float] = []
    monkeypatch.setattr(Others, "share", lambda self: to_come.pop(0))
    monkeypatch.setattr(psutil, "cpu_percent", lambda interval: 0.0)
    return to_come


@pytest.fixture
def tries() -> Iterator[int]:
    return count(1)


def test_the_first_quiet_try_is_kept(shares: list[float], tries: Iterator[int]) -> None:
    shares += [0.5, QUIET + 0.01, QUIET, 0.0]
    tried = Patience(Lengths(), lambda _: None).quietly("it", lambda: next(tries))
    assert (tried.found, tried.others) == (3, QUIET)


def test_there_are_so_many_tries(shares: list[float], tries: Iterator[int]) -> None:
    shares += [0.5] * 4
    tried = Patience(Lengths(tries=4), lambda _: None).quietly("it", lambda: next(tries))
    assert (tried.found, tried.others) == (4, 0.5)


def test_one_try_is_made_when_patience_is_over(shares: list[float], tries: Iterator[int]) -> None:
    shares += [0.5] * 4
    tried = Patience(Lengths(patience_s=0.0), lambda _: None).quietly("it", lambda: next(tries))
    assert (tried.found, len(shares)) == (1, 3)


def test_a_point_that_was_never_quiet_is_left_out_and_told_of(shares: list[float]) -> None:
    told, lengths = list[str](), Lengths(tries=2)
    shares += [0.5, 0.2, 0.5, 0.0]
    clients = Settled("", CASE, [], "")
    assert point(clients, lengths, Patience(lengths, told.append), told.append) is None
    assert "left out" in told[-1]
    found = point(clients, lengths, Patience(lengths, told.append), told.append)
    assert found is not None
    assert (found.case, found.outcome, found.others) == (CASE, OUTCOME, 0.0)
