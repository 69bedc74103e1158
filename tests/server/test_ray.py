"""The service on Ray: the same answers, and answers whatever becomes of the workers."""

import asyncio
import os
import pickle
import signal
import sys
import time
from collections.abc import AsyncIterator, Sequence
from types import ModuleType

import pytest

import bots
import engine
from bots import Answer, BotFailed, Budget, Request, StopReason
from engine.faults import InvalidInput
from engine.game import View
from server.config import Settings
from server.workers import Work, workers_for
from server.workers.job import RulesDiffer, job_of
from server.workers.pool import Pool, Scale
from server.workers.remote import RayWorkers
from tests.bots.test_shares import middle, timeless
from tests.server import doubles
from tests.server.asking import asked, refused
from tests.server.conftest import Client, a_server
from tests.server.test_analyze import (
    test_a_bot_that_does_not_search_gives_its_answer_at_once,
    test_a_call_that_is_cancelled_stops_its_search,
    test_a_deadline_ends_the_stream_with_a_final_answer,
    test_a_sealed_game_is_analysed_as_its_seat_to_move_sees_it,
    test_answers_grow_and_one_is_final,
    test_moves_are_left_out_and_rated_as_asked,
    test_the_final_answer_is_that_of_recommend,
)
from tests.server.test_errors import test_what_is_wrong_with_bot_budget_and_position_is_told_at_once
from tests.server.test_load import until
from tests.server.test_recommend import (
    test_a_budget_of_time_is_used,
    test_a_deadline_shorter_than_the_budget_is_met,
    test_a_plan_comes_back,
    test_an_answer_is_the_same_without_the_wire,
    test_of_two_limits_the_first_counts,
    test_requests_side_by_side_do_not_change_each_other,
    test_what_was_assumed_and_what_was_odd_is_told,
)

__all__ = [
    "test_a_bot_that_does_not_search_gives_its_answer_at_once",
    "test_a_budget_of_time_is_used",
    "test_a_call_that_is_cancelled_stops_its_search",
    "test_a_deadline_ends_the_stream_with_a_final_answer",
    "test_a_deadline_shorter_than_the_budget_is_met",
    "test_a_plan_comes_back",
    "test_a_sealed_game_is_analysed_as_its_seat_to_move_sees_it",
    "test_an_answer_is_the_same_without_the_wire",
    "test_answers_grow_and_one_is_final",
    "test_moves_are_left_out_and_rated_as_asked",
    "test_of_two_limits_the_first_counts",
    "test_requests_side_by_side_do_not_change_each_other",
    "test_the_final_answer_is_that_of_recommend",
    "test_what_is_wrong_with_bot_budget_and_position_is_told_at_once",
    "test_what_was_assumed_and_what_was_odd_is_told",
]

AS = engine.load("arctic_scavengers")
RAY = {"ray": "local", "workers": 2}

pytestmark = [pytest.mark.usefixtures("ray_cluster"), pytest.mark.timeout(180)]


@pytest.fixture(scope="session")
async def client(ray_cluster: str) -> AsyncIterator[Client]:
    """A server whose workers are Ray actors, for all tests here that leave it as it was."""
    async with a_server(**RAY) as made:
        yield made


@pytest.fixture
def workers(client: Client) -> RayWorkers:
    assert isinstance(client.workers, RayWorkers)
    return client.workers


def work(request: Request, bot: str = "ismcts", within_s: float | None = None, view: View | None = None) -> Work:
    now = time.monotonic()
    return Work(bots.make(bot), view or middle(), request, now, None if within_s is None else now + within_s)


async def pids(workers: RayWorkers) -> list[int]:
    """The processes of the workers that are free."""
    return [await worker.actor.__ray_call__.remote(lambda desk: os.getpid()) for worker in workers.pool.free]


def kill(processes: Sequence[int]) -> None:
    for pid in processes:
        os.kill(pid, signal.SIGKILL)


def free(workers: RayWorkers) -> int:
    return len(workers.pool.free)


@pytest.mark.parametrize("bot", ["ismcts", "pimc", "greedy", "random"])
@pytest.mark.parametrize("parallelism", [1, 2, 5])
async def test_iterations_are_answered_as_in_this_process(workers: RayWorkers, bot: str, parallelism: int) -> None:
    rated = () if bot in ("greedy", "random") else (middle().moves()[-1].text,)
    request = Request(Budget(iterations=900), seed=6, parallelism=parallelism, evaluate_moves=rated)
    assert timeless(await workers.search(work(request, bot))) == timeless(
        bots.advise(bots.make(bot), middle(), request)
    )


