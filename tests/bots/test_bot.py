"""Requests, budgets, answers, the registry."""

import time
from dataclasses import FrozenInstanceError

import pytest

import bots
import engine
from bots import Budget, Request, StopReason, make
from bots.clock import FIRST_BITE
from bots.ismcts import IsmctsParams
from engine.faults import InvalidInput, NotNow
from engine.game import ENGINE_VERSION
from tests.bots.test_search import first_view, kuhn_view
from tests.bots.toy import GAME as TOY
from tests.bots.toy import Impossible

LEDUC = engine.load("leduc_poker")


def paths(error: pytest.ExceptionInfo[InvalidInput]) -> list[str]:
    return [fault.path for fault in error.value.faults]


def test_budgets_state_all_their_faults() -> None:
    with pytest.raises(InvalidInput) as error:
        Budget(iterations=0, time_ms=600_001)
    assert paths(error) == ["budget.iterations", "budget.time_ms"]
    with pytest.raises(InvalidInput) as error:
        Request(seed=2**64, max_alternatives=-1, parallelism=0, language="fr")
    assert paths(error) == ["max_alternatives", "parallelism", "seed", "language"]
    with pytest.raises(InvalidInput):
        Budget(iterations=True)


def test_a_second_is_the_budget_when_none_is_given() -> None:
    assert Budget().limit_ms == 1000
    assert Budget(iterations=5).limit_ms is None
    assert Budget(iterations=5, time_ms=7).limit_ms == 7


def test_names_and_paths_make_bots() -> None:
    assert {"random", "greedy", "ismcts"} <= set(bots.names())
    assert make("bots.ismcts:Ismcts", c=0.5).params == IsmctsParams(c=0.5)
    for wrong in (
        "clever", "bots.ismcts:Nobody", "no.such:Bot", "bots.ismcts:IsmctsParams", "bots:Bot", "bots.search:Searcher",
        "tests.bots.test_advice:Unmade", "tests.bots.test_advice:Unread",
    ):  # fmt: skip
        with pytest.raises(InvalidInput) as error:
            make(wrong)
        assert paths(error) == ["bot"]


def test_parameters_state_all_their_faults() -> None:
    with pytest.raises(InvalidInput) as error:
        make("ismcts", c=-0.1, depth=3, observer="nobody", cutoff=1.5, progress_weight=True)
    assert paths(error) == [f"params.{n}" for n in ("c", "depth", "observer", "cutoff", "progress_weight")]
    with pytest.raises(InvalidInput) as error:
        IsmctsParams(c=11)
    assert paths(error) == ["params.c"]
    with pytest.raises(InvalidInput):
        make("random", c=1)
    with pytest.raises(FrozenInstanceError):
        IsmctsParams().c = 1  # type: ignore[misc]


@pytest.mark.parametrize("name", ["random", "greedy", "ismcts"])
def test_one_legal_move_is_forced(name: str) -> None:
    state = TOY.setup().new(1)
    for move in (0, 0, 0, 0, 0):
        TOY.verbs.apply(state.setup.rules_address, state.address, move)
    state.data[0].card[1] = 1
    answer = make(name).recommend(state.view(1))
    assert (answer.stop_reason, answer.plan[0].move, answer.iterations) == (StopReason.FORCED, "a", 0)


@pytest.mark.parametrize("name", ["random", "greedy", "ismcts"])
def test_a_seat_that_is_not_to_move_is_refused(name: str) -> None:
    with pytest.raises(NotNow):
        make(name).recommend(LEDUC.setup().new(1).view(1))


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_simple_bots_answer_without_statistics(name: str) -> None:
    view = first_view(LEDUC)
    answer = make(name).recommend(view, Request(seed=3))
    assert answer.alternatives == ()
    assert answer.plan[0].move in [m.text for m in view.moves()]
    assert answer.plan == make(name).recommend(view, Request(seed=3)).plan


def test_random_depends_on_the_seed_alone() -> None:
    view = first_view(LEDUC)
    played = [make("random").recommend(view, Request(seed=s)).plan[0].move for s in range(40)]
    assert set(played) == {"call", "raise"}
    assert played == [make("random").recommend(view, Request(seed=s)).plan[0].move for s in range(40)]


