"""Things found by name: ours, and those that installed packages offer as entry points."""

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, TypeVar

from engine.faults import Fault, InvalidInput, meant, shown

log = logging.getLogger(__name__)

T = TypeVar("T")

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

        Ours keep their names; a name that two packages give to different things is nobody's.
        """
        found: dict[str, set[str]] = {}
        for point in entry_points(group=self.group):
            found.setdefault(point.name, set()).add(point.value)
        for name, places in found.items():
            if len(places) > 1 and name not in self.ours:
                log.warning("%s %s is left out: %s all offer it", self.noun, name, ", ".join(sorted(places)))
        return {name: next(iter(places)) for name, places in found.items() if len(places) == 1} | dict(self.ours)

    def names(self) -> list[str]:
        return sorted(self.paths)

    def available(self, load: Callable[[str], T]) -> Iterator[T]:
        """What loads of all there is, by name; what does not, as its package is broken, is left out of lists."""
        for name in self.names():
            try:
                yield load(name)
            except InvalidInput as error:
                log.warning("left out: %s", error)

    def find(self, name: str) -> Any:
        """The object of this name, or of a dotted path, which is imported; raises `InvalidInput` if there is none."""
        path = self.paths.get(name, name)
        if not PATH.fullmatch(path):
            expected = "one of " + ", ".join(self.names()) + " or package.module:object" + meant(name, self.names())
            raise InvalidInput([Fault(self.noun, shown(name), expected)])
        module, _, attribute = path.partition(":")
        try:
            return getattr(import_module(module), attribute)
        except Exception as error:
            raise InvalidInput([Fault(self.noun, shown(name), f"an importable {self.noun} ({error})")]) from error