async def test_a_budget_of_time_holds_for_two_workers(workers: RayWorkers) -> None:
    answer = await workers.search(work(Request(Budget(time_ms=400), seed=1, parallelism=2)))
    assert answer.stop_reason is StopReason.BUDGET
    assert not answer.degraded
    assert not answer.incomplete
    assert 300 < answer.elapsed_ms + answer.queue_ms < 2000


async def test_who_follows_a_search_of_two_workers_sees_both(workers: RayWorkers) -> None:
    seen: list[Answer] = []
    request = Request(Budget(iterations=60_000), seed=1, parallelism=2, report=seen.append, report_ms=50)
    last = await workers.search(work(request))
    iterations = [answer.iterations for answer in seen]
    assert iterations == sorted(iterations)
    assert len(iterations) > 2
    assert last.iterations == 60_000
    assert {answer.stop_reason for answer in seen} == {StopReason.UNSPECIFIED}


async def test_a_lost_share_of_iterations_is_searched_again(workers: RayWorkers) -> None:
    request = Request(Budget(iterations=40_000), seed=6, parallelism=2)
    victims = await pids(workers)
    search = asyncio.ensure_future(workers.search(work(request)))
    await asyncio.sleep(0.4)
    assert not search.done()
    kill(victims[:1])
    answer = await search
    assert timeless(answer) == timeless(bots.advise(bots.make("ismcts"), middle(), request))
    await until(lambda: free(workers) == 2)


async def test_without_workers_an_answer_is_made_of_what_they_told(workers: RayWorkers) -> None:
    victims = await pids(workers)
    search = asyncio.ensure_future(
        workers.search(work(Request(Budget(time_ms=1200), seed=6, parallelism=2), within_s=3))
    )
    await asyncio.sleep(0.7)
    kill(victims)
    answer = await search
    assert answer.iterations > 0
    assert answer.degraded
    assert answer.incomplete
    assert answer.queue_ms + answer.elapsed_ms < 2000
    await until(lambda: free(workers) == 2)


async def test_where_nothing_was_told_the_front_plays_by_itself(workers: RayWorkers) -> None:
    kill(await pids(workers))
    request = Request(Budget(time_ms=300), seed=6)
    answer = await workers.search(work(request, within_s=1))
    greedy = bots.advise(bots.make("greedy"), middle(), request)
    assert answer.plan == greedy.plan
    assert (answer.iterations, answer.degraded, answer.incomplete) == (0, True, True)
    await until(lambda: free(workers) == 2)


async def test_who_set_no_deadline_is_answered_when_its_budget_ends(workers: RayWorkers) -> None:
    taken = await workers.pool.take(2)
    try:
        answer = await asyncio.wait_for(workers.search(work(Request(Budget(time_ms=200), seed=6))), 10)
    finally:
        for worker in taken:
            workers.pool.give(worker)
    assert (answer.iterations, answer.degraded, answer.incomplete) == (0, True, True)
    assert answer.stop_reason is StopReason.BUDGET


async def test_a_lost_worker_is_replaced_though_nobody_asked_it(workers: RayWorkers) -> None:
    victims = await pids(workers)
    kill(victims)
    await until(lambda: free(workers) == 0)
    await until(lambda: free(workers) == 2)
    assert not set(await pids(workers)) & set(victims)


async def test_a_caller_who_leaves_frees_its_workers(workers: RayWorkers) -> None:
    search = asyncio.ensure_future(workers.search(work(Request(Budget(time_ms=60_000), parallelism=2))))
    await until(lambda: workers.busy == 2)
    search.cancel()
    await until(lambda: workers.busy == 0, 5)
    assert free(workers) == 2


async def test_a_stop_gives_what_was_found_and_nothing_waits_on(ray_cluster: str) -> None:
    with workers_for(Settings(ray="local", workers=1), ["arctic_scavengers"]) as workers:
        await workers.start()
        searches = [asyncio.ensure_future(workers.search(work(Request(Budget(time_ms=60_000))))) for _ in range(3)]
        await until(lambda: workers.busy == 3)
        await asyncio.sleep(0.3)
        workers.interrupt()
        for answer in await asyncio.wait_for(asyncio.gather(*searches), 10):
            assert answer.stop_reason is StopReason.CANCELLED
            assert answer.iterations > 0
        await workers.close()


