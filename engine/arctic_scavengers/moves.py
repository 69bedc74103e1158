"""Moves as canonical text, and the order in which cards are added to an action (docs/moves.md)."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.arctic_scavengers.asking import Ask, Say
from engine.arctic_scavengers.cards import Card
from engine.arctic_scavengers.state import MAX_KINDS
from engine.record import Array

OPENERS: Mapping[int, str] = {Say.DRAW: "draw", Say.DIG: "dig", Say.HUNT: "hunt", Say.TRASH: "trash", Say.END: "end"}
STOPS: Mapping[int, str] = {Ask.COMMIT: "go", Ask.TRASH: "go", Ask.KEEP: "keep none", Ask.REACT: "pass"}
ADDS: Mapping[int, str] = {
    Ask.ACTION: "hire",
    Ask.COMMIT: "commit",
    Ask.TRASH: "discard",
    Ask.PAY: "pay",
    Ask.KEEP: "keep",
    Ask.RETURN: "return",
}
FREE_ORDER = ("commit", "discard", "pay")  # verbs whose cards may be named in any order


def top_question(data: Array) -> int:
    """The question on top of the stack of a state, one of `Ask`; by field, as whole records are slow to come by."""
    return int(data["question"][0, data["depth"][0] - 1])


def hit_text(kinds: Sequence[Card], target: Card, spent: bool) -> str:
    """A special unit's use: `snipe brawler with sniper_team`, `snipe spent saboteur with sniper_team`."""
    verb = "disarm" if target.type == "tool" else "snipe"
    unit = next(c.id for c in kinds if c.hits == verb)
    return f"{verb} {'spent ' if spent else ''}{target.id} with {unit}"


def text(kinds: Sequence[Card], data: Array, move: int) -> str:
    """The canonical text of a move that is legal in this state."""
    question = top_question(data)
    if move < MAX_KINDS:
        if question in ADDS:
            return f"{ADDS[question]} {kinds[move].id}"
        return hit_text(kinds, kinds[move], spent=False)
    if move >= Say.SPENT:
        units = [c for c in kinds if c.hits]
        return hit_text(kinds, units[move - Say.SPENT], spent=True)
    if move >= Say.AIM:
        return f"aim {move - Say.AIM}"
    return STOPS[question] if move == Say.STOP else OPENERS[move]


def fields(text: str) -> dict[str, Any]:
    """A move taken apart: its action, the card it names, whether that is spent, with which unit, the seat aimed at."""
    action, *rest = text.split()
    if action == "aim":
        return {"action": action, "seat": int(rest[0])}
    if rest in ([], ["none"]):
        return {"action": action}
    hit = {"with": rest[-1]} if "with" in rest else {}
    spent = {"spent": True} if rest[0] == "spent" else {}
    return {"action": action, "card": rest[len(spent)]} | hit | spent


def in_canonical_order(kinds: Sequence[Card], texts: Sequence[str]) -> list[str]:
    """Runs of cards added to one action, sorted as the engine takes them."""
    number = {card.id: k for k, card in enumerate(kinds)}
    out: list[str] = []
    run: list[str] = []
    for line in [*texts, ""]:
        verb, _, card = line.partition(" ")
        if run and (verb != run[0].partition(" ")[0] or card not in number):
            out += sorted(run, key=lambda t: number[t.partition(" ")[2]])
            run = []
        if verb in FREE_ORDER and card in number:
            run.append(line)
        elif line:
            out.append(line)
    return out
