"""The search is as good, and as exploitable, as OpenSpiel's: 1/6 on Kuhn poker, about 1/2 on Leduc."""

import pytest

import engine
from bots import make
from tests.bots.oracle import exploitability

KUHN, LEDUC = engine.load("kuhn_poker"), engine.load("leduc_poker")


def test_kuhn_with_two_chips_of_exploration() -> None:
    bot = make("ismcts", c=0.5, progress_weight=0.0, rollout="uniform", trust=0.0)
    assert exploitability(KUHN, bot, 100_000) == pytest.approx(0.1667, abs=0.005)


def test_leduc_with_ten_chips_of_exploration() -> None:
    bot = make("ismcts", c=0.385, progress_weight=0.0, rollout="uniform", trust=0.0)
    assert 0.46 <= exploitability(LEDUC, bot, 10_000) <= 0.57


def test_one_view_of_the_root_alone_is_worse_on_leduc() -> None:
    bot = make("ismcts", c=0.385, progress_weight=0.0, rollout="uniform", trust=0.0, observer="root")
    assert 0.7 <= exploitability(LEDUC, bot, 10_000) <= 0.95
