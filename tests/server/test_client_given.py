"""What a client refuses before anything is sent: everything at once, in the words of the server."""

from typing import Any

import grpc
import pytest
from emptychair.client import AsyncClient, Client, Closed, Fault, InvalidInput
from emptychair.client.given import RANGES
from emptychair.v1.opponent_pb2 import Recommendation

from tests.server import conftest
from tests.server.asking import KUHN, analysed
from tests.server.conftest import Ask

NOWHERE = "127.0.0.1:1"
DEEP: list[Any] = []
DEEP.append(DEEP)


@pytest.mark.parametrize(
    ("field", "path", "found"),
    [
        ({"seat": object}, "seat", "<class 'object'>"),
        ({"\ud800": 1}, "", "a field named '\\ud800'"),
        ({3: 1}, "", "a field named 3"),
        ({"moves": ["bet", {"x": float("nan")}]}, "moves[1].x", "nan"),
        ({"seat": 10**400}, "seat", repr(10**400)[:57] + "..."),
        ({"seat": b"0"}, "seat", "b'0'"),
        ({"moves": DEEP}, "moves" + "[0]" * 31, "more levels of lists and objects"),
    ],
)
async def test_what_is_no_json_has_its_path(ask: Ask, field: dict[Any, object], path: str, found: str) -> None:
    for name in ("play", "validate", "moves"):
        with pytest.raises(InvalidInput) as caught:
            await ask(NOWHERE, name, {"game": "kuhn_poker"} | field)
        assert [(fault.path, fault.found) for fault in caught.value.faults] == [(path, found)]
        assert caught.value.request_id


@pytest.mark.parametrize("position", ["kuhn.json", None, [KUHN], bytearray(b"x"), 7, Recommendation()], ids=type)
async def test_what_is_no_position_is_said_so(ask: Ask, follow: Ask, position: Any) -> None:
    for call in (ask(NOWHERE, "play", position), follow(NOWHERE, position, lambda _: True)):
        with pytest.raises(InvalidInput, match=r"^observation: found .*, expected an observation"):
            await call
    with pytest.raises(InvalidInput, match=r"^observation: found .*, expected an object$"):
        await ask(NOWHERE, "validate", position)


async def test_everything_wrong_with_a_search_is_told_at_once(ask: Ask) -> None:
    wrong: dict[str, Any] = {
        "iterations": "x", "time_ms": 50.5, "level": 3, "bot": ["greedy"], "parameters": {"c": float("inf")},
        "seed": -1, "max_alternatives": True, "parallelism": 2**70, "only_moves": "draw", "avoid_moves": [None],
        "evaluate_moves": 3, "language": 1, "timeout": float("nan"),
    }  # fmt: skip
    with pytest.raises(InvalidInput) as caught:
        await ask(NOWHERE, "play", 3, **wrong)
    told = {fault.path for fault in caught.value.faults}
    renamed = {"iterations", "time_ms", "parameters", "avoid_moves"}
    special = {"budget.iterations", "budget.time_ms", "parameters.c", "avoid_moves[0]", "observation"}
    assert told == (wrong.keys() - renamed) | special


@pytest.mark.parametrize("path", RANGES)
async def test_numbers_out_of_range_are_told_as_the_server_tells_them(
    path: str, follow: Ask, client: conftest.Client
) -> None:
    low, high = RANGES[path]
    outer, _, name = path.rpartition(".")
    with pytest.raises(InvalidInput) as caught:
        await follow(NOWHERE, KUHN, lambda _: True, **{name: low - 1})
    assert caught.value.faults == (Fault(path, str(low - 1), f"a whole number from {low} to {high}"),)
    if path == "seed":
        return  # no message can carry a wrong one
    call = client.opponent.Analyze(analysed(**({outer: {name: low - 1}} if outer else {name: low - 1})))
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call.read()
    assert refused.value.details() == str(caught.value)


async def test_what_is_wrong_with_a_game_kept_by_its_host(ask: Ask) -> None:
    cases: list[tuple[str, tuple[Any, ...], dict[str, Any], set[str]]] = [
        ("new_game", (3,), {"seats": 2**31, "seed": 2**64, "options": [1]}, {"game", "seats", "seed", "options"}),
        ("new_game", ("kuhn_poker",), {"options": {"foo": 1}}, {"options.foo"}),
        (
            "new_game",
            ("kuhn_poker",),
            {"options": {"modules": "hq1", "rules": 3}},
            {"options.modules", "options.rules"},
        ),
        ("new_game", ("kuhn_poker",), {"options": {"rules": {"x": float("nan")}}}, {"options.rules.x"}),
        ("apply_moves", ("sealed", "call"), {"language": []}, {"sealed", "moves", "language"}),
        ("apply_moves", (b"x", ["call", 3]), {}, {"moves[1]"}),
        ("observe", (None, "0", 5), {}, {"sealed", "seat", "seat_token"}),
        ("game", (b"x",), {"timeout": "soon"}, {"game", "timeout"}),
    ]
    for name, given, asked, paths in cases:
        with pytest.raises(InvalidInput) as caught:
            await ask(NOWHERE, name, *given, **asked)
        assert {fault.path for fault in caught.value.faults} == paths


async def test_a_keyword_that_does_not_exist_is_named(ask: Ask) -> None:
    with pytest.raises(TypeError, match=r"play\(\) got an unexpected keyword argument 'iteration'"):
        await ask(NOWHERE, "play", KUHN, iteration=5)


async def test_a_closed_client_says_so() -> None:
    client, other = Client(NOWHERE), AsyncClient(NOWHERE)
    client.close()
    await other.close()
    for call in (client.games, lambda: client.analysis(KUHN), lambda: other.analysis(KUHN)):
        with pytest.raises(Closed, match="the client is closed") as caught:
            call()
        assert caught.value.request_id
    with pytest.raises(Closed):
        await other.games()
