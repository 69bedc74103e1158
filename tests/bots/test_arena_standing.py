"""What results say, on results made up so that the answer is known."""

from collections.abc import Sequence
from math import log10, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from scipy import stats

import engine
from bots.arena import Contest, Result, contest_of, run
from bots.arena.results import Foul, Used
from bots.arena.standing import (
    BOUND,
    Interval,
    compare,
    deals_of,
    even_share,
    expected_share,
    interval,
    likelihood_ratio,
    standings,
)
from engine.faults import InvalidInput

NOTHING = Used({}, {})


def contest(entrants: Sequence[str], seats: int = 2, deals: int = 100) -> Contest:
    return Contest("arctic_scavengers", {}, seats, 0, deals, tuple(entrants), "", "")


def game(deal: int, entrants: str, winner: int) -> Result:
    returns = tuple(float(seat == winner) for seat in range(len(entrants)))
    return Result(deal, tuple(entrants), returns, 10, 1.0, (), (NOTHING,) * len(entrants))


def pairs(wins: Sequence[int]) -> list[Result]:
    """Two games a deal, of which `a` wins so many."""
    return [
        game(deal, who, who.index("ab"[i >= n])) for deal, n in enumerate(wins) for i, who in enumerate(("ab", "ba"))
    ]


def test_an_interval_of_deals_won_or_lost_is_jeffreys() -> None:
    low, high = stats.beta(7 + 0.5, 3 + 0.5).ppf([0.025, 0.975])
    assert interval(deals_of([1.0] * 7 + [0.0] * 3)) == pytest.approx((0.7, low, high))


def test_an_interval_of_many_deals_is_students() -> None:
    values = [0.2, 0.4, 0.9, 0.5, 0.6] * 400
    known = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert interval(deals_of(values)) == pytest.approx((0.52, known.low, known.high), abs=2e-4)


def test_deals_that_all_ended_alike_are_no_certainty() -> None:
    """Forty games won, and a bot that crashes at the same point of every deal."""
    assert interval(deals_of([1.0] * 40)) == (1.0, pytest.approx(stats.beta(40.5, 0.5).ppf(0.025)), 1.0)
    mean, low, high = interval(deals_of([0.875] * 10))
    assert low < mean - 0.05 < mean + 0.05 < high


@given(some.lists(some.floats(0, 1), min_size=1, max_size=30))
def test_an_interval_has_the_mean_inside_and_mirrors(values: list[float]) -> None:
    mean, low, high = interval(deals_of(values))
    assert 0 <= low <= high <= 1
    assert low < high
    assert low <= mean <= high
    mirrored = interval(deals_of([1 - value for value in values]))
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize("n", [2, 5, 10, 40])
@pytest.mark.parametrize(
    ("values", "chances"),
    [
        ([0, 1], [0.5, 0.5]),
        ([0, 1], [0.1, 0.9]),
        ([0, 1], [0.03, 0.97]),
        ([0, 0.5, 1], [0.25, 0.5, 0.25]),
        ([0, 0.5, 1], [0.01, 0.18, 0.81]),
        ([0, 1 / 3, 2 / 3, 1], [0.3, 0.42, 0.26, 0.02]),
        ([0.25, 0.375, 0.5, 0.625, 0.75, 1], [0.1, 0.15, 0.4, 0.2, 0.1, 0.05]),
    ],
    ids=["even", "9 of 10", "97 of 100", "pairs", "one-sided pairs", "three seats", "chips"],
)
def test_intervals_hold_the_true_share_as_often_as_they_say(n: int, values: list[float], chances: list[float]) -> None:
    truth, samples = float(np.dot(values, chances)), 600
    drawn = np.random.default_rng(n).choice(values, (samples, n), p=chances)
    found = [interval(deals_of(row)) for row in drawn.tolist()]
    held = sum(low <= truth <= high for _, low, high in found)
    assert held / samples > 0.92 - 2 * sqrt(0.95 * 0.05 / samples)


def test_shares_are_over_deals() -> None:
    found = {s.entrant: s for s in standings(contest("ab"), pairs([2, 1, 1, 0, 2, 2]))}
    assert found["a"].share == pytest.approx(interval(deals_of([1, 0.5, 0.5, 0, 1, 1])))
    assert found["b"].share.mean == pytest.approx(1 - found["a"].share.mean)
    assert (found["a"].games, found["b"].games) == (12, 12)


def test_ratings_are_elo_points_around_0() -> None:
    """Three wins in four are 400 log10(3) points, but for the game that counts as drawn."""
    a, b = standings(contest("ab"), pairs([2, 1] * 200))
    assert a.rating + b.rating == pytest.approx(0)
    assert a.rating - b.rating == pytest.approx(400 * log10(600.5 / 200.5))


def test_a_rating_is_finite_where_one_always_wins() -> None:
    a, b = standings(contest("ab"), pairs([2] * 500))
    assert a.rating - b.rating == pytest.approx(400 * log10(1000.5 / 0.5))


def test_a_rating_tells_who_was_not_met() -> None:
    met = [game(0, "ab", 0), game(0, "ba", 1), game(0, "bc", 0), game(0, "cb", 1)]
    assert [s.entrant for s in standings(contest("abc"), met)] == ["a", "b", "c"]


