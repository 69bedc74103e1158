"""The simulation against queueing theory, and what it makes of budgets, refusals and losses."""

from dataclasses import replace

import pytest

from server.bench.scaling.plans import Demand, Plan, Turnover
from server.bench.scaling.simulation import simulate
from server.bench.scaling.theory import erlang_b, erlang_c, mean_wait, workers_for

SECOND = Demand(exponential_s=1.0)
OPEN = Plan(SECOND, workers=4, queue=10_000, rate=3.0, settle_s=100, seconds=4000)
TIMED = Plan(Demand(time_s=1.0, least_s=(0.01,)), workers=2, queue=32, clients=2, seconds=60)


@pytest.mark.parametrize(("workers", "load", "waits"), [(1, 0.5, 0.5), (2, 1.0, 1 / 3), (3, 2.0, 4 / 9), (2, 2.0, 1.0)])
def test_erlang_c(workers: int, load: float, waits: float) -> None:
    assert erlang_c(workers, load) == pytest.approx(waits)


def test_as_few_workers_as_keep_calls_from_waiting() -> None:
    needed = workers_for(90.0, waiting=0.05)
    assert erlang_c(needed, 90.0) <= 0.05 < erlang_c(needed - 1, 90.0)


@pytest.mark.parametrize(("workers", "rate"), [(1, 0.7), (4, 3.0), (16, 13.0)])
def test_waiting_is_that_of_theory(workers: int, rate: float) -> None:
    result = simulate(replace(OPEN, workers=workers, rate=rate, seconds=12_000 / rate))
    assert result.waiting == pytest.approx(erlang_c(workers, rate), rel=0.1)
    assert result.waited_s == pytest.approx(mean_wait(workers, rate, 1.0), rel=0.15)
    assert result.workers_busy == pytest.approx(rate / workers, rel=0.03)


def test_refusals_without_a_queue_are_those_of_theory() -> None:
    refused = simulate(replace(OPEN, queue=0)).outcome.refused
    assert refused == pytest.approx(erlang_b(4, 3.0), rel=0.05)


def test_a_front_of_one_core_bounds_the_throughput() -> None:
    plan = Plan(Demand(work_s=(0.001,)), workers=8, queue=32, clients=16, read_s=0.006, write_s=0.004)
    result = simulate(plan)
    assert result.outcome.throughput == pytest.approx(100, rel=0.02)
    assert result.front_busy == pytest.approx(1.0, abs=0.01)


def test_a_request_is_refused_before_it_is_read() -> None:
    """While the one worker searches, the front is busy with nothing but refusals."""
    plan = Plan(
        Demand(work_s=(0.2,)), workers=1, queue=0, clients=20, read_s=0.02, refuse_s=0.001, settle_s=10, seconds=60
    )
    result = simulate(plan)
    answers, refusals = result.outcome.throughput, result.outcome.refused
    assert refusals > 0.9
    per_second = answers * refusals / (1 - refusals)
    assert result.front_busy == pytest.approx(answers * 0.02 + per_second * 0.001, rel=0.05)


def test_waiting_counts_as_used_budget() -> None:
    result = simulate(replace(TIMED, workers=1))
    assert result.outcome.p99_ms == pytest.approx(1000, rel=0.02)
    assert result.outcome.used == pytest.approx(0.5, abs=0.05)  # two at a time share one worker


def test_the_same_seed_gives_the_same_result() -> None:
    plan = replace(OPEN, seconds=100)
    assert simulate(plan) == simulate(plan)
    assert simulate(plan) != simulate(plan, seed=2)


def test_a_client_that_is_refused_comes_again_when_told() -> None:
    plan = Plan(Demand(work_s=(0.1,)), workers=1, queue=0, clients=2, seconds=60)
    outcome = simulate(plan).outcome
    assert 0.3 < outcome.refused < 0.8
    assert outcome.throughput > 5


def test_one_process_runs_python_for_one_at_a_time() -> None:
    alone = Plan(Demand(work_s=(0.001,)), workers=2, queue=32, clients=8, python_s=0.01, one_process=True)
    both = [simulate(replace(alone, one_process=one)).outcome.throughput for one in (True, False)]
    assert both == pytest.approx([100, 2000 / 11], rel=0.03)


def test_searches_on_too_few_cores_take_turns_with_other_work() -> None:
    plan = Plan(Demand(work_s=(0.05,)), workers=2, queue=32, clients=4, shared_cores=2)
    free = simulate(plan).outcome.throughput
    shared = simulate(replace(plan, client_s=0.02)).outcome.throughput
    assert free == pytest.approx(40, rel=0.03)
    assert shared == pytest.approx(2 / 0.07, rel=0.1)  # a core's second goes to searches and to those who ask


def test_the_way_to_a_worker_keeps_it_but_is_part_of_a_budget_in_time() -> None:
    untimed = Plan(Demand(work_s=(0.04,)), workers=1, queue=32, clients=4, extra_s=0.01, seconds=60)
    assert simulate(untimed).outcome.throughput == pytest.approx(20, rel=0.01)
    timed = simulate(replace(TIMED, extra_s=0.01)).outcome
    assert timed.p50_ms == pytest.approx(simulate(TIMED).outcome.p50_ms, rel=0.001)


def test_a_lost_worker_costs_a_search_with_time_its_share_alone() -> None:
    plan = replace(TIMED, changes=(Turnover(10.5, -1),), notice_s=5.0)
    whole, outcome = simulate(TIMED).outcome, simulate(plan).outcome
    assert outcome.p99_ms < 1100
    assert 0.4 < outcome.used < whole.used


def test_a_lost_worker_has_its_work_done_again() -> None:
    plan = Plan(Demand(work_s=(1.0,)), workers=2, queue=32, clients=2, changes=(Turnover(10.5, -1),), notice_s=1.5)
    outcome = simulate(replace(plan, replace_s=3.0, seconds=30)).outcome
    assert outcome.refused == 0
    assert outcome.p99_ms > 2000  # one of 57: half a second, the notice, the search anew


def test_a_pool_grows_by_one_for_each_request_that_begins_to_wait() -> None:
    """Of four, one is searched and three wait, once: for long, but no more than three workers are asked for."""
    plan = Plan(Demand(work_s=(20.0,)), workers=1, queue=32, clients=4, max_workers=9, grow_s=5, settle_s=30)
    result = simulate(replace(plan, seconds=120))
    assert result.outcome.p50_ms == pytest.approx(20_000, rel=0.01)
    assert result.workers_busy > 0.8  # of nine it would be less than a half


def test_a_pool_grows_when_requests_wait() -> None:
    plan = replace(TIMED, workers=1, clients=4, seconds=60)
    grown = replace(plan, max_workers=4, grow_s=10)
    assert simulate(plan).outcome.used < 0.3
    assert simulate(replace(grown, settle_s=15)).outcome.used > 0.95
