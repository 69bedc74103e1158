"""Every error of docs/contract.md 9 that these RPCs can give, through a real channel."""

import asyncio
import random
from typing import Any

import grpc
import pytest
from emptychair.v1 import game_pb2, observation_pb2, opponent_pb2
from google.protobuf.struct_pb2 import Struct

from engine.faults import Fault, InvalidInput
from server import codec
from server.errors import refusal
from tests.server.asking import KUHN, asked, refused
from tests.server.conftest import Client, Running

INVALID = grpc.StatusCode.INVALID_ARGUMENT
RECOMMEND = "/emptychair.v1.OpponentService/Recommend"


@pytest.mark.parametrize(
    ("fields", "paths"),
    [
        ({"budget": {"iterations": 0}}, ["budget.iterations"]),
        ({"budget": {"iterations": 10**9 + 1}}, ["budget.iterations"]),
        ({"budget": {"time_ms": 600_001, "iterations": -1}}, ["budget.iterations", "budget.time_ms"]),
        ({"level": "casual", "bot": "greedy"}, ["bot"]),
        ({"level": "casual", "parameters": {"c": 1}}, ["parameters"]),
        ({"parameters": {"no_such": 1}}, ["parameters.no_such"]),
        ({"parameters": {"c": "high"}}, ["parameters.c"]),
        ({"max_alternatives": -1, "parallelism": 0}, ["max_alternatives", "parallelism"]),
        ({"language": "xx"}, ["language"]),
        ({"observation": KUHN | {"seat": 9, "moves": ["jump"]}}, ["moves[0]", "seat"]),
        ({"observation": KUHN | {"seat": 9}, "budget": {"time_ms": -5}}, ["budget.time_ms", "seat"]),
        ({"observation": KUHN | {"game": 5}}, ["game"]),
        ({"request_id": "x" * 200}, ["request_id"]),
    ],
)
async def test_what_could_never_be_valid_names_its_places(
    client: Client, fields: dict[str, Any], paths: list[str]
) -> None:
    error = await refused(client.opponent.Recommend(asked(**fields)))
    assert (error.code, error.reason) == (INVALID, "INVALID_INPUT")
    assert sorted(error.paths) == paths
    assert error.request_id


async def test_a_request_without_a_position(client: Client) -> None:
    assert (await refused(client.opponent.Recommend(opponent_pb2.RecommendRequest()))).paths == ["observation"]
    assert (await refused(client.games.ListMoves(game_pb2.ListMovesRequest()))).paths == ["observation"]


async def test_a_message_of_another_game_than_its_field_says(client: Client) -> None:
    message = observation_pb2.Observation(kuhn_poker={"game": "leduc_poker", "seat": 0})
    error = await refused(client.opponent.Recommend(opponent_pb2.RecommendRequest(observation=message)))
    assert (error.code, error.paths) == (INVALID, ["game"])


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"bot": "deep_thought"}, "bot"),
        ({"bot": "os:system"}, "bot"),
        ({"level": "divine"}, "level"),
        ({"observation": {"game": "chess"}}, "game"),
        ({"observation": {"game": "os:path"}}, "game"),
    ],
)
async def test_names_nobody_bears_are_not_found(client: Client, fields: dict[str, Any], path: str) -> None:
    error = await refused(client.opponent.Recommend(asked(**fields)))
    assert (error.code, error.paths, error.reason) == (grpc.StatusCode.NOT_FOUND, [path], "UNKNOWN_NAME")


async def test_a_game_nobody_knows_is_not_found(client: Client) -> None:
    error = await refused(client.games.GetGame(game_pb2.GetGameRequest(game="chess", request_id="q")))
    assert (error.code, error.request_id) == (grpc.StatusCode.NOT_FOUND, "q")


@pytest.mark.parametrize("moves", [["pass"], ["pass", "pass"]], ids=["another seat", "game over"])
async def test_valid_at_another_moment(client: Client, moves: list[str]) -> None:
    form = {"game": "kuhn_poker", "seat": 0, "moves": moves, "players": KUHN["players"]}
    for call in (
        client.opponent.Recommend(asked(form)),
        client.games.ListMoves(game_pb2.ListMovesRequest(observation=codec.write_observation(form))),
    ):
        error = await refused(call)
        assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_NOW")


