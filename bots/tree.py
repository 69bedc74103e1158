"""The search tree: nodes and edges numbered from ROOT, one small record each.

A node is what one seat knows at one of its decisions; it is found by a 64-bit key. Its edges are a list by
rising move. Blank memory is all NONE, so a new tree costs nothing until it grows. Records by address, not
arrays: counting references to arrays took four fifths of the time of an iteration.
"""

import math
from typing import Annotated, Any

import numpy as np

from engine.jit import rule
from engine.record import U64, Array, address_of, caster, dtype_of, wide
from engine.rng import scaled

NONE = 0
ROOT = 1
MAX_NODES = 1 << 20
C_BASE = 20_000.0  # visits after which a node's exploration has grown by ln 2
EDGES_PER_NODE = 8  # room on average; a full tree is searched on without growing

I32 = Annotated[int, np.int32]
I64 = Annotated[int, np.int64]
F64 = Annotated[float, np.float64]


class Node:
    key: U64
    first: I32  # its first edge, or NONE
    own: I32  # 1: moves of the root's seat alone lead here, without chance between


class Edge:
    value: F64  # sum of rewards of the seat that moves here
    visits: I32
    available: I32  # visits of the node at which the move was legal
    move: I32
    after: I32  # the next edge of the same node, or NONE


class Slot:
    node: I32  # or NONE


class Tree:
    slots: I64  # address of the table of nodes by hashed key
    nodes: I64  # address of node 0
    edges: I64  # address of edge 0
    last_slot: I64  # a power of two, less one
    last_node: I64  # numbers in use
    last_edge: I64
    max_node: I64  # numbers there is room for
    max_edge: I64


NODE, EDGE, SLOT, TREE = dtype_of(Node), dtype_of(Edge), dtype_of(Slot), dtype_of(Tree)
NODE_SIZE, EDGE_SIZE, SLOT_SIZE = NODE.itemsize, EDGE.itemsize, SLOT.itemsize
_node_at, _edge_at, _slot_at = caster(NODE), caster(EDGE), caster(SLOT)


def plant(tree: Tree, nodes: int, root_edges: int) -> tuple[Array, Array, Array]:
    """Makes an empty tree with room for this many nodes, at most MAX_NODES; returns the memory it lies in."""
    n = min(nodes, MAX_NODES)
    slots = np.zeros(1 << (2 * n).bit_length(), SLOT)
    rows = np.zeros(n + 1, NODE)
    edges = np.zeros(n * EDGES_PER_NODE + root_edges + 1, EDGE)
    tree.last_slot, tree.max_node, tree.max_edge = len(slots) - 1, n, len(edges) - 1
    tree.slots, tree.nodes, tree.edges = address_of(slots), address_of(rows), address_of(edges)
    tree.last_node = tree.last_edge = NONE
    return slots, rows, edges


@rule
def node_at(tree: Tree, node: int) -> Node:
    return _node_at(tree.nodes + node * NODE_SIZE)  # type: ignore[no-any-return]


@rule
def edge_at(tree: Tree, edge: int) -> Edge:
    return _edge_at(tree.edges + edge * EDGE_SIZE)  # type: ignore[no-any-return]


@rule
def slot_of(tree: Tree, key: Any) -> Slot:
    """The slot that holds the node with this key, or the empty one where it would go."""
    at = wide(key & np.uint64(tree.last_slot))
    slot = _slot_at(tree.slots + at * SLOT_SIZE)
    while slot.node != NONE and node_at(tree, wide(slot.node)).key != key:
        at = (at + 1) & tree.last_slot
        slot = _slot_at(tree.slots + at * SLOT_SIZE)
    return slot  # type: ignore[no-any-return]


@rule
def node_of(tree: Tree, key: Any) -> int:
    """The node with this key, or NONE."""
    return wide(slot_of(tree, key).node)


