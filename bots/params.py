"""Parameters of bots: frozen dataclasses whose fields state their range and their meaning."""

from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from itertools import islice
from typing import Any

from engine.faults import MAX_FAULTS, Fault, InvalidInput, one_of, shown


def number(default: Any, low: float, high: float, *, description: str) -> Any:
    """A field that holds a number from `low` to `high`, whole if the default is; `description` is a sentence."""
    return field(default=default, metadata={"range": (low, high), "description": description})


def word(*allowed: str, description: str) -> Any:
    """A field that holds one of these words, by default the first; `description` is a sentence."""
    return field(default=allowed[0], metadata={"words": allowed, "description": description})


@dataclass(frozen=True)
class Params:
    """What can be chosen about a bot; raises `InvalidInput` with every value out of range."""

    def __post_init__(self) -> None:
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        faults = faults_of(type(self), given)
        if faults:
            raise InvalidInput(faults)


def faults_of(kind: type[Params], given: Mapping[str, Any]) -> Sequence[Fault]:
    """What is wrong with these values: unknown names, wrong types, out of range."""
    known = {f.name: f for f in fields(kind)}
    faults = []
    for name, value in islice(given.items(), MAX_FAULTS):
        expected = _expected(known[name], value) if name in known else one_of(name, known) if known else "nothing"
        if expected:
            faults.append(Fault(f"params.{name}", shown(value), expected))
    return faults


def _expected(declared: "Field[Any]", value: Any) -> str:
    """What the field should hold, or nothing if it does."""
    if words := declared.metadata.get("words"):
        return "" if value in words else one_of(value, words)
    low, high = declared.metadata["range"]
    whole = isinstance(declared.default, int)
    fits = isinstance(value, int if whole else int | float) and not isinstance(value, bool) and low <= value <= high
    return "" if fits else f"a {'whole number' if whole else 'number'} from {low:g} to {high:g}"
