"""Who beats whom in Arctic Scavengers, on paired deals with rotated seats; `EMPTYCHAIR_SOAK=1` plays many more."""

import os
import sys

import pytest

import engine
from bots.arena import contest_of, run
from bots.arena.standing import Interval, standings

SOAK = os.environ.get("EMPTYCHAIR_SOAK") == "1"


def points(seats: int, a: str, b: str, deals: int) -> Interval:
    """The share of `a` at one seat, with `b` at all others."""
    contest = contest_of(engine.load("arctic_scavengers"), [a, b], deals, 2026, seats=seats)
    results = [result for games in run(contest) for result in games]
    [found] = (standing for standing in standings(contest, results) if standing.entrant == a)
    sys.stdout.write(f"{a} against {b}, {seats} seats: {found.share}, {found.games} games\n")
    return found.share


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_greedy_beats_random(seats: int) -> None:
    assert points(seats, "greedy", "random", 250 if SOAK else 10).mean >= 0.9


def test_a_search_beats_random() -> None:
    assert points(2, "ismcts@300", "random", 20 if SOAK else 3).mean >= 0.8


@pytest.mark.timeout(6 * 3600 if SOAK else 120)
@pytest.mark.parametrize(("seats", "aim"), [(2, 0.7), (3, 1 / 3), (4, 1 / 4)])
def test_a_search_beats_greedy(seats: int, aim: float) -> None:
    """The aim lies within the search's interval, or below it; a short run is as sure of an even share."""
    deals, iterations = (60, 2000) if SOAK else (2, 300)
    assert points(seats, f"ismcts@{iterations}", "greedy", deals).high >= (aim if SOAK else 1 / seats)


@pytest.mark.timeout(6 * 3600 if SOAK else 120)
def test_more_iterations_are_not_weaker() -> None:
    deals, few, many = (60, 1000, 8000) if SOAK else (3, 50, 400)
    assert points(2, f"ismcts@{many}", f"ismcts@{few}", deals).high >= (0.55 if SOAK else 0.5)
