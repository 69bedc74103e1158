"""Whether the hidden cards of an observation can be dealt at all, and which field is in the way if not."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from engine.arctic_scavengers.draft import Draft
from engine.arctic_scavengers.scratch import BAG, SCRATCH, TASKS
from engine.faults import Fault, InvalidInput, Reader, shown
from engine.game import View
from engine.record import address_of, zeros

PARTS = ("junkyard", "contested", "skirmish", "pending")
WHOLE = ("wins", "ledger", "market", "round")


def check_counts(d: Draft, view: View) -> None:
    """Copies that are claimed twice must have been trashed once, and dealing stays within its working memory.

    Raises `InvalidInput`.
    """
    s: Any = view.data[0]
    c = accounted(view)
    tasks = len(d.ledger) + sum(t.missing for t in d.tribes if t.seat != d.seat)
    bag = int(np.maximum(c.free, 0).sum()) + int(s.players[d.seat].known.sum()) + tasks
    if tasks > TASKS or bag > BAG:
        t = max(d.tribes, key=lambda t: t.missing)
        t.form.fault("owned", f"{t.missing} cards more than the tribe has now", "fewer cards trashed face down")
    twice = {k: -int(n) for k, n in enumerate(c.free) if n < 0}
    if sum(twice.values()) > sum(max(0, int(c.trashed[t.seat])) for t in d.tribes if t.seat != d.seat):
        for k, n in twice.items():
            form, name = place_of(d, k)
            form.fault(name, f"{n} {d.ids[k]} too many", "those that are not known to be elsewhere or of other tribes")
    d.top.done()


def accounted(view: View) -> Any:
    """What the seat can place."""
    from engine.arctic_scavengers.verbs import account

    scratch = zeros(SCRATCH)
    account(view.setup.rules_address, view.address, view.seat, address_of(scratch))
    return scratch[0]


def place_of(d: Draft, k: int) -> tuple[Reader, str]:
    """Where the observation has this card: in the own tribe, else in the record of another."""
    own = d.tribes[d.seat]
    for name, cards in (("hand", own.hand), ("discard", own.discard), ("in_front", own.front), ("deck", own.cards)):
        if k in (cards or ()):
            return own.form, name
    return max(d.tribes, key=lambda t: (t.owned or Counter())[k]).form, "owned"


def deals(view: View) -> bool:
    """True if there is a world that fits this view of the seat to move."""
    try:
        view.world(0)
    except InvalidInput:
        return False
    return True


def in_the_way(form: Mapping[str, Any], fits: Callable[[Mapping[str, Any]], bool]) -> Fault:
    """The first field without which the form fits."""
    for path, value, rest in without_one(form):
        if fits(rest):
            return Fault(path, shown(value), "a value that the other fields allow: no deal of the hidden cards fits")
    return Fault("players", "cards that no deal fits", "a possible position")


def without_one(form: Mapping[str, Any]) -> Iterator[tuple[str, Any, Mapping[str, Any]]]:
    """Each field of the form in turn: its path, its value, and the form without it."""
    players = form["players"]
    for i, player in enumerate(players):
        for name in player:
            rest = [*players[:i], dropped(player, name), *players[i + 1 :]]
            yield f"players[{i}].{name}", player[name], {**form, "players": rest}
    for part in PARTS:
        for name in form.get(part) or {}:
            yield f"{part}.{name}", form[part][name], {**form, part: dropped(form[part], name)}
    for name in WHOLE:
        if name in form:
            yield name, form[name], dropped(form, name)


def dropped(form: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {other: value for other, value in form.items() if other != name}
