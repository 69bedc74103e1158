"""The table of docs/errors.md: each row is provoked through a real channel, and each case has its row."""

import asyncio
import math
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from emptychair.v1 import game_pb2, observation_pb2, opponent_pb2, small_pb2
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

import engine
from engine.faults import JsonObject
from engine.game import State
from server import codec, seal
from server.errors import PUSHBACK
from server.seal import SealedGame, Sealer
from tests.server.asking import KUHN, asked, refused
from tests.server.conftest import Client, a_server

TABLE = Path(__file__).parents[2] / "docs" / "errors.md"
SERVICES = [
    module.DESCRIPTOR.services_by_name[name]
    for module, name in ((game_pb2, "GameService"), (opponent_pb2, "OpponentService"))
]
METHODS = {method.name: method for service in SERVICES for method in service.methods}
OURS, THEIRS = (Sealer([bytes([i]) * 32]) for i in (1, 2))
OUR_KEY = "01" * 32
WHOLE = "the whole"  # how the table writes the empty path


class Row(NamedTuple):
    """One error, as the table has it."""

    id: str
    rpcs: str
    code: str
    reason: str
    place: str
    when: str

    @property
    def places(self) -> list[str]:
        return [""] if self.place == WHOLE else re.findall("`(.+?)`", self.place)


class Sending(NamedTuple):
    """The bytes of a request that must be refused."""

    rpc: str
    raw: bytes


Situation = Callable[[], AbstractAsyncContextManager[Client]]


class Case(NamedTuple):
    """What provokes an error."""

    sendings: Callable[[], Iterable[Sending | Message]]
    situation: Situation | None = None  # None: an ordinary server


def rows() -> list[Row]:
    lines = [line.strip("| ") for line in TABLE.read_text().splitlines() if line.startswith("| ")]
    return [Row(*map(str.strip, line.split(" | "))) for line in lines[1:]]


@asynccontextmanager
async def draining() -> AsyncIterator[Client]:
    async with a_server(drain_notice_ms=1000) as client:
        stopping = asyncio.create_task(client.front.stop())
        await asyncio.sleep(0.1)
        yield client
        await stopping


@asynccontextmanager
async def overloaded() -> AsyncIterator[Client]:
    async with a_server(workers=1, queue=0) as client:
        call = client.opponent.Recommend(asked(bot="sleeper", budget={"time_ms": 60_000}))
        while not client.workers.busy:
            await asyncio.sleep(0.01)
        yield client
        call.cancel()


@asynccontextmanager
async def broken() -> AsyncIterator[Client]:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(codec, "write_answer", fail)
        async with a_server() as client:
            yield client


def to_every(**fields: Any) -> list[Message]:
    """The same fields in a request of every RPC."""
    modules = (game_pb2, opponent_pb2)
    types = [getattr(module, f"{rpc}Request", None) for rpc in METHODS for module in modules]
    return [made(**fields) for made in types if made]


def bytes_to_every(raw: bytes) -> list[Sending]:
    return [Sending(rpc, raw) for rpc in METHODS]


def about(observation: JsonObject | observation_pb2.Observation) -> list[Message]:
    """Requests about a position."""
    message = codec.write_observation(observation) if isinstance(observation, dict) else observation
    return [game_pb2.ListMovesRequest(observation=message), opponent_pb2.RecommendRequest(observation=message)]


def about_sealed(sealed: bytes) -> list[Message]:
    """Requests about a sealed game to which nothing but the seal can be objected."""
    return [*on_with(sealed), game_pb2.ObserveRequest(sealed=sealed, seat_token="x")]


def on_with(sealed: bytes) -> list[Message]:
    """Requests about a sealed game that somebody must be able to go on with."""
    return [
        game_pb2.ListMovesRequest(sealed=sealed),
        opponent_pb2.RecommendRequest(sealed=sealed),
        game_pb2.ApplyMovesRequest(sealed=sealed, moves=["pass"]),
    ]


def begun(*moves: str) -> SealedGame:
    game = SealedGame.new(engine.load("kuhn_poker").setup(), 3)
    return game._replace(state=game.state.play_texts(moves)[0])


