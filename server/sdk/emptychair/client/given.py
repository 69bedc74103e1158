"""What callers give, checked before it is sent, in the words in which the server would refuse it."""

import uuid
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from typing import Any

from emptychair.client.errors import Fault, InvalidInput

RANGES = {  # of numbers, as the protos state them
    "budget.iterations": (1, 1_000_000_000),
    "budget.time_ms": (1, 600_000),
    "seed": (0, 2**64 - 1),
    "max_alternatives": (0, 512),
    "parallelism": (1, 256),
    "report_interval_ms": (10, 60_000),
}
MAX_INT = 2**31 - 1
LONGEST = 1_000_000  # seconds of a timeout
MAX_LEVELS = 32  # of lists and objects in each other
NUMBERS = 2**64  # whole numbers are smaller than this
LANGUAGES = "one of en, ja"


class Given:
    """What one call was given: what is wrong is noted, and something harmless returned in its place, until `done`."""

    def __init__(self) -> None:
        self.request_id = uuid.uuid4().hex  # tried again, the call gets the reply of the first try
        self._faults: list[Fault] = []

    def fault(self, path: str, found: object, expected: str) -> None:
        """Notes a fault."""
        self._faults.append(Fault(path, shown(found), expected))

    def done(self) -> None:
        """Raises `InvalidInput` with all faults noted, if any."""
        if self._faults:
            raise InvalidInput("", self.request_id, tuple(self._faults))

    def word(self, path: str, value: object, expected: str = "a word") -> str:
        """A text; "" where None is given."""
        return "" if value is None else self._word(path, value, expected)

    def _word(self, path: str, value: object, expected: str = "a word") -> str:
        if isinstance(value, str) and _is_text(value):
            return value
        self.fault(path, value, expected)
        return ""

    def words(self, path: str, value: Any) -> list[str]:
        """A list of texts; a text alone is none."""
        if value is None:
            return []
        if isinstance(value, str | bytes | bytearray | Mapping) or not isinstance(value, Iterable):
            self.fault(path, value, "a list")
            return []
        return [self._word(f"{path}[{i}]", word) for i, word in enumerate(value)]

    def number(self, path: str, value: object) -> int | None:
        """A whole number within its range; None where none is given."""
        low, high = RANGES.get(path, (-MAX_INT, MAX_INT))
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and low <= value <= high):
            return value
        self.fault(path, value, f"a whole number from {low} to {high}" if path in RANGES else "a whole number")
        return None

    def sealed(self, value: object) -> bytes:
        """The bytes of a sealed game."""
        if isinstance(value, bytes):
            return value
        self.fault("sealed", value, "a sealed game")
        return b""

    def seconds(self, value: object, default: float) -> float:
        """A timeout; the default where None is given."""
        if value is None:
            return default
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LONGEST:
            return value
        self.fault("timeout", value, f"a number of seconds from 0 to {LONGEST}")
        return default

    def object(self, path: str, value: object, within: str | None = None) -> dict[str, Any]:
        """A copy of a JSON object; paths of its fields begin with `within`, or else with `path`."""
        if not isinstance(value, Mapping):
            self.fault(path, value, "an object")
            return {}
        faults = list(_faults(value, path if within is None else within, 0))
        self._faults += faults
        return {} if faults else {name: _plain(inner) for name, inner in value.items()}


def shown(value: object) -> str:
    """A value as a fault quotes it: short, one line."""
    if value is None:
        return "nothing"
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # Python writes no number of thousands of digits, nor thousands of levels
        text = f"{type(value).__name__} too large to be shown"
    return text if len(text) <= 60 else text[:57] + "..."


def _faults(value: object, path: str, level: int) -> Iterator[Fault]:
    """What is not JSON, or JSON that no message can hold."""
    if isinstance(value, Mapping | list | tuple):
        if level == MAX_LEVELS:
            yield Fault(path, "more levels of lists and objects", f"at most {MAX_LEVELS}")
            return
        if isinstance(value, Mapping):
            for name in (name for name in value if not (isinstance(name, str) and _is_text(name))):
                yield Fault(path, f"a field named {shown(name)}", "names that are words")
        for at, inner in _parts(value, path):
            yield from _faults(inner, at, level + 1)
    elif isinstance(value, float) and not isfinite(value):
        yield Fault(path, shown(value), "a finite number")
    elif isinstance(value, int) and abs(value) >= NUMBERS:
        yield Fault(path, shown(value), "a number of at most 64 bits")
    elif not (isinstance(value, int | float | None) or (isinstance(value, str) and _is_text(value))):
        yield Fault(path, shown(value), "a word, a number, true or false")


def _parts(value: Mapping[Any, Any] | list[Any] | tuple[Any, ...], path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        return ((f"{path}.{name}" if path else str(name), inner) for name, inner in value.items())
    return ((f"{path}[{i}]", inner) for i, inner in enumerate(value))


def _plain(value: Any) -> Any:
    """A copy made of what JSON is made of."""
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value


def _is_text(word: str) -> bool:
    """Whether a word can be sent: halves of characters cannot."""
    return word.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in word)
