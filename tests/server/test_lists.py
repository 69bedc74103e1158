"""GameService, ListBots, health and reflection through a real channel."""

import grpc
import pytest
from emptychair.v1 import game_pb2, observation_pb2, opponent_pb2
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

import bots
import engine
from bots.levels import LEVELS
from engine.game import Game
from server import codec
from tests.server.asking import KUHN, refused
from tests.server.conftest import Client, Running

SERVICES = ("emptychair.v1.GameService", "emptychair.v1.OpponentService")


async def test_the_games(client: Client) -> None:
    reply = await client.games.ListGames(game_pb2.ListGamesRequest(language="ja", request_id="a"))
    assert [game.name for game in reply.games] == engine.names()
    kuhn = next(game for game in reply.games if game.name == "kuhn_poker")
    assert (kuhn.title, kuhn.min_seats, kuhn.max_seats) == ("クーンポーカー", 2, 2)
    assert (reply.request_id, reply.engine_version) == ("a", engine.game.ENGINE_VERSION)


def descriptions(game: Game, language: str) -> dict[str, str]:
    """What each house rule decides, by its name."""
    return {switch: game.switch_descriptions[switch][language] for switch in game.switches}


@pytest.mark.parametrize("name", engine.names())
async def test_one_game_with_a_template_that_is_valid_as_it_stands(client: Client, name: str) -> None:
    game = engine.load(name)
    reply = await client.games.GetGame(game_pb2.GetGameRequest(game=name))
    assert reply.game.title == game.titles["en"]
    assert (reply.min_return, reply.max_return) == (game.min_return, game.max_return)
    assert list(reply.modules) == list(game.modules)
    switches = {s.name: [codec.read_json(v) for v in s.values] for s in reply.switches}
    assert switches == {switch: list(values) for switch, values in game.switches.items()}
    assert all(s.default_value == s.values[0] for s in reply.switches)
    assert {s.name: s.description for s in reply.switches} == descriptions(game, "en")
    reply_ja = await client.games.GetGame(game_pb2.GetGameRequest(game=name, language="ja"))
    assert {s.name: s.description for s in reply_ja.switches} == descriptions(game, "ja")
    assert reply.template.WhichOneof("game") == name
    view = game.view_from_json(game.template())
    assert game.view_from_json(codec.read_observation(reply.template)).tobytes() == view.tobytes()
    moves = await client.games.ListMoves(game_pb2.ListMovesRequest(observation=reply.template))
    assert [move.text for move in moves.moves] == [move.text for move in view.moves()]


async def test_legal_moves_in_words_and_taken_apart(client: Client) -> None:
    request = game_pb2.ListMovesRequest(observation=codec.write_observation(KUHN), language="ja", request_id="b")
    reply = await client.games.ListMoves(request)
    assert reply.request_id == "b"
    assert {move.text: dict(move.fields) for move in reply.moves} == {
        "pass": {"action": "pass"},
        "bet": {"action": "bet"},
    }
    assert all(not move.words.isascii() for move in reply.moves)


async def test_a_game_without_a_message_of_its_own_comes_as_json(client: Client) -> None:
    typed = codec.write_observation(KUHN)
    other = observation_pb2.Observation(other=codec.write_struct(KUHN))
    replies = [await client.games.ListMoves(game_pb2.ListMovesRequest(observation=o)) for o in (typed, other)]
    assert replies[0].moves == replies[1].moves


async def test_the_bots_and_levels(client: Client) -> None:
    reply = await client.opponent.ListBots(opponent_pb2.ListBotsRequest(request_id="c"))
    assert [bot.name for bot in reply.bots] == bots.names()
    assert all(bot.description for bot in reply.bots)
    ismcts = next(bot for bot in reply.bots if bot.name == "ismcts")
    c = next(parameter for parameter in ismcts.parameters if parameter.name == "c")
    assert c.low < c.default_value.number_value < c.high
    assert c.description.startswith("Exploration")
    assert all(p.description.endswith(".") for bot in reply.bots for p in bot.parameters)
    assert [level.name for level in reply.levels] == list(LEVELS)
    assert all(level.budget.iterations > 0 for level in reply.levels)


def test_levels_name_bots_and_parameters_that_exist() -> None:
    assert all(bots.make(level.bot, **level.parameters) for level in LEVELS.values())


@pytest.mark.parametrize("service", ["", *SERVICES])
async def test_health(client: Client, service: str) -> None:
    reply = await client.health.Check(health_pb2.HealthCheckRequest(service=service))
    assert reply.status == health_pb2.HealthCheckResponse.SERVING


async def listed(client: Client) -> list[str]:
    """The services that reflection describes."""
    stub = reflection_pb2_grpc.ServerReflectionStub(client.channel)
    call = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
    return [service.name async for reply in call for service in reply.list_services_response.service]


async def test_reflection_is_there_when_asked_for(running: Running) -> None:
    async with running(reflection=True) as client:
        assert set(SERVICES) <= set(await listed(client))


async def test_reflection_is_off_by_default(client: Client) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await listed(client)
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_a_language_nobody_speaks(client: Client) -> None:
    for call in (
        client.games.ListGames(game_pb2.ListGamesRequest(language="tlh")),
        client.games.GetGame(game_pb2.GetGameRequest(game="kuhn_poker", language="tlh")),
        client.games.ListMoves(game_pb2.ListMovesRequest(observation=codec.write_observation(KUHN), language="tlh")),
    ):
        assert (await refused(call)).paths == ["language"]