def test_answers_say_what_was_done() -> None:
    view = first_view(LEDUC)
    answer = make("ismcts").recommend(view, Request(Budget(iterations=777), max_alternatives=1, queue_ms=2.5))
    assert (answer.iterations, answer.queue_ms, answer.engine_version) == (777, 2.5, ENGINE_VERSION)
    assert answer.rules_hash == view.setup.rules_hash
    assert len(answer.alternatives) == 1
    assert answer.plan == answer.alternatives[0].plan
    assert f"“{answer.plan[0].words}”" in answer.explanation
    assert "777" in answer.explanation
    assert not answer.degraded


def test_an_observation_that_no_deal_fits_is_refused() -> None:
    view = first_view(TOY)
    view.setup = Impossible().setup()
    with pytest.raises(InvalidInput, match="no deal of the cards fits"):
        make("ismcts").recommend(view, Request(Budget(iterations=100)))


def test_a_drawn_seed_is_told_and_repeats_the_answer() -> None:
    first = make("ismcts").recommend(first_view(LEDUC), Request(Budget(iterations=500)))
    again = make("ismcts").recommend(first_view(LEDUC), Request(Budget(iterations=500), seed=first.seed))
    assert again.alternatives == first.alternatives
    assert make("ismcts").recommend(first_view(LEDUC), Request(Budget(iterations=5))).seed != first.seed


def test_assumptions_and_warnings_of_the_observation_come_back() -> None:
    view = engine.load("kuhn_poker").view_from_json(
        {"game": "kuhn_poker", "seat": 0, "mood": "good", "players": [{"hand": ["king"]}]}
    )
    answer = make("greedy").recommend(view)
    assert answer.assumptions == ("seats: 2",)
    assert answer.warnings == ("mood: not used",)


def test_sentences_in_japanese() -> None:
    answer = make("ismcts").recommend(kuhn_view(0, "king"), Request(Budget(iterations=100), language="ja"))
    assert "模擬対局" in answer.explanation
    assert f"「{answer.plan[0].words}」" in answer.explanation
    assert answer.plan[0].words in ("パスする", "チップを1枚出す")


@pytest.mark.parametrize("time_ms", [20, 100])
def test_a_time_budget_is_used_and_kept(time_ms: int) -> None:
    bot, request = make("ismcts"), Request(Budget(time_ms=time_ms), seed=1)
    spent = sorted(bot.recommend(first_view(LEDUC), request).elapsed_ms for _ in range(5))
    assert spent[0] >= 0.95 * time_ms
    assert spent[2] <= time_ms + 30  # ten times what is aimed at


def test_waiting_counts_towards_the_budget() -> None:
    """Who has waited for the whole of it is given the least there is, one bite; who has not is given more."""
    waited, at_once = [Request(Budget(time_ms=500), queue_ms=queue_ms, seed=1) for queue_ms in (500, 0)]
    answer = make("ismcts").recommend(first_view(LEDUC), waited)
    assert (answer.iterations, answer.stop_reason) == (FIRST_BITE, StopReason.BUDGET)
    assert make("ismcts").recommend(first_view(LEDUC), at_once).iterations > FIRST_BITE


def test_a_deadline_ends_the_search() -> None:
    request = Request(Budget(time_ms=5000), deadline=time.monotonic() + 0.02)
    answer = make("ismcts").recommend(first_view(LEDUC), request)
    assert answer.stop_reason is StopReason.DEADLINE
    assert answer.degraded
    assert answer.elapsed_ms < 200
    assert answer.plan


def test_a_stop_callback_cancels() -> None:
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 3

    answer = make("ismcts").recommend(first_view(LEDUC), Request(Budget(time_ms=5000), stop=stop))
    assert answer.stop_reason is StopReason.CANCELLED
    assert len(asked) == 4
    assert answer.elapsed_ms < 500


def test_a_state_is_no_view() -> None:
    state = engine.load("kuhn_poker").setup().new(1)
    for name in ("random", "greedy", "ismcts", "pimc"):
        with pytest.raises(TypeError, match="never a state"):
            make(name).recommend(state)
