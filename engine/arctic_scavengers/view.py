"""What one seat knows: the state with everything else blank (rules 22, contract 8)."""

from typing import Any

import numpy as np

from engine.arctic_scavengers.asking import Ask, question
from engine.arctic_scavengers.state import (
    CONTESTED,
    HIDDEN,
    LEDGER,
    LOOK,
    MAX_KINDS,
    PILE,
    TRIBE,
    Player,
    Rules,
    State,
)
from engine.arctic_scavengers.values import cards_word
from engine.jit import rule
from engine.record import wide
from engine.rng import mixed


@rule
def blank(r: Rules, o: State, v: int) -> None:
    """Blanks in `o`, a copy of the true state, what seat `v` does not know."""
    o.rng = np.uint64(0)
    o.event = np.uint64(0)
    o.whisper = np.uint64(0)
    blank_question(r, o, v)
    blank_contested(o, v)
    blank_junkyard(o, v)
    blank_ledger(o, v)
    for q in range(wide(o.seats)):
        me = o.players[q]
        me.deck_fixed = 0
        if q == v:
            sort(me.deck, me.deck_n)
            sort(me.discard, me.discard_n)
            blank_from(me.deck, me.deck_n, TRIBE)
            blank_from(me.discard, me.discard_n, TRIBE)
        else:
            blank_rival(me, o.shown)


@rule
def blank_from(row: Any, start: int, end: int) -> None:
    """Nothing is left in a list beyond its length, where old cards would leak."""
    for i in range(start, end):
        row[i] = HIDDEN


@rule
def sort(row: Any, n: int) -> None:
    """A pile whose set is known but not its order."""
    for i in range(1, n):
        k = row[i]
        j = i
        while j > 0 and row[j - 1] > k:
            row[j] = row[j - 1]
            j -= 1
        row[j] = k


@rule
def blank_rival(you: Player, shown: int) -> None:
    """Another seat's cards and private memory."""
    blank_from(you.deck, 0, TRIBE)
    blank_from(you.discard, 0, TRIBE)
    for k in range(MAX_KINDS):
        you.known[k] = 0
        you.since[k] = 0
        if not shown:
            you.hand[k] = 0
    if not shown:
        you.hand_set = np.uint64(0)


@rule
def blank_question(r: Rules, o: State, v: int) -> None:
    """Whose response is awaited is known to the seat asked alone; leftovers of past questions go."""
    q = -1
    mine = False
    if o.depth > 0:
        q = question(o)
        mine = o.asked[o.depth - 1] == v
    if not mine:
        o.legal = np.uint64(0)
        if q == Ask.REACT:
            o.asked[o.depth - 1] = -1
            o.passes = 0
    for i in range(o.depth, len(o.asked)):
        o.asked[i] = 0
        o.question[i] = 0
    building = q == Ask.COMMIT or q == Ask.REACT or q == Ask.KEEP or q == Ask.RETURN
    if not building:
        o.value = 0
        o.carriers = 0
        o.gear_n = 0
        if q != Ask.TRASH:
            o.act = 0
    if q == Ask.TRASH and not mine and not r.trash_public:
        o.play_set = np.uint64(0)
        for k in range(MAX_KINDS):
            o.play[k] = 0
    if not (mine and (q == Ask.COMMIT or q == Ask.TRASH)):
        o.last = 0
    if q != Ask.REACT:
        o.passes = 0
    if q != Ask.PAY:
        o.buy = 0
        o.need = 0
        o.pills_only = 0
    if q != Ask.SLOT and q != Ask.HIT:
        o.aim = 0


@rule
def blank_contested(o: State, v: int) -> None:
    """The contested pile, but for a top card the seat has seen."""
    n = wide(o.contested_n)
    o.contested_fixed = 0
    if o.contested_seen >> v & 1:
        o.contested_fixed = 1
        n -= 1
    for i in range(n):
        o.contested[i] = HIDDEN
    blank_from(o.contested, o.contested_n, CONTESTED)
    for i in range(wide(o.wins_n)):
        if not o.win_seen[i] >> v & 1:
            o.win_kind[i] = HIDDEN
    for i in range(o.wins_n, CONTESTED):
        o.win_kind[i] = HIDDEN


@rule
def blank_junkyard(o: State, v: int) -> None:
    """The junkyard, but for cards the seat put under it."""
    blank_from(o.junk, 0, PILE)
    o.junk_fixed = 0
    for i in range(wide(o.bottom_n)):
        if not o.bottom_seen[i] >> v & 1:
            o.bottom[i] = HIDDEN
    blank_from(o.bottom, o.bottom_n, PILE)
    for i in range(o.bottom_n, PILE):
        o.bottom_seen[i] = 0
    digging = o.depth > 0 and o.asked[o.depth - 1] == v
    for i in range(LOOK):
        if i >= o.look_n or not digging:
            o.look[i] = HIDDEN
            o.look_seen[i] = 0


@rule
def blank_ledger(o: State, v: int) -> None:
    """Cards that crossed the edge of the junkyard face down."""
    for i in range(LEDGER):
        if i >= o.ledger_n:
            o.ledger_way[i] = 0
            o.ledger_cycle[i] = 0
            o.ledger_seen[i] = 0
        if i >= o.ledger_n or not o.ledger_seen[i] >> v & 1:
            o.ledger_kind[i] = HIDDEN


@rule
def seen(r: Rules, s: State, v: int, mover: int, move: int, open_chance: int) -> Any:
    """What seat `v` learned of the last move; 0 while responses he is not asked for are pending.

    When they are over the word is the same whether anybody could have responded or not (contract 8).
    """
    if s.depth > 0 and question(s) == Ask.REACT and s.asked[s.depth - 1] != v:
        return np.uint64(0)
    word = s.event
    if mover == v and s.whisper:
        word = mixed(word, s.whisper)
    if s.shown:
        for q in range(wide(s.seats)):
            word = mixed(word, cards_word(s.players[q]))
        return word
    if open_chance:
        return word
    word = mixed(word, cards_word(s.players[v]))
    if s.contested_seen >> v & 1:
        word = mixed(word, s.contested[wide(s.contested_n) - 1])
    if s.wins_n > 0 and s.win_seen[wide(s.wins_n) - 1] >> v & 1:
        word = mixed(word, 32 * wide(s.wins_n) + s.win_kind[wide(s.wins_n) - 1])
    if s.look_n > 0 and s.asked[s.depth - 1] == v:
        for i in range(wide(s.look_n)):
            word += mixed(np.uint64(1), s.look[i])
    return word
