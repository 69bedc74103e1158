"""One sentence that says why, made from the statistics of a search."""

from collections.abc import Sequence

from bots.bot import Alternative, Estimate
from engine.game import View
from engine.record import Array

BEST = {
    "en": "“{move}” took {share} of {games} simulated games and brought {result}",
    "ja": "{games}回の模擬対局のうち{share}で「{move}」を試し、結果は{result}",
}
NEXT = {"en": "; next best “{move}” with {result}", "ja": "、次善手「{move}」は{result}"}
END = {"en": ".", "ja": "でした。"}
WIN = {"en": "a win chance of {mean:.0%} ± {error:.1%}", "ja": "勝率{mean:.0%}±{error:.1%}"}
CHIPS = {"en": "{mean:+.2f} ± {error:.2f} chips", "ja": "{mean:+.2f}±{error:.2f}チップ"}


def explained(view: View, alternatives: Sequence[Alternative], visits: Array, language: str) -> str:
    """The sentence for the first of these alternatives, compared with the second."""
    best, games = alternatives[0], int(visits.sum())
    share, result = f"{best.visits / games:.0%}", _result(view, best, language)
    text = BEST[language].format(move=best.plan[0].move, share=share, games=f"{games:,}", result=result)
    for other in alternatives[1:2]:
        text += NEXT[language].format(move=other.plan[0].move, result=_result(view, other, language))
    return text + END[language]


def _result(view: View, alternative: Alternative, language: str) -> str:
    found: Estimate = alternative.win_chance[view.seat]
    form = WIN if (view.game.min_return, view.game.max_return) == (0, 1) else CHIPS
    return form[language].format(mean=found.mean, error=found.standard_error)
