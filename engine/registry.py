"""Things found by name: ours, and those that installed packages offer as entry points."""

import re
from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from engine.faults import Fault, InvalidInput, meant, shown

PATH = re.compile(r"\w+(\.\w+)*:\w+")


class Registry:
    """Names and where they lie, as `package.module:object`."""

    def __init__(self, noun: str, ours: Mapping[str, str], group: str) -> None:
        self.noun = noun
        self.ours = ours
        self.group = group

    @cached_property
    def paths(self) -> dict[str, str]:
        """Where everything lies, by name; the installed packages are looked through once.

        Ours keep their names; raises `InvalidInput` where two packages give one name to different things.
        """
        found: dict[str, str] = {}
        for point in entry_points(group=self.group):
            if found.setdefault(point.name, point.value) != point.value:
                told = f"{found[point.name]} and {point.value}"
                raise InvalidInput([Fault(f"{self.group}.{point.name}", told, "one of them to be installed")])
        return found | dict(self.ours)

    def names(self) -> list[str]:
        return sorted(self.paths)

    def find(self, name: str) -> Any:
        """The object of this name, or of a dotted path, which is imported; raises `InvalidInput` if there is none."""
        path = self.paths.get(name, name)
        if not PATH.fullmatch(path):
            expected = "one of " + ", ".join(self.names()) + " or package.module:object" + meant(name, self.names())
            raise InvalidInput([Fault(self.noun, shown(name), expected)])
        module, _, attribute = path.partition(":")
        try:
            return getattr(import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            raise InvalidInput([Fault(self.noun, shown(name), f"an importable {self.noun} ({error})")]) from error
