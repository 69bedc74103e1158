"""The bot that searches: ISMCTS over one or several trees, merged at the root."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from bots.bot import Alternative, Answer, Bot, Estimate, Request, answer_of
from bots.clock import run
from bots.descent import KINDS, MOVER, NO_LIMIT, ROOT_SEAT
from bots.one_tree import SEEDED, OneTree
from bots.params import Params, number, word
from bots.tree import MAX_NODES
from bots.words import explained
from engine.faults import Fault, InvalidInput
from engine.game import Game, Move, View
from engine.record import Array
from engine.rng import mixed

ROLLOUTS = {"uniform": 0, "prior": 1, "greedy": 2}  # as the verb `playout` numbers them
NODES_PER_MS = 5000  # room for the fastest game
PLAN_WORLDS = 8  # a rival's possible answer in one of them does not cut every plan


@dataclass(frozen=True)
class IsmctsParams(Params):
    """How to search."""

    observer: str = word("mover", "root")  # whose knowledge makes a node
    chance: str = word("closed", "open")  # own draws inside or outside the node key
    rollout: str = word("greedy", "prior", "uniform")  # who plays rollouts
    cutoff: int = number(0, 0, 10_000)  # decisions in a rollout before the heuristic counts; 0 = to the end
    c: float = number(1.0, 0.0, 10.0)  # exploration, for rewards in [0, 1]
    trust: float = number(0.5, 0.0, 0.95)  # prior of the hand-written player's move in the tree; 0: UCB, no priors
    progress_weight: float = number(0.1, 0.0, 1.0)  # of progress beside returns


@dataclass(frozen=True)
class Root:
    """What all trees together know of the root's edges, by rising move."""

    moves: Sequence[Move]
    visits: Array  # int64[edge]
    available: Array  # int64[edge]
    sums: Array  # float64[edge, kind, seat], kinds in the order of `descent.Counts`

    def estimates(self, edge: int, kind: str, seats: int, spread: float) -> tuple[Estimate, ...]:
        """Mean and standard error by seat; `spread` is the error of a single game."""
        n, at = int(self.visits[edge]), KINDS.index(kind)
        found = []
        for total, squared in zip(self.sums[edge, at, :seats], self.sums[edge, at + 1, :seats], strict=True):
            mean = float(total) / n
            variance = max(float(squared) / n - mean * mean, 0.0)
            found.append(Estimate(mean, sqrt(variance / (n - 1)) if n > 1 else spread))
        return tuple(found)

    def ranking(self, seat: int) -> list[int]:
        """Visited edges, the most visited first, then the better for the seat, then the lower move."""
        tried = [e for e in range(len(self.moves)) if self.visits[e] > 0]
        return sorted(tried, key=lambda e: (-self.visits[e], -self.sums[e, 0, seat] / self.visits[e], e))


class Ismcts(Bot):
    """Information set Monte Carlo tree search."""

    name = "ismcts"
    params_type = IsmctsParams
    params: IsmctsParams

    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        trees = self.plant(view, len(moves), request)
        stop_reason = run(trees, request, started)
        if not any(t.done for t in trees):
            raise InvalidInput([Fault("", "an observation that no deal of the cards fits", "a possible position")])
        root = merged(trees, moves)
        ranking = root.ranking(view.seat)
        alternatives = self.alternatives(view, trees, root, ranking[: max(request.max_alternatives, 1)], request)
        return replace(
            answer_of(view, request, moves[ranking[0]], explained(view, alternatives, root.visits, request.language)),
            plan=alternatives[0].plan,
            alternatives=alternatives[: request.max_alternatives],
            iterations=sum(t.done for t in trees),
            stop_reason=stop_reason,
            degraded=not all(t.fits for t in trees),
        )

    def plant(self, view: View, root_edges: int, request: Request) -> list[OneTree]:
        """The trees of a request, each with its share of the iterations and its own generator."""
        k, budget = request.parallelism, request.budget
        total, limit_ms = budget.iterations, budget.limit_ms
        trees = []
        for i in range(k):
            share = 1 << 62 if total is None else total // k + (i < total % k)
            if share:
                nodes = min(share, MAX_NODES, MAX_NODES if limit_ms is None else limit_ms * NODES_PER_MS)
                word = mixed(np.uint64(request.seed or 0), np.uint64(i)) | SEEDED
                settings = self.settings(view.game) | {"word": word}
                trees.append(OneTree(view, settings, root_edges, share, nodes))
        return trees

    def settings(self, game: Game) -> dict[str, Any]:
        """The parameters as the compiled search takes them."""
        p = self.params
        return {
            "observer": MOVER if p.observer == "mover" else ROOT_SEAT,
            "open": p.chance == "open",
            "policy": ROLLOUTS[p.rollout],
            "limit": p.cutoff or NO_LIMIT,
            "c": p.c,
            "trust": p.trust,
            "progress_weight": p.progress_weight,
            "low": game.min_return,
            "scale": 1 / (game.max_return - game.min_return),
        }

    def alternatives(
        self, view: View, trees: Sequence[OneTree], root: Root, edges: Sequence[int], request: Request
    ) -> tuple[Alternative, ...]:
        """A plan for each of these root edges, followed in the tree that knows it best."""
        found = []
        spread = view.game.max_return - view.game.min_return
        world_seeds = [int(mixed(np.uint64(request.seed or 0), np.uint64(i))) for i in range(PLAN_WORLDS)]
        for edge in edges:
            tree = max(trees, key=lambda t: t.edges[edge].visits)
            plan = tree.plan(edge, world_seeds, request.language)
            returns = root.estimates(edge, "returns", view.setup.seats, spread)
            progress = root.estimates(edge, "progress", view.setup.seats, 1.0) if self.params.progress_weight else ()
            found.append(Alternative(plan, int(root.visits[edge]), int(root.available[edge]), returns, progress))
        return tuple(found)


def merged(trees: Sequence[OneTree], moves: Sequence[Move]) -> Root:
    """The root statistics of all trees added up in order."""
    return Root(
        moves,
        np.add.reduce([t.edges["visits"].astype(np.int64) for t in trees]),
        np.add.reduce([t.edges["available"].astype(np.int64) for t in trees]),
        np.add.reduce([t.counts for t in trees]),
    )
