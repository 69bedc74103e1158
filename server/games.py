"""GameService: what can be played, what is legal, and games kept sealed by their hosts."""

import asyncio
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from emptychair.v1 import game_pb2

import engine
from bots.bot import MAX_ALTERNATIVES, MAX_ITERATIONS, MAX_PARALLELISM, MAX_TIME_MS, MIN_REPORT_MS, step_of
from engine.faults import Fault, InvalidInput, NotNow
from engine.game import ENGINE_VERSION, Game, Move, Played, Setup, State, View, checked_seats
from server import codec
from server.config import Settings
from server.order import both, known_game, read_language, read_view
from server.replies import Replies, content_of
from server.seal import SealedGame, Sealer
from server.service import Call, asked_view


class Games:
    """GameService."""

    def __init__(self, settings: Settings, sealer: Sealer) -> None:
        self._settings = settings
        self._sealer = sealer
        self._begun: Replies[game_pb2.NewGameResponse] = Replies(settings.remembered_replies)

    async def ListGames(self, request: game_pb2.ListGamesRequest, call: Call) -> game_pb2.ListGamesResponse:
        language = read_language(request.language)
        games = [_summary(game, language) for game in engine.available()]
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
        language, view = both(lambda: read_language(request.language), lambda: asked_view(request, self._sealer))
        return game_pb2.ListMovesResponse(
            request_id=call.request_id,
            moves=[_move(view, move, language) for move in view.moves()],
            assumptions=view.notes.assumptions,
            warnings=view.notes.warnings,
        )

    async def ValidateObservation(
        self, request: game_pb2.ValidateObservationRequest, call: Call
    ) -> game_pb2.ValidateObservationResponse:
        try:
            notes = read_view(codec.read_observation(request.observation)).notes
        except InvalidInput as error:
            faults = [game_pb2.FieldFault(**fault._asdict()) for fault in error.faults]
            return game_pb2.ValidateObservationResponse(request_id=call.request_id, faults=faults)
        return game_pb2.ValidateObservationResponse(
            request_id=call.request_id, assumptions=notes.assumptions, warnings=notes.warnings
        )

    async def NewGame(self, request: game_pb2.NewGameRequest, call: Call) -> game_pb2.NewGameResponse:
        return await self._begun.once(request.request_id, content_of(request), lambda: self._begin(request, call))

    async def _begin(self, request: game_pb2.NewGameRequest, call: Call) -> game_pb2.NewGameResponse:
        setup = _setup(request)
        game = SealedGame.new(setup, request.seed if request.HasField("seed") else secrets.randbits(64))
        return game_pb2.NewGameResponse(
            request_id=call.request_id,
            sealed=self._sealer.seal(game),
            seat_tokens=[game.token(seat) for seat in range(setup.seats)],
            status=_status(game.state),
        )

    async def ApplyMoves(self, request: game_pb2.ApplyMovesRequest, call: Call) -> game_pb2.ApplyMovesResponse:
        return await asyncio.to_thread(self._apply, request, call)  # a whole game in one list takes a fifth of a second

    def _apply(self, request: game_pb2.ApplyMovesRequest, call: Call) -> game_pb2.ApplyMovesResponse:
        language, (texts, game) = both(
            lambda: read_language(request.language),
            lambda: both(lambda: _some(request.moves), lambda: _under_way(self._sealer.open(request.sealed))),
        )
        state, played = game.state.play_texts(texts)
        return game_pb2.ApplyMovesResponse(
            request_id=call.request_id,
            sealed=self._sealer.seal(game._replace(state=state)),
            played=_told(game.state.clone(), played, language),
            status=_status(state),
        )

    async def Observe(self, request: game_pb2.ObserveRequest, call: Call) -> game_pb2.ObserveResponse:
        view = self._sealer.open(request.sealed).view(request.seat, request.seat_token)
        return game_pb2.ObserveResponse(request_id=call.request_id, observation=codec.write_observation(view.to_json()))

    async def GetServerInfo(self, request: game_pb2.GetServerInfoRequest, call: Call) -> game_pb2.GetServerInfoResponse:
        return game_pb2.GetServerInfoResponse(
            request_id=call.request_id,
            server_version=version("emptychair"),
            engine_version=ENGINE_VERSION,
            rules_hashes={game.name: game.setup().rules_hash for game in engine.available()},
            limits=_limits(self._settings),
            seal_keys=self._sealer.key_names,
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


def _setup(request: game_pb2.NewGameRequest) -> Setup:
    """The game asked for with its options; raises `InvalidInput` with every fault."""
    game, asked = known_game(request.game), request.seats if request.HasField("seats") else None
    modules, rules = list(request.options.modules), codec.read_json(request.options.rules)
    seats, _ = both(lambda: checked_seats(game, asked), lambda: game.setup(None, modules, rules))
    return game.setup(seats, modules, rules)


def _under_way(game: SealedGame) -> SealedGame:
    if game.state.over:
        raise NotNow("the game is over")
    return game


def _some(moves: Sequence[str]) -> Sequence[str]:
    if not moves:
        raise InvalidInput([Fault("moves", "none", "at least one move")])
    return moves


def _told(state: State, played: Iterable[Played], language: str) -> Iterator[game_pb2.PlayedMove]:
    """What was played from this state on, in words; the state goes along."""
    for seat, text, forced in played:
        move = state.game.parse(state, text).id
        step = step_of(state, move, language)
        fields = codec.write_struct(step.fields)
        yield game_pb2.PlayedMove(seat=seat, text=text, words=step.words, fields=fields, forced=forced)
        state.step(move)


def _status(state: State) -> game_pb2.GameStatus:
    if state.over:
        return game_pb2.GameStatus(returns=state.returns())
    return game_pb2.GameStatus(to_move=state.to_move)


def _limits(settings: Settings) -> game_pb2.ServerLimits:
    return game_pb2.ServerLimits(
        max_message_bytes=settings.max_message_kib << 10,
        workers=settings.slots,
        queue=settings.queue,
        max_iterations=MAX_ITERATIONS,
        max_time_ms=MAX_TIME_MS,
        max_alternatives=MAX_ALTERNATIVES,
        max_parallelism=MAX_PARALLELISM,
        min_report_interval_ms=MIN_REPORT_MS,
    )
