"""Inputs that are valid, made from the examples, the test vectors and random games."""

import json
import random
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any
from unittest import mock

from emptychair.v1 import game_pb2, opponent_pb2
from google.protobuf.message import Message

import engine
from bots.arena import contest_of, run
from bots.arena.results import line_of
from engine import replay
from engine.faults import JsonObject
from engine.game import Played, State
from server import codec
from server.seal import SealedGame, Sealer
from tests.contract.games import KINDS, Kind, positions

ROOT = Path(__file__).parents[2]
KEY = bytes(range(32))  # of every sealed game here, so that what was found once is found again
STRIDE = 17  # decisions between two positions of a game
VECTORS = [tomllib.loads(path.read_text()) for path in sorted((ROOT / "tests" / "vectors").rglob("*.toml"))]
ENTRANTS = ("random", "greedy@5", "ismcts@20:c=0.5,observer=root", "pimc@9ms:trust=0.5", "ismcts", "clairvoyant@1")
BUDGET = {"iterations": 20}


def as_bytes(values: Iterable[Any]) -> list[bytes]:
    return [json.dumps(value).encode() for value in values]


@cache
def games() -> tuple[tuple[State, ...], ...]:
    """A random game of each kind, now and then looked at; the ended game comes last."""
    return tuple((*islice(positions(kind.setup, 5), 0, None, STRIDE), *_ended(kind)) for kind in KINDS)


def _ended(kind: Kind) -> Iterator[State]:
    return (state for state in positions(kind.setup, 5) if state.over)


@cache
def states() -> list[State]:
    """Positions of every kind of game."""
    return [state for game in games() for state in game]


def vectors() -> Iterator[JsonObject]:
    """The cases of the test vectors, each a file of its own."""
    return ({"game": file["game"], "case": [case]} for file in VECTORS for case in file["case"])


@cache
def cases() -> list[bytes]:
    texts = (path.read_bytes() for path in sorted((ROOT / "tests" / "vectors").rglob("*.toml")))
    return [*as_bytes(vectors()), *texts]


def _forms(field: str) -> Iterator[JsonObject]:
    """The worlds or observations of those vectors that are no faults."""
    for file in vectors():
        [case] = file["case"]
        if field in case and "faults" not in case["expect"]:
            yield {"game": file["game"], **case[field]}


@cache
def observations() -> list[bytes]:
    examples = (json.loads(path.read_text()) for path in sorted((ROOT / "examples" / "positions").rglob("*.json")))
    views = (state.view(seat).to_json() for state in states() for seat in range(state.setup.seats))
    return as_bytes([*examples, *_forms("observation"), *views])


@cache
def worlds() -> list[bytes]:
    return as_bytes([*_forms("world"), *(state.to_json() for state in states())])


@cache
def moves() -> list[bytes]:
    """A byte for the number of a position in `states`, then legal moves from there, a line each."""
    ways = ((at, a_way(state, at)) for at, state in enumerate(states()) if not state.over)
    return [bytes([at]) + "\n".join(p.text for p in way).encode() for at, way in ways]


def a_way(state: State, seed: int, length: int = 30) -> list[Played]:
    """What is played in that many random decisions."""
    choose, state, played = random.Random(seed), state.clone(), list[Played]()
    for _ in range(length):
        if not state.over:
            played += state.play(choose.choice(state.moves()))
    return played


@cache
def replays() -> list[bytes]:
    written = [path.read_bytes() for path in sorted((ROOT / "examples" / "replays").glob("*.jsonl"))]
    for seed, kind in enumerate(KINDS):
        played = a_way(kind.setup.new(seed), seed, 400)
        written.append("\n".join(replay.record(kind.setup, seed, played).lines()).encode())
    return written


@cache
def entrants() -> list[bytes]:
    return ["\n".join(ENTRANTS[at : at + 3]).encode() for at in range(len(ENTRANTS) - 1)]


@cache
def results() -> list[bytes]:
    """Short runs, one in each game."""
    written = []
    for name in engine.names():
        contest = contest_of(engine.load(name), ["random", "greedy"], deals=2)
        lines = [line_of(contest), *(line_of(game) for games in run(contest) for game in games)]
        written.append("\n".join(lines).encode())
    return written


