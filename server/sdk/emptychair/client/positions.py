"""A position as callers write it -> as requests carry it."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from google.protobuf.json_format import ParseDict, ParseError

from emptychair.client.given import Given
from emptychair.v1.observation_pb2 import Observation

JsonObject = Mapping[str, Any]
Position = JsonObject | Observation | bytes
"""What one seat knows, in its JSON form or as a message; or a sealed game."""

OTHER = "other"
GAMES = tuple(field.name for field in Observation.DESCRIPTOR.fields if field.name != OTHER)


def position_fields(position: Position, given: Given) -> dict[str, Any]:
    """The field of a request that holds this position."""
    if isinstance(position, bytes):
        return {"sealed": position}
    if not isinstance(position, Observation | Mapping):
        given.fault("observation", position, "an observation (an object or a message) or a sealed game (bytes)")
        return {}
    return {"observation": observation_message(position, given)}


def observation_message(observation: JsonObject | Observation, given: Given) -> Observation:
    """The message for an observation.

    What its game's message cannot hold (a misspelt field, a word for a number) goes to the server as it is: the server
    names all faults at once.
    """
    if isinstance(observation, Observation):
        return observation
    form = given.object("observation", observation, within="")
    if (game := form.get("game")) in GAMES:
        with suppress(ParseError):
            return ParseDict({game: form}, Observation())
    return ParseDict({OTHER: form}, Observation())
