"""What results say: shares of points, ratings, and which of two entrants is better.

Points are returns scaled to [0, 1]. Deals are what is independent, so everything is over deals: the games of one
deal are taken together. Half a deal won and half a deal lost are counted beforehand, as Jeffreys' prior has it:
without them, deals that all ended alike would be taken for certainty. The probability ratio test holds for small
differences only.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log
from typing import NamedTuple

import numpy as np

import engine
from bots.arena.results import KINDS, Contest, Result
from engine.extras import extra
from engine.faults import Fault, InvalidInput, one_of, shown
from engine.record import Array

CONFIDENCE = 0.95
ERROR = 0.05  # of either kind, in the probability ratio test
ELO = 400 / log(10)  # points in a unit of log strength
BOUND = log((1 - ERROR) / ERROR)  # of the log likelihood ratio, either way
MAX_ELO = 1000
ROUNDS = 10_000  # in which the rating must settle
BEFORE = np.array([0.5, 0.5])  # deals counted beforehand: one that is won, one that is lost


class Interval(NamedTuple):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


class Standing(NamedTuple):
    """How one entrant has fared."""

    entrant: str
    games: int
    share: Interval  # of the points, at a seat; between equals the even share
    rating: float  # in Elo points; the mean of all entrants is 0
    faults: Mapping[str, int]  # by kind
    actions: Mapping[str, float]  # how often used in a game at a seat, by kind
    cards: Mapping[str, float]


class Comparison(NamedTuple):
    """How one entrant fared against another."""

    share: Interval  # of the points that the two won, a seat of each for the other; 1/2 between equals
    deals: int
    games: int
    llr: float  # log likelihood ratio of elo1 against equal strength
    bound: float  # of the ratio, either way: there the test ends
    verdict: str  # accepted: better by elo1; rejected: not better; open: more deals are needed


Points = Callable[[float], float]
Seat = tuple[Result, int]


def standings(contest: Contest, results: Sequence[Result]) -> list[Standing]:
    """All entrants, the best rated first."""
    points = _points(contest)
    rated = zip(contest.entrants, _ratings(contest.entrants, results, points), strict=True)
    found = (_standing(name, _seats_of(name, results), rating, points) for name, rating in rated)
    return sorted(found, key=lambda standing: -standing.rating)


def even_share(contest: Contest, results: Sequence[Result]) -> float:
    """The share of points that every entrant would have if none were better: what all seats had in the mean."""
    points = _points(contest)
    return float(np.mean([points(value) for result in results for value in result.returns] or [1 / contest.seats]))


def compare(contest: Contest, results: Sequence[Result], a: str, b: str, elo1: float = 20.0) -> Comparison:
    """How `a` fared against `b` in the games both played, the others left out of account.

    Raises `InvalidInput` where they are not known or never met, and for an `elo1` outside (0, 1000].
    """
    known = contest.entrants
    faults = [Fault(at, shown(name), one_of(name, known)) for at, name in (("a", a), ("b", b)) if name not in known]
    if not 0 < elo1 <= MAX_ELO:
        faults.append(Fault("elo1", shown(elo1), f"a number above 0, up to {MAX_ELO}"))
    if not faults and a == b:
        faults.append(Fault("b", shown(b), "another entrant than A"))
    met = [result for result in results if a in result.entrants and b in result.entrants]
    if not faults and not met:
        faults.append(Fault("", f"no game of {a} and {b}", "one that both played"))
    if faults:
        raise InvalidInput(faults)
    points = _points(contest)
    deals = _shares(*(np.array(_by_deal(_seats_of(name, met), points)) for name in (a, b)))
    llr = likelihood_ratio(deals, 0.5, expected_share(elo1))
    verdict = "accepted" if llr >= BOUND else "rejected" if llr <= -BOUND else "open"
    return Comparison(interval(deals), len(deals.values) - len(BEFORE), len(met), llr, BOUND, verdict)


def expected_share(elo: float) -> float:
    """Of the points of two entrants, what the one should win who is stronger by so many Elo points."""
    return 1 / (1 + 10 ** (-elo / 400))


class Deals(NamedTuple):
    """Shares of deals, the two that are counted beforehand being the last."""

    values: Array  # in [0, 1] but where more than two share the points
    weights: Array
    mean: float  # of the deals that were played


def deals_of(values: Sequence[float]) -> Deals:
    """Deals of these shares."""
    mean = float(np.mean(values)) if len(values) else 0.0
    return Deals(np.array([*values, 1.0, 0.0]), np.array([*[1.0] * len(values), *BEFORE]), mean)


def interval(deals: Deals) -> Interval:
    """The mean share, and its 95 % interval: Jeffreys' for a proportion.

    Deals that are not won or lost as a whole count as so many of that kind as would vary like them; how often it
    holds the true share is tested.
    """
    with extra("arena", "interval"):
        from scipy.special import betaincinv
    total = deals.weights.sum()
    mean = deals.weights @ deals.values / total
    count = mean * (1 - mean) * total**2 / (deals.weights @ (deals.values - mean) ** 2)
    tail = (1 - CONFIDENCE) / 2
    low, high = (float(betaincinv(mean * count, (1 - mean) * count, p)) for p in (tail, 1 - tail))
    return Interval(deals.mean, min(low, deals.mean), max(high, deals.mean))


def likelihood_ratio(deals: Deals, share0: float, share1: float) -> float:
    """Log of how much better a mean of `share1` explains independent deals than one of `share0`.

    The generalised sequential probability ratio test as Fishtest does it on pairs of games, here on deals; M. Van
    den Bergh, "The GSPRT for multinomial distributions" (cantate.be/Fishtest/support_MLE_multinomial.pdf), with its
    approximation for shares that lie close together.
    """
    far0, far1 = (float(deals.weights @ (deals.values - share) ** 2) for share in (share0, share1))
    return float(deals.weights.sum()) / 2 * log(far0 / far1)


def _points(contest: Contest) -> Points:
    game = engine.known(contest.game)
    low, span = game.min_return, game.max_return - game.min_return
    return lambda value: (value - low) / span


def _seats_of(name: str, results: Iterable[Result]) -> list[Seat]:
    """Where an entrant sat."""
    return [(result, seat) for result in results for seat, who in enumerate(result.entrants) if who == name]


def _by_deal(seats: Iterable[Seat], points: Points) -> list[float]:
    """Points at a seat, the mean of each deal."""
    deals = defaultdict[int, list[float]](list)
    for result, seat in seats:
        deals[result.deal].append(points(result.returns[seat]))
    return [float(np.mean(deals[deal])) for deal in sorted(deals)]


def _shares(a: Array, b: Array) -> Deals:
    """The share of `a` in what both won: all points of all deals, and what each deal adds to or takes from that.

    Shares of single deals would not do: with more than two seats neither may have won anything in a deal. What is
    counted beforehand are points of the one and of the other.
    """
    mean = a.sum() / (a.sum() + b.sum()) if (a + b).any() else 0.5
    a, b = np.append(a, [1.0, 0.0]), np.append(b, [0.0, 1.0])
    weights = np.array([*[1.0] * (len(a) - len(BEFORE)), *BEFORE])
    won_a, won_b = weights @ a / weights.sum(), weights @ b / weights.sum()
    share, won = won_a / (won_a + won_b), won_a + won_b
    return Deals(share + ((1 - share) * a - share * b) / won, weights, float(mean))


def _ratings(entrants: Sequence[str], results: Iterable[Result], points: Points) -> list[float]:
    """Strengths under which the points are most likely, as if each two entrants had also drawn a game.

    Points at a seat are as many wins against every other seat: of several players one wins in proportion to its
    strength (Luce), so this holds for any number of seats.
    """
    n = len(entrants)
    number = {name: i for i, name in enumerate(entrants)}
    wins = (np.ones((n, n)) - np.eye(n)) / 2
    for result in results:
        for value, name in zip(result.returns, result.entrants, strict=True):
            for other in result.entrants:
                if other != name:
                    wins[number[name], number[other]] += points(value)
    with extra("arena", "ratings"):
        import choix
    strengths = choix.ilsr_pairwise_dense(wins, max_iter=ROUNDS)
    return [float(strength) for strength in ELO * (strengths - strengths.mean())]


def _standing(name: str, seats: Sequence[Seat], rating: float, points: Points) -> Standing:
    fouls = Counter(foul.kind for result, seat in seats for foul in result.faults if foul.seat == seat)
    share = interval(deals_of(_by_deal(seats, points))) if seats else Interval(0.0, 0.0, 1.0)
    used = [result.used[seat] for result, seat in seats]
    actions, cards = (_a_game(counts) for counts in ([u.actions for u in used], [u.cards for u in used]))
    games = len({id(result) for result, _ in seats})
    return Standing(name, games, share, rating, {kind: fouls[kind] for kind in KINDS}, actions, cards)


def _a_game(counts: Sequence[Mapping[str, int]]) -> dict[str, float]:
    """Means of what was counted at each seat, the most frequent first."""
    total = sum(map(Counter, counts), Counter[str]())
    return {word: number / len(counts) for word, number in total.most_common()}
