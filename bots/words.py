"""One sentence that says why, made from the statistics of a search."""

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

from bots.bot import Estimate
from engine.game import Game

ENOUGH = 100  # simulated games of a move from which its rate is worth telling

TRIED = {
    "en": "“{move}” was tried in {share} of {games} simulated games{result}",
    "ja": "「{move}」を{games}回の模擬対局のうち{share}で試し、{result}でした。",
}
TOO_FEW = {
    "en": "Too few games to judge: “{move}” was tried in {visits} of {games} simulated games.",
    "ja": "判断するには対局数が足りません。「{move}」を試したのは{games}回の模擬対局のうち{visits}回です。",
}
WON = {"en": " and won {rate} of them", "ja": "勝率は{rate}"}
AVERAGE = {"en": ", with an average result of {rate}", "ja": "平均結果は{rate}"}
NEXT = {"en": "; “{move}” came next with {rate}.", "ja": "次に多く試した「{move}」は{rate}です。"}
EQUAL = {
    "en": "; “{move}” came next with {rate}, about equal.",
    "ja": "次に多く試した「{move}」は{rate}で、ほぼ互角です。",
}
LESS_TRIED = {
    "en": "; “{move}” rated {rate} but was tried less often.",
    "ja": "「{move}」は{rate}ですが、試した回数は少なめです。",
}
END = {"en": ".", "ja": ""}
NO_OTHER = {
    "en": "; no other move was tried often enough to compare.",
    "ja": "他の手は、比べられるほど試していません。",
}


class Tried(NamedTuple):
    """A first move in words, and how it did for the seat."""

    words: str
    visits: int
    result: Estimate


def explained(game: Game, tried: Sequence[Tried], visits: Sequence[int], language: str) -> str:
    """The sentence for the first of these moves, compared with the second; `visits` are of all moves and of none."""
    best, games, move = tried[0], sum(visits), tried[0].words
    if best.visits < ENOUGH:
        return TOO_FEW[language].format(move=move, visits=f"{best.visits:,}", games=f"{games:,}")
    form = WON if is_won_or_lost(game) else AVERAGE
    result = form[language].format(rate=rate(game, best.result.mean))
    text = TRIED[language].format(move=move, share=f"{best.visits / games:.0%}", games=f"{games:,}", result=result)
    return text + _compared(game, tried, sorted(visits)[-2], language)


def _compared(game: Game, tried: Sequence[Tried], next_visits: int, language: str) -> str:
    """How the next most tried move did, if it was tried often enough."""
    if next_visits < ENOUGH:
        return NO_OTHER[language]
    if len(tried) == 1:  # no more were asked for
        return END[language]
    best, other = tried[:2]
    form = NEXT if other.result.mean < best.result.mean else LESS_TRIED
    if are_equal(best.result, other.result):
        form = EQUAL
    return form[language].format(move=other.words, rate=rate(game, other.result.mean))


def are_equal(one: Estimate, other: Estimate) -> bool:
    """Whether two means lie within twice the standard error of their difference."""
    return abs(one.mean - other.mean) <= 2 * hypot(one.standard_error, other.standard_error)


def is_won_or_lost(game: Game) -> bool:
    """Whether a result is a share of the win, not chips."""
    return (game.min_return, game.max_return) == (0, 1)


def rate(game: Game, mean: float) -> str:
    """An average result as people read it: per cent of a win, or chips."""
    return f"{mean:.0%}" if is_won_or_lost(game) else f"{mean:+z.2f}"


def spread(game: Game, error: float) -> str:
    """A standard error in the unit of `rate`."""
    return f"{error:.1%}" if is_won_or_lost(game) else f"{error:.2f}"
