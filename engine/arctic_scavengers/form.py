"""Positions as JSON, both ways: worlds and observations (docs/contract.md 4 and 12).

Reading goes in steps: draft (what the form says), settling (what follows where it is silent, what contradicts
itself), filling (the record, its legal moves worked out by the rules); an observation must then be dealt once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.arctic_scavengers.cards import Card
from engine.arctic_scavengers.draft import Draft
from engine.arctic_scavengers.filling import fill
from engine.arctic_scavengers.possible import check_counts, deals, in_the_way
from engine.arctic_scavengers.settling import settle
from engine.arctic_scavengers.writing import Writer
from engine.faults import Fault, InvalidInput
from engine.game import Notes, Setup, State, View
from engine.record import Array


def write_world(setup: Setup, kinds: Sequence[Card], s: Any) -> dict[str, Any]:
    """The world form of a true state."""
    return Writer(setup, kinds, s).document()


def write_observation(setup: Setup, kinds: Sequence[Card], s: Any, seat: int) -> dict[str, Any]:
    """The observation form of the view of `seat`."""
    return Writer(setup, kinds, s, seat).document()


def read_world(game: Any, value: object) -> State:
    """A true state from its world form; raises `InvalidInput` with every fault found."""
    draft, data = read(game, value, is_world=True)
    return State(draft.setup, data)


def read_observation(game: Any, value: object) -> View:
    """A view from an observation; raises `InvalidInput` with every fault found."""
    view = read_view(game, value)
    if view.to_move == view.seat and not deals(view):
        assert isinstance(value, Mapping)
        raise InvalidInput([in_the_way(value, lambda rest: fits(game, rest))])
    return view


def read_view(game: Any, value: object) -> View:
    """The view that an observation describes, whether its hidden cards can be dealt or not."""
    draft, data = read(game, value, is_world=False)
    warnings = (*draft.warnings, *draft.unused())
    known = State(draft.setup, data).view(draft.seat).data
    view = View(draft.setup, known, draft.seat, Notes(tuple(draft.assumptions), warnings))
    if view.to_move == view.seat:
        check_counts(draft, view)
    return view


def fits(game: Any, value: object) -> bool:
    """True for an observation that is without fault and can be dealt."""
    try:
        view = read_view(game, value)
    except InvalidInput:
        return False
    return view.to_move == view.seat and deals(view)


def read(game: Any, value: object, is_world: bool) -> tuple[Draft, Array]:
    """The draft of a form and its record."""
    draft = Draft(game, value, is_world)
    settle(draft)
    data = fill(draft)
    if draft.faults:
        raise InvalidInput(distinct(draft.faults))
    return draft, data


def distinct(faults: Sequence[Fault]) -> list[Fault]:
    """The first fault of each path: what follows from it is not told."""
    return list({fault.path: fault for fault in reversed(faults)}.values())[::-1]


def template() -> dict[str, Any]:
    """A valid observation to start from, with every field a person would note."""
    return {
        "game": "arctic_scavengers",
        "options": {"rules": {"spare_tools": False}},
        "seat": 0,
        "round": 5,
        "initiator": 2,
        "to_move": 0,
        "market": {"scavenger": 9, "brawler": 6, "hunter": 7, "scout": 6},
        "junkyard": {"known": {"refugee": 1}},
        "contested": {"count": 12},
        "players": [
            {
                "hand": ["refugee", "scavenger", "brawler", "hunter", "shovel"],
                "deck": ["refugee", "scavenger", "spear"],
                "discard": ["refugee", "scavenger", "scout", "pills"],
            },
            {
                "hand_count": 5,
                "deck_count": 5,
                "discard_count": 4,
                "owned": {"refugee": 4, "scavenger": 4, "brawler": 1, "scout": 1, "shovel": 1, "spear": 1, "pills": 1},
                "owned_unknown": 1,
                "seen_discard": {"scout": 1},
            },
            {
                "hand_count": 2,
                "reserve": 2,
                "deck_count": 5,
                "discard_count": 6,
                "owned": {"refugee": 4, "scavenger": 4, "brawler": 2, "shovel": 1, "spear": 1},
                "owned_unknown": 1,
            },
        ],
        "ledger": [{"seat": 0, "way": "in", "card": "refugee"}, {"seat": 0, "way": "out", "card": "pills"}],
        "wins": [{"seat": 1}, {"seat": 2}],
    }
