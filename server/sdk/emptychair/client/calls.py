"""Every method of a client as the call it makes, and how long each may take."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar, Unpack

from google.protobuf.json_format import ParseDict
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

from emptychair.client.given import LANGUAGES, Given
from emptychair.client.positions import JsonObject, Position, observation_message, position_fields
from emptychair.v1 import game_pb2, opponent_pb2
from emptychair.v1.observation_pb2 import Observation
from emptychair.v1.opponent_pb2 import AnalyzeResponse, Budget, Recommendation
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
MOVES, NUMBERS = ("only_moves", "avoid_moves", "evaluate_moves"), ("seed", "max_alternatives", "parallelism")
OPTIONS = ("modules", "rules")
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
    """A search under way: how to end it, and the last answer that came."""

    def __init__(self, call: Any, request_id: str) -> None:
        self.latest: AnalyzeResponse | None = None  # `final` in it says whether the search came to its end
        self._call = call
        self._request_id = request_id
        self._stopped = False

    def stop(self) -> None:
        """Ends the search, and the iteration with it."""
        self._stopped = True
        self._call.cancel()


class Methods:
    """What both clients can be asked; `timeout` is in seconds, ten where nothing else is said.

    Raises `InvalidInput` before anything is sent where what is given cannot be right.
    """

    def games(self, *, language: str = "", timeout: float | None = None) -> Call[game_pb2.ListGamesResponse]:
        """The games the server knows."""
        given = Given()
        request = game_pb2.ListGamesRequest(language=given.word("language", language, LANGUAGES))
        return _call("GameService/ListGames", request, game_pb2.ListGamesResponse.FromString, given, timeout)

    def game(self, name: str, *, language: str = "", timeout: float | None = None) -> Call[game_pb2.GetGameResponse]:
        """One game: its seats, options, cards, and an observation to start from; `UnknownName` if there is none."""
        given = Given()
        request = game_pb2.GetGameRequest(
            game=given.word("game", name), language=given.word("language", language, LANGUAGES)
        )
        return _call("GameService/GetGame", request, game_pb2.GetGameResponse.FromString, given, timeout)

    def moves(
        self, position: Position, *, language: str = "", timeout: float | None = None
    ) -> Call[game_pb2.ListMovesResponse]:
        """The legal moves of the seat to move; `NotNow` if the observation is another seat's."""
        given = Given()
        request = game_pb2.ListMovesRequest(
            language=given.word("language", language, LANGUAGES), **position_fields(position, given)
        )
        return _call("GameService/ListMoves", request, game_pb2.ListMovesResponse.FromString, given, timeout)

    def validate(
        self, observation: JsonObject | Observation, *, timeout: float | None = None
    ) -> Call[game_pb2.ValidateObservationResponse]:
        """What is wrong with an observation, and what was assumed: faults are an answer here, not an error."""
        given = Given()
        request = game_pb2.ValidateObservationRequest(observation=observation_message(observation, given))
        read = game_pb2.ValidateObservationResponse.FromString
        return _call("GameService/ValidateObservation", request, read, given, timeout)

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
        given = Given()
        request = game_pb2.NewGameRequest(
            game=given.word("game", game),
            seats=given.number("seats", seats),
            options=_options(options, given),
            seed=given.number("seed", seed),
        )
        return _call("GameService/NewGame", request, game_pb2.NewGameResponse.FromString, given, timeout)

    def apply_moves(
        self, sealed: bytes, moves: Iterable[str], *, language: str = "", timeout: float | None = None
    ) -> Call[game_pb2.ApplyMovesResponse]:
        """The game after all of these moves, what happened told; `InvalidInput`, and none made, if one is illegal."""
        given = Given()
        request = game_pb2.ApplyMovesRequest(
            sealed=given.sealed(sealed),
            moves=given.words("moves", moves),
            language=given.word("language", language, LANGUAGES),
        )
        return _call("GameService/ApplyMoves", request, game_pb2.ApplyMovesResponse.FromString, given, timeout)

    def observe(
        self, sealed: bytes, seat: int, seat_token: str, *, timeout: float | None = None
    ) -> Call[game_pb2.ObserveResponse]:
        """What that seat knows of a sealed game; `NotAllowed` without its token."""
        given = Given()
        request = game_pb2.ObserveRequest(
            sealed=given.sealed(sealed),
            seat=given.number("seat", seat) or 0,
            seat_token=given.word("seat_token", seat_token),
        )
        return _call("GameService/Observe", request, game_pb2.ObserveResponse.FromString, given, timeout)

    def server_info(self, *, timeout: float | None = None) -> Call[game_pb2.GetServerInfoResponse]:
        """Versions and limits of the server."""
        request, read = game_pb2.GetServerInfoRequest(), game_pb2.GetServerInfoResponse.FromString
        return _call("GameService/GetServerInfo", request, read, Given(), timeout)

    def bots(self, *, timeout: float | None = None) -> Call[opponent_pb2.ListBotsResponse]:
        """The bots with their parameters, and the levels."""
        request, read = opponent_pb2.ListBotsRequest(), opponent_pb2.ListBotsResponse.FromString
        return _call("OpponentService/ListBots", request, read, Given(), timeout)

    def play(self, position: Position, **search: Unpack[Search]) -> Call[Recommendation]:
        """One answer: a plan for the seat to move. `Search` lists what may be asked."""
        given = Given()
        request = opponent_pb2.RecommendRequest(**_search_fields("play", position, search, given))
        patience = _patience(request)
        return _call("OpponentService/Recommend", request, _advice, given, search.get("timeout"), patience)

    def analysis(
        self, position: Position, *, report_interval_ms: int | None = None, **search: Unpack[Search]
    ) -> Call[AnalyzeResponse]:
        """Answers that grow, one about every `report_interval_ms` (10..60,000, default 500); else as `play`."""
        given = Given()
        fields = _search_fields("analysis", position, search, given)
        interval = given.number("report_interval_ms", report_interval_ms)
        request = opponent_pb2.AnalyzeRequest(report_interval_ms=interval, **fields)
        patience, read = _patience(request), AnalyzeResponse.FromString
        return _call("OpponentService/Analyze", request, read, given, search.get("timeout"), patience)


