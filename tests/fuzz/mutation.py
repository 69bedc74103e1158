"""Inputs changed a little, so that they come deeper than noise does: the same changes for both drivers."""

import copy
import json
import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message

from engine.faults import JsonObject

Mutate = Callable[[bytes, Random], bytes]

CHANGES = 3  # made to one input at most
TOKEN = re.compile(rb"\w+|\s+|.", re.DOTALL)
ODD: Sequence[Any] = (
    None, True, False, 0, -1, 1, 2, 3, 255, 256, 2**31 - 1, 2**31, 2**63, 2**64 - 1, 2**64, -(2**63), 0.5, 1e300, -0.0,
    "", " ", "x", "0", "none", "refugee", "group_leaders", "gathering", "skirmish", "0x0123456789abcdef", "\ud800",
    "席", "a" * 5000, [], {}, [None], [[]], {"": 0}, [0] * 300, {"bag": {"junk": 1}},
    {"top": ["junk"], "bottom": ["junk"]},
)  # fmt: skip


def json_text(data: bytes, random: Random) -> bytes:
    """A JSON text with some of its values changed; one that is none with some of its bytes."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return tokens(data, random)
    for _ in range(random.randint(1, CHANGES)):
        value = changed(value, random)
    return json.dumps(value).encode()


def json_lines(data: bytes, random: Random) -> bytes:
    """Lines of JSON, one of them changed, left out, repeated or moved."""
    lines = data.split(b"\n")
    at, to = (random.randrange(len(lines)) for _ in range(2))
    match random.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines.insert(to, lines[at])
        case 2:
            lines[at], lines[to] = lines[to], lines[at]
        case _:
            lines[at] = json_text(lines[at], random)
    return b"\n".join(lines)


def tokens(data: bytes, random: Random) -> bytes:
    """A text with some of its words and signs left out, repeated, moved or replaced; or any bytes with any others."""
    parts = TOKEN.findall(data) or [b""]
    for _ in range(random.randint(1, CHANGES)):
        at, other = (random.randrange(len(parts)) for _ in range(2))
        odd = random.choice(ODD)
        parts[at] = random.choice(
            (b"", parts[other], parts[at] * 2, odd.encode("utf-8", "replace") if isinstance(odd, str) else b"%r" % odd,
             bytes([random.randrange(256)]), parts[at][:-1])
        )  # fmt: skip
    return b"".join(parts)


def message(kind: type[Message]) -> Mutate:
    """Changes the fields of a message, where what comes of it is one; else its bytes."""

    def mutate(data: bytes, random: Random) -> bytes:
        try:
            form = json_format.MessageToDict(kind.FromString(data), preserving_proto_field_name=True)
            return parsed(changed(form, random), kind).SerializeToString()
        except (DecodeError, ValueError, TypeError, SystemError, json_format.Error, RecursionError):
            return tokens(data, random)

    return mutate


def parsed(form: JsonObject, kind: type[Message]) -> Message:
    return json_format.ParseDict(form, kind(), ignore_unknown_fields=True)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place inside a value: the list or object, and the index or key."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        yield value, key
        yield from places(inner)


def changed(value: Any, random: Random) -> Any:
    """A copy of a JSON value in which one thing is another."""
    made = copy.deepcopy(value)
    found = list(places(made))
    if not found:
        return random.choice(ODD)
    (holder, key), (donor, there) = random.choice(found), random.choice(found)
    match random.randrange(6):
        case 0:
            del holder[key]
        case 1:
            holder[key] = copy.deepcopy(random.choice(ODD))
        case 2:
            holder[key] = copy.deepcopy(donor[there])
        case 3:
            _added(holder, key, copy.deepcopy(donor[there]))
        case _:
            holder[key] = _near(holder[key], random)
    return made


def _added(holder: Any, key: Any, value: Any) -> None:
    if isinstance(holder, list):
        holder.insert(key, value)
    else:
        holder[f"{key}_"] = value


def _near(value: Any, random: Random) -> Any:
    """A value much like this one."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + random.choice((-1, 1, 0.5, 10))
        case str():
            return tokens(value.encode("utf-8", "replace"), random).decode("utf-8", "replace")
        case list():
            return random.sample(value, len(value))
        case dict():
            return dict(random.sample(list(value.items()), len(value)))
    return 0
