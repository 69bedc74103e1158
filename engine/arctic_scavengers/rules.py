"""Chosen modules, seats and switches become one read-only Rules record; after this nobody asks for modules."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from engine.arctic_scavengers.cards import NONE, Act, Card, Module
from engine.arctic_scavengers.modules import MODULES
from engine.arctic_scavengers.prior import write_prior
from engine.arctic_scavengers.prospects import write_prospects
from engine.arctic_scavengers.state import MAX_KINDS, PURSE, RULES
from engine.faults import MAX_FAULTS, Fault, one_of, shown
from engine.record import Array, zeros

# Switches of the rules, each with its values, the default (the recommended reading) first.
SWITCHES: dict[str, Sequence[Any]] = {
    "used_cards_to_discard": ("after_action", "round_end"),
    "special_use_forfeits_fight": (True, False),
    "reserve_may_respond": (True, False),
    "failed_action_is_refunded": (True, False),
    "draw_reshuffle_includes_played": (False, True),
    "special_actions_once_per_round": (False, True),
    "trash_public": (False, True),
    "dig_return_order": ("as_drawn", "chosen"),
    "peek": ("auto",),
    "two_player_peek": ("initiator_off", "all_off"),
    "final_tie": ("shared",),
    "spare_tools": (False, True),
    "offer_zero_actions": (False, True),
}
# The record's field for each switch, and the value that sets it to 1; the others have one reading in the base game.
FIELDS = {
    "used_cards_to_discard": ("used_to_front", "round_end"),
    "special_use_forfeits_fight": ("forfeits_fight", True),
    "reserve_may_respond": ("reserve_responds", True),
    "failed_action_is_refunded": ("refunds", True),
    "draw_reshuffle_includes_played": ("reshuffle_played", True),
    "special_actions_once_per_round": ("once_per_round", True),
    "trash_public": ("trash_public", True),
    "dig_return_order": ("chosen_order", "chosen"),
    "spare_tools": ("spare_tools", True),
    "offer_zero_actions": ("zero_actions", True),
}
TWO_SEATS = 2
REMOVED_FOR_TWO = 2  # of each junkyard kind


def switch_faults(rules: Mapping[str, Any], path: str = "options.rules") -> list[Fault]:
    """Faults of a choice of switches."""
    faults = []
    for name, value in islice(rules.items(), MAX_FAULTS):
        if name not in SWITCHES:
            faults.append(Fault(f"{path}.{name}", name, one_of(name, SWITCHES)))
        elif not any(value is v or (isinstance(v, str) and value == v) for v in SWITCHES[name]):
            faults.append(Fault(f"{path}.{name}", shown(value), " or ".join(shown(v) for v in SWITCHES[name])))
    return faults


def module_faults(modules: Iterable[str], path: str = "options.modules") -> list[Fault]:
    """Faults of a choice of modules."""
    known = [m for m in MODULES if m != "base"]
    expected = "one of " + ", ".join(known) if known else "no module: only the base game is in"
    return [
        Fault(f"{path}[{i}]", shown(m), expected)
        for i, m in enumerate(modules)
        if not isinstance(m, str) or m not in known
    ]


def chosen_modules(names: Iterable[str]) -> list[Module]:
    """The base game and these modules, in print order."""
    wanted = {"base", *names}
    return [m for m in MODULES.values() if m.id in wanted]


def kinds_of(modules: Sequence[Module]) -> tuple[Card, ...]:
    """The kinds of card in play, numbered so that who can act comes before who only helps, then tools."""

    def place(card: Card) -> int:
        if card.type == "tribe":
            return 0 if max(card.own.row()) > NONE else 1
        return {"tool": 2, "medicine": 3, "junk": 4}[card.type]

    return tuple(sorted((c for m in modules for c in m.cards), key=place))


def build(seats: int, modules: Sequence[Module], switches: Mapping[str, Any]) -> Array:
    """The rules record for this choice."""
    kinds = kinds_of(modules)
    if len(kinds) > MAX_KINDS:
        raise ValueError(f"{len(kinds)} kinds of card, at most {MAX_KINDS}")
    rules = zeros(RULES)
    r = rules[0]
    r.seats, r.kinds, r.skip_forced = seats, len(kinds), 1
    r.margin = 2 if seats == TWO_SEATS else 1
    r.people_break_ties = r.peek = seats != TWO_SEATS
    for switch, (name, value) in FIELDS.items():
        setattr(r, name, switches[switch] == value)
    r.unit_of[:] = NONE
    r.own[:] = NONE
    for k, card in enumerate(kinds):
        write_card(r, k, card)
    write_units(r, kinds)
    write_prices(r, kinds)
    write_piles(r, seats, modules, kinds)
    write_prior(r, kinds)
    write_prospects(r, kinds)
    return rules


def bit(k: int) -> np.uint64:
    return np.uint64(1 << k)


def write_card(r: Any, k: int, card: Card) -> None:
    """One card's numbers, and the sets it belongs to."""
    r.own[k] = card.own.row()
    r.adds[k] = [max(v, 0) for v in card.adds.row()]
    r.med[k], r.people[k] = card.med, card.people
    if card.type == "tribe":
        r.members |= bit(k)
    if card.type == "tool":
        r.tools |= bit(k)
    if card.med and card.type == "medicine":
        r.medicines |= bit(k)
    for act in (Act.DRAW, Act.DIG, Act.HUNT, Act.FIGHT):
        if r.own[k, act] > NONE:
            r.able[act] |= bit(k)
        if r.own[k, act] > 0:
            r.strong[act] |= bit(k)
        if r.own[k, act] == NONE and r.adds[k, act] > 0:
            group = r.gear if card.type == "tool" else r.helpers
            group[act] |= bit(k)


def write_units(r: Any, kinds: Sequence[Card]) -> None:
    """The special units and what they can hit."""
    targets = {"snipe": r.members, "disarm": r.tools}
    for k, card in enumerate(kinds):
        if card.hits:
            r.unit_of[k] = r.units_n
            r.unit_kind[r.units_n] = k
            r.unit_targets[r.units_n] = targets[card.hits]
            r.units_n += 1


def write_prices(r: Any, kinds: Sequence[Card]) -> None:
    """Prices, and for each sum of food or med the stacks it can pay for."""
    for k, card in enumerate(kinds):
        if card.price is None:
            continue
        r.price_food[k], r.price_med[k], r.price_mix[k] = card.price.food, card.price.med, card.price.mix
        for sum_ in range(PURSE):
            if card.price.mix:
                r.mixes |= bit(k)
                if sum_ >= card.price.mix:
                    r.for_mix[sum_] |= bit(k)
                continue
            if sum_ >= card.price.food:
                r.for_food[sum_] |= bit(k)
            if sum_ >= card.price.med:
                r.for_med[sum_] |= bit(k)


def write_piles(r: Any, seats: int, modules: Sequence[Module], kinds: Sequence[Card]) -> None:
    """What begins where: starting decks come out of the printed copies (3.2, 11.1)."""
    number = {card.id: k for k, card in enumerate(kinds)}
    for module in modules:
        for name, n in module.start.items():
            r.start[number[name]] = n
        for card in module.market:
            r.market[number[card.id]] = card.copies - seats * r.start[number[card.id]]
        for card in module.junkyard:
            taken = REMOVED_FOR_TWO if seats == TWO_SEATS else 0
            r.junkyard[number[card.id]] = card.copies - seats * r.start[number[card.id]] - taken
        for card in module.contested:
            r.contested[number[card.id]] = card.copies
            r.contested_kinds |= bit(number[card.id])
    r.total[:] = r.start * seats + r.market + r.junkyard + r.contested
