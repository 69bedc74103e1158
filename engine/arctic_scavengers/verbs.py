"""The game's verbs under the signatures that all games share."""

from typing import Any

import numpy as np
from numba import types

from engine import verbs
from engine.arctic_scavengers import accounts, flow, judgement, view, worlds
from engine.arctic_scavengers.asking import asked, question
from engine.arctic_scavengers.greedy import choose
from engine.arctic_scavengers.scratch import scratch_at
from engine.arctic_scavengers.state import HEAD_BYTES, MAX_KINDS, PLAYER_BYTES, rules_at, state_at
from engine.bits import lowest, rest
from engine.jit import rule, verb
from engine.record import copy_bytes, wide


@rule
def copy_state(target: int, source: int) -> None:
    """Clones a state: only the seats in play."""
    copy_bytes(target, source, HEAD_BYTES + PLAYER_BYTES * wide(state_at(source).seats))


@verb(types.void(types.int64, types.int64, types.uint64))
def deal(rules: int, state: int, seed: Any) -> None:
    """Fills a blank state with the start of a game."""
    flow.deal(rules_at(rules), state_at(state), seed)


@verb(verbs.SEAT)
def seat(rules: int, state: int) -> int:
    return asked(state_at(state))


@verb(verbs.LEGAL)
def legal(rules: int, state: int, out: Any) -> int:
    m = state_at(state).legal
    n = 0
    while m:
        out[n] = lowest(m)
        n += 1
        m = rest(m)
    return n


@verb(verbs.APPLY)
def apply(rules: int, state: int, move: int) -> None:
    flow.play(rules_at(rules), state_at(state), move)


@verb(verbs.RETURNS)
def returns(rules: int, state: int, out: Any) -> None:
    flow.write_returns(rules_at(rules), state_at(state), out)


@verb(verbs.OBSERVE)
def observe(rules: int, state: int, seat: int, into: int) -> None:
    copy_state(into, state)
    view.blank(rules_at(rules), state_at(into), seat)


@verb(verbs.DETERMINIZE)
def determinize(rules: int, known: int, seat: int, seed: Any, state: int, scratch: int) -> int:
    copy_state(state, known)
    return worlds.determinize(rules_at(rules), state_at(state), seat, seed, scratch_at(scratch))


@verb(types.void(types.int64, types.int64, types.int64, types.int64))
def account(rules: int, known: int, seat: int, scratch: int) -> None:
    """What the seat of a view can place, into the scratch memory."""
    accounts.account(rules_at(rules), state_at(known), seat, scratch_at(scratch))


@verb(verbs.PROGRESS)
def progress(rules: int, state: int, out: Any) -> None:
    judgement.write_progress(rules_at(rules), state_at(state), out)


@verb(verbs.HEURISTIC)
def heuristic(rules: int, state: int, out: Any) -> None:
    judgement.write_heuristic(rules_at(rules), state_at(state), out)


@verb(verbs.PRIOR)
def prior(rules: int, state: int, moves: Any, n: int, out: Any) -> None:
    table = rules_at(rules).prior
    q = question(state_at(state))
    for i in range(n):
        out[i] = table[q, moves[i]]


@verb(verbs.SEEN)
def seen(rules: int, state: int, observer: int, mover: int, move: int, open_chance: int) -> Any:
    return view.seen(rules_at(rules), state_at(state), observer, mover, move, open_chance)


@verb(verbs.PLAYOUT)
def playout(rules: int, state: int, seed: Any, policy: int, limit: int) -> int:
    return judgement.playout(rules_at(rules), state_at(state), seed, policy, limit)


@verb(verbs.GREEDY)
def greedy(rules: int, known: int) -> int:
    return choose(rules_at(rules), state_at(known), np.zeros(MAX_KINDS, np.uint8), False)


VERBS = verbs.Verbs(
    seat, legal, apply, returns, observe, determinize, progress, heuristic, prior, seen, playout, greedy
)