@cache
def hosted() -> tuple[SealedGame, ...]:
    """Games as a host keeps them, at their start, on their way, and over."""
    return tuple(SealedGame(state, bytes(16)) for game in games() for state in (game[0], game[-2], game[-1]))


@cache
def sealed() -> list[bytes]:
    """The same bytes in every run: what was found in one is looked for in the next."""
    with mock.patch("secrets.token_bytes", bytes):
        return [Sealer([KEY]).seal(game) for game in hosted()]


def _asking(kind: type[Message], **fields: Any) -> Iterator[Message]:
    """Requests about positions, given in both ways."""
    for state in states():
        if not state.over:
            observation = codec.write_observation(state.view(state.to_move).to_json())
            yield kind(observation=observation, **fields)
    for game, raw in zip(hosted(), sealed(), strict=True):
        if not game.state.over:
            yield kind(sealed=raw, **fields)


def _for_advice(kind: type[Message], **fields: Any) -> Iterator[Message]:
    yield from _asking(kind, budget=BUDGET, seed=1, max_alternatives=3, **fields)
    for position in islice(_asking(kind), 0, None, 9):
        yield _with(position, level="casual", language="ja", request_id="again")
        yield _with(position, bot="pimc", parameters={"trust": 0.5}, budget=BUDGET, parallelism=2)
        yield _with(position, bot="greedy", budget={"time_ms": 5})
    for state in states():
        if texts := [move.text for move in state.moves()][:3]:
            observation = codec.write_observation(state.view(state.to_move).to_json())
            chosen = {"only_moves": texts, "avoid_moves": texts[1:], "evaluate_moves": texts[:1]}
            yield kind(observation=observation, budget=BUDGET, **chosen, **fields)


def _with(message: Message, **fields: Any) -> Message:
    made = type(message)(**fields)
    made.MergeFrom(message)
    return made


def _new_games() -> Iterator[Message]:
    for kind in KINDS:
        options = {"rules": dict(kind.rules)}
        yield game_pb2.NewGameRequest(game=kind.name, seats=kind.seats, options=options, seed=7)


def _applying() -> Iterator[Message]:
    for game, raw in zip(hosted(), sealed(), strict=True):
        if not game.state.over:
            moves = [p.text for p in a_way(game.state, 3)]
            yield game_pb2.ApplyMovesRequest(sealed=raw, moves=moves, language="ja")
            yield game_pb2.ApplyMovesRequest(sealed=raw, moves=moves[:1])


def _observing() -> Iterator[Message]:
    for game, raw in zip(hosted(), sealed(), strict=True):
        for seat in range(game.state.setup.seats):
            yield game_pb2.ObserveRequest(sealed=raw, seat=seat, seat_token=game.token(seat))


REQUESTS = {
    "ListGames": lambda: [game_pb2.ListGamesRequest(language=word) for word in ("", "en", "ja")],
    "GetGame": lambda: [game_pb2.GetGameRequest(game=name, language="ja") for name in engine.names()],
    "ListMoves": lambda: _asking(game_pb2.ListMovesRequest, language="ja"),
    "ValidateObservation": lambda: (
        game_pb2.ValidateObservationRequest(observation=asked.observation)
        for asked in _asking(game_pb2.ListMovesRequest)
    ),
    "NewGame": _new_games,
    "ApplyMoves": _applying,
    "Observe": _observing,
    "GetServerInfo": lambda: [game_pb2.GetServerInfoRequest(request_id="x")],
    "ListBots": lambda: [opponent_pb2.ListBotsRequest(request_id="x" * 128)],
    "Recommend": lambda: _for_advice(opponent_pb2.RecommendRequest),
    "Analyze": lambda: _for_advice(opponent_pb2.AnalyzeRequest, report_interval_ms=10),
}


@cache
def requests(rpc: str) -> list[bytes]:
    """Requests of an RPC that are answered."""
    return [request.SerializeToString() for request in REQUESTS[rpc]()]
