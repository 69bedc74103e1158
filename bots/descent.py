"""Information set Monte Carlo tree search (Cowling, Powley, Whitehouse 2012), compiled once for every game.

One iteration deals a fresh world from the view, follows the tree through it by UCB on availability counts,
adds one node, plays out, and credits every edge on the way. Each seat carries a hash of all it has seen
since the root; a node's key is that hash. With `observer = mover` it is the hash of the seat to move, which
starts with what that seat saw before the root; with `observer = root` it is always the root seat's.
"""

from typing import Annotated, Any

import numpy as np
from numba import types

from bots.calls import caller
from bots.tree import F64, I64, NONE, Tree, choose, choose_guided, edge_at, most_visited, node_for, node_of
from engine import verbs as signatures
from engine.jit import rule, verb
from engine.record import U64, Row, caster, dtype_of, wide
from engine.rng import following, mixed
from engine.verbs import MAX_MOVES, MAX_SEATS, Verbs

MAX_DEPTH = 1024
NO_LIMIT = 1 << 30
NOBODY = -1  # as mover and move of `seen`: what do you see now
MOVER, ROOT_SEAT = 0, 1  # values of Search.observer

call_seat = caller(signatures.SEAT)
call_legal = caller(signatures.LEGAL)
call_apply = caller(signatures.APPLY)
call_returns = caller(signatures.RETURNS)
call_determinize = caller(signatures.DETERMINIZE)
call_progress = caller(signatures.PROGRESS)
call_heuristic = caller(signatures.HEURISTIC)
call_seen = caller(signatures.SEEN)
call_playout = caller(signatures.PLAYOUT)
call_greedy = caller(signatures.GREEDY)


class Search:
    """One search: where, how, its tree, and its working memory."""

    rules: I64  # addresses of the game's records
    observed: I64
    world: I64
    scratch: I64
    chance: I64  # address of the world's generator word: a change tells that chance has spoken
    seat: I64  # for whom
    seats: I64
    observer: I64  # MOVER or ROOT_SEAT
    open: I64  # 1: own draws are left out of the keys
    policy: I64  # of rollouts: 0 uniform, 1 the game's prior, 2 its hand-written player
    limit: I64  # decisions in a rollout, then the game's heuristic
    c: F64  # exploration, for rewards in [0, 1]
    trust: F64  # prior of the hand-written player's move in the tree; 0: UCB without priors
    progress_weight: F64
    low: F64  # the game's lowest return
    scale: F64  # returns are brought to [0, 1] by (return - low) * scale
    tree: Annotated[Tree, Tree]
    counts: I64  # address of the counts of root edge 0
    root_edges: I64
    word: U64  # the search's generator
    known: Annotated[Row, np.uint64, MAX_SEATS]  # hash of what each seat has seen since the root
    returns: Annotated[Row, np.float32, MAX_SEATS]
    progress: Annotated[Row, np.float32, MAX_SEATS]
    moves: Annotated[Row, np.int32, MAX_MOVES]
    untried: Annotated[Row, np.int32, MAX_MOVES]  # edges
    path: Annotated[Row, np.int32, MAX_DEPTH]  # edges followed
    movers: Annotated[Row, np.int32, MAX_DEPTH]  # by whom


class Counts:
    """What is summed at a root edge, by seat."""

    returns: Annotated[Row, np.float64, MAX_SEATS]
    returns_squared: Annotated[Row, np.float64, MAX_SEATS]
    progress: Annotated[Row, np.float64, MAX_SEATS]
    progress_squared: Annotated[Row, np.float64, MAX_SEATS]


class Word:
    value: U64


def offset_of(dtype: np.dtype[Any], name: str) -> int:
    """Where in a record a field lies, in bytes."""
    fields: Any = dtype.fields
    return int(fields[name][1])


SEARCH, COUNTS = dtype_of(Search), dtype_of(Counts)
COUNTS_SIZE = COUNTS.itemsize
KINDS = tuple(COUNTS.names or ())
RETURNS_AT, PROGRESS_AT, MOVES_AT = (offset_of(SEARCH, name) for name in ("returns", "progress", "moves"))
VERBS = types.NamedUniTuple(types.int64, len(Verbs._fields), Verbs)
search_at, counts_at, word_at = caster(SEARCH), caster(COUNTS), caster(dtype_of(Word))


@rule
def drawn_word(s: Search) -> Any:
    """The next word of the search's generator."""
    s.word = following(s.word)
    return s.word


@rule
def deal(verbs: Verbs, s: Search, seed: Any) -> int:
    """Deals a fresh world; 0 if none fits the view."""
    dealt: int = call_determinize(verbs.determinize, s.rules, s.observed, s.seat, seed, s.world, s.scratch)
    return dealt


@rule
def learn(verbs: Verbs, s: Search, seat: int, mover: int, move: int) -> None:
    """Adds to a seat's hash what it saw of the move just played."""
    seen = call_seen(verbs.seen, s.rules, s.world, seat, mover, move, s.open)
    if seen != np.uint64(0):
        s.known[seat] = mixed(s.known[seat], seen)


@rule
def start(verbs: Verbs, s: Search) -> None:
    """What each seat knows at the root; the root seat's own view is the same in every world."""
    for seat in range(s.seats):
        s.known[seat] = seat + 1
        if s.observer == MOVER and seat != s.seat:
            learn(verbs, s, seat, NOBODY, NOBODY)


