"""A position as callers write it -> as requests carry it."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TypeVar

from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import Message

from emptychair.client.errors import Fault, InvalidInput
from emptychair.v1.observation_pb2 import Observation

M = TypeVar("M", bound=Message)

JsonObject = Mapping[str, Any]
Position = JsonObject | Observation | bytes
"""What one seat knows, in its JSON form or as a message; or a sealed game."""

OTHER = "other"
GAMES = tuple(field.name for field in Observation.DESCRIPTOR.fields if field.name != OTHER)


def position_fields(position: Position) -> dict[str, Any]:
    """The field of a request that holds this position."""
    if isinstance(position, bytes):
        return {"sealed": position}
    return {"observation": observation_message(position)}


def observation_message(observation: JsonObject | Observation) -> Observation:
    """The message for an observation; raises `InvalidInput` for what is no JSON.

    What its game's message cannot hold (a misspelt field, a word for a number) goes to the server as it is: the server
    names all faults at once.
    """
    if isinstance(observation, Observation):
        return observation
    game = observation.get("game")
    if game in GAMES:
        with suppress(InvalidInput):
            return parsed({game: dict(observation)}, Observation(), "observation")
    return parsed({OTHER: dict(observation)}, Observation(), "observation")


def parsed(value: JsonObject, message: M, path: str) -> M:
    """The message, filled from its JSON form; raises `InvalidInput` for what it has no place for."""
    try:
        return ParseDict(dict(value), message)
    except (ParseError, SystemError) as error:  # the latter for half a character in a name
        raise InvalidInput(str(error), faults=(Fault(path, str(error)),)) from error
