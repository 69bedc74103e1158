"""Names that the JSON forms use, and what follows from a position without being noted in it."""

from typing import Any

import numpy as np

from engine.arctic_scavengers.asking import Ask
from engine.arctic_scavengers.cards import Act
from engine.arctic_scavengers.state import MAX_KINDS, MAX_SEATS, WAY_IN, WAY_LOST, WAY_OUT
from engine.record import Array

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


def gatherer(s: Any) -> int:
    """The seat whose gathering turn it is, or was the last of the round."""
    return (int(s.initiator) - 1) % int(s.seats) if s.shown else int(s.actor)


def listed(s: Any, v: int) -> Array:
    """Copies by kind that the ledger tells seat `v` to lie in the junkyard: they came in, and it saw none leave."""
    n = np.zeros(MAX_KINDS, np.int64)
    for i in range(int(s.ledger_n)):
        k = int(s.ledger_kind[i])
        if int(s.ledger_seen[i]) >> v & 1 and k < MAX_KINDS:  # a dealt world leaves cards open that lie elsewhere
            n[k] += -1 if int(s.ledger_way[i]) >> 3 == WAY_OUT else 1
    for i in range(int(s.bottom_n)):
        if int(s.bottom_seen[i]) >> v & 1:
            n[int(s.bottom[i])] -= 1
    return np.maximum(n, 0)


def usual_witnesses(way: int, q: int, v: int, told: bool) -> int:
    """Who saw a card that crossed the junkyard's edge or was won, unless noted otherwise: its owner, and who tells."""
    mask = 0 if way == WAY_LOST else 1 << q
    return mask | 1 << v if told and v >= 0 else mask
