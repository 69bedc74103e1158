"""A skirmish in words: the forces, who won, and why."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from server.cli.telling import Teller

TWO = 2  # seats: then a lead of two decides, and people do not


def forces_in_words(teller: Teller, forces: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A line for each force."""
    for force in forces:
        who, cards = teller.seated(force["seat"]), teller.listed(force["cards"])
        if spent := force.get("spent"):
            acted = [card for card, n in spent.items() for _ in range(n)]
            cards = teller.said("have_acted", cards, teller.listed(acted))
        yield teller.said("force", who, cards, force["fight"], force["people"])


def outcome_in_words(teller: Teller, form: Mapping[str, Any]) -> str:
    """Who won the last skirmish of a view and why, with the contested card if the seat knows it."""
    last = form["last_skirmish"]
    winner, why = last.get("winner"), _reason(teller, last["forces"], last.get("winner"))
    entry = form["ledger" if winner is None else "wins"][-1]
    card = teller.value(entry["card"]) if "card" in entry else ""
    if winner is None:
        return teller.said("deadlock", why, f" ({card})" if card else "")
    won = teller.said("won", teller.seated(winner), why)
    return teller.said("won_card", won, card) if card else won


def _reason(teller: Teller, forces: Sequence[Mapping[str, Any]], winner: int | None) -> str:
    """What decided (rules 9.3; 11 for two seats)."""
    best, second = sorted((force["fight"] for force in forces), reverse=True)[:2]
    most, next_most = sorted([0, *(force["people"] for force in forces if force["fight"] == best)], reverse=True)[:2]
    if best > second and winner is not None:
        return teller.said("lead", best, second)
    if len(forces) == TWO:
        return teller.said("lead_of_two", best, second)
    return teller.said("tied", best, most) if winner is None else teller.said("people", best, most, next_most)
