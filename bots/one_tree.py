"""One tree of a search: the memory behind `descent`, owned by Python and searched in bites."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from bots.bot import Step, step_of
from bots.calls import addresses
from bots.descent import COUNTS, KINDS, SEARCH, follow, iterate, offset_of
from bots.tree import ROOT, plant
from engine.game import View
from engine.record import Array, address_of, zeros
from engine.verbs import MAX_SEATS

MAX_PLAN = 32
LEAST_VISITS = 10  # of a move further down a plan
SEEDED = np.uint64(1)  # a generator word of 0 would be stuck


class OneTree:
    """A tree for the seat of a view, with `settings` for the fields of `descent.Search`."""

    def __init__(self, view: View, settings: dict[str, Any], root_edges: int, iterations: int, nodes: int) -> None:
        setup, game = view.setup, view.game
        self.view = view
        self.left = iterations
        self.done = 0
        self.fits = True  # False once no world could be dealt
        self._world, self._scratch = zeros(game.state_dtype), np.zeros(game.scratch_bytes, np.uint8)
        self._counts = np.zeros(ROOT + root_edges, COUNTS)
        self._record = zeros(SEARCH)
        self._verbs = addresses(game.verbs)
        s = self._record[0]
        s.rules, s.observed, s.seat, s.seats = setup.rules_address, view.address, view.seat, setup.seats
        s.world, s.scratch, s.counts = address_of(self._world), address_of(self._scratch), address_of(self._counts)
        s.chance = s.world + offset_of(game.state_dtype, "rng")
        s.root_edges = root_edges
        for name, value in settings.items():
            s[name] = value
        self._slots, self._nodes, self._edges = plant(s.tree, nodes, root_edges)

    def bite(self, iterations: int) -> None:
        """Searches on for that many iterations, or what is left of the budget."""
        wanted = min(iterations, self.left)
        done = int(iterate(self._verbs, address_of(self._record), wanted))
        self.done += done
        self.left -= done
        if done < wanted:
            self.fits, self.left = False, 0

    @property
    def edges(self) -> Array:
        """The edges of the root, by rising move."""
        return self._edges[ROOT : len(self._counts)]

    @property
    def counts(self) -> Array:
        """What was summed at them: float64[edge, kind, seat], kinds in the order of `Counts`."""
        return self._counts[ROOT:].view(np.float64).reshape(-1, len(KINDS), MAX_SEATS)

    def plan(self, edge: int, world_seeds: Sequence[int], language: str) -> tuple[Step, ...]:
        """The longest of the best lines from a root edge through these worlds, the first on a tie."""
        best: tuple[Array, int] = (self.edges["move"][:0], 0)
        line = np.empty(MAX_PLAN, np.int32)
        for world_seed in world_seeds:
            n = follow(self._verbs, address_of(self._record), ROOT + edge, np.uint64(world_seed), LEAST_VISITS, line)
            if n > len(best[0]):
                best = line[:n].copy(), world_seed
        if len(best[0]) == 0:
            return (step_of(self.view, int(self.edges["move"][edge]), language),)
        return tuple(self._steps(*best, language))

    def _steps(self, line: Array, world_seed: int, language: str) -> Iterator[Step]:
        """The moves of a line, and the seat's forced ones between them and up to the next result of chance."""
        world = self.view.world(world_seed)
        chance = world.data["rng"].copy()
        for move in map(int, line):
            yield step_of(world, move, language)
            world.step(move)
            while chance == world.data["rng"] and len(moves := world.legal()) == 1:
                if world.to_move == self.view.seat:
                    yield step_of(world, moves[0], language, forced=True)
                world.step(moves[0])