async def test_more_requests_than_places_are_refused(ray_cluster: str) -> None:
    async with a_server(**RAY | {"workers": 1, "queue": 1}) as client:
        slow = [asyncio.ensure_future(client.opponent.Recommend(asked(budget={"time_ms": 700}))) for _ in range(2)]
        await until(lambda: client.workers.busy == 2)
        error = await refused(client.opponent.Recommend(asked()))
        assert error.reason == "OVERLOADED"
        await asyncio.gather(*slow)


async def test_workers_come_when_requests_wait_and_go_when_idle(ray_cluster: str) -> None:
    settings = Settings(ray="local", workers=1, max_workers=2, worker_idle_s=2)
    with workers_for(settings, ["kuhn_poker"]) as workers:
        assert isinstance(workers, RayWorkers)
        await workers.start()
        searches = [asyncio.ensure_future(workers.search(work(Request(Budget(time_ms=6000))))) for _ in range(2)]
        answers = await asyncio.gather(*searches)
        assert all(answer.iterations > 0 for answer in answers)
        await until(lambda: free(workers) == 2, 20)
        await until(lambda: free(workers) == 1, 20)
        await workers.close()


async def test_workers_that_never_come_are_not_waited_for(ray_cluster: str) -> None:
    settings = Settings(ray="local", workers=1, max_workers=9, worker_idle_s=2)  # more than there are CPUs for
    with workers_for(settings, ["kuhn_poker"]) as workers:
        assert isinstance(workers, RayWorkers)
        await workers.start()
        pool, asked = workers.pool, Request(Budget(time_ms=1500))
        await asyncio.gather(*(workers.search(work(asked)) for _ in range(9)))
        await until(lambda: len(pool._all) == 1)
        assert free(workers) == 1, "one that is warm stays"
        await workers.close()


