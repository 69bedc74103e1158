"""Who meets whom: every set of entrants that fills the seats, on the same deals, each at every seat."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import comb
from typing import NamedTuple, TypeVar

import numpy as np

from bots.arena.results import Contest
from engine.rng import mixed

T = TypeVar("T")


class Task(NamedTuple):
    """One deal for one set of entrants: a game for each rotation of the seats, and the least that is played."""

    deal: int
    players: tuple[int, ...]  # by seat in the first game, as numbers of entrants


def line_ups(entrants: int, seats: int) -> list[tuple[int, ...]]:
    """The sets that fill the seats; where entrants are too few for one of each, the last one takes what is left."""
    if entrants < seats:
        return [(*range(entrants), *[entrants - 1] * (seats - entrants))]
    return list(combinations(range(entrants), seats))


def is_line_up(players: Sequence[int], entrants: int) -> bool:
    """True where these players, by seat, are one of the sets that meet, with its seats turned or not."""
    first = players.index(min(players))
    turned = (*players[first:], *players[:first])
    if entrants < len(players):
        return turned == line_ups(entrants, len(players))[0]
    return all(one < other for one, other in pairwise(turned))


def tasks(contest: Contest) -> Iterator[Task]:
    """All that a run plays, in the order of its results."""
    sets = line_ups(len(contest.entrants), contest.seats)
    return (Task(deal, players) for deal in range(contest.deals) for players in sets)


def games(contest: Contest) -> int:
    """How many games a run has."""
    sets = max(comb(len(contest.entrants), contest.seats), 1)
    return contest.deals * sets * contest.seats


def rotations(players: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """The same players with each of them at each seat once."""
    return ((*players[i:], *players[:i]) for i in range(len(players)))


def deal_seed(seed: int, deal: int) -> int:
    """The seed of a deal of a run."""
    return int(mixed(np.uint64(seed), np.uint64(deal)))
