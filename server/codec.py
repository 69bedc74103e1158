"""Between the wire and the engine: proto messages <-> the one dict form of each game, answers -> proto."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from emptychair.v1 import observation_pb2 as wire
from emptychair.v1 import opponent_pb2
from google.protobuf import json_format
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct, Value

from bots.bot import Answer, Estimate, Step
from engine.faults import Fault, InvalidInput, JsonObject, shown

OTHER = "other"
SAME = [f.name for f in fields(Answer) if f.name not in ("plan", "alternatives", "stop_reason")]
GAME_FIELDS = [field.name for field in wire.Observation.DESCRIPTOR.fields if field.name != OTHER]


def read_observation(message: wire.Observation) -> JsonObject:
    """The observation's JSON form, its game named; raises `InvalidInput` when none is set."""
    which = message.WhichOneof("game")
    if which is None:
        raise InvalidInput([Fault("observation", "nothing", "one of " + ", ".join([*GAME_FIELDS, OTHER]))])
    value = read_json(getattr(message, which))
    if which == OTHER:
        return value
    if value.setdefault("game", which) != which:
        raise InvalidInput([Fault("game", shown(value["game"]), f"{which}, as the field that holds it")])
    return value


def read_json(message: Message) -> JsonObject:
    """The proto3 JSON form of a message, whole numbers whole; raises `InvalidInput` for what JSON cannot hold."""
    try:
        value = json_format.MessageToDict(message, preserving_proto_field_name=True)
    except (json_format.Error, ValueError) as error:
        raise InvalidInput([Fault("", str(error), "numbers and words that JSON can hold")]) from error
    whole: JsonObject = _whole(value)
    return whole


def read_asked(request: Message) -> JsonObject:
    """The JSON form of a request without its position, numbers as numbers; fields left out are left out."""
    given: JsonObject = {field.name: value for field, value in request.ListFields()}
    limits = given["budget"].ListFields() if "budget" in given else ()
    parameters = read_json(given["parameters"]) if "parameters" in given else {}
    return given | {"budget": {field.name: value for field, value in limits}, "parameters": parameters}


def write_observation(value: JsonObject) -> wire.Observation:
    """The message for an observation's JSON form; what its game's message has no field for is left out."""
    message = wire.Observation()
    name = value.get("game")
    field = name if name in GAME_FIELDS else OTHER
    form = value if field == OTHER else _without_null(value)
    json_format.ParseDict({field: form}, message, ignore_unknown_fields=True)
    return message


def write_answer(answer: Answer) -> opponent_pb2.Recommendation:
    """A bot's answer as a message."""
    same = {name: getattr(answer, name) for name in SAME}
    return opponent_pb2.Recommendation(
        plan=_steps(answer.plan),
        alternatives=[
            opponent_pb2.Alternative(
                plan=_steps(other.plan),
                visits=other.visits,
                availability=other.availability,
                win_chance=_estimates(other.win_chance),
                progress=_estimates(other.progress),
            )
            for other in answer.alternatives
        ],
        stop_reason=opponent_pb2.StopReason.Value(f"STOP_REASON_{answer.stop_reason.name}"),
        **same,
    )


def _steps(plan: Sequence[Step]) -> list[opponent_pb2.Step]:
    return [opponent_pb2.Step(move=s.move, words=s.words, fields=write_struct(s.fields), forced=s.forced) for s in plan]


def _estimates(estimates: Sequence[Estimate]) -> list[opponent_pb2.Estimate]:
    return [opponent_pb2.Estimate(mean=e.mean, standard_error=e.standard_error) for e in estimates]


def write_struct(value: Mapping[str, Any]) -> Struct:
    """A map of JSON values as a message."""
    return json_format.ParseDict(dict(value), Struct())


def write_value(value: Any) -> Value:
    """One JSON value as a message."""
    return json_format.ParseDict(value, Value())


def _whole(value: Any) -> Any:
    """Numbers in a Struct are doubles; people and engines mean whole ones."""
    if isinstance(value, dict):
        return {key: _whole(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_whole(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _without_null(value: Any) -> Any:
    """Proto lists hold no null: a card nobody knows is an empty word there."""
    if isinstance(value, dict):
        return {key: _without_null(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return ["" if inner is None else _without_null(inner) for inner in value]
    return value
