"""OpponentService.Recommend through a real channel: budgets, deadlines, seeds, retries."""

import asyncio
import time

import pytest
from emptychair.v1 import opponent_pb2

from bots.levels import LEVELS
from engine.game import ENGINE_VERSION
from server import codec
from server.order import read_order, read_view
from tests.server.asking import KUHN, asked
from tests.server.conftest import Client, Running


def timeless(advice: opponent_pb2.Recommendation) -> bytes:
    """The answer's bytes, apart from how long it took."""
    copy = opponent_pb2.Recommendation()
    copy.CopyFrom(advice)
    copy.elapsed_ms = copy.queue_ms = 0
    return copy.SerializeToString(deterministic=True)


async def test_a_plan_comes_back(client: Client) -> None:
    reply = await client.opponent.Recommend(asked(seed=7, request_id="mine"))
    advice = reply.recommendation
    assert reply.request_id == "mine"
    assert [step.move for step in advice.plan] in (["pass"], ["bet"])
    assert advice.plan[0].fields["action"] == advice.plan[0].move
    assert (advice.iterations, advice.seed) == (200, 7)
    assert advice.stop_reason == opponent_pb2.STOP_REASON_BUDGET
    assert advice.engine_version == ENGINE_VERSION
    assert len(advice.rules_hash) == 16
    assert {other.plan[0].move for other in advice.alternatives} == {"pass", "bet"}
    assert sum(other.visits for other in advice.alternatives) == 200
    assert all(len(other.win_chance) == 2 for other in advice.alternatives)


async def test_equal_questions_get_equal_answers(client: Client) -> None:
    one, other = [await client.opponent.Recommend(asked(seed=5, parallelism=3)) for _ in range(2)]
    assert timeless(one.recommendation) == timeless(other.recommendation)


async def test_an_answer_is_the_same_without_the_wire(client: Client) -> None:
    bot, request = read_order({"seed": 11, "budget": {"iterations": 500}})
    direct = codec.write_answer(bot.recommend(read_view(KUHN), request))
    reply = await client.opponent.Recommend(asked(seed=11, budget={"iterations": 500}))
    assert timeless(reply.recommendation) == timeless(direct)


async def test_no_seed_given_one_is_drawn_and_repeats_the_answer(client: Client) -> None:
    drawn = (await client.opponent.Recommend(asked())).recommendation
    again = (await client.opponent.Recommend(asked(seed=drawn.seed))).recommendation
    assert timeless(again) == timeless(drawn)


@pytest.mark.parametrize(("budget", "low_ms", "high_ms"), [({"time_ms": 200}, 190, 2000), ({}, 950, 5000)])
async def test_a_budget_of_time_is_used(client: Client, budget: dict[str, int], low_ms: int, high_ms: int) -> None:
    begun = time.monotonic()
    advice = (await client.opponent.Recommend(asked(budget=budget))).recommendation
    assert low_ms <= advice.queue_ms + advice.elapsed_ms <= (time.monotonic() - begun) * 1000 <= high_ms
    assert advice.stop_reason == opponent_pb2.STOP_REASON_BUDGET


async def test_of_two_limits_the_first_counts(client: Client) -> None:
    few = (await client.opponent.Recommend(asked(budget={"iterations": 100, "time_ms": 600_000}))).recommendation
    short = (await client.opponent.Recommend(asked(budget={"iterations": 10**9, "time_ms": 100}))).recommendation
    assert few.iterations == 100
    assert 0 < short.iterations < 10**9
    assert 95 <= short.queue_ms + short.elapsed_ms <= 1000


@pytest.mark.parametrize("budget", [{"time_ms": 60_000}, {"iterations": 10**9}])
async def test_a_deadline_shorter_than_the_budget_is_met(client: Client, budget: dict[str, int]) -> None:
    advice = (await client.opponent.Recommend(asked(budget=budget), timeout=0.4)).recommendation
    assert advice.stop_reason == opponent_pb2.STOP_REASON_DEADLINE
    assert advice.plan
    assert 250 <= advice.elapsed_ms <= 400


@pytest.mark.parametrize("level", LEVELS)
async def test_a_level_stands_for_bot_and_budget(client: Client, level: str) -> None:
    request = asked(level=level, seed=1)
    request.ClearField("budget")
    row = LEVELS[level]
    advice = (await client.opponent.Recommend(request)).recommendation
    named = asked(bot=row.bot, seed=1, budget={"iterations": row.budget.iterations})
    assert timeless(advice) == timeless((await client.opponent.Recommend(named)).recommendation)


async def test_an_explicit_budget_wins_over_that_of_the_level(client: Client) -> None:
    advice = (await client.opponent.Recommend(asked(level="expert", budget={"iterations": 64}))).recommendation
    assert advice.iterations == 64


async def test_a_retry_gets_the_same_reply_and_other_content_does_not(client: Client) -> None:
    first, retry = [await client.opponent.Recommend(asked(request_id="r1")) for _ in range(2)]
    other = await client.opponent.Recommend(asked(request_id="r1", budget={"iterations": 300}))
    assert retry == first  # seeds are drawn: a second search would show
    assert other.recommendation.iterations == 300


async def test_retries_while_the_first_try_is_under_way_get_its_reply(client: Client) -> None:
    asked_thrice = asked(request_id="r2", budget={"time_ms": 100})
    first, *retries = await asyncio.gather(*(client.opponent.Recommend(asked_thrice) for _ in range(3)))
    assert retries == [first, first]


async def test_the_wait_counts_against_the_budget(running: Running, doubles: None) -> None:
    async with running(workers=1) as client:
        call = [client.opponent.Recommend(asked(bot="sleeper", budget={"time_ms": 300})) for _ in range(3)]
        advice = [(await reply).recommendation for reply in call]
    waits = sorted(a.queue_ms for a in advice)
    assert waits[0] < 100 < 250 < waits[1] <= waits[2]
    assert all(a.queue_ms + a.elapsed_ms < 1000 for a in advice)


async def test_words_in_the_language_asked_for(client: Client) -> None:
    reply = await client.opponent.Recommend(asked(language="ja"))
    assert not (reply.recommendation.plan[0].words + reply.recommendation.explanation).isascii()


async def test_no_alternatives_when_none_are_wanted(client: Client) -> None:
    advice = (await client.opponent.Recommend(asked(max_alternatives=0))).recommendation
    assert advice.plan
    assert not advice.alternatives


async def test_what_was_assumed_and_what_was_odd_is_told(client: Client) -> None:
    observation = {name: value for name, value in KUHN.items() if name != "seats"}
    advice = (await client.opponent.Recommend(asked(observation))).recommendation
    assert any(line.startswith("seats") for line in advice.assumptions)


async def test_requests_side_by_side_do_not_change_each_other(client: Client) -> None:
    replies = await asyncio.gather(*(client.opponent.Recommend(asked(seed=s % 3)) for s in range(12)))
    answers = [timeless(reply.recommendation) for reply in replies]
    assert answers == answers[:3] * 4