@rule
def learn_all(verbs: Verbs, s: Search, mover: int, move: int) -> None:
    """Adds the move just played to the hash of every seat whose hash is a key."""
    if s.observer == ROOT_SEAT:
        learn(verbs, s, s.seat, mover, move)
        return
    for seat in range(s.seats):
        learn(verbs, s, seat, mover, move)


@rule
def key_of(s: Search, mover: int) -> Any:
    """The key of the node at which `mover` is to move."""
    return mixed(s.known[mover if s.observer == MOVER else s.seat], mover)


@rule
def pick(verbs: Verbs, s: Search, node: int, n: int) -> int:
    """The edge to follow from a node. The hand-written player reads only what its seat knows, in any world."""
    if s.trust == 0.0:
        return choose(s.tree, node, s.moves, n, s.c, s.word, s.untried)
    advised = call_greedy(verbs.greedy, s.rules, s.world)
    return choose_guided(s.tree, node, s.moves, n, s.c, advised, s.trust)


@rule
def descend(verbs: Verbs, s: Search, me: int) -> int:
    """Follows the tree from the root through the world and one edge beyond; returns the length of the path."""
    start(verbs, s)
    for depth in range(MAX_DEPTH):
        mover = call_seat(verbs.seat, s.rules, s.world)
        if mover < 0:
            return depth
        node = node_for(s.tree, key_of(s, mover))
        if node == NONE:
            return depth
        n = call_legal(verbs.legal, s.rules, s.world, me + MOVES_AT)
        edge = pick(verbs, s, node, n)
        if edge == NONE:
            return depth
        s.path[depth], s.movers[depth] = edge, mover
        row = edge_at(s.tree, edge)
        move = wide(row.move)
        call_apply(verbs.apply, s.rules, s.world, move)
        if row.visits == 0:
            return depth + 1
        learn_all(verbs, s, mover, move)
    return MAX_DEPTH


@rule
def judge(verbs: Verbs, s: Search, me: int) -> None:
    """Returns of the finished or cut-off game, and progress where it counts."""
    if call_seat(verbs.seat, s.rules, s.world) < 0:
        call_returns(verbs.returns, s.rules, s.world, me + RETURNS_AT)
    else:
        call_heuristic(verbs.heuristic, s.rules, s.world, me + RETURNS_AT)
    if s.progress_weight > 0:
        call_progress(verbs.progress, s.rules, s.world, me + PROGRESS_AT)


@rule
def back_up(s: Search, depth: int) -> None:
    """Credits every edge of the path with the reward of the seat that took it."""
    for d in range(depth):
        row, seat = edge_at(s.tree, wide(s.path[d])), s.movers[d]
        row.visits += 1
        row.value += (s.returns[seat] - s.low) * s.scale + s.progress_weight * s.progress[seat]


@rule
def count_at_root(s: Search) -> None:
    """Adds returns and progress of every seat to the sums of the root edge taken."""
    edge = wide(s.path[0])
    if edge > s.root_edges:
        return
    counts = counts_at(s.counts + edge * COUNTS_SIZE)
    for seat in range(s.seats):
        result, progress = np.float64(s.returns[seat]), np.float64(s.progress[seat])
        counts.returns[seat] += result
        counts.returns_squared[seat] += result * result
        counts.progress[seat] += progress
        counts.progress_squared[seat] += progress * progress


@verb(types.int64(VERBS, types.int64, types.int64))
def iterate(verbs: Verbs, search: int, iterations: int) -> int:
    """Runs that many iterations; returns how many were run, fewer only when no world fits the view."""
    s = search_at(search)
    for i in range(iterations):
        if not deal(verbs, s, drawn_word(s)):
            return i
        drawn_word(s)
        depth = descend(verbs, s, search)
        call_playout(verbs.playout, s.rules, s.world, drawn_word(s), s.policy, s.limit)
        judge(verbs, s, search)
        back_up(s, depth)
        count_at_root(s)
    return iterations


@verb(types.int64(VERBS, types.int64, types.int64, types.uint64, types.int64, types.int32[::1]))
def follow(verbs: Verbs, search: int, edge: int, seed: Any, least_visits: int, out: Any) -> int:
    """The best line from a root edge in one world: own moves up to a chance result or another's decision.

    Writes the moves into `out` and returns how many; 0 when no world fits.
    """
    s = search_at(search)
    if not deal(verbs, s, seed):
        return 0
    start(verbs, s)
    for i in range(len(out)):
        move, word = wide(edge_at(s.tree, edge).move), word_at(s.chance).value
        out[i] = move
        call_apply(verbs.apply, s.rules, s.world, move)
        seat = call_seat(verbs.seat, s.rules, s.world)
        if seat != s.seat or word_at(s.chance).value != word:
            return i + 1
        learn_all(verbs, s, seat, move)
        node = node_of(s.tree, key_of(s, seat))
        if node == NONE:
            return i + 1
        n = call_legal(verbs.legal, s.rules, s.world, search + MOVES_AT)
        edge = most_visited(s.tree, node, s.moves, n)
        if edge == NONE or edge_at(s.tree, edge).visits < least_visits:
            return i + 1
    return len(out)
