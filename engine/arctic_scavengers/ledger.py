"""The wins and the ledger of a dealt world: which cards they were, by the deal or by any way that fits it."""

from typing import Any

from engine.arctic_scavengers.scratch import Scratch
from engine.arctic_scavengers.state import MAX_KINDS, WAY_LOST, Rules, State
from engine.bits import has
from engine.jit import rule
from engine.record import wide


@rule
def write_down_wins(r: Rules, s: State, v: int, c: Scratch) -> None:
    """The contested cards won; of an identified one it is open which of them it was, so any that fits."""
    for k in range(MAX_KINDS):
        c.picked[k] = 0
    for q in range(wide(s.seats)):
        for k in range(MAX_KINDS):
            c.taken[q, k] = 0
    for i in range(wide(s.contested_n)):
        c.picked[s.contested[i]] += 1
    for i in range(wide(s.ledger_n)):
        k = wide(s.ledger_kind[i] if s.ledger_seen[i] >> v & 1 else c.entry[i])
        if s.ledger_way[i] >> 3 == WAY_LOST and k < MAX_KINDS:
            c.picked[k] += 1
    for i in range(wide(s.wins_n)):
        if not s.win_seen[i] >> v & 1:
            s.win_kind[i] = c.win[i]
        tick(c, wide(s.win_seat[i]), wide(s.win_kind[i]))
    for i in range(wide(s.wins_n)):
        if s.win_kind[i] >= MAX_KINDS:
            s.win_kind[i] = spare_copy(r, wide(s.win_seat[i]), s.players[s.win_seat[i]].owned, r.contested_kinds, c)


@rule
def write_down_ledger(r: Rules, s: State, v: int, c: Scratch) -> None:
    """The cards that crossed the junkyard's edge; identified ones likewise."""
    for i in range(wide(s.ledger_n)):
        q = wide(s.ledger_way[i]) & 7
        if not s.ledger_seen[i] >> v & 1:
            s.ledger_kind[i] = c.entry[i]
        if s.ledger_kind[i] < MAX_KINDS:
            continue
        if s.ledger_way[i] >> 3 == WAY_LOST:
            s.ledger_kind[i] = spare_copy(r, q, c.sighted, r.contested_kinds, c)
        else:
            s.ledger_kind[i] = spare_dug(r, q, s.players[q].owned, c)


@rule
def spare_dug(r: Rules, q: int, owned: Any, c: Scratch) -> int:
    """A card the seat may have dug: contested ones beyond its wins can have come in no other way."""
    for k in range(wide(r.kinds)):
        if has(r.contested_kinds, k) and owned[k] > c.taken[q, k]:
            c.taken[q, k] += 1
            return k
    return spare_copy(r, q, owned, ~r.contested_kinds, c)


@rule
def tick(c: Scratch, q: int, k: int) -> None:
    """One more copy has its entry."""
    if k < MAX_KINDS:
        c.taken[q, k] += 1
        c.picked[k] += 1


@rule
def spare_copy(r: Rules, q: int, copies: Any, kinds: Any, c: Scratch) -> int:
    """One of these kinds of which the seat has copies without an entry, else one of which anybody has."""
    chosen = wide(-1)
    for k in range(wide(r.kinds)):
        if has(kinds, k) and c.picked[k] < r.total[k]:
            chosen = k
            if copies[k] > wide(r.start[k]) + c.taken[q, k]:
                break
    tick(c, q, chosen)
    return chosen
