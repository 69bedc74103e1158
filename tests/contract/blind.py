"""Exact laws of blind play: every way chance can go is played out, and what was seen is conditioned on."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from math import comb

Cards = Counter[str]
Outcome = dict[str, tuple[str, ...]]  # what is asked for: names, each with its cards in sorted order
Law = dict[tuple[tuple[str, ...], ...], float]


class Impossible(Exception):
    """What was seen cannot come of these draws."""


class Chance:
    """One way chance may go: it follows a list of branches and notes those not taken yet."""

    def __init__(self, path: list[int]) -> None:
        self.path, self.weight, self.depth = path, 1.0, 0
        self.others: list[list[int]] = []

    def draw(self, pile: Cards, n: int) -> Cards:
        """`n` cards that leave the pile (all if it is smaller), each set as likely as its copies make it."""
        n = min(n, pile.total())
        sets = ways(tuple(sorted(pile.items())), n)
        if self.depth == len(self.path):
            self.others += [[*self.path, i] for i in range(1, len(sets))]
            self.path = [*self.path, 0]
        cards, count = sets[self.path[self.depth]]
        self.depth += 1
        self.weight *= count / comb(pile.total(), n)
        drawn = Counter(dict(cards))
        pile.subtract(drawn)
        return drawn

    def turns_up(self, hand: Cards, *kinds: str) -> None:
        """Cards of the hand were turned up blindly, one by one, and were of these kinds; they leave it."""
        for kind in kinds:
            if hand[kind] <= 0:
                raise Impossible
            self.weight *= hand[kind] / hand.total()
            hand[kind] -= 1


@cache
def ways(pile: tuple[tuple[str, int], ...], n: int) -> list[tuple[tuple[tuple[str, int], ...], int]]:
    """Every set of `n` cards of the pile by kind, with the number of ways to take it."""
    if not pile:
        return [] if n else [((), 1)]
    (kind, copies), rest = pile[0], pile[1:]
    return [
        (((kind, i), *others), comb(copies, i) * count)
        for i in range(min(copies, n) + 1)
        for others, count in ways(rest, n - i)
    ]


def named(cards: Cards) -> tuple[str, ...]:
    """The cards as a value that can be compared."""
    return tuple(sorted(cards.elements()))


def law_of(story: Callable[[Chance], Outcome]) -> tuple[tuple[str, ...], Law]:
    """The names of what a story tells, and the probability of each joint outcome given all it requires."""
    law: Law = {}
    names: tuple[str, ...] = ()
    paths: list[list[int]] = [[]]
    while paths:
        chance = Chance(paths.pop())
        try:
            told = story(chance)
        except Impossible:
            continue
        finally:
            paths += chance.others
        names = tuple(told)
        law[tuple(told.values())] = law.get(tuple(told.values()), 0.0) + chance.weight
    total = sum(law.values())
    return names, {outcome: weight / total for outcome, weight in law.items()}


def marginal(law: Law, i: int) -> Law:
    """The law of one part of the joint outcome."""
    out: Law = {}
    for outcome, p in law.items():
        out[outcome[i],] = out.get((outcome[i],), 0.0) + p
    return out
