"""Leduc poker (Southey et al. 2005): two seats, six cards, a hidden card each and then a public one.

Ante 1; two rounds of betting, raises of 2 chips and then of 4, at most two raises a round. A pair with the
public card wins, then the higher rank; equal ranks share the pot.
"""

from enum import IntEnum
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from engine import verbs
from engine.jit import rule, verb
from engine.record import I8, U64, Row, caster, copy_bytes, dtype_of, wide
from engine.rng import below, following, scaled, seeded
from engine.small.cards import SEATS, UNKNOWN, SmallGame
from engine.verbs import OVER, Verbs, even_prior, no_heuristic, no_progress

CARDS, SUITS = 6, 2
MAX_TURNS = 8
MAX_RAISES = 2
ANTE = 1
LAST_STAGE = 1


class Act(IntEnum):
    FOLD = 0
    CALL = 1  # with nothing to call: pass on
    RAISE = 2


class State:
    rng: U64  # the generator's word; 0 in a view
    turn: I8  # moves played
    asked: I8  # whose decision it is, or OVER
    stage: I8  # 0, or 1 once the public card lies open
    raises: I8  # in this stage
    calls: I8  # since the last raise of this stage
    folded: I8  # 1 after a fold
    public: I8  # 1..6; UNKNOWN before stage 1
    paid: Annotated[Row, np.int8, SEATS]  # chips beyond the ante
    card: Annotated[Row, np.int8, SEATS]  # 1..6, rank by rank; UNKNOWN in the other seat's view
    move: Annotated[Row, np.int8, MAX_TURNS]


STATE = dtype_of(State)
state_at = caster(STATE)
SIZE = STATE.itemsize


@verb(verbs.SEAT)
def seat(rules: int, state: int) -> int:
    """Whose decision it is, or OVER."""
    return wide(state_at(state).asked)


@rule
def lowest_move(s: State) -> int:
    """FOLD when there is something to call, else CALL."""
    return wide(Act.FOLD if s.paid[s.asked] < s.paid[1 - s.asked] else Act.CALL)


@rule
def moves_from(s: State, low: int) -> int:
    """How many moves are legal; they are consecutive from `low`."""
    return wide((Act.RAISE if s.raises < MAX_RAISES else Act.CALL) - low + 1)


@verb(verbs.LEGAL)
def legal(rules: int, state: int, out: Any) -> int:
    """Writes the legal moves, rising, and returns how many there are."""
    s = state_at(state)
    if s.asked == OVER:
        return 0
    low = lowest_move(s)
    n = moves_from(s, low)
    for i in range(n):
        out[i] = low + i
    return n


@rule
def drawn(s: State, a: int, b: int) -> int:
    """A random card that is neither `a` nor `b` (either may be UNKNOWN)."""
    low, high = min(a, b), max(a, b)
    card = 1 + below(s, CARDS - (low != UNKNOWN) - (high != UNKNOWN))
    if low != UNKNOWN and card >= low:
        card += 1
    if high != UNKNOWN and card >= high:
        card += 1
    return wide(card)


@rule
def end_stage(s: State) -> None:
    """Turns the public card, or ends the game at showdown."""
    if s.stage == LAST_STAGE:
        s.asked = OVER
        return
    s.public = drawn(s, s.card[0], s.card[1])
    s.stage = 1
    s.raises = s.calls = s.asked = 0


@verb(verbs.APPLY)
def apply(rules: int, state: int, move: int) -> None:
    s = state_at(state)
    me, other = wide(s.asked), wide(1 - s.asked)
    s.move[s.turn] = move
    s.turn += 1
    s.asked = other
    if move == Act.FOLD:
        s.folded = 1
        s.asked = OVER
    elif move == Act.RAISE:
        s.paid[me] = s.paid[other] + 2 + 2 * s.stage
        s.raises += 1
        s.calls = 0
    else:
        s.paid[me] = s.paid[other]
        s.calls += 1
        if s.calls == SEATS or s.raises > 0:
            end_stage(s)