def test_equals_at_three_seats_have_even_ratings() -> None:
    """The one wins a game of three and so does each seat of the other."""
    fair = [game(deal, who, 0) for deal in range(40) for who in ("abb", "bba", "bab")]
    a, b = sorted(standings(contest("ab", 3), fair))
    assert (a.share.mean, b.share.mean) == pytest.approx((1 / 3, 1 / 3))
    assert a.rating == pytest.approx(b.rating) == pytest.approx(0)
    mean, low, high = compare(contest("ab", 3), fair, "a", "b").share
    assert (mean, (low + high) / 2) == pytest.approx((0.5, 0.5))
    assert even_share(contest("ab", 3), fair) == pytest.approx(1 / 3)


def test_deals_that_neither_won_say_nothing_of_the_two() -> None:
    """Of 100 deals at three seats `a` wins one and `b` none: as good as a single deal."""
    results = [game(deal, "abc", 0 if deal == 0 else 2) for deal in range(100)]
    found = compare(contest("abc", 3), results, "a", "b")
    assert (found.share.mean, found.verdict) == (1.0, "open")
    assert found.share.low < 0.3


def test_a_comparison_at_three_seats_leaves_the_others_out() -> None:
    """Of ten games `a` wins six, `b` two, `c` two: three quarters of what the two have won."""
    wins = "aaaaaabbcc"
    results = [game(deal, "abc", "abc".index(winner)) for deal, winner in enumerate(wins)]
    found = compare(contest("abc", 3), results, "a", "b")
    assert found.share.mean == pytest.approx(0.75)
    assert (found.deals, found.games) == (10, 10)


def test_a_comparison_mirrors() -> None:
    results = pairs([2, 1, 1, 0, 2, 2, 1])
    ab, ba = (compare(contest("ab"), results, *names).share for names in ("ab", "ba"))
    assert Interval(1 - ba.mean, 1 - ba.high, 1 - ba.low) == pytest.approx(ab)


@pytest.mark.parametrize(
    ("wins", "verdict"),
    [([2, 1] * 200, "accepted"), ([1, 2, 1, 0] * 400, "rejected"), ([1] * 60, "rejected"), ([2, 1, 0, 1] * 5, "open")],
)
def test_the_verdict_of_the_ratio_test(wins: Sequence[int], verdict: str) -> None:
    assert compare(contest("ab"), pairs(wins), "a", "b").verdict == verdict


def test_the_likelihood_ratio_is_that_of_fishtest() -> None:
    """The pentanomial counts of a test of Fishtest's own; its exact ratio for 0 against 5 points is 7.3597."""
    counts, values = [10789, 19328, 33806, 19402, 10543], (0, 0.25, 0.5, 0.75, 1)
    x = [value for value, n in zip(values, counts, strict=True) for _ in range(n)]
    mean, variance = stats.tmean(x), stats.tvar(x)
    low, high = expected_share(0), expected_share(5)
    normal = len(x) * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert likelihood_ratio(deals_of(x), low, high) == pytest.approx(normal, rel=0.01)


def test_the_test_ends_at_its_bounds() -> None:
    found = compare(contest("ab"), pairs([1] * 60), "a", "b")
    assert (found.bound, found.llr < -BOUND) == (pytest.approx(2.944, abs=1e-3), True)


@pytest.mark.parametrize(
    ("a", "b", "elo1", "said"),
    [
        ("a", "a", 20, "b: found 'a', expected another entrant than A"),
        ("a", "c", 20, "input: found no game of a and c, expected one that both played"),
        ("a", "x", 20, "b: found 'x', expected one of a, b, c"),
        ("x", "b", 20, "a: found 'x', expected one of a, b, c"),
        ("a", "b", float("nan"), "elo1: found nan, expected a number above 0, up to 1000"),
    ],
)
def test_what_cannot_be_compared_is_told(a: str, b: str, elo1: float, said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        compare(contest("abc"), pairs([1]), a, b, elo1)
    assert str(refused.value) == said


def test_faults_and_uses_are_counted() -> None:
    used = Used({"dig": 2}, {"scout": 1})
    first = game(0, "ab", 0)._replace(used=(used, NOTHING), faults=(Foul(0, "overrun", ""), Foul(1, "crash", "")))
    second = game(0, "ba", 1)._replace(used=(NOTHING, used), faults=(Foul(1, "overrun", ""),))
    a, b = standings(contest("ab"), [first, second])
    assert a.faults == {"crash": 0, "illegal": 0, "overrun": 2}
    assert b.faults == {"crash": 1, "illegal": 0, "overrun": 0}
    assert (a.actions, a.cards, b.actions) == ({"dig": 2.0}, {"scout": 1.0}, {})


def test_nothing_played_says_nothing() -> None:
    assert {s.share for s in standings(contest("ab"), [])} == {(0.0, 0.0, 1.0)}


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_searching_beats_random_moves(name: str) -> None:
    asked = contest_of(engine.load(name), ["ismcts@200", "random"], 150, 1)
    results = [result for some in run(asked) for result in some]
    assert compare(asked, results, "ismcts@200", "random").share.low > 0.5
