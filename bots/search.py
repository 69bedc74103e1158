"""What the bots that search share: trees, budgets, answers."""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from bots.bot import PLAN_WORLDS, Alternative, Answer, Bot, Budget, Request, StopReason, answer_of, step_of, word_of
from bots.clock import run
from bots.descent import ALL, MOVER, NO_LIMIT, ROOT_SEAT, SEEDED
from bots.one_tree import Line, OneTree, Told
from bots.params import Params, number, word
from bots.plans import Branch, Plans
from bots.tree import MAX_NODES
from bots.words import Tried, explained
from engine.faults import Fault, InvalidInput
from engine.game import Game, Move, State, View

OBSERVERS = {"mover": MOVER, "root": ROOT_SEAT, "all": ALL}
ROLLOUTS = {"uniform": 0, "prior": 1, "greedy": 2}  # as the verb `playout` numbers them
NODES_PER_MS = 5000  # room for the fastest game
MOST_TREES = 256  # of a search
EVALUATED = 0.25  # of the budget, for the moves to be rated


@dataclass(frozen=True)
class SearchParams(Params):
    """How to search."""

    chance: str = word(
        "closed", "open", description="Whether nodes tell apart what the seat drew (closed) or not (open)."
    )
    rollout: str = word(
        "greedy", "prior", "uniform", description="Who plays rollouts: greedy, its rough prior, or equal chance."
    )
    cutoff: int = number(
        0, 0, 10_000, description="Decisions in a rollout, after whose round the heuristic counts; 0: to the end."
    )
    c: float = number(0.5, 0.0, 10.0, description="Exploration: how much rarely tried moves are favoured.")
    trust: float = number(
        0.5, 0.0, 0.95, description="Prior of greedy's move in the tree; 0: no priors, all moves begin alike."
    )
    progress_weight: float = number(
        0.1, 0.0, 1.0, description="How much progress in the game counts beside its result."
    )


