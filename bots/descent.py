"""Information set Monte Carlo tree search (Cowling, Powley, Whitehouse 2012), compiled once for every game.

One iteration deals a fresh world from the view, follows the tree through it by UCB on availability counts,
adds one node, plays out, and credits every edge on the way. Each seat carries a hash of all it has seen
since the root; a node's key is that hash. With `observer = mover` it is the hash of the seat to move, which
starts with what that seat saw before the root; with `observer = root` it is always the root seat's; with
`observer = all` it is what all seats together have seen, for searches of one world as if nothing were hidden.
"""

from typing import Annotated, Any

import numpy as np
from numba import types

from bots.calls import caller
from bots.tree import F64, I64, NONE, Tree, choose, choose_guided, edge_at, edge_for, node_at, node_for, node_of
from engine import verbs as signatures
from engine.jit import rule, verb
from engine.record import U64, Row, caster, copy_bytes, dtype_of, wide
from engine.rng import following, mixed
from engine.verbs import MAX_MOVES, MAX_SEATS, Verbs

MAX_DEPTH = 1024
NO_LIMIT = 1 << 30
NOBODY = -1  # as mover and move of `seen`: what do you see now
MOVER, ROOT_SEAT, ALL = 0, 1, 2  # values of Search.observer
SEEDED = np.uint64(1)  # a generator word of 0 would be stuck

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
    observer: I64  # MOVER, ROOT_SEAT or ALL
    fixed: I64  # address of the world every iteration starts from, but for its chance; 0: a fresh one is dealt
    world_bytes: I64
    open: I64  # 1: own draws are left out of the keys
    policy: I64  # of rollouts: 0 uniform, 1 the game's prior, 2 its hand-written player
    limit: I64  # decisions in a rollout, then the game's heuristic
    c: F64  # exploration, for rewards in [0, 1]
    trust: F64  # prior of the hand-written player's move in the tree; 0: UCB without priors
    progress_weight: F64
    low: F64  # the game's lowest return
    scale: F64  # returns are brought to [0, 1] by (return - low) * scale
    tree: Annotated[Tree, Tree]
    counts: I64  # address of the counts of edge 0: the edges of the root first, then those of plans by hash
    root_edges: I64
    barring: I64  # 1: some of the root's moves are barred
    own: I64  # leading edges of the path that are the seat's own moves, without chance between
    word: U64  # the search's generator
    known: Annotated[Row, np.uint64, MAX_SEATS]  # hash of what each seat has seen since the root
    returns: Annotated[Row, np.float32, MAX_SEATS]
    progress: Annotated[Row, np.float32, MAX_SEATS]
    moves: Annotated[Row, np.int32, MAX_MOVES]
    untried: Annotated[Row, np.int32, MAX_MOVES]  # edges
    barred: Annotated[Row, np.uint8, MAX_MOVES]  # 1: this one of the root's moves, by rising number, is not searched
    path: Annotated[Row, np.int32, MAX_DEPTH]  # edges followed
    movers: Annotated[Row, np.int32, MAX_DEPTH]  # by whom


class Counts:
    """What is summed at an edge, by seat."""

    edge: I64
    games: I64
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
KINDS = ("returns", "returns_squared", "progress", "progress_squared")
PLAN_COUNTS = 4096  # edges of plans that are counted; a power of two
PROBES = 8  # places in which an edge is sought
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
def begin(verbs: Verbs, s: Search, seed: Any) -> int:
    """Where an iteration begins: in a fresh world, or in the fixed one with fresh chance; 0 if none fits the view."""
    if s.fixed == 0:
        return deal(verbs, s, seed)
    copy_bytes(s.world, s.fixed, s.world_bytes)
    word_at(s.chance).value = seed | SEEDED
    return 1


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
    if s.observer == ALL:
        key = np.uint64(mover)
        for seat in range(s.seats):
            key = mixed(key, s.known[seat])
        return key
    return mixed(s.known[mover if s.observer == MOVER else s.seat], mover)


@rule
def pick(verbs: Verbs, s: Search, node: int, n: int) -> int:
    """The edge to follow from a node. The hand-written player reads only what its seat knows, in any world."""
    if s.trust == 0.0:
        return choose(s.tree, node, s.moves, n, s.c, s.word, s.untried)
    advised = call_greedy(verbs.greedy, s.rules, s.world)
    return choose_guided(s.tree, node, s.moves, n, s.c, advised, s.trust)


@rule
def open_root(s: Search, node: int, n: int) -> int:
    """Makes the root's edges, by rising move; leaves the barred ones out of `moves` and returns how many are left."""
    edge, kept = NONE, 0
    for i in range(n):
        edge = edge_for(s.tree, node, edge, wide(s.moves[i]))
        if s.barred[i] == 0:
            s.moves[kept] = s.moves[i]
            kept += 1
    return kept


