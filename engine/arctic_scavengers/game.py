"""The game object: everything wired, nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from engine.arctic_scavengers import form, moves, words
from engine.arctic_scavengers.cards import Card
from engine.arctic_scavengers.modules import MODULES
from engine.arctic_scavengers.rules import (
    SWITCHES,
    build,
    chosen_modules,
    kinds_of,
    module_faults,
    switch_faults,
)
from engine.arctic_scavengers.scratch import SCRATCH
from engine.arctic_scavengers.skirmish import score
from engine.arctic_scavengers.state import MAX_SEATS, STATE
from engine.faults import InvalidInput
from engine.game import Game, Setup, State, View, checked_seats
from engine.record import Array, address_of
from engine.verbs import Verbs


@cache
def kinds_in(modules: tuple[str, ...]) -> tuple[Card, ...]:
    """The kinds of card of these modules, by number."""
    return kinds_of(chosen_modules(modules))


class ArcticScavengers(Game):
    """Deck building with a secret reserve: gather, hire, dig, and fight for contested resources."""

    name = "arctic_scavengers"
    titles: ClassVar[Mapping[str, str]] = {"en": "Arctic Scavengers", "ja": "アークティックスカベンジャー"}
    min_seats, max_seats = 2, MAX_SEATS
    min_return, max_return = 0.0, 1.0
    state_dtype = STATE
    scratch_bytes = SCRATCH.itemsize
    modules: ClassVar[Sequence[str]] = tuple(m for m in MODULES if m != "base")
    switches: ClassVar[Mapping[str, Sequence[Any]]] = SWITCHES
    switch_descriptions: ClassVar[Mapping[str, Mapping[str, str]]] = words.SWITCHES

    @property
    def folder(self) -> Path:
        return Path(__file__).parent

    @cached_property
    def verbs(self) -> Verbs:
        from engine.arctic_scavengers.verbs import VERBS

        return VERBS

    def setup(
        self, seats: int | None = None, modules: Iterable[str] = (), rules: Mapping[str, Any] | None = None
    ) -> Setup:
        n = checked_seats(self, seats)
        chosen = sorted(set(modules))
        faults = module_faults(chosen) + switch_faults(rules or {})
        if faults:
            raise InvalidInput(faults)
        switches = {name: values[0] for name, values in SWITCHES.items()} | dict(rules or {})
        return self._setup(n, tuple(chosen), tuple(sorted(switches.items())))

    @cache  # noqa: B019 - one game object lives as long as the process
    def _setup(self, seats: int, modules: tuple[str, ...], switches: tuple[tuple[str, Any], ...]) -> Setup:
        record = build(seats, chosen_modules(modules), dict(switches))
        stepwise = record.copy()
        stepwise[0].skip_forced = 0
        return Setup(self, {"modules": list(modules), "rules": dict(switches)}, seats, record, stepwise)

    def kinds(self, setup: Setup) -> tuple[Card, ...]:
        """The kinds of card in play, by number."""
        return kinds_in(tuple(setup.options["modules"]))

    def cards(self) -> list[dict[str, Any]]:
        """Every card of every module, as data for clients."""
        return [words.card_facts(module.id, card) for module in MODULES.values() for card in module.cards]

    def deal(self, setup: Setup, data: Array, seed: int) -> None:
        from engine.arctic_scavengers.verbs import deal

        deal(setup.rules_address, address_of(data), np.uint64(seed))

    def move_text(self, setup: Setup, data: Array, move: int) -> str:
        return moves.text(self.kinds(setup), data, move)

    def move_words(self, setup: Setup, data: Array, move: int, language: str) -> str:
        return words.move_words(self.kinds(setup), data, move, language)

    def move_fields(self, setup: Setup, data: Array, move: int) -> dict[str, Any]:
        return moves.fields(self.move_text(setup, data, move))

    def tally(self, setup: Setup, data: Array) -> dict[str, list[int]]:
        return {"people": [int(score(setup.rules[0], data[0], seat)) for seat in range(setup.seats)]}

    def in_canonical_order(self, setup: Setup, texts: Sequence[str]) -> list[str]:
        return moves.in_canonical_order(self.kinds(setup), texts)

    def state_to_json(self, setup: Setup, data: Array) -> dict[str, Any]:
        return form.write_world(setup, self.kinds(setup), data[0])

    def view_to_json(self, setup: Setup, data: Array, seat: int) -> dict[str, Any]:
        return form.write_observation(setup, self.kinds(setup), data[0], seat)

    def state_from_json(self, value: object) -> State:
        return form.read_world(self, value)

    def view_from_json(self, value: object) -> View:
        return form.read_observation(self, value)

    def template(self) -> dict[str, Any]:
        return form.template()


GAME = ArcticScavengers()
