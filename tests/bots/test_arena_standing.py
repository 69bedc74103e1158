"""What results say, on results made up so that the answer is known."""

from collections.abc import Sequence
from math import log10

import pytest
from scipy import stats

import engine
from bots.arena import Contest, Result, contest_of, run
from bots.arena.results import Foul, Used
from bots.arena.standing import Interval, compare, expected_share, interval, likelihood_ratio, standings
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


def test_an_interval_is_students() -> None:
    values = [0.2, 0.4, 0.9, 0.5, 0.6]
    known = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert interval(values) == pytest.approx((0.52, known.low, known.high))
    assert interval([0.0, 1.0]) == (0.5, 0.0, 1.0)
    assert interval([0.7]) == (0.7, 0.0, 1.0)


def test_shares_are_over_deals() -> None:
    found = {s.entrant: s for s in standings(contest("ab"), pairs([2, 1, 1, 0, 2, 2]))}
    assert found["a"].share == pytest.approx(interval([1, 0.5, 0.5, 0, 1, 1]))
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
    assert compare(contest("ab", 3), fair, "a", "b").share == pytest.approx((0.5, 0.5, 0.5))


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
    assert likelihood_ratio(x, low, high) == pytest.approx(normal, rel=0.01)


def test_those_who_never_met_are_refused() -> None:
    for a, b, expected in (("a", "a", "two who met"), ("a", "c", "two who met"), ("a", "x", "one of a, b, c")):
        with pytest.raises(InvalidInput, match=expected):
            compare(contest("abc"), pairs([1]), a, b)
    with pytest.raises(InvalidInput, match="elo1: found nan"):
        compare(contest("ab"), pairs([1]), "a", "b", float("nan"))


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