@rule
def strength(card: int, public: int) -> int:
    """Orders hands at showdown: a pair above every single rank."""
    rank, shown = (card - 1) // SUITS, (public - 1) // SUITS
    return wide(rank + (CARDS if rank == shown else 0))


@verb(verbs.RETURNS)
def returns(rules: int, state: int, out: Any) -> None:
    """Chips won by each seat of an ended game."""
    s = state_at(state)
    pot = wide(ANTE + min(s.paid[0], s.paid[1]))
    edge = strength(s.card[0], s.public) - strength(s.card[1], s.public)
    if s.folded:
        edge = wide(s.paid[0]) - wide(s.paid[1])  # who folded had paid less
    out[0] = pot if edge > 0 else -pot if edge < 0 else 0
    out[1] = -out[0]


@verb(verbs.OBSERVE)
def observe(rules: int, state: int, seat: int, view: int) -> None:
    """Copies what the seat may know; everything else is left blank."""
    copy_bytes(view, state, SIZE)
    v = state_at(view)
    v.rng = 0
    v.card[1 - seat] = UNKNOWN


@verb(verbs.DETERMINIZE)
def determinize(rules: int, view: int, seat: int, seed: Any, state: int, scratch: int) -> int:
    """Deals a world that the view cannot tell from the real one."""
    copy_bytes(state, view, SIZE)
    s = state_at(state)
    s.rng = seeded(seed)
    if s.card[seat] == UNKNOWN:  # only at the deal: a seat always knows its card
        s.card[seat] = drawn(s, s.public, UNKNOWN)
    s.card[1 - seat] = drawn(s, s.card[seat], s.public)
    return 1


@verb(verbs.SEEN)
def seen(rules: int, state: int, observer: int, mover: int, move: int, open: int) -> Any:
    """A word for what the observer knows after a move: the move, the public card, his card unless `open`."""
    s = state_at(state)
    card = 0 if open else wide(s.card[observer])
    return np.uint64(1 + (move + 1) + 4 * card + 32 * wide(s.public))


@verb(verbs.PLAYOUT)
def playout(rules: int, state: int, seed: Any, weighted: int, limit: int) -> int:
    """Random moves to the end, or `limit` of them."""
    s = state_at(state)
    x, played = seed, 0
    while played < limit and s.asked != OVER:
        x = following(x)
        low = lowest_move(s)
        apply(rules, state, low + scaled(x, moves_from(s, low)))
        played += 1
    return played


@verb(verbs.GREEDY)
def greedy(rules: int, view: int) -> int:
    """Raises with a pair, or a king before the public card; folds a jack to a raise; else calls."""
    v = state_at(view)
    hand = strength(v.card[v.asked], v.public)
    low = lowest_move(v)
    good = hand >= CARDS or (v.stage == 0 and hand == CARDS // SUITS - 1)
    if good and v.raises < MAX_RAISES:
        return wide(Act.RAISE)
    return wide(low if hand == 0 else Act.CALL)


class LeducPoker(SmallGame):
    name = "leduc_poker"
    titles = {"en": "Leduc poker", "ja": "レデュックポーカー"}
    min_return, max_return = -13.0, 13.0
    state_dtype = STATE
    public_cards = 1
    cards = ("", "jack_1", "jack_2", "queen_1", "queen_2", "king_1", "king_2")
    move_names = ("fold", "call", "raise")
    move_sentences = {
        "en": ("Fold", "Call or check", "Raise"),
        "ja": ("フォールドする", "コールまたはチェックする", "レイズする"),
    }

    @cached_property
    def verbs(self) -> Verbs:
        return Verbs(
            seat, legal, apply, returns, observe, determinize,
            no_progress, no_heuristic, even_prior, seen, playout, greedy,
        )  # fmt: skip


GAME = LeducPoker()
