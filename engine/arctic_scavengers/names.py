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


def present(row: Any) -> np.uint64:
    """The kinds of which a row of counts has any, as bits."""
    return np.uint64(sum(1 << k for k, n in enumerate(row) if n))


def members(mask: int) -> list[int]:
    """The seats of a mask."""
    return [q for q in range(MAX_SEATS) if int(mask) >> q & 1]


def usual_witnesses(way: int, q: int, v: int, told: bool) -> int:
    """Who saw a card that crossed the junkyard's edge or was won, unless noted otherwise: its owner, and who tells."""
    mask = 0 if way == WAY_LOST else 1 << q
    return mask | 1 << v if told and v >= 0 else mask


def told_by_ledger(s: Any, v: int, since: Any = 0) -> Array:
    """Copies by kind that seat `v` saw come into the junkyard and not leave it, from entry `since` of each kind on."""
    start = np.broadcast_to(since, MAX_KINDS)
    n = np.zeros(MAX_KINDS, np.int64)
    for i in range(int(s.ledger_n)):
        k = int(s.ledger_kind[i])
        if int(s.ledger_seen[i]) >> v & 1 and i >= start[k]:
            n[k] += -1 if int(s.ledger_way[i]) >> 3 == WAY_OUT else 1
    return n


def in_sight(s: Any, v: int) -> Array:
    """Copies by kind that seat `v` knows under the junkyard or is looking at."""
    cards = [int(s.bottom[i]) for i in range(int(s.bottom_n)) if int(s.bottom_seen[i]) >> v & 1]
    digging = s.depth > 0 and s.asked[s.depth - 1] == v
    cards += [int(k) for k in s.look[: int(s.look_n)]] if digging else []
    n = np.zeros(MAX_KINDS, np.int64)
    np.add.at(n, cards, 1)
    return n


def known_in_junkyard(s: Any, v: int) -> Array:
    """Copies by kind that seat `v` knows to lie in the rest of the junkyard.

    Cards seen there by looking may be some that the ledger told before that time, and only such.
    """
    looked_at = s.players[v].known.astype(np.int64)
    later = told_by_ledger(s, v, np.where(looked_at > 0, s.players[v].since, 0))
    earlier = told_by_ledger(s, v) - later
    out = in_sight(s, v)
    from_later = np.minimum(out, np.maximum(later, 0))
    known: Array = np.maximum(0, np.maximum(looked_at, earlier - (out - from_later)) + later - from_later)
    return known