@rule
def descend(verbs: Verbs, s: Search, me: int) -> int:
    """Follows the tree from the root through the world and one edge beyond; returns the length of the path."""
    start(verbs, s)
    s.own, mine = 0, True
    for depth in range(MAX_DEPTH):
        mover = call_seat(verbs.seat, s.rules, s.world)
        if mover < 0:
            return depth
        node = node_for(s.tree, key_of(s, mover))
        if node == NONE:
            return depth
        if mine and mover == s.seat:
            node_at(s.tree, node).own = 1
        n = call_legal(verbs.legal, s.rules, s.world, me + MOVES_AT)
        if depth == 0 and (s.barring != 0 or s.tree.last_edge == NONE):
            n = open_root(s, node, n)
        edge = pick(verbs, s, node, n)
        if edge == NONE:
            return depth
        s.path[depth], s.movers[depth] = edge, mover
        row, word = edge_at(s.tree, edge), word_at(s.chance).value
        move = wide(row.move)
        call_apply(verbs.apply, s.rules, s.world, move)
        mine = mine and mover == s.seat
        if mine:
            s.own, mine = depth + 1, word_at(s.chance).value == word
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
def counts_number(s: Search, edge: int) -> int:
    """Which counts are those of an edge; -1 for one beyond the root whose places are all taken."""
    if edge <= s.root_edges:
        return edge
    for i in range(PROBES):
        number = s.root_edges + 1 + ((edge + i) & (PLAN_COUNTS - 1))
        taken = counts_at(s.counts + number * COUNTS_SIZE).edge
        if taken in (edge, NONE):
            return number
    return -1


@rule
def count(s: Search) -> None:
    """Adds returns and progress of every seat to the sums of the edges that may be part of a plan."""
    for d in range(s.own):
        number = counts_number(s, wide(s.path[d]))
        if number < 0:
            return
        counts = counts_at(s.counts + number * COUNTS_SIZE)
        counts.edge = s.path[d]
        counts.games += 1
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
        if not begin(verbs, s, drawn_word(s)):
            return i
        drawn_word(s)
        depth = descend(verbs, s, search)
        call_playout(verbs.playout, s.rules, s.world, drawn_word(s), s.policy, s.limit)
        judge(verbs, s, search)
        back_up(s, depth)
        count(s)
    return iterations


@rule
def goes_on(verbs: Verbs, s: Search, line: Any) -> bool:
    """Plays a line of the seat's moves in the world; False where chance or another's decision ends it."""
    start(verbs, s)
    word = word_at(s.chance).value
    for i in range(len(line)):
        call_apply(verbs.apply, s.rules, s.world, wide(line[i]))
        if call_seat(verbs.seat, s.rules, s.world) != s.seat or word_at(s.chance).value != word:
            return False
        learn_all(verbs, s, s.seat, wide(line[i]))
    return True


@rule
def world_for(verbs: Verbs, s: Search, seeds: Any, line: Any) -> int:
    """The last of these worlds; -1 if a line ends in one of them, or if what the seat learns of it differs."""
    found = -1
    known: Any = np.uint64(0)
    for i in range(len(seeds)):
        if not deal(verbs, s, seeds[i]):
            continue
        if not goes_on(verbs, s, line) or (found >= 0 and s.known[s.seat] != known):
            return -1
        found, known = i, s.known[s.seat]
    return found


@verb(types.int64(VERBS, types.int64, types.uint64[::1], types.int32[::1], types.int32[::1]))
def look(verbs: Verbs, search: int, seeds: Any, line: Any, out: Any) -> int:
    """The edges followed from where a line of own moves leads.

    Writes the number of a world in which the line goes on, then each edge and the number of its counts or -1, into
    `out`; returns how many edges. The world is -1 where the line ends in chance, in news or in another's decision.
    """
    s = search_at(search)
    world = world_for(verbs, s, seeds, line)
    out[0] = world
    if world < 0:
        return 0
    begin(verbs, s, seeds[world])
    goes_on(verbs, s, line)
    node, found = node_of(s.tree, key_of(s, s.seat)), 0
    edge = wide(node_at(s.tree, node).first) if node_at(s.tree, node).own else NONE
    while edge != NONE and 2 * found + 2 < len(out):
        row = edge_at(s.tree, edge)
        if row.visits > 0:
            out[2 * found + 1], out[2 * found + 2] = edge, counts_number(s, edge)
            found += 1
        edge = wide(row.after)
    return found


@verb(types.int64(types.int64, types.int32[::1], types.int32[::1]))
def own_part(search: int, nodes: Any, edges: Any) -> int:
    """Writes the nodes that `look` may come to, and how many edges they have, then these; returns how many nodes."""
    tree, n, m = search_at(search).tree, 0, 0
    for node in range(1, tree.last_node + 1):
        if node_at(tree, node).own == 0:
            continue
        nodes[n] = node
        n += 1
        edge = wide(node_at(tree, node).first)
        while edge != NONE:
            m += 1
            edges[m] = edge
            edge = wide(edge_at(tree, edge).after)
    edges[0] = m
    return n


@verb(types.void(types.int64, types.uint64[::1], types.int32[::1]))
def plant_own(search: int, keys: Any, firsts: Any) -> None:
    """Makes these nodes, each with its first edge, in an empty tree."""
    tree = search_at(search).tree
    for i in range(len(keys)):
        row = node_at(tree, node_for(tree, keys[i]))
        row.first, row.own = firsts[i], 1