@rule
def node_for(tree: Tree, key: Any) -> int:
    """The node with this key, made if need be; NONE when the tree is full."""
    slot = slot_of(tree, key)
    if slot.node == NONE and tree.last_node < tree.max_node:
        tree.last_node += 1
        node_at(tree, tree.last_node).key = key
        slot.node = tree.last_node
    return wide(slot.node)


@rule
def add_edge(tree: Tree, node: int, before: int, after: int, move: int) -> int:
    """The number of a new edge between two others of a node; NONE when the tree is full."""
    if tree.last_edge == tree.max_edge:
        return NONE
    tree.last_edge += 1
    edge = tree.last_edge
    row = edge_at(tree, edge)
    row.move, row.after = move, after
    if before == NONE:
        node_at(tree, node).first = edge
    else:
        edge_at(tree, before).after = edge
    return edge


@rule
def edge_for(tree: Tree, node: int, before: int, move: int) -> int:
    """The node's edge for a move, sought after edge `before` and made if need be; NONE when the tree is full."""
    edge = wide(node_at(tree, node).first if before == NONE else edge_at(tree, before).after)
    while edge != NONE and edge_at(tree, edge).move < move:
        before = edge
        edge = wide(edge_at(tree, edge).after)
    if edge != NONE and edge_at(tree, edge).move == move:
        return edge
    return add_edge(tree, node, before, edge, move)


@rule
def choose(tree: Tree, node: int, moves: Any, n: int, c: float, x: Any, untried: Any) -> int:
    """Counts the legal moves as available; returns an untried edge at random, else the best by UCB, or NONE."""
    edge, best, fresh = NONE, NONE, 0
    best_score, log_of, log = -np.inf, 0, 0.0
    for i in range(n):
        found = edge_for(tree, node, edge, wide(moves[i]))
        if found == NONE:
            continue
        edge = found
        row = edge_at(tree, edge)
        row.available += 1
        if row.visits == 0:
            untried[fresh] = edge
            fresh += 1
        elif fresh == 0:
            if row.available != log_of:  # mostly the same for all edges of a node
                log_of = wide(row.available)
                log = math.log(log_of)
            score = row.value / row.visits + c * math.sqrt(log / row.visits)
            if score > best_score:
                best, best_score = edge, score
    return wide(untried[scaled(x, fresh)]) if fresh > 0 else best


@rule
def choose_guided(tree: Tree, node: int, moves: Any, n: int, c: float, advised: int, trust: float) -> int:
    """Counts the legal moves as available; returns the best edge by PUCT (Rosin 2011; Silver et al. 2017), or NONE.

    The advised move has prior `trust` and an even share of the rest; an untried move is taken to be worth
    what the node is worth so far. Exploration grows with the logarithm of the visits (Silver et al. 2018), so that
    a node that is visited often does not keep to what it found first.
    """
    level, visits = mean_of(tree, node)
    c += math.log((1.0 + visits + C_BASE) / C_BASE)
    edge, best, best_score = NONE, NONE, -np.inf
    for i in range(n):
        found = edge_for(tree, node, edge, wide(moves[i]))
        if found == NONE:
            continue
        edge = found
        row = edge_at(tree, edge)
        row.available += 1
        prior = (1.0 - trust) / n + (trust if moves[i] == advised else 0.0)
        value = row.value / row.visits if row.visits > 0 else level
        score = value + c * prior * math.sqrt(row.available) / (1.0 + row.visits)
        if score > best_score:
            best, best_score = edge, score
    return best


@rule
def mean_of(tree: Tree, node: int) -> tuple[float, int]:
    """The mean reward over all edges of a node, one half while there is none; and their visits."""
    value, visits = 0.0, 0
    edge = wide(node_at(tree, node).first)
    while edge != NONE:
        row = edge_at(tree, edge)
        value += row.value
        visits += row.visits
        edge = wide(row.after)
    return (value / visits if visits > 0 else 0.5), visits
