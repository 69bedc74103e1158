"""What the RPCs do, from message to message; knows no sockets, raises what server/errors.py puts into words."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import Field, fields
from typing import Any, NamedTuple

from emptychair.v1 import game_pb2, opponent_pb2

import bots
import engine
from bots.levels import LEVELS
from engine.game import ENGINE_VERSION, Game, Move, View
from server import codec
from server.order import asked_seat, both, known_game, read_language, read_order, read_view
from server.replies import Replies
from server.workers import Work, Workers

Method = Callable[[Any, "Call"], Awaitable[Any]]  # a request message and its call -> a response message


class Call(NamedTuple):
    """What a request comes with."""

    request_id: str  # the caller's own, or one made for it
    arrived: float  # by time.monotonic
    ends_at: float | None = None  # the call's deadline, by time.monotonic


class Games:
    """GameService."""

    async def ListGames(self, request: game_pb2.ListGamesRequest, call: Call) -> game_pb2.ListGamesResponse:
        language = read_language(request.language)
        games = [_summary(engine.load(name), language) for name in engine.names()]
        return game_pb2.ListGamesResponse(request_id=call.request_id, games=games, engine_version=ENGINE_VERSION)

    async def GetGame(self, request: game_pb2.GetGameRequest, call: Call) -> game_pb2.GetGameResponse:
        language, game = both(lambda: read_language(request.language), lambda: known_game(request.game))
        return game_pb2.GetGameResponse(
            request_id=call.request_id,
            game=_summary(game, language),
            modules=game.modules,
            switches=[_switch(game, name, language) for name in game.switches],
            cards=[_card(facts) for facts in cards_of(game)],
            template=codec.write_observation(game.template()),
            min_return=game.min_return,
            max_return=game.max_return,
        )

    async def ListMoves(self, request: game_pb2.ListMovesRequest, call: Call) -> game_pb2.ListMovesResponse:
        language, view = both(
            lambda: read_language(request.language), lambda: read_view(codec.read_observation(request.observation))
        )
        return game_pb2.ListMovesResponse(
            request_id=call.request_id,
            moves=[_move(view, move, language) for move in asked_seat(view).moves()],
            assumptions=view.notes.assumptions,
            warnings=view.notes.warnings,
        )


class Opponent:
    """OpponentService."""

    def __init__(self, workers: Workers, remembered: int) -> None:
        self._workers = workers
        self._replies: Replies[opponent_pb2.RecommendResponse] = Replies(remembered)

    async def ListBots(self, request: opponent_pb2.ListBotsRequest, call: Call) -> opponent_pb2.ListBotsResponse:
        return bot_list(call.request_id)

    async def Recommend(self, request: opponent_pb2.RecommendRequest, call: Call) -> opponent_pb2.RecommendResponse:
        content = hashlib.sha256(request.SerializeToString(deterministic=True)).digest()
        return await self._replies.once(request.request_id, content, lambda: self._recommend(request, call))

    async def _recommend(self, request: opponent_pb2.RecommendRequest, call: Call) -> opponent_pb2.RecommendResponse:
        order, view = both(
            lambda: read_order(codec.read_asked(request)),
            lambda: read_view(codec.read_observation(request.observation)),
        )
        work = Work(order.bot, asked_seat(view), order.request, call.arrived, call.ends_at)
        answer = await self._workers.search(work)
        return opponent_pb2.RecommendResponse(request_id=call.request_id, recommendation=codec.write_answer(answer))


def methods(service: Games | Opponent) -> Mapping[str, Method]:
    """The RPCs of a service by name."""
    return {name: getattr(service, name) for name in vars(type(service)) if name[0].isupper()}


def bot_list(request_id: str = "") -> opponent_pb2.ListBotsResponse:
    """The bots with their parameters, and the levels."""
    return opponent_pb2.ListBotsResponse(
        request_id=request_id, bots=[_bot(name) for name in bots.names()], levels=[_level(name) for name in LEVELS]
    )


def cards_of(game: Game) -> list[Mapping[str, Any]]:
    """The facts of every card, for games that can list them."""
    listed = getattr(game, "cards", None)
    return listed() if callable(listed) else []


def _summary(game: Game, language: str) -> game_pb2.GameSummary:
    title = game.titles.get(language, game.name)
    return game_pb2.GameSummary(name=game.name, title=title, min_seats=game.min_seats, max_seats=game.max_seats)


def _switch(game: Game, name: str, language: str) -> game_pb2.Switch:
    values = [codec.write_value(value) for value in game.switches[name]]
    description = game.switch_descriptions.get(name, {}).get(language, "")
    return game_pb2.Switch(name=name, values=values, default_value=values[0], description=description)


def _card(facts: Mapping[str, Any]) -> game_pb2.Card:
    """A card from its facts: its id, its name by language, and what else is printed on it."""
    rest = {key: value for key, value in facts.items() if key not in ("id", "name", "name_ja")}
    names = {"en": facts["name"], "ja": facts["name_ja"]}
    return game_pb2.Card(id=facts["id"], names=names, facts=codec.write_struct(rest))


def _move(view: View, move: Move, language: str) -> game_pb2.Move:
    game, setup, data = view.game, view.setup, view.data
    return game_pb2.Move(
        text=move.text,
        words=game.move_words(setup, data, move.id, language),
        fields=codec.write_struct(game.move_fields(setup, data, move.id)),
    )


def _bot(name: str) -> opponent_pb2.BotSummary:
    kind = bots.find(name)
    description = (kind.__doc__ or "").strip().partition("\n")[0]
    return opponent_pb2.BotSummary(
        name=name, description=description, parameters=[_parameter(f) for f in fields(kind.params_type)]
    )


def _parameter(declared: "Field[Any]") -> opponent_pb2.Parameter:
    return opponent_pb2.Parameter(
        name=declared.name,
        default_value=codec.write_value(declared.default),
        allowed=[codec.write_value(value) for value in declared.metadata.get("words", ())],
        **dict(zip(("low", "high"), declared.metadata.get("range", ()), strict=False)),
    )


def _level(name: str) -> opponent_pb2.Level:
    level = LEVELS[name]
    return opponent_pb2.Level(
        name=name,
        bot=level.bot,
        parameters=codec.write_struct(level.parameters),
        budget=opponent_pb2.Budget(iterations=level.budget.iterations, time_ms=level.budget.time_ms),
        description=level.description,
    )