async def test_what_nobody_foresaw_stays_inside(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("server.codec.write_answer", lambda _: {}["secret detail"])
    error = await refused(client.opponent.Recommend(asked(request_id="dead")))
    assert (error.code, error.reason, error.request_id) == (grpc.StatusCode.INTERNAL, "INTERNAL", "dead")
    assert "secret" not in error.message + str(error.trailers)
    assert "dead" in error.message
    assert "secret detail" in caplog.text  # the log has the trace


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        ("crasher", "bot: found crasher, which raised ZeroDivisionError, expected an answer"),
        ("cheat", "bot: found cheat, which would play 'fly', expected one of pass, bet"),
    ],
)
async def test_a_bot_that_fails_is_told_by_its_name(
    client: Client, doubles: None, caplog: pytest.LogCaptureFixture, bot: str, told: str
) -> None:
    error = await refused(client.opponent.Recommend(asked(bot=bot, request_id="dead")))
    assert (error.code, error.reason, error.request_id) == (grpc.StatusCode.INTERNAL, "BOT_FAILED", "dead")
    assert (error.message, error.paths) == (told, ["bot"])
    assert "secret" not in error.message + str(error.trailers)
    assert "dead" in caplog.text
    assert ("secret detail" in caplog.text) == (bot == "crasher")


async def test_what_is_wrong_with_bot_budget_and_position_is_told_at_once(client: Client) -> None:
    request = asked(KUHN | {"seat": 9}, bot="deep_thought", seed=1, budget={"iterations": 0}, language="xx")
    error = await refused(client.opponent.Recommend(request))
    assert (error.code, sorted(error.paths)) == (INVALID, ["bot", "budget.iterations", "language", "seat"])
    request = asked(parameters={"c": 99, "x": 1}, max_alternatives=-1)
    error = await refused(client.opponent.Recommend(request))
    assert sorted(error.paths) == ["max_alternatives", "parameters.c", "parameters.x"]
    error = await refused(client.opponent.Recommend(asked({"game": "chess"}, bot="deep_thought")))
    assert (error.code, sorted(error.paths)) == (grpc.StatusCode.NOT_FOUND, ["bot", "game"])


async def test_bytes_that_are_no_message(client: Client) -> None:
    raw = client.channel.unary_unary(RECOMMEND)
    generator = random.Random(1)
    seen = set()
    for _ in range(300):
        error = await refused(raw(generator.randbytes(generator.randrange(1, 200))))
        assert error.code is INVALID
        seen.add(error.reason)
    assert "UNREADABLE" in seen


async def test_a_message_over_the_limit(client: Client) -> None:
    error = await refused(client.opponent.Recommend(asked(parameters={"x": "y" * (256 << 10)})))
    assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "MESSAGE_TOO_LARGE")
    assert grpc.StatusCode.OK is await code_of(client, asked(request_id="still here"))


async def code_of(client: Client, request: opponent_pb2.RecommendRequest) -> grpc.StatusCode:
    call = client.opponent.Recommend(request)
    return await call.code()


async def test_a_message_far_over_the_limit_is_refused_by_grpc(client: Client) -> None:
    call = client.opponent.Recommend(asked(parameters={"x": "y" * (9 << 20)}))
    assert await call.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_numbers_that_json_cannot_hold(client: Client) -> None:
    form = Struct()
    form.update({"game": "kuhn_poker"})
    form.fields["seat"].number_value = float("inf")
    request = opponent_pb2.RecommendRequest(observation=observation_pb2.Observation(other=form))
    assert (await refused(client.opponent.Recommend(request))).code is INVALID


async def test_a_thousand_faults_fit_into_an_error(client: Client) -> None:
    form = {"game": "kuhn_poker", "seat": "x" * 10_000, "players": [{"seat": -1, "hand": "y"}] * 1000}
    form |= {"moves": ["ひ" * 1000] * 20}
    message = observation_pb2.Observation(other=codec.write_struct(form))
    error = await refused(client.opponent.Recommend(opponent_pb2.RecommendRequest(observation=message)))
    assert (error.code, len(error.paths) > 4) == (INVALID, True)


async def test_draining_is_told(running: Running) -> None:
    async with running(drain_notice_ms=500) as client:
        stopping = asyncio.create_task(client.front.stop())
        await asyncio.sleep(0.1)
        error = await refused(client.opponent.Recommend(asked(request_id="late")))
        await stopping
    assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, "DRAINING")


def test_an_error_says_how_many_faults_it_leaves_out() -> None:
    told = refusal(InvalidInput([Fault(f"f[{i}]", "1", "2") for i in range(100)]), "id")
    assert b"and 76 more faults" in told.status.SerializeToString()
    assert told.status.ByteSize() < 6000
