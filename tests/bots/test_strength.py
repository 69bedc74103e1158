"""Who beats whom in Arctic Scavengers, on paired deals with rotated seats; `EMPTYCHAIR_SOAK=1` plays many more."""

import os
import sys

import pytest

import engine
from bots import Budget, Request, make
from bots.match import Comparison, compare

SOAK = os.environ.get("EMPTYCHAIR_SOAK") == "1"


def points(seats: int, a: str, b: str, deals: int, iterations: tuple[int, int] = (1, 1)) -> Comparison:
    setup = engine.load("arctic_scavengers").setup(seats)
    requests = (Request(Budget(iterations=iterations[0])), Request(Budget(iterations=iterations[1])))
    found = compare(setup, make(a), make(b), deals, 2026, requests)
    sys.stdout.write(f"{a}@{iterations[0]} against {b}@{iterations[1]}, {seats} seats: {found}\n")
    return found


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_greedy_beats_random(seats: int) -> None:
    assert points(seats, "greedy", "random", 250 if SOAK else 10).share >= 0.9


def test_a_search_beats_random() -> None:
    assert points(2, "ismcts", "random", 20 if SOAK else 3, (300, 1)).share >= 0.8


@pytest.mark.timeout(6 * 3600 if SOAK else 120)
@pytest.mark.parametrize(("seats", "aim"), [(2, 0.7), (3, 1 / 3), (4, 1 / 4)])
def test_a_search_beats_greedy(seats: int, aim: float) -> None:
    """The aim lies within the search's interval, or below it; a short run is as sure of an even share."""
    deals, iterations = (60, 2000) if SOAK else (2, 300)
    assert points(seats, "ismcts", "greedy", deals, (iterations, 1)).high >= (aim if SOAK else 1 / seats)


@pytest.mark.timeout(6 * 3600 if SOAK else 120)
def test_more_iterations_are_not_weaker() -> None:
    deals, few, many = (60, 1000, 8000) if SOAK else (3, 50, 400)
    assert points(2, "ismcts", "ismcts", deals, (many, few)).high >= (0.55 if SOAK else 0.5)