async def test_a_front_without_workers_says_so(ray_cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.workers.pool.LOST_S", 2.0)
    with workers_for(Settings(ray="local", workers=1), ["kuhn_poker"]) as workers:
        assert isinstance(workers, RayWorkers)
        await workers.start()
        lost = asyncio.ensure_future(workers.lost())
        await asyncio.sleep(3)
        assert not lost.done()
        workers.pool._about = workers.pool._about._replace(bots="0" * 16)
        await asyncio.wait_for(lost, 30)
        await workers.close()


async def test_a_bot_that_ends_its_process_does_not_end_the_service(workers: RayWorkers) -> None:
    asked = work(Request(Budget(time_ms=300), seed=6), within_s=2)
    answer = await workers.search(asked._replace(bot=doubles.Quitter()))
    assert (answer.iterations, answer.degraded, answer.incomplete) == (0, True, True)
    await until(lambda: free(workers) == 2)


async def test_a_bot_that_does_not_stop_is_ended(workers: RayWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.workers.pool.STUCK_S", 0.5)
    answer = await workers.search(work(Request(Budget(time_ms=200)), within_s=2)._replace(bot=doubles.Deaf()))
    assert (answer.iterations, answer.degraded, answer.incomplete) == (0, True, True)
    await until(lambda: free(workers) == 2)


async def test_a_bot_that_cannot_be_sent_is_told_by_its_name(workers: RayWorkers) -> None:
    with pytest.raises(BotFailed, match="sealed, which cannot be sent to a worker"):
        await workers.search(work(Request())._replace(bot=doubles.Sealed()))
    assert free(workers) == 2


async def test_a_strangers_search_is_not_split(workers: RayWorkers) -> None:
    request = Request(Budget(iterations=100), seed=1, parallelism=2)
    answer = await workers.search(work(request)._replace(bot=doubles.Loner()))
    assert answer.explanation == "My own way."


async def test_a_bot_that_fails_is_told_by_its_name_on_ray_too(workers: RayWorkers) -> None:
    with pytest.raises(BotFailed, match="crasher, which raised ZeroDivisionError") as caught:
        await workers.search(work(Request())._replace(bot=doubles.Crasher()))
    assert "doubles.py, line" in caught.value.cause
    assert free(workers) == 2


async def test_a_bot_that_workers_do_not_have_is_told(workers: RayWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("only_here")
    only_here = type("OnlyHere", (doubles.Cheat,), {"__module__": "only_here"})
    monkeypatch.setattr(module, "OnlyHere", only_here, raising=False)
    monkeypatch.setitem(sys.modules, "only_here", module)
    with pytest.raises(BotFailed, match="a bot that it has"):
        await workers.search(work(Request())._replace(bot=only_here()))
    assert free(workers) == 2


async def test_a_bad_question_is_told_before_a_worker_is_asked(workers: RayWorkers) -> None:
    with pytest.raises(InvalidInput, match="only_moves") as caught:
        await workers.search(work(Request(only_moves=("fly",))))
    assert [fault.path for fault in caught.value.faults] == ["only_moves[0]"]


async def test_workers_of_other_rules_are_refused(ray_cluster: str) -> None:
    pool = Pool({"kuhn_poker": engine.GAMES.paths["kuhn_poker"]}, Scale(1, 1, 60))
    pool._about = pool._about._replace(rules={"kuhn_poker": "0" * 16})
    with pytest.raises(InvalidInput, match="rules kuhn_poker 0000000000000000") as caught:
        await pool.start()
    assert [fault.path for fault in caught.value.faults] == ["ray"]
    await pool.close()


async def test_a_front_of_other_rules_is_refused(workers: RayWorkers) -> None:
    asked = work(Request(seed=1))
    job = job_of(asked, asked.request, None)
    for other in (job._replace(rules_hash="0" * 16), job._replace(bots_hash="0" * 16)):
        with pytest.raises(RulesDiffer, match="0000000000000000"):
            other.view()
        call = workers.pool.call((await workers.pool.take(1))[0], other)
        assert await call.ended(10)
        workers.pool.back(call)
        assert isinstance(call.future.exception(), RulesDiffer)
        assert free(workers) == 1, "who plays by other rules is not asked again until it is compared"
        await until(lambda: free(workers) == 2)


async def test_a_worker_that_came_back_with_other_rules_is_not_used(ray_cluster: str) -> None:
    with workers_for(Settings(ray="local", workers=1), ["kuhn_poker"]) as workers:
        assert isinstance(workers, RayWorkers)
        await workers.start()
        workers.pool._about = workers.pool._about._replace(bots="0" * 16)
        await until(lambda: free(workers) == 0)
        answer = await workers.search(work(Request(Budget(time_ms=100))))
        assert (answer.iterations, answer.degraded, answer.incomplete) == (0, True, True)
        await workers.close()


async def test_more_workers_than_cpus_are_told(ray_cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.workers.pool.START_S", 6.0)
    pool = Pool({"kuhn_poker": engine.GAMES.paths["kuhn_poker"]}, Scale(9, 9, 60))
    with pytest.raises(InvalidInput, match="each on a CPU of its own") as caught:
        await pool.start()
    assert [fault.path for fault in caught.value.faults] == ["workers"]
    await pool.close()


async def test_a_game_that_workers_cannot_load_is_told(ray_cluster: str) -> None:
    pool = Pool({"kuhn_poker": engine.GAMES.paths["kuhn_poker"]}, Scale(1, 1, 60))
    pool._games = {"nowhere": "nowhere.to:be_found"}
    with pytest.raises(InvalidInput, match="nowhere") as caught:
        await pool.start()
    assert [fault.path for fault in caught.value.faults] == ["ray"]
    assert "Traceback" not in str(caught.value)
    await pool.close()


@pytest.mark.parametrize("seed", range(5))
async def test_what_is_sent_tells_nothing_that_the_seat_does_not_know(seed: int) -> None:
    """Two games that the seat cannot tell apart send the same bytes."""
    state = AS.setup(3).new(seed)
    for move in (0, 1, 2, 1, 0, 2, 1):
        state.play(state.legal()[move % len(state.legal())])
    view = state.view(state.to_move)
    other = view.world(seed + 1)
    assert other.tobytes() != state.tobytes()
    request = Request(Budget(iterations=10), seed=seed)
    sent = [pickle.dumps(job_of(work(request, view=v), request, None)) for v in (view, other.view(view.seat))]
    assert sent[0] == sent[1]