def of_another_version() -> bytes:
    with pytest.MonkeyPatch.context() as before:
        before.setattr(seal, "ENGINE_VERSION", "0.0.9")
        return OURS.seal(begun())


def of_other_rules() -> bytes:
    game = begun()
    rules = game.state.setup.rules.copy()
    rules[0].seats += 1
    return OURS.seal(game._replace(state=State(replace(game.state.setup, rules=rules), game.state.data)))


def infinite() -> Struct:
    """An object with a number that JSON cannot hold."""
    made = Struct()
    made.update({"game": "kuhn_poker"})
    made["x"] = math.inf
    return made


def applied(*moves: str) -> list[Message]:
    return [game_pb2.ApplyMovesRequest(sealed=OURS.seal(begun()), moves=moves)]


def observing(seat: int, token: str) -> list[Message]:
    return [game_pb2.ObserveRequest(sealed=OURS.seal(GAME), seat=seat, seat_token=token)]


def new(**fields: Any) -> list[Message]:
    return [game_pb2.NewGameRequest(**{"game": "kuhn_poker"} | fields)]


GAME = begun()
SEAT_0 = {name: KUHN[name] for name in ("game", "seat", "players")}
CASES = {
    "no_message": Case(lambda: bytes_to_every(b"\xff" * 9)),
    "request_id_too_long": Case(lambda: to_every(request_id="x" * 129)),
    "message_too_large": Case(lambda: bytes_to_every(bytes(257 << 10))),
    "draining": Case(to_every, draining),
    "unforeseen": Case(lambda: [asked()], broken),
    "bot_failed": Case(lambda: [asked(bot="crasher"), asked(bot="cheat")]),
    "language": Case(
        lambda: [
            game_pb2.ListGamesRequest(language="xx"),
            game_pb2.GetGameRequest(game="kuhn_poker", language="xx"),
            game_pb2.ListMovesRequest(observation=codec.write_observation(KUHN), language="xx"),
            game_pb2.ApplyMovesRequest(sealed=OURS.seal(GAME), moves=["pass"], language="xx"),
            asked(language="xx"),
        ]
    ),
    "game_missing": Case(lambda: [game_pb2.GetGameRequest(), *new(game="")]),
    "game_unknown": Case(lambda: [game_pb2.GetGameRequest(game="chess"), *new(game="os:path")]),
    "position_missing": Case(lambda: [game_pb2.ListMovesRequest(), opponent_pb2.RecommendRequest()]),
    "observation_invalid": Case(lambda: about(KUHN | {"seat": 9, "moves": ["jump"]})),
    "observation_other_game": Case(
        lambda: about(observation_pb2.Observation(kuhn_poker=small_pb2.KuhnPokerObservation(game="leduc_poker")))
    ),
    "observation_unknown_game": Case(lambda: about({"game": "chess"})),
    "observation_not_json": Case(lambda: about(observation_pb2.Observation(other=infinite()))),
    "observation_not_to_move": Case(
        lambda: [*about(SEAT_0 | {"moves": ["bet"]}), *about(SEAT_0 | {"moves": ["bet", "pass"]})]
    ),
    "sealed_forged": Case(lambda: [*about_sealed(b"x" * 99), *about_sealed(OURS.seal(GAME)[:-1])]),
    "sealed_missing": Case(lambda: [game_pb2.ApplyMovesRequest(moves=["pass"]), game_pb2.ObserveRequest()]),
    "sealed_unknown_key": Case(lambda: about_sealed(THEIRS.seal(GAME))),
    "sealed_other_version": Case(lambda: about_sealed(of_another_version())),
    "sealed_other_rules": Case(lambda: about_sealed(of_other_rules())),
    "sealed_over": Case(lambda: on_with(OURS.seal(begun("pass", "pass")))),
    "new_game_seats": Case(lambda: [*new(seats=1), *new(seats=-1), *new(game="arctic_scavengers", seats=6)]),
    "new_game_module": Case(lambda: [*new(options={"modules": ["x"]})]),
    "new_game_switch": Case(lambda: new(game="arctic_scavengers", options={"rules": {"no_such_rule": 1}})),
    "new_game_not_json": Case(lambda: new(options={"rules": infinite()})),
    "moves_missing": Case(applied),
    "move_not_legal": Case(lambda: applied("pass", "jump", "skip")),
    "move_after_the_end": Case(lambda: applied("pass", "pass", "pass")),
    "seat_out_of_range": Case(lambda: [*observing(2, GAME.token(0)), *observing(-1, "")]),
    "token_missing": Case(lambda: observing(1, "")),
    "token_wrong": Case(lambda: [*observing(1, begun().token(1)), *observing(1, "é"), *observing(1, "x" * 9999)]),
    "token_of_another_seat": Case(lambda: observing(1, GAME.token(0))),
    "budget": Case(lambda: [asked(budget={"iterations": 0, "time_ms": 600_001})]),
    "level_unknown": Case(lambda: [asked(level="divine")]),
    "level_with_bot": Case(lambda: [asked(level="casual", bot="greedy", parameters={"c": 1})]),
    "bot_unknown": Case(lambda: [asked(bot="deep_thought"), asked(bot="os:system")]),
    "bot_cheats": Case(lambda: [asked(bot="clairvoyant")]),
    "parameter_unknown": Case(lambda: [asked(parameters={"no_such": 1})]),
    "parameter_out_of_range": Case(lambda: [asked(parameters={"c": "high"}), asked(parameters={"c": -1})]),
    "parameters_not_json": Case(lambda: [asked(parameters=infinite())]),
    "alternatives": Case(lambda: [asked(max_alternatives=513)]),
    "parallelism": Case(lambda: [asked(parallelism=0), asked(parallelism=257)]),
    "moves_not_legal": Case(lambda: [asked(only_moves=["jump"], avoid_moves=["skip"], evaluate_moves=["bet", "fold"])]),
    "moves_none_left": Case(
        lambda: [asked(avoid_moves=["bet", "pass"]), asked(only_moves=["bet"], avoid_moves=["bet"])]
    ),
    "report_interval": Case(
        lambda: [
            opponent_pb2.AnalyzeRequest(observation=codec.write_observation(KUHN), report_interval_ms=ms)
            for ms in (0, 9, 60_001)
        ]
    ),
    "overloaded": Case(lambda: [asked()], overloaded),
}


