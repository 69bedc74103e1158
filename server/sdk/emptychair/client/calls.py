"""Every method of a client as the call it makes, and how long each may take."""

import json
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar, Unpack

from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

from emptychair.client.positions import JsonObject, Position, observation_message, parsed, position_fields
from emptychair.v1 import game_pb2, opponent_pb2
from emptychair.v1.observation_pb2 import Observation
from emptychair.v1.opponent_pb2 import Budget, Recommendation
from emptychair.v1.options_pb2 import Options

R = TypeVar("R")

PATIENCE = 10.0  # seconds that a call may take beyond its search
DEFAULT_SEARCH = 1.0  # seconds the server searches when no budget is given
LONGEST_SEARCH = 600.0  # seconds a budget may say; a budget in iterations alone gets these
RETRIES = {
    "maxAttempts": 4,
    "initialBackoff": "0.1s",
    "maxBackoff": "2s",
    "backoffMultiplier": 3,
    "retryableStatusCodes": ["UNAVAILABLE", "RESOURCE_EXHAUSTED"],  # a server that is busy says when to come again
}
SERVICE_CONFIG = json.dumps({"methodConfig": [{"name": [{}], "retryPolicy": RETRIES}]})


class Call(NamedTuple, Generic[R]):
    """One RPC as it will be made."""

    path: str  # of the RPC
    request: Any  # its message
    read: Callable[[bytes], R]  # bytes of a reply -> what the caller gets
    timeout: float  # seconds


class Search(TypedDict, total=False):
    """What `play` and `analysis` may be asked, all by name; left out or None: the default that the protos say."""

    iterations: int | None  # 1..1,000,000,000, over all trees
    time_ms: int | None  # 1..600,000, waiting in the queue included; with `iterations`, whichever ends first
    level: str | None  # a strength by name, instead of a bot and its parameters
    bot: str | None  # by name
    parameters: Mapping[str, Any] | None  # of the bot, by name
    seed: int | None  # 0..2^64-1
    max_alternatives: int | None  # 0..512
    parallelism: int | None  # 1..256
    only_moves: Iterable[str] | None  # first moves by canonical text
    avoid_moves: Iterable[str] | None
    evaluate_moves: Iterable[str] | None
    language: str | None  # "en" or "ja"
    timeout: float | None  # seconds; default: the budget's time and ten seconds more


class Running:
    """A search under way: how to end it, and the answer it ended with."""

    def __init__(self, call: Any, request_id: str) -> None:
        self.final: Recommendation | None = None  # once it has ended: the last answer
        self._call = call
        self._request_id = request_id
        self._latest: Recommendation | None = None
        self._stopped = False

    def stop(self) -> None:
        """Ends the search, and the iteration with it; `final` is the last answer that came, None if none did."""
        self._stopped = True
        self._call.cancel()
        self.final = self._latest


