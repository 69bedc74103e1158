"""Which of our files a text is, so that one which is given to the wrong command can be told by its name."""

import json
import tomllib
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from engine.faults import Fault, InvalidInput


class Kind(StrEnum):
    """What people hand around as files."""

    POSITION = "a position"
    CASES = "cases of the rules"
    REPLAY = "a replay"
    RESULTS = "results of an arena"


TAKEN_BY = {Kind.POSITION: "hint", Kind.CASES: "check", Kind.REPLAY: "replay", Kind.RESULTS: "arena show"}


def kind_of(value: object) -> Kind | None:
    """What a parsed file is, told by its most telling fields; None for anything else."""
    if not isinstance(value, Mapping):
        return None
    if "case" in value:
        return Kind.CASES
    if "players" in value:
        return Kind.POSITION
    if "entrants" in value:
        return Kind.RESULTS
    return Kind.REPLAY if "rules_hash" in value or {"seed", "seats"} <= value.keys() else None


def read_as(wanted: Kind, text: str, parse: Callable[[str], Any]) -> Any:
    """What `parse` makes of a text; raises `InvalidInput`, with one fault alone for a text of another kind."""
    try:
        value = parse(text)
    except InvalidInput:
        for other in PARSERS:
            _refuse_other(_tried(other, text), wanted)
        raise
    _refuse_other(value, wanted)
    return value


def _refuse_other(value: object, wanted: Kind) -> None:
    kind = kind_of(value)
    if kind not in (None, wanted):
        raise InvalidInput([Fault("", kind, f"{wanted}; `emptychair {TAKEN_BY[kind]}` takes {kind}")])


def _tried(parse: Callable[[str], Any], text: str) -> Any:
    try:
        return parse(text)
    except (ValueError, RecursionError):
        return None


def _first_line(text: str) -> Any:
    return json.loads(text.lstrip().partition("\n")[0])


PARSERS: tuple[Callable[[str], Any], ...] = (json.loads, _first_line, tomllib.loads)