@pytest.fixture(scope="module")
async def ordinary(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Client]:
    """A server with our key."""
    file = tmp_path_factory.mktemp("keys") / "keys"
    file.write_text(OUR_KEY)
    async with a_server(seal_key_file=str(file)) as made:
        yield made


def sent(sendings: Iterable[Sending | Message]) -> Iterator[Sending]:
    """The bytes of each; what is asked of Recommend is asked of Analyze, too: the fields are the same."""
    for sending in sendings:
        if not isinstance(sending, Sending):
            sending = Sending(sending.DESCRIPTOR.name.removesuffix("Request"), sending.SerializeToString())
        yield sending
        if sending.rpc == "Recommend":
            yield sending._replace(rpc="Analyze")


async def provoked(client: Client, row: Row, sendings: Sequence[Sending]) -> None:
    """Sends these requests, and checks that each is refused as the row says."""
    for rpc, raw in sendings:
        method = METHODS[rpc]
        path = f"/{method.containing_service.full_name}/{rpc}"
        streamed, alone = client.channel.unary_stream(path), client.channel.unary_unary(path)
        error = await refused(streamed(raw).read() if method.server_streaming else alone(raw))
        places = error.paths or [trailer for trailer in (PUSHBACK,) if trailer in error.trailers]
        assert (error.code.name, error.reason, sorted(places)) == (row.code, row.reason, row.places), rpc
        assert error.request_id


def test_each_case_has_a_row_and_each_row_a_case() -> None:
    assert [row.id for row in rows()] == list(CASES)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.id)
async def test_a_row_is_what_a_caller_is_told(ordinary: Client, doubles: None, row: Row) -> None:
    case = CASES[row.id]
    sendings = list(sent(case.sendings()))
    rpcs = set(METHODS) if row.rpcs == "every" else set(row.rpcs.split(", "))
    assert {sending.rpc for sending in sendings} == rpcs
    if case.situation is None:
        await provoked(ordinary, row, sendings)
        return
    async with case.situation() as client:
        await provoked(client, row, sendings)
