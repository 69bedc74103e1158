"""OpponentService.Analyze through a real channel: growing answers, one final, and searches that are called off."""

import asyncio
import time

import grpc
import pytest
from emptychair.v1 import game_pb2, opponent_pb2

from server import codec
from tests.server.asking import KUHN, analysed, asked
from tests.server.conftest import Client, Running
from tests.server.test_recommend import timeless

Responses = list[opponent_pb2.AnalyzeResponse]


async def analysis(client: Client, request: opponent_pb2.AnalyzeRequest) -> Responses:
    return await rest(client.opponent.Analyze(request))


async def rest(call: grpc.aio.UnaryStreamCall[opponent_pb2.AnalyzeRequest, opponent_pb2.AnalyzeResponse]) -> Responses:
    """What is still to come of a call."""
    responses = []
    while (response := await call.read()) is not grpc.aio.EOF:
        responses.append(response)
    return responses


async def test_answers_grow_and_one_is_final(client: Client) -> None:
    responses = await analysis(client, analysed(request_id="mine", seed=3))
    assert [r.final for r in responses] == [False] * (len(responses) - 1) + [True]
    assert len(responses) > 2
    counts = [r.recommendation.iterations for r in responses]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]
    assert {r.request_id for r in responses} == {"mine"}
    reasons = {r.recommendation.stop_reason for r in responses[:-1]}
    assert reasons == {opponent_pb2.STOP_REASON_UNSPECIFIED}
    assert responses[-1].recommendation.stop_reason == opponent_pb2.STOP_REASON_BUDGET
    assert all(r.recommendation.plan and r.recommendation.alternatives for r in responses)


async def test_the_final_answer_is_that_of_recommend(client: Client) -> None:
    fields = {"seed": 3, "budget": {"iterations": 200_000}, "parallelism": 2, "evaluate_moves": ["bet"]}
    final = (await analysis(client, analysed(**fields)))[-1]
    assert timeless(final.recommendation) == timeless((await client.opponent.Recommend(asked(**fields))).recommendation)


async def test_a_bot_that_does_not_search_gives_its_answer_at_once(client: Client) -> None:
    responses = await analysis(client, analysed(bot="greedy"))
    assert [r.final for r in responses] == [True]


async def test_a_sealed_game_is_analysed_as_its_seat_to_move_sees_it(client: Client) -> None:
    game = await client.games.NewGame(game_pb2.NewGameRequest(game="kuhn_poker", seed=5))
    seen = await client.games.Observe(game_pb2.ObserveRequest(sealed=game.sealed, seat_token=game.seat_tokens[0]))
    fields = {"seed": 3, "budget": {"iterations": 500}}
    sealed = opponent_pb2.AnalyzeRequest(sealed=game.sealed, **fields)
    observed = opponent_pb2.AnalyzeRequest(observation=seen.observation, **fields)
    one, other = [(await analysis(client, request))[-1].recommendation for request in (sealed, observed)]
    other.ClearField("assumptions")
    assert timeless(one) == timeless(other)


async def test_a_call_that_is_cancelled_stops_its_search(client: Client) -> None:
    call = client.opponent.Analyze(analysed(budget={"time_ms": 600_000}))
    await call.read()
    assert client.workers.busy == 1
    call.cancel()
    begun = time.monotonic()
    while client.workers.busy:
        assert time.monotonic() - begun < 2
        await asyncio.sleep(0.001)


async def test_a_deadline_ends_the_stream_with_a_final_answer(client: Client) -> None:
    call = client.opponent.Analyze(analysed(budget={"time_ms": 60_000}), timeout=0.5)
    responses = await rest(call)
    assert responses[-1].final
    assert responses[-1].recommendation.stop_reason == opponent_pb2.STOP_REASON_DEADLINE


async def test_a_server_that_stops_ends_analyses_with_what_they_have(running: Running) -> None:
    async with running(drain_grace_ms=1000) as client:
        call = client.opponent.Analyze(analysed(budget={"time_ms": 60_000}))
        await call.read()
        stopping = asyncio.create_task(client.front.stop())
        responses = await rest(call)
        assert responses[-1].final
        assert responses[-1].recommendation.stop_reason == opponent_pb2.STOP_REASON_CANCELLED
        await stopping


async def test_a_slow_reader_is_told_what_is_new(client: Client) -> None:
    call = client.opponent.Analyze(analysed(report_interval_ms=10))
    first = await call.read()
    await asyncio.sleep(1.2)
    later = await rest(call)
    assert first.recommendation.iterations < later[-1].recommendation.iterations
    assert later[-1].final


async def test_an_analysis_of_nothing_is_refused(client: Client) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await analysis(client, opponent_pb2.AnalyzeRequest())
    assert error.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_moves_are_left_out_and_rated_as_asked(client: Client) -> None:
    fields = {"seed": 1, "avoid_moves": ["pass"], "evaluate_moves": ["pass"], "max_alternatives": 1}
    advice = (await client.opponent.Recommend(asked(KUHN, **fields))).recommendation
    assert [other.plan[0].move for other in advice.alternatives] == ["bet", "pass"]
    assert [other.visits for other in advice.alternatives] == [150, 50]
    only = (await client.opponent.Recommend(asked(KUHN, seed=1, only_moves=["bet"]))).recommendation
    assert [step.move for step in only.plan] == ["bet"]
    assert codec.read_json(only)["stop_reason"] == "STOP_REASON_BUDGET"
