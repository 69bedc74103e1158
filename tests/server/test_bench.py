"""The figures: that all are there, and that ratio, goal and clock are dealt with rightly."""

import json
from dataclasses import replace
from itertools import count

import pytest
from click.testing import CliRunner

from engine.faults import InvalidInput
from server.bench import MEASURES, run, versus
from server.bench.figures import FIGURES, row
from server.bench.timing import QUICK, rate, rates
from server.cli import main

PROMISED = {
    "as_decisions_vs_openspiel": 4.0,
    "as_ismcts_vs_openspiel": 1.5,
    "as_determinize_vs_openspiel": 5.0,
    "as_clone_vs_openspiel": 8.0,
    "leduc_vs_openspiel": 5.0,
    "kuhn_vs_openspiel": 2.0,
    "recommend_over_budget_ms_p50": 3,
    "recommend_over_budget_ms_p99": 10,
    "start_warm_s": 2,
    "start_cold_s": 60,
    "compile_cold_s_arctic_scavengers": 45,
    "cancel_ms": 20,
    "rss_mb_after_1000_requests": 400,
    "rss_growth_percent": 2,
    "threads_2_vs_1": 1.9,
    "arena_overhead_ms_per_game": 2,
    "arena_2_workers_speedup": 1.9,
    "ray_vs_embedded": 0.97,
    "ray_extra_latency_ms": 3,
    "ray_2_workers_vs_1": 1.85,
    "ray_kill_answers": 100,
    "ray_node_loss": 0,
}
KEYS = ["figure", "value", "unit", "peer", "ratio", "goal", "holds", "samples"]


class Clock:
    """A clock that ticks by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def work(self, seconds: float, units: int = 10) -> int:
        self.now += seconds
        return units


def test_every_promised_figure_has_its_goal() -> None:
    assert {name: figure.goal for name, figure in FIGURES.items() if figure.goal is not None} == PROMISED


def test_every_figure_is_measured() -> None:
    assert {figure.beside or name for name, figure in FIGURES.items()} == set(MEASURES)


@pytest.mark.parametrize(
    ("name", "value", "peer", "ratio", "holds"),
    [
        ("as_decisions_vs_openspiel", 400.0, 100.0, 4.0, True),
        ("as_decisions_vs_openspiel", 399.0, 100.0, 3.99, False),
        ("as_clone_vs_openspiel", 50.0, 400.0, 8.0, True),  # less is better
        ("as_clone_vs_openspiel", 51.0, 400.0, 7.843, False),
        ("start_warm_s", 2.0, None, None, True),
        ("start_warm_s", 2.1, None, None, False),
        ("as_state_bytes", 1e9, None, None, True),  # no goal
    ],
)
def test_ratio_and_goal(name: str, value: float, peer: float | None, ratio: float | None, holds: bool) -> None:
    told = row(name, value, 7, peer)
    assert list(told) == KEYS
    assert (told["ratio"], told["holds"], told["samples"]) == (ratio, holds, 7)


def test_a_goal_is_judged_before_rounding() -> None:
    assert not row("as_decisions_vs_openspiel", 399.999, 1, 100.0)["holds"]


def test_a_rate_is_units_over_time_spent() -> None:
    clock = Clock()
    assert rate(lambda: clock.work(0.25), 1.0, clock) == pytest.approx(40)
    assert clock.now == pytest.approx(101)


def test_sides_are_measured_in_turn_after_a_round_that_does_not_count() -> None:
    clock, order = Clock(), list[str]()
    pace = {"ours": iter([9.0, 1.0, 2.0, 8.0]), "peer": (2.0 for _ in count())}

    def side(name: str) -> int:
        order.append(name)
        return clock.work(next(pace[name]))

    effort = replace(QUICK, samples=3)
    found = rates(effort, lambda: side("ours"), lambda: side("peer"), clock=clock)
    assert found == pytest.approx([5, 5])  # the middle of 10, 5 and 1.25
    assert order == ["ours", "peer"] * 4


def test_an_unknown_figure_is_refused() -> None:
    with pytest.raises(InvalidInput, match="kuhn_vs_openspiel"):
        run(["kuhn_vs_everybody"])


def test_the_command_prints_an_object_a_line() -> None:
    result = CliRunner().invoke(main, ["bench", "--json", "--quick", "--only", "kuhn_vs_openspiel"])
    assert result.exit_code == 0
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [list(line) for line in told] == [sorted(KEYS)]
    assert told[0]["figure"] == "kuhn_vs_openspiel"
    assert told[0]["value"] > 10_000
    assert told[0]["peer"] > 10_000


@pytest.mark.parametrize("name", [name for name in FIGURES if name in versus.MEASURES])
def test_every_figure_against_the_peer_can_be_measured(name: str) -> None:
    rows = list(run([name], quick=True))
    assert rows[0]["figure"] == name
    assert rows[0]["ratio"] > 0
