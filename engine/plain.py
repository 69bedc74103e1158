"""Texts of JSON and TOML as plain values; what nothing here may hold is a fault with its path."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from math import isfinite
from pathlib import Path
from typing import Any

from engine.faults import Fault, InvalidInput, shown

MAX_LEVELS = 32  # of lists and objects in each other
NUMBERS = 2**64  # whole numbers are smaller than this
REPEATED = object()  # the value of a field that was given more than once
PLACE = re.compile(r"(.+?)(?:: | \(at )(line \d+|end of document)(?:,? (column \d+))?.*")  # as parsers tell it


def read_file(path: Path) -> str:
    """The text of a file; raises `InvalidInput`, without a path, for what cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise InvalidInput([Fault("", "no such file", "")]) from error
    except OSError as error:
        raise InvalidInput([Fault("", f"cannot be read: {(error.strerror or str(error)).lower()}", "")]) from error
    except ValueError as error:
        raise InvalidInput([Fault("", "no text in UTF-8", "")]) from error


def from_json(text: str, path: str = "") -> Any:
    """The value of a JSON text; raises `InvalidInput` with paths that begin with `path`."""
    return _plain(lambda: json.loads(text, object_pairs_hook=_fields), "JSON", path)


def from_toml(text: str, path: str = "") -> Any:
    """The value of a TOML text; raises `InvalidInput` with paths that begin with `path`."""
    return _plain(lambda: tomllib.loads(text), "TOML", path)


def _plain(parse: Callable[[], Any], language: str, path: str) -> Any:
    try:
        value = parse()
    except RecursionError as error:
        raise InvalidInput([_too_deep(path)]) from error
    except ValueError as error:
        raise InvalidInput([_unparsed(str(error), language, path)]) from error
    if faults := list(_faults(value, path, 0)):
        raise InvalidInput(faults)
    return value


def _unparsed(message: str, language: str, path: str) -> Fault:
    """What a parser found wrong, and where: in the place of a path, if there is none."""
    place = PLACE.fullmatch(message)
    if place is None:
        return Fault(path, f"not {language} ({message})", "")
    where = " ".join(filter(None, place.groups()[1:]))
    return Fault(path or where, f"not {language} ({place[1]}{f', {where}' if path else ''})", "")


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    times = Counter(name for name, _ in pairs)
    return {name: value if times[name] == 1 else REPEATED for name, value in pairs}


def _faults(value: object, path: str, level: int) -> Iterator[Fault]:
    """What JSON has no words for but its readers let pass, and what would break the forms that are read from it."""
    if isinstance(value, dict | list):
        if level == MAX_LEVELS:
            yield _too_deep(path)
            return
        for at, inner in _parts(value, path):
            yield from _faults(inner, at, level + 1)
    elif value is REPEATED:
        yield Fault(path, "the same field more than once", "every field once")
    elif isinstance(value, float) and not isfinite(value):
        yield Fault(path, shown(value), "a finite number")
    elif isinstance(value, int) and abs(value) >= NUMBERS:
        yield Fault(path, shown(value), "a number of at most 64 bits")
    elif not isinstance(value, str | int | float | None):
        yield Fault(path, shown(value), "a word, a number, true or false")


def _too_deep(path: str) -> Fault:
    return Fault(path, "more levels of lists and objects", f"at most {MAX_LEVELS}")


def _parts(value: dict[str, Any] | list[Any], path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list):
        return ((f"{path}[{i}]", inner) for i, inner in enumerate(value))
    return ((f"{path}.{name}" if path else name, inner) for name, inner in value.items())
