"""One tree of a search: the memory behind `descent`, owned by Python and searched in bites."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from bots.calls import addresses
from bots.descent import COUNTS, PLAN_COUNTS, SEARCH, iterate, look, offset_of, own_part, plant_own
from bots.tree import EDGE, NODE, ROOT, plant
from engine.game import State, View
from engine.record import Array, address_of, zeros
from engine.verbs import MAX_MOVES

Line = tuple[int, ...]  # own moves by number, from the root on


class Followed(NamedTuple):
    """A move that was followed from a node."""

    move: int
    visits: int
    available: int
    counts: Any  # a record of `descent.Counts`; None where its games were not counted apart


class Told(NamedTuple):
    """What another process may know of a tree: all that its plans are made of, to be sent."""

    done: int
    fits: bool
    nodes: bytes  # records of `tree.Node`, those on the seat's own lines
    edges: bytes  # int32 numbers of their edges
    edge_rows: bytes  # records of `tree.Edge`
    counts: bytes  # int32 numbers of the counts in use
    count_rows: bytes  # records of `descent.Counts`


class OneTree:
    """A tree for the seat of a view, with `settings` for the fields of `descent.Search`.

    Given a `world`, every iteration starts from it with fresh chance; else from a world dealt for it.
    """

    def __init__(
        self,
        view: View,
        settings: Mapping[str, Any],
        root_edges: int,
        iterations: int,
        nodes: int,
        world: State | None = None,
    ) -> None:
        setup, game = view.setup, view.game
        self.view = view
        self.left = iterations
        self.done = 0
        self.fits = True  # False once no world could be dealt
        self._fixed = world
        self._world, self._scratch = zeros(game.state_dtype), np.zeros(game.scratch_bytes, np.uint8)
        self._counts = np.zeros(ROOT + root_edges + PLAN_COUNTS, COUNTS)
        self._record = zeros(SEARCH)
        self._verbs = addresses(game.verbs)
        s = self._record[0]
        s.rules, s.observed, s.seat, s.seats = setup.rules_address, view.address, view.seat, setup.seats
        s.world, s.scratch, s.counts = address_of(self._world), address_of(self._scratch), address_of(self._counts)
        s.chance = s.world + offset_of(game.state_dtype, "rng")
        s.fixed, s.world_bytes = world.address if world else 0, game.state_dtype.itemsize
        s.root_edges = self._root_edges = root_edges
        for name, value in settings.items():
            s[name] = value
        self._slots, self._nodes, self._edges = plant(s.tree, nodes, root_edges)

    def bar(self, moves: Iterable[int]) -> None:
        """From now on, searches all of the root's moves but these, given by their places among the legal ones."""
        s = self._record[0]
        s.barred[:] = 0
        s.barred[list(moves)] = 1
        s.barring = int(s.barred.any())

    def bite(self, iterations: int) -> None:
        """Searches on for that many iterations, or what is left of the budget."""
        wanted = min(iterations, self.left)
        done = int(iterate(self._verbs, address_of(self._record), wanted))
        self.done += done
        self.left -= done
        if done < wanted:
            self.fits, self.left = False, 0

    def told(self) -> Told:
        """What there is to tell of this tree now."""
        tree = self._record[0].tree
        nodes, edges = np.empty(tree.last_node, np.int32), np.empty(tree.last_edge + 1, np.int32)
        n = own_part(address_of(self._record), nodes, edges)
        own, kept = nodes[:n], edges[1 : 1 + edges[0]]
        counts = np.flatnonzero(self._counts["games"]).astype(np.int32)
        rows = self._nodes[own], self._edges[kept], self._counts[counts]
        node_rows, edge_rows, count_rows = (row.tobytes() for row in rows)
        return Told(self.done, self.fits, node_rows, kept.tobytes(), edge_rows, counts.tobytes(), count_rows)

    def take(self, told: Told) -> None:
        """Becomes, for all that is asked of it, the tree that told this; it cannot be searched any further."""
        nodes, edges = np.frombuffer(told.nodes, NODE), np.frombuffer(told.edges, np.int32)
        s = self._record[0]
        self._slots, self._nodes, self._edges = plant(s.tree, len(nodes), self._root_edges + int(edges.max(initial=0)))
        self._edges[edges] = np.frombuffer(told.edge_rows, EDGE)
        plant_own(address_of(self._record), nodes["key"].copy(), nodes["first"].copy())
        self._counts[:] = np.zeros(1, COUNTS)
        self._counts[np.frombuffer(told.counts, np.int32)] = np.frombuffer(told.count_rows, COUNTS)
        self.done, self.fits, self.left = told.done, told.fits, 0

    def after(self, line: Line, seeds: Array) -> tuple[list[Followed], int]:
        """What was followed from where a line leads, and which of these worlds (uint64 seeds) it goes on in.

        Nothing where the line ends: in chance, in another's decision, or in what the seat cannot foresee.
        """
        out = np.zeros(1 + 2 * MAX_MOVES, np.int32)
        n = look(self._verbs, address_of(self._record), seeds, np.array(line, np.int32), out)
        return [self._followed(*pair) for pair in out[1 : 1 + 2 * n].reshape(n, 2).tolist()], int(out[0])

    def foresees(self, line: Line, seeds: Array) -> bool:
        """Whether the seat knows, in any of these worlds, what it may do after a line with its forced moves."""
        out = np.zeros(1 + 2 * MAX_MOVES, np.int32)
        s, rules = self._record[0], self.view.setup.rules_address
        s.rules = address_of(self.view.setup.step_rules)
        look(self._verbs, address_of(self._record), seeds, np.array(line, np.int32), out)
        s.rules = rules
        return bool(out[0] >= 0)

    def _followed(self, edge: int, number: int) -> Followed:
        move, visits, available = (int(self._edges[name][edge]) for name in ("move", "visits", "available"))
        return Followed(move, visits, available, self._counts[number] if number >= 0 else None)

    @property
    def edges(self) -> Array:
        """The edges of the root, by rising move."""
        return self._edges[ROOT : ROOT + self._root_edges]
