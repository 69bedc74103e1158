"""When a search stops."""

import itertools

import pytest

from bots import Budget, Request, StopReason, clock, make
from tests.bots.test_search import LEDUC, first_view


class Watch:
    """A clock that goes on by so many seconds at every look."""

    def __init__(self, *steps: float) -> None:
        self._now, self._steps = 0.0, itertools.chain(steps, itertools.repeat(0.001))

    def monotonic(self) -> float:
        self._now += next(self._steps)
        return self._now


def iterations(monkeypatch: pytest.MonkeyPatch, watch: Watch, budget: Budget, parallelism: int = 1) -> tuple[int, str]:
    """What a search with this watch does."""
    monkeypatch.setattr(clock, "time", watch)
    request = Request(budget, seed=1, parallelism=parallelism)
    view = first_view(LEDUC)
    answer = make("ismcts").think(view, view.moves(), request, started=0.0)
    return answer.iterations, answer.stop_reason


def test_a_computer_that_slept_does_all_its_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(0.0, 3600.0)
    assert iterations(monkeypatch, watch, Budget(iterations=1000)) == (1000, StopReason.BUDGET)


def test_slow_trees_side_by_side_do_all_their_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(*itertools.repeat(1.0, 1000))
    assert iterations(monkeypatch, watch, Budget(iterations=5120), parallelism=256) == (5120, StopReason.BUDGET)


def test_a_budget_of_time_ends_before_an_iteration_that_would_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(0.0, 16 * 0.04)  # 40 ms an iteration
    done, reason = iterations(monkeypatch, watch, Budget(time_ms=670))
    assert (done, reason) == (16, StopReason.BUDGET)


def test_time_is_looked_at_after_every_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(0.0, 16 * 0.04)
    assert iterations(monkeypatch, watch, Budget(time_ms=50), parallelism=64) == (16, StopReason.BUDGET)
