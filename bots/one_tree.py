"""One tree of a search: the memory behind `descent`, owned by Python and searched in bites."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from bots.calls import addresses
from bots.descent import COUNTS, PLAN_COUNTS, SEARCH, iterate, look, offset_of
from bots.tree import ROOT, plant
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
