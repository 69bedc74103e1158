"""The sentence that explains an answer, from statistics made up for it."""

from collections.abc import Sequence

import pytest

import engine
from bots.bot import Estimate
from bots.words import Tried, explained
from engine.game import Game
from tests.bots.toy import GAME as TOY

Move = tuple[str, int, float, float]  # in words, games, mean, standard error
HUNT: Move = ("Hunt", 1000, 0.84, 0.01)


def sentence(*moves: Move, language: str = "en", told: int = 5, game: Game = TOY) -> str:
    tried = [Tried(words, games, Estimate(mean, error)) for words, games, mean, error in moves]
    return explained(game, tried[:told], [0, *(games for _, games, _, _ in moves)], language)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (("Draw", 200, 0.67, 0.03), "; “Draw” came next with 67%."),
        (("Draw", 200, 0.79, 0.03), "; “Draw” came next with 79%, about equal."),
        (("Draw", 200, 0.88, 0.03), "; “Draw” came next with 88%, about equal."),
        (("Draw", 200, 0.94, 0.02), "; “Draw” rated 94% but was tried less often."),
        (("Draw", 100, 0.67, 0.05), "; “Draw” came next with 67%."),
        (("Draw", 99, 0.67, 0.05), "; no other move was tried often enough to compare."),
    ],
)
def test_the_next_most_tried_move_is_compared_as_far_as_the_games_allow(other: Move, said: str) -> None:
    share = {200: "83%", 100: "91%", 99: "91%"}[other[1]]
    start = f"“Hunt” was tried in {share} of {1000 + other[1]:,} simulated games and won 84% of them"
    assert sentence(HUNT, other) == start + said


def test_moves_the_answer_does_not_list_are_not_compared() -> None:
    start = "“Hunt” was tried in 67% of 1,500 simulated games and won 84% of them"
    assert sentence(HUNT, ("Draw", 500, 0.9, 0.01), told=1) == start + "."
    assert sentence(HUNT, *[("Draw", 50, 1.0, 0.0)] * 10, told=1) == (
        start + "; no other move was tried often enough to compare."
    )


@pytest.mark.parametrize("games", [1, 99])
def test_few_games_are_no_reason(games: int) -> None:
    expected = f"Too few games to judge: “Hunt” was tried in {games} of {games + 1} simulated games."
    assert sentence(("Hunt", games, 1.0, 0.0), ("Draw", 1, 0.0, 0.0)) == expected


def test_chips_are_an_average_result() -> None:
    leduc = engine.load("leduc_poker")
    said = sentence(("Raise", 600, 0.504, 0.1), ("Call", 400, -0.001, 0.1), game=leduc)
    start = "“Raise” was tried in 60% of 1,000 simulated games, with an average result of +0.50"
    assert said == start + "; “Call” came next with +0.00."


def in_japanese(moves: Sequence[Move]) -> str:
    return sentence(*moves, language="ja")


def test_the_same_in_japanese() -> None:
    hire: Move = ("斥候を雇う", 4400, 0.84, 0.01)
    start = "「斥候を雇う」を5,000回の模擬対局のうち88%で試し、勝率は84%でした。"
    assert in_japanese([hire, ("狩りをする", 600, 0.67, 0.02)]) == start + "次に多く試した「狩りをする」は67%です。"
    assert in_japanese([hire, ("狩りをする", 600, 0.83, 0.02)]) == (
        start + "次に多く試した「狩りをする」は83%で、ほぼ互角です。"
    )
    assert in_japanese([hire, ("狩りをする", 600, 0.94, 0.02)]) == (
        start + "「狩りをする」は94%ですが、試した回数は少なめです。"
    )
    assert (
        in_japanese([hire, *[("狩りをする", 60, 0.9, 0.1)] * 10]) == start + "他の手は、比べられるほど試していません。"
    )
    assert in_japanese([("狩りをする", 60, 0.9, 0.1), ("斥候を雇う", 1, 0.0, 0.0)]) == (
        "判断するには対局数が足りません。「狩りをする」を試したのは61回の模擬対局のうち60回です。"
    )