def channel_options(given: Iterable[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Options of a channel that tries again where that may help; those given win."""
    return list(({"grpc.service_config": SERVICE_CONFIG} | dict(given)).items())


def serialized(request: Message) -> bytes:
    """A message as the wire carries it."""
    return request.SerializeToString()


def _call(
    path: str,
    request: Any,
    read: Callable[[bytes], R],
    given: Given,
    timeout: float | None,
    patience: float = PATIENCE,
) -> Call[R]:
    """The call, which takes no longer than `timeout`, or else `patience`; raises `InvalidInput` for what was given."""
    seconds = given.seconds(timeout, patience)
    given.done()
    request.request_id = given.request_id
    return Call(f"/emptychair.v1.{path}", request, read, seconds)


def _search_fields(method: str, position: Position, search: Search, given: Given) -> dict[str, Any]:
    """The fields that both kinds of search request share."""
    for name in search:
        if name not in Search.__annotations__:
            raise TypeError(f"{method}() got an unexpected keyword argument {name!r}")
    limits = {name: given.number(f"budget.{name}", search.get(name)) for name in ("iterations", "time_ms")}
    fields: dict[str, Any] = {name: given.words(name, search.get(name)) for name in MOVES}
    fields |= {name: given.number(name, search.get(name)) for name in NUMBERS}
    fields |= {name: given.word(name, search.get(name)) for name in ("level", "bot")}
    fields["language"] = given.word("language", search.get("language"), LANGUAGES)
    if search.get("iterations") is not None or search.get("time_ms") is not None:
        fields["budget"] = Budget(**limits)
    if search.get("parameters") is not None:
        fields["parameters"] = ParseDict(given.object("parameters", search["parameters"]), Struct())
    return position_fields(position, given) | fields


def _options(options: object, given: Given) -> Options:
    """The options of a new game as a message."""
    form = given.object("options", {} if options is None else options)
    for name in form.keys() - OPTIONS:
        given.fault(f"options.{name}", form[name], "nothing: options are " + " and ".join(OPTIONS))
    modules, rules = given.words("options.modules", form.get("modules")), form.get("rules")
    return Options(
        modules=modules, rules=ParseDict(given.object("options.rules", {} if rules is None else rules), Struct())
    )


def _patience(request: opponent_pb2.RecommendRequest | opponent_pb2.AnalyzeRequest) -> float:
    """Seconds that a search may take: its budget, and ten more."""
    if request.budget.HasField("time_ms"):
        return request.budget.time_ms / 1000 + PATIENCE
    open_ended = request.budget.iterations or request.level
    return (LONGEST_SEARCH if open_ended else DEFAULT_SEARCH) + PATIENCE


def _advice(raw: bytes) -> Recommendation:
    return opponent_pb2.RecommendResponse.FromString(raw).recommendation
