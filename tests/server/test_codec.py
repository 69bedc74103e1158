"""Between messages and the dict form: nothing is lost on the way, in either kind of message."""

import random
from itertools import islice

import pytest
from emptychair.v1 import observation_pb2, opponent_pb2
from google.protobuf import json_format

import engine
from bots.bot import StopReason
from engine.faults import InvalidInput
from server import codec
from tests.server.asking import positions

POSITIONS = 300


@pytest.mark.parametrize("kind", ["typed", "other"])
@pytest.mark.parametrize("name", engine.names())
def test_a_position_comes_through_as_it_was(name: str, kind: str) -> None:
    game = engine.load(name)
    for form in islice(positions(name, random.Random(4)), POSITIONS):
        direct = game.view_from_json(form)
        message = codec.write_observation(form)
        if kind == "other":
            message = observation_pb2.Observation(other=codec.write_struct(form))
        came = codec.read_observation(observation_pb2.Observation.FromString(message.SerializeToString()))
        view = game.view_from_json(came)
        assert view.tobytes() == direct.tobytes()
        assert view.notes.warnings == direct.notes.warnings == ()


@pytest.mark.parametrize("name", engine.names())
def test_a_message_has_a_field_for_everything_a_view_says(name: str) -> None:
    for form in islice(positions(name, random.Random(5)), POSITIONS):
        parsed = json_format.ParseDict({name: codec._without_null(form)}, observation_pb2.Observation())
        assert parsed == codec.write_observation(form)


def test_whole_numbers_in_untyped_messages_are_whole() -> None:
    form = {"game": "x", "a": 3, "b": [1, 2.5, None, True], "c": {"d": 1e300}}
    came = codec.read_observation(codec.write_observation(form))
    assert came == form
    assert [type(value) for value in (came["a"], *came["b"])] == [int, int, float, type(None), bool]


def test_cards_nobody_knows_are_empty_words() -> None:
    message = codec.write_observation({"game": "arctic_scavengers", "junkyard": {"known_bottom": [None, "shovel"]}})
    assert list(message.arctic_scavengers.junkyard.known_bottom) == ["", "shovel"]


def test_a_typed_message_need_not_repeat_its_game() -> None:
    assert codec.read_observation(observation_pb2.Observation(leduc_poker={"seat": 1})) == {
        "game": "leduc_poker",
        "seat": 1,
    }


def test_an_observation_of_nothing_is_refused() -> None:
    with pytest.raises(InvalidInput, match="observation"):
        codec.read_observation(observation_pb2.Observation())


def test_every_reason_to_stop_has_a_name_on_the_wire() -> None:
    wire = {name.removeprefix("STOP_REASON_") for name in opponent_pb2.StopReason.DESCRIPTOR.values_by_name}
    assert wire == {reason.name for reason in StopReason} | {"UNSPECIFIED"}