class Searcher(Bot):
    """A bot that grows trees; which, and from which worlds, is for its kinds to say."""

    params_type = SearchParams
    params: SearchParams

    @abstractmethod
    def plant(self, view: View, root_edges: int, request: Request) -> list[OneTree]:
        """The trees of a request, each with its share of the iterations and its own generator."""

    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        search = self._search(view, moves, request)
        return search.answer(search.run(started))

    def part(self, view: View, request: Request, started: float) -> "Part":
        """What the trees of `request.share` know after the search; the request is one that `recommend` would take."""
        search = self._search(view, view.moves(), request)
        return search.part(search.run(started))

    def merged(self, view: View, request: Request, parts: "Sequence[Part | None]") -> Answer:
        """The answer of a search in as many shares as there are parts, lost ones None but not all of them."""
        total, moves = request.budget.iterations, view.moves()
        budget = Budget(iterations=min(total or MOST_TREES, MOST_TREES))  # as many trees, without room to grow
        trees = self.plant(view, len(moves), replace(request, budget=budget))
        return Search(view, moves, trees, request, self.params.progress_weight).merged(parts)

    def _search(self, view: View, moves: Sequence[Move], request: Request) -> "Search":
        trees = self.plant(view, len(moves), request)
        return Search(view, moves, trees, request, self.params.progress_weight)

    def settings(self, game: Game, observer: str) -> dict[str, Any]:
        """The parameters as the compiled search takes them."""
        p = self.params
        return {
            "observer": OBSERVERS[observer],
            "open": p.chance == "open",
            "policy": ROLLOUTS[p.rollout],
            "limit": p.cutoff or NO_LIMIT,
            "c": p.c,
            "trust": p.trust,
            "progress_weight": p.progress_weight,
            "low": game.min_return,
            "scale": 1 / (game.max_return - game.min_return),
        }

    def trees(
        self, view: View, root_edges: int, request: Request, observer: str, worlds: Sequence[State | None]
    ) -> list[OneTree]:
        """A tree for each of these worlds (None: worlds dealt for it), but none without a share of the iterations."""
        total, limit_ms, parts = request.budget.iterations, request.budget.limit_ms, len(worlds)
        settings, planted = self.settings(view.game, observer), list[OneTree]()
        room = MAX_NODES // parts
        if limit_ms is not None:
            side_by_side = max(request.threads, request.share.among)
            room = min(room, limit_ms * NODES_PER_MS * min(side_by_side, parts) // parts)
        for part in range(request.share.number, parts, request.share.among):
            share = 1 << 62 if total is None else total // parts + (part < total % parts)
            word = {"word": word_of(request, part) | SEEDED}
            if share:
                planted.append(OneTree(view, settings | word, root_edges, share, min(share, room), worlds[part]))
        return planted


class Part(NamedTuple):
    """What is known of a share of a search, to be sent."""

    trees: tuple[Told, ...]
    settled: tuple[Told, ...]  # what was known when the plan was fixed, before other moves were rated; () if it is not
    stop_reason: StopReason


class Settled(NamedTuple):
    """What is recommended, fixed before other moves are rated."""

    lines: Sequence[Line]  # the plan, then the best others
    explanation: str


class Search:
    """One search for one request: its trees, and the answer that can be made of them at any time."""

    def __init__(
        self, view: View, moves: Sequence[Move], trees: Sequence[OneTree], request: Request, progress_weight: float
    ) -> None:
        self._view, self._moves, self._trees, self._request = view, moves, trees, request
        self._progress_weight = progress_weight
        self._seeds = np.array([word_of(request, i) for i in range(PLAN_WORLDS)], np.uint64)
        self._rated = [move for move in moves if move.text in request.evaluate_moves]
        self._settled: Settled | None = None
        self._told: tuple[Told, ...] = ()  # when the plan was fixed

    def run(self, started: float) -> StopReason:
        """Searches through the budget; where moves are to be rated, the last part of it is theirs alone."""
        self._search_only([move for move in self._moves if self._request.admits(move.text)])
        if not self._rated:
            return self._run(started, 1.0)
        kept = [int(tree.left * EVALUATED) for tree in self._trees]
        for tree, later in zip(self._trees, kept, strict=True):
            tree.left -= later
        stop_reason = self._run(started, 1 - EVALUATED)
        if stop_reason is not StopReason.BUDGET:
            return stop_reason
        self._fix()
        self._search_only(self._rated)
        for tree, later in zip(self._trees, kept, strict=True):
            tree.left = later
        return self._run(started, 1.0)

    def _run(self, started: float, part: float) -> StopReason:
        return run(self._trees, self._request, started, part, self.answer, self.part)

    def _fix(self) -> None:
        """What is recommended will not change any more; of a share, nobody knows alone what that is."""
        if self._request.share.among == 1:
            self._settled = self._settle(self._plans())
        self._told = tuple(tree.told() for tree in self._trees)

    def part(self, stop_reason: StopReason = StopReason.UNSPECIFIED) -> Part:
        """What is known now, to be sent."""
        return Part(tuple(tree.told() for tree in self._trees), self._told, stop_reason)

    def merged(self, parts: Sequence[Part | None]) -> Answer:
        """The answer out of what each share told; the trees of those that told nothing are missing from it."""
        shares, known = len(parts), [part for part in parts if part]
        told = {i: part for i, part in enumerate(parts) if part}
        places = [(i % shares, i // shares) for i in range(len(self._trees)) if i % shares in told]
        self._trees = [self._trees[i + row * shares] for i, row in places]
        if any(part.settled for part in known):
            self._take((told[i].settled or told[i].trees)[row] for i, row in places)
            self._settled = self._settle(self._plans())
        self._take(told[i].trees[row] for i, row in places)
        reasons = [part.stop_reason for part in known]
        reason = next((r for r in (StopReason.CANCELLED, StopReason.DEADLINE) if r in reasons), StopReason.BUDGET)
        return replace(self.answer(reason), incomplete=len(known) < shares or StopReason.UNSPECIFIED in reasons)

    def _take(self, told: Iterable[Told]) -> None:
        for tree, one in zip(self._trees, told, strict=True):
            tree.take(one)

    def answer(self, stop_reason: StopReason) -> Answer:
        """What is known now; raises `InvalidInput` when no world fitted the view."""
        view, request, plans = self._view, self._request, self._plans()
        lines, explanation = self._settled or self._settle(plans)
        alternatives = [self._alternative(plans, plans.branch(line)) for line in lines]
        told = alternatives[: request.max_alternatives]
        first = next(move for move in self._moves if move.id == lines[0][0])
        return replace(
            answer_of(view, request, first, explanation, stop_reason),
            plan=alternatives[0].plan,
            alternatives=(*told, *self._ratings(plans, {line[0] for line in lines[: len(told)]})),
            iterations=sum(t.done for t in self._trees),
            degraded=stop_reason is StopReason.DEADLINE or not all(t.fits for t in self._trees),
        )

    def _plans(self) -> Plans:
        return Plans(self._view, self._trees, self._seeds, self._progress_weight)

    def _search_only(self, moves: Sequence[Move]) -> None:
        barred = [i for i, move in enumerate(self._moves) if move not in moves]
        for tree in self._trees:
            tree.bar(barred)

    def _settle(self, plans: Plans) -> Settled:
        firsts = plans.first_moves()
        if not firsts:
            raise InvalidInput([Fault("", "an observation that no deal of the cards fits", "a possible position")])
        n = max(self._request.max_alternatives, 1)
        plan = plans.main_line(firsts[0])
        others = (branch.line for branch in plans.by_visits() if branch.line != plan.line)
        tried = [self._tried(plans, first) for first in firsts[: min(n, 2)]]
        visits = [0, *(first.visits for first in firsts)]
        explanation = explained(self._view.game, tried, visits, self._request.language)
        return Settled([plan.line, *islice(others, n - 1)], explanation)

    def _tried(self, plans: Plans, first: Branch) -> Tried:
        words = step_of(self._view, first.line[0], self._request.language).words
        return Tried(words, first.visits, plans.estimates(first, "returns")[self._view.seat])

    def _alternative(self, plans: Plans, branch: Branch) -> Alternative:
        return plans.alternative(branch, self._request.language, with_progress=self._progress_weight > 0)

    def _ratings(self, plans: Plans, told: Collection[int]) -> Iterator[Alternative]:
        """The best plan of each move to be rated that no plan told so far begins with."""
        tried = {branch.line[0]: branch for branch in plans.first_moves()}
        for move in self._rated:
            if move.id in tried and move.id not in told:
                yield self._alternative(plans, plans.main_line(tried[move.id]))
            elif move.id not in told:
                yield Alternative((step_of(self._view, move.id, self._request.language),), 0, 0, (), ())
