"""Plans out of trees: lines of own moves, each with what all trees together know of it."""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from bots.bot import Alternative, Estimate, Step, step_of
from bots.descent import KINDS
from bots.one_tree import Followed, Line, OneTree
from engine.game import State, View
from engine.record import Array

MAX_PLAN = 32
LEAST_VISITS = 10  # of a move further down a plan
CONTENDS = 0.15  # share of the visits of the most visited move from which another may be preferred to it
SURE = 2.0  # standard errors below its mean at which a move must still be better


class Branch(NamedTuple):
    """A line of own moves, and what is known of its last."""

    line: Line
    visits: int
    available: int
    games: int  # counted apart
    sums: Array  # float64[kind, seat] over these games, kinds as in `descent.KINDS`


class Plans:
    """The lines of trees of one view, best first; worlds are dealt from the seeds (uint64) to follow them."""

    def __init__(self, view: View, trees: Sequence[OneTree], seeds: Array, progress_weight: float) -> None:
        self._view, self._trees, self._seeds, self._progress_weight = view, trees, seeds, progress_weight
        self._known: dict[Line, tuple[list[Branch], int]] = {}

    def after(self, line: Line) -> tuple[list[Branch], int]:
        """The branches that go on from a line by rising move, and which of the worlds they go on in."""
        if line not in self._known:
            self._known[line] = self._after(line)
        return self._known[line]

    def _after(self, line: Line) -> tuple[list[Branch], int]:
        found: dict[int, list[Followed]] = {}
        followed, world = self._trees[0].after(line, self._seeds)
        if world < 0:
            return [], world
        there = self._seeds[world : world + 1]  # the same for all trees
        for tree in self._trees:
            for one in followed if tree is self._trees[0] else tree.after(line, there)[0]:
                found.setdefault(one.move, []).append(one)
        return [_branch(line, found[move]) for move in sorted(found)], world

    def first_moves(self) -> list[Branch]:
        """The first moves: the one to recommend, then the most visited first, then the lower move."""
        branches = self.after(())[0]
        best = self.best(branches).line if branches else ()
        return sorted(branches, key=lambda b: (b.line != best, -b.visits, b.line))

    def best(self, branches: Sequence[Branch]) -> Branch:
        """The most visited one, unless another that was visited often enough is surely better.

        The most visited move is where the search has been longest; one that it found later may be better by far.
        """
        most = max(branches, key=lambda b: (b.visits, self._reward(b)))
        level, least = self._reward(most), CONTENDS * most.visits
        better = [b for b in branches if b.visits >= least and self._reward(b, SURE) > level]
        return max(better, key=lambda b: self._reward(b, SURE), default=most)

    def _reward(self, branch: Branch, below: float = 0.0) -> float:
        """What the search backs up for the seat, in units of returns, so many standard errors below its mean."""
        if not branch.games:
            return -inf
        game, seat = self._view.game, self._view.seat
        returns, progress = (self.estimates(branch, kind)[seat] for kind in ("returns", "progress"))
        weight = self._progress_weight * (game.max_return - game.min_return)
        return returns.mean - below * returns.standard_error + weight * progress.mean

    def branch(self, line: Line) -> Branch:
        """What is known of a line that was followed."""
        return next(b for b in self.after(line[:-1])[0] if b.line == line)

    def next_moves(self, branch: Branch) -> list[Branch]:
        """What was followed often enough after a line to be part of its plan, by rising move."""
        if len(branch.line) == MAX_PLAN:
            return []
        return [b for b in self.after(branch.line)[0] if b.visits >= LEAST_VISITS]

    def main_line(self, first: Branch) -> Branch:
        """The plan that begins with a first move and takes the best at each step."""
        while branches := self.next_moves(first):
            first = self.best(branches)
        return first

    def by_visits(self) -> Iterator[Branch]:
        """All plans, those followed most often first."""
        open_lines: list[tuple[int, Line, Branch]] = []
        branches = self.first_moves()
        while True:
            for branch in branches:
                heappush(open_lines, (-branch.visits, branch.line, branch))
            if not open_lines:
                return
            best = heappop(open_lines)[-1]
            branches = self.next_moves(best)
            if not branches:
                yield best

    def alternative(self, branch: Branch, language: str, *, with_progress: bool) -> Alternative:
        """A plan in words, with its statistics."""
        return Alternative(
            self.steps(branch.line, language),
            branch.visits,
            branch.available,
            self.estimates(branch, "returns"),
            self.estimates(branch, "progress") if with_progress else (),
        )

    def estimates(self, branch: Branch, kind: str) -> tuple[Estimate, ...]:
        """Mean and standard error by seat over the games of the line, or of the longest beginning that was counted."""
        while not branch.games:
            branch = self.branch(branch.line[:-1])
        game, at, n = self._view.game, KINDS.index(kind), branch.games
        single = game.max_return - game.min_return if kind == "returns" else 1.0
        totals = branch.sums[at : at + 2, : self._view.setup.seats].T
        return tuple(_estimate(float(total), float(squared), n, single) for total, squared in totals)

    def steps(self, line: Line, language: str) -> tuple[Step, ...]:
        """The moves of a line, and the seat's forced ones between and, as far as it can foresee them, after these."""
        world = self._view.world(int(self._seeds[self.after(line[:-1])[1]]))
        steps, played, ahead = list[Step](), list[int](), list(line)
        while ahead or self._forced(world, played):
            move = ahead.pop(0) if len(legal := world.legal()) > 1 else legal[0]
            if world.to_move == self._view.seat:
                steps.append(step_of(world, move, language, forced=len(legal) == 1))
                played.append(move)
            world.step(move)
        return tuple(steps)

    def _forced(self, world: State, played: Sequence[int]) -> bool:
        """Whether the seat must go on after these moves of its own, and knows how."""
        mine = world.to_move == self._view.seat and len(world.legal()) == 1
        return mine and self._trees[0].foresees(tuple(played), self._seeds)


def _branch(line: Line, followed: Sequence[Followed]) -> Branch:
    """A line with what each tree knows of its last move added up."""
    counted = [one.counts for one in followed if one.counts is not None]
    sums = sum((np.array([c[kind] for kind in KINDS]) for c in counted), np.zeros(()))
    games = sum(int(c["games"]) for c in counted)
    visits, available = (sum(column) for column in zip(*((f.visits, f.available) for f in followed), strict=True))
    return Branch((*line, followed[0].move), visits, available, games, sums)


def _estimate(total: float, squared: float, n: int, single: float) -> Estimate:
    """A mean and its standard error; that of a single game is `single`."""
    mean = total / n
    variance = max(squared / n - mean * mean, 0.0)
    return Estimate(mean, sqrt(variance / (n - 1)) if n > 1 else single)
