"""What is wrong with an input: all faults at once, each with its path, what was found, what was expected."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, NamedTuple

JsonObject = dict[str, Any]
MAX_INT = 2**31 - 1
MAX_FAULTS = 100  # nobody reads more, and finding out what was meant takes time
MAX_WORD = 60  # characters that are compared with the words there are
SEATS_COUNT = "; seats count from 0"


class Fault(NamedTuple):
    """One fault of an input; where nothing in particular is expected, `found` says all there is to say."""

    path: str
    found: str
    expected: str

    def __str__(self) -> str:
        text = f"found {self.found}, expected {self.expected}" if self.expected else self.found
        return f"{self.path or 'input'}: {text}"


class InvalidInput(ValueError):
    """An input that can never be valid; `faults` lists the faults found, of one object the first hundred."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(str(f) for f in self.faults))

    def __reduce__(self) -> Any:
        return type(self), (self.faults,)


class NotNow(ValueError):
    """An input that would be valid at another moment: not this seat, game over."""


def shown(value: object) -> str:
    """A value as a fault quotes it: short, one line."""
    if value is None:
        return "nothing"
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - thousands of digits or levels; or whatever a stranger's object does
        text = f"{type(value).__name__} that cannot be shown"
    return text if len(text) <= 60 else text[:57] + "..."


def one_of(found: object, allowed: Iterable[str]) -> str:
    """What is expected where a word must be one of these; ends with the one that was meant, as far as can be told."""
    words = tuple(allowed)
    return "one of " + ", ".join(words) + meant(found, words)


def meant(found: object, allowed: Iterable[str]) -> str:
    """The end of a sentence about a word that is none of these: which of them it resembles; "" if none."""
    return _meant(found[:MAX_WORD], tuple(allowed)) if isinstance(found, str) else ""


@lru_cache(maxsize=256)
def _meant(found: str, allowed: Sequence[str]) -> str:
    close = get_close_matches(found, allowed, n=1)
    return f"; did you mean {close[0]}?" if close else ""


class Reader:
    """Reads one JSON object field by field, and collects faults instead of stopping at the first."""

    def __init__(self, value: object, path: str = "", faults: list[Fault] | None = None) -> None:
        self.faults: list[Fault] = [] if faults is None else faults
        self.path = path
        self._used: set[str] = set()
        self._fields: Mapping[str, Any] = {}
        if isinstance(value, Mapping):
            self._fields = value
        else:
            self.fault("", value, "an object")

    def at(self, name: str) -> str:
        """The path of a field of this object."""
        if not name:
            return self.path
        return f"{self.path}.{name}" if self.path else name

    def fault(self, name: str, found: object, expected: str) -> None:
        """Notes a fault of the field `name` (or of the object itself, for ""); raises `InvalidInput` with too many."""
        text = found if isinstance(found, _Quoted) else shown(found)
        self.faults.append(Fault(self.at(name), str(text), expected))
        if len(self.faults) >= MAX_FAULTS:
            self.done()

    def has(self, name: str) -> bool:
        """True when the field was given (null, an empty list and an empty map count as left out)."""
        self._used.add(name)
        value = self._fields.get(name)
        return not (value is None or value == [] or value == {})

    def raw(self, name: str) -> Any:
        """The field's value unchecked, or None."""
        self._used.add(name)
        return self._fields.get(name)

    def integer(self, name: str, default: int, low: int = 0, high: int = MAX_INT) -> int:
        """A whole number in [low, high]; `default` when left out or faulty."""
        value = self.raw(name)
        if value is None:
            return default
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # numbers inside google.protobuf.Struct are doubles
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.fault(name, value, f"a whole number from {low} to {high}")
            return default
        return value

    def seat(self, name: str, default: int, seats: int) -> int:
        """One of `seats` seats, counted from 0; `default` when left out or faulty."""
        faults = len(self.faults)
        value = self.integer(name, default, 0, seats - 1)
        self.faults[faults:] = [f._replace(expected=f.expected + SEATS_COUNT) for f in self.faults[faults:]]
        return value

    def flag(self, name: str, default: bool) -> bool:
        """true or false; `default` when left out or faulty."""
        value = self.raw(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            self.fault(name, value, "true or false")
            return default
        return value

    def word(self, name: str, default: str, allowed: Sequence[str]) -> str:
        """One of the allowed words; `default` when left out or faulty."""
        value = self.raw(name)
        if value is None or value == "":
            return default
        if not isinstance(value, str) or value not in allowed:
            self.fault(name, value, one_of(value, allowed))
            return default
        return value

    def words(self, name: str, allowed: Sequence[str], null: bool = False) -> list[str | None]:
        """A list of allowed words (and nulls, where `null` says so); faulty entries are left out."""
        value = self.raw(name)
        if value is None:
            return []
        if not isinstance(value, Sequence) or isinstance(value, str):
            self.fault(name, value, "a list")
            return []
        good: list[str | None] = []
        for i, entry in enumerate(value):
            if null and entry in (None, ""):
                good.append(None)
            elif isinstance(entry, str) and entry in allowed:
                good.append(entry)
            else:
                self.fault(f"{name}[{i}]", entry, one_of(entry, allowed))
        return good

    def counts(self, name: str, allowed: Sequence[str], high: int = 255) -> dict[str, int]:
        """A map from allowed words to whole numbers; faulty entries are left out."""
        value = self.raw(name)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self.fault(name, value, "a map from card to number")
            return {}
        good: dict[str, int] = {}
        for key, number in value.items():
            if isinstance(number, float) and number.is_integer():
                number = int(number)
            if key not in allowed:
                self.fault(f"{name}.{key}", _Quoted(key or "''"), one_of(key, allowed))
            elif isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= high:
                self.fault(f"{name}.{key}", number, f"a whole number from 0 to {high}")
            else:
                good[key] = number
        return good

    def object(self, name: str) -> "Reader":
        """A reader for a field that is an object; an empty one when left out."""
        value = self.raw(name)
        return Reader({} if value is None else value, self.at(name), self.faults)

    def objects(self, name: str) -> list["Reader"]:
        """Readers for a field that is a list of objects; none when left out."""
        value = self.raw(name)
        if value is None:
            return []
        if not isinstance(value, Sequence) or isinstance(value, str):
            self.fault(name, value, "a list of objects")
            return []
        return [Reader(entry, f"{self.at(name)}[{i}]", self.faults) for i, entry in enumerate(value)]

    def unused(self) -> list[str]:
        """Names of given fields that nobody asked for."""
        return [name for name in self._fields if name not in self._used]

    def warnings(self) -> list[str]:
        """A sentence for each given field that nobody asked for, with the field that was meant, if that can be told."""
        known = sorted(name for name in self._used if self._fields.get(name) is None)
        return [f"{self.at(name)}: not used{meant(name, known)}" for name in self.unused()[:MAX_FAULTS]]

    def done(self) -> None:
        """Raises `InvalidInput` with all faults collected so far, if any."""
        if self.faults:
            raise InvalidInput(self.faults)


class _Quoted(str):
    """A word that a fault quotes as it is."""
