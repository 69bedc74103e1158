"""Observations made invalid in thousands of ways: each is refused, and the place that was changed is named."""

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from emptychair.v1 import game_pb2, observation_pb2
from google.protobuf import json_format

from engine.faults import InvalidInput, JsonObject
from server import codec
from server.config import Settings
from server.games import Games
from server.seal import Sealer
from server.service import Call
from tests.server.asking import positions, refused
from tests.server.conftest import Client

MUTATIONS = {"arctic_scavengers": 10_000, "kuhn_poker": 2_000, "leduc_poker": 2_000}
A_POSITION = 5  # of these for each
OVER_THE_WIRE = 300  # of these
TOLD = ("fight", "people")  # written for people, never read
MAPS = ("market", "owned", "known", "known_since", "seen_discard", "sure", "spent", "responses")  # {card: number}
SEED = 20

Path = tuple[str | int, ...]
NOT_NUMBERS = ("x", 1.5, True, [1], {"a": 1}, -1, 2**31, 10**9)
NOT_WORDS = ("no_such_word", 3, -1.5, True, ["x"], {"a": 1})
NOT_FLAGS = ("x", 2, ["x"])
NOT_LISTS = (7, "word", {"a": 1})
NOT_OBJECTS = (7, "word", [7])


class Mutation(NamedTuple):
    """An observation known to be invalid, and where it was made so."""

    form: JsonObject
    path: Path


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value inside a form, with the way to it."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        if key not in TOLD:
            yield (*path, key), inner
            yield from places(inner, (*path, key))


def wrong_values(value: Any) -> tuple[Any, ...]:
    """What can never stand where this value stands."""
    match value:
        case bool():
            return NOT_FLAGS
        case int():
            return NOT_NUMBERS
        case str():
            return NOT_WORDS
        case list():
            return NOT_LISTS
        case dict():
            return NOT_OBJECTS
    return (7,)  # null: a card nobody knows


def replaced(form: JsonObject, path: Path, value: Any) -> Mutation:
    made = copy.deepcopy(form)
    at: Any = made
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return Mutation(made, path)


def wrong_value(form: JsonObject, generator: random.Random) -> Mutation:
    """One value, anywhere, of a wrong type, out of range, or a word that does not exist."""
    path, value = generator.choice(list(places(form)))
    if path == ("game",):
        return replaced(form, path, generator.choice((3, True, ["kuhn_poker"])))  # another word is another game
    return replaced(form, path, generator.choice(wrong_values(value)))


def unknown_card(form: JsonObject, generator: random.Random) -> Mutation:
    """A card that does not exist in a hand, or as a key of a map of counts."""
    maps = [path for path, value in places(form) if path[-1] in MAPS and isinstance(value, dict)]
    if maps and generator.random() < 0.5:
        path = generator.choice(maps)
        return replaced(form, (*path, "no_such_card"), 1)
    return replaced(form, ("players", own(form), "hand"), ["no_such_card"])


def own(form: JsonObject) -> int:
    """Where the entry of the seat itself stands."""
    return next(i for i, player in enumerate(form["players"]) if player.get("seat", i) == form["seat"])


def no_hand(form: JsonObject, generator: random.Random) -> Mutation:
    """A seat that does not know its own hand; in a skirmish the forces tell it."""
    if "skirmish" in form:
        return no_seat(form, generator)
    path = ("players", own(form), "hand")
    made = replaced(form, path, None)
    made.form["players"][path[1]].pop("hand_count", None)
    return made


def no_seat(form: JsonObject, generator: random.Random) -> Mutation:
    return replaced(form, ("seat",), None)


def no_game_of_that_size(form: JsonObject, generator: random.Random) -> Mutation:
    return replaced(form, ("seats",), generator.choice((0, 1, 9, 99)))


def seat_twice(form: JsonObject, generator: random.Random) -> Mutation:
    """Two entries for one seat."""
    at = generator.randrange(len(form["players"]))
    other = form["players"][at - 1].get("seat", at - 1)
    return replaced(form, ("players", at, "seat"), other)._replace(path=("players",))


def seat_too_high(form: JsonObject, generator: random.Random) -> Mutation:
    """A seat nobody sits in, wherever a seat is named."""
    paths = [path for path, value in places(form) if path[-1] in ("seat", "to_move", "initiator", "asker", "target")]
    return replaced(form, generator.choice(paths), len(form["players"]) + generator.randrange(3))


KINDS: tuple[Callable[[JsonObject, random.Random], Mutation], ...] = (
    wrong_value,
    wrong_value,
    wrong_value,
    unknown_card,
    no_hand,
    no_seat,
    no_game_of_that_size,
    seat_twice,
    seat_too_high,
)


def mutations(name: str, number: int) -> Iterator[Mutation]:
    """That many invalid observations, always the same ones."""
    generator = random.Random(SEED)
    valid = positions(name, generator)
    for _ in range(number // A_POSITION):
        form = next(valid)
        yield from (generator.choice(KINDS)(form, generator) for _ in range(A_POSITION))


def message(name: str, form: JsonObject) -> observation_pb2.Observation:
    """The typed message where it can hold such a value, the untyped one where it cannot."""
    try:
        return json_format.ParseDict({name: form}, observation_pb2.Observation())
    except json_format.ParseError:
        return observation_pb2.Observation(other=codec.write_struct(form))


def written(path: Path) -> str:
    """A path as faults write it."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def names(faults: list[str], path: Path) -> bool:
    """True when a fault lies at the place, inside it, or at the object or list that holds it."""
    place, holder = written(path), written(path[:-1])
    return any(f.startswith(place) or (f and f == holder) for f in faults)


@pytest.mark.parametrize("name", MUTATIONS)
@pytest.mark.timeout(300)
async def test_mutations_are_refused_by_the_place_they_were_made(name: str) -> None:
    games, missed = Games(Settings(), Sealer([bytes(32)])), []
    for mutation in mutations(name, MUTATIONS[name]):
        request = game_pb2.ListMovesRequest(observation=message(name, mutation.form))
        try:
            await games.ListMoves(request, Call("test", arrived=0))
            missed.append((mutation, ["accepted"]))
        except InvalidInput as error:
            faults = [fault.path for fault in error.faults]
            if not names(faults, mutation.path):
                missed.append((mutation, faults))
    assert missed[:3] == []


@pytest.mark.parametrize("name", MUTATIONS)
async def test_a_sample_of_them_over_the_wire(client: Client, name: str) -> None:
    for mutation in mutations(name, OVER_THE_WIRE):
        request = game_pb2.ListMovesRequest(observation=message(name, mutation.form))
        error = await refused(client.games.ListMoves(request))
        assert error.reason == "INVALID_INPUT"
        assert names(error.paths, mutation.path)
