"""Names that the JSON forms use, and what follows from a position without being noted in it."""

from engine.arctic_scavengers.asking import Ask
from engine.arctic_scavengers.cards import Act
from engine.arctic_scavengers.state import MAX_SEATS, WAY_IN, WAY_LOST, WAY_OUT

QUESTIONS = {question: question.name.lower() for question in Ask}
ACTIONS: dict[Act, str] = {act: act.name.lower() for act in Act if act != Act.FIGHT}
WAYS = {WAY_IN: "in", WAY_OUT: "out", WAY_LOST: "lost"}
PHASES: dict[Ask | None, str] = {
    **dict.fromkeys(Ask, "gathering"),
    Ask.REACT: "reaction",
    Ask.SLOT: "skirmish",
    Ask.HIT: "skirmish",
    None: "over",
}


def members(mask: int) -> list[int]:
    """The seats of a mask."""
    return [q for q in range(MAX_SEATS) if int(mask) >> q & 1]


def usual_witnesses(way: int, q: int, v: int, told: bool) -> int:
    """Who saw a card that crossed the junkyard's edge or was won, unless noted otherwise: its owner, and who tells."""
    mask = 0 if way == WAY_LOST else 1 << q
    return mask | 1 << v if told and v >= 0 else mask