class Methods:
    """What both clients can be asked; `timeout` is in seconds, ten where nothing else is said."""

    def games(self, *, language: str = "", timeout: float | None = None) -> Call[game_pb2.ListGamesResponse]:
        """The games the server knows."""
        request = game_pb2.ListGamesRequest(language=language)
        return _call("GameService/ListGames", request, game_pb2.ListGamesResponse.FromString, timeout)

    def game(self, name: str, *, language: str = "", timeout: float | None = None) -> Call[game_pb2.GetGameResponse]:
        """One game: its seats, options, cards, and an observation to start from; `UnknownName` if there is none."""
        request = game_pb2.GetGameRequest(game=name, language=language)
        return _call("GameService/GetGame", request, game_pb2.GetGameResponse.FromString, timeout)

    def moves(
        self, position: Position, *, language: str = "", timeout: float | None = None
    ) -> Call[game_pb2.ListMovesResponse]:
        """The legal moves of the seat to move; `NotNow` if the observation is another seat's."""
        request = game_pb2.ListMovesRequest(language=language, **position_fields(position))
        return _call("GameService/ListMoves", request, game_pb2.ListMovesResponse.FromString, timeout)

    def validate(
        self, observation: JsonObject | Observation, *, timeout: float | None = None
    ) -> Call[game_pb2.ValidateObservationResponse]:
        """What is wrong with an observation, and what was assumed: faults are an answer here, not an error."""
        request = game_pb2.ValidateObservationRequest(observation=observation_message(observation))
        return _call(
            "GameService/ValidateObservation", request, game_pb2.ValidateObservationResponse.FromString, timeout
        )

    def new_game(
        self,
        game: str,
        *,
        seats: int | None = None,
        options: JsonObject | None = None,
        seed: int | None = None,
        timeout: float | None = None,
    ) -> Call[game_pb2.NewGameResponse]:
        """A new game, sealed, and a token for each seat; `options` is {modules, rules} as in an observation."""
        given = parsed(options or {}, Options(), "options")
        request = game_pb2.NewGameRequest(game=game, seats=seats, options=given, seed=seed)
        return _call("GameService/NewGame", request, game_pb2.NewGameResponse.FromString, timeout)

    def apply_moves(
        self, sealed: bytes, moves: Iterable[str], *, language: str = "", timeout: float | None = None
    ) -> Call[game_pb2.ApplyMovesResponse]:
        """The game after all of these moves, what happened told; `InvalidInput`, and none made, if one is illegal."""
        request = game_pb2.ApplyMovesRequest(sealed=sealed, moves=moves, language=language)
        return _call("GameService/ApplyMoves", request, game_pb2.ApplyMovesResponse.FromString, timeout)

    def observe(
        self, sealed: bytes, seat: int, seat_token: str, *, timeout: float | None = None
    ) -> Call[game_pb2.ObserveResponse]:
        """What that seat knows of a sealed game; `NotAllowed` without its token."""
        request = game_pb2.ObserveRequest(sealed=sealed, seat=seat, seat_token=seat_token)
        return _call("GameService/Observe", request, game_pb2.ObserveResponse.FromString, timeout)

    def server_info(self, *, timeout: float | None = None) -> Call[game_pb2.GetServerInfoResponse]:
        """Versions and limits of the server."""
        request = game_pb2.GetServerInfoRequest()
        return _call("GameService/GetServerInfo", request, game_pb2.GetServerInfoResponse.FromString, timeout)

    def bots(self, *, timeout: float | None = None) -> Call[opponent_pb2.ListBotsResponse]:
        """The bots with their parameters, and the levels."""
        request = opponent_pb2.ListBotsRequest()
        return _call("OpponentService/ListBots", request, opponent_pb2.ListBotsResponse.FromString, timeout)

    def play(self, position: Position, **search: Unpack[Search]) -> Call[Recommendation]:
        """One answer: a plan for the seat to move. `Search` lists what may be asked."""
        request = opponent_pb2.RecommendRequest(**_search_fields(position, search))
        return _call("OpponentService/Recommend", request, _advice, _search_timeout(search))

    def analysis(
        self, position: Position, *, report_interval_ms: int | None = None, **search: Unpack[Search]
    ) -> Call[Recommendation]:
        """Answers that grow, one about every `report_interval_ms` (10..60,000, default 500); else as `play`."""
        fields = _search_fields(position, search)
        request = opponent_pb2.AnalyzeRequest(report_interval_ms=report_interval_ms, **fields)
        return _call("OpponentService/Analyze", request, _advice_so_far, _search_timeout(search))


def channel_options(given: Iterable[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Options of a channel that tries again where that may help; those given win."""
    return list(({"grpc.service_config": SERVICE_CONFIG} | dict(given)).items())


def serialized(request: Message) -> bytes:
    """A message as the wire carries it."""
    return request.SerializeToString()


def _call(path: str, request: Any, read: Callable[[bytes], R], timeout: float | None) -> Call[R]:
    """The call, under an id of its own: tried again, it gets the reply of the first try."""
    request.request_id = uuid.uuid4().hex
    return Call(f"/emptychair.v1.{path}", request, read, PATIENCE if timeout is None else timeout)


def _search_fields(position: Position, search: Search) -> dict[str, Any]:
    """The fields that both kinds of search request share."""
    fields: dict[str, Any] = {name: value for name, value in search.items() if value is not None and name != "timeout"}
    budget = {name: fields.pop(name) for name in ("iterations", "time_ms") if name in fields}
    if budget:
        fields["budget"] = Budget(**budget)
    if "parameters" in fields:
        fields["parameters"] = parsed(fields["parameters"], Struct(), "parameters")
    return position_fields(position) | fields


def _search_timeout(search: Search) -> float:
    """Seconds that a search may take, the caller's word first."""
    timeout, time_ms = search.get("timeout"), search.get("time_ms")
    if timeout is not None:
        return timeout
    if time_ms is not None:
        return min(max(time_ms / 1000, 0), LONGEST_SEARCH) + PATIENCE
    open_ended = search.get("iterations") or search.get("level")
    return (LONGEST_SEARCH if open_ended else DEFAULT_SEARCH) + PATIENCE


def _advice(raw: bytes) -> Recommendation:
    return opponent_pb2.RecommendResponse.FromString(raw).recommendation


def _advice_so_far(raw: bytes) -> Recommendation:
    return opponent_pb2.AnalyzeResponse.FromString(raw).recommendation
