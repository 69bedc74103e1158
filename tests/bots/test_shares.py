"""A search in shares, each of which tells what its trees know: put together they answer as the whole does."""

import pickle
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

import engine
from bots import Answer, Budget, Request, StopReason, make
from bots.bot import Share
from bots.search import Part, Searcher
from engine.game import View
from tests.bots.test_search import LEDUC, first_view

AS = engine.load("arctic_scavengers")


def middle() -> View:
    return AS.view_from_json(AS.template())


def searcher(name: str, **params: Any) -> Searcher:
    bot = make(name, **params)
    assert isinstance(bot, Searcher)
    return bot


def told(bot: Searcher, view: View, request: Request, among: int) -> list[Part]:
    """What each share tells, after it has been sent."""
    requests = [replace(request, share=Share(i, among)) for i in range(among)]
    parts = [bot.part(view, asked, time.monotonic()) for asked in requests]
    copies: list[Part] = pickle.loads(pickle.dumps(parts))
    return copies


def timeless(answer: Answer) -> Answer:
    return replace(answer, elapsed_ms=0.0, queue_ms=0.0)


def merged(bot: Searcher, view: View, request: Request, parts: Sequence[Part | None]) -> Answer:
    return timeless(bot.merged(view, request, parts))


@pytest.mark.parametrize("name", ["ismcts", "pimc"])
@pytest.mark.parametrize(("iterations", "parallelism"), [(7, 5), (900, 1), (1200, 3)])
@pytest.mark.parametrize("rated", [False, True])
def test_shares_make_the_answer_of_the_whole(name: str, iterations: int, parallelism: int, rated: bool) -> None:
    for view in (middle(), first_view(LEDUC)):
        bot, texts = searcher(name), [move.text for move in view.moves()]
        evaluate = (texts[-1], texts[0]) if rated else ()
        request = Request(Budget(iterations=iterations), seed=5, parallelism=parallelism, evaluate_moves=evaluate)
        whole = timeless(bot.recommend(view, request))
        for among in (1, 2, 3):
            assert merged(bot, view, request, told(bot, view, request, among)) == whole


def test_root_observer_and_open_chance_can_be_shared() -> None:
    bot, view = searcher("ismcts", observer="root", chance="open"), middle()
    request = Request(Budget(iterations=600), seed=8, parallelism=2)
    assert merged(bot, view, request, told(bot, view, request, 2)) == timeless(bot.recommend(view, request))


def test_a_lost_share_is_missing_and_said_to_be() -> None:
    bot, view = searcher("ismcts"), middle()
    request = Request(Budget(iterations=999), seed=5, parallelism=3)
    parts = told(bot, view, request, 3)
    answer = merged(bot, view, request, [parts[0], None, parts[2]])
    assert answer.iterations == 666
    assert answer.incomplete
    assert not merged(bot, view, request, parts).incomplete


@pytest.mark.parametrize("rated", [False, True])
def test_a_search_under_way_can_be_told_of(rated: bool) -> None:
    bot, view, parts = searcher("ismcts"), middle(), list[Part]()
    evaluate = (view.moves()[0].text,) if rated else ()
    asked = Request(Budget(iterations=2000), seed=5, evaluate_moves=evaluate)

    def watch(tell: Any) -> None:
        parts.append(pickle.loads(pickle.dumps(tell())))

    whole = bot.recommend(view, replace(asked, watch=watch))
    assert timeless(whole) == timeless(bot.recommend(view, asked)), "who is watched searches the same"
    done = [merged(bot, view, asked, [part]) for part in parts]
    iterations = [answer.iterations for answer in done]
    assert len(done) > 2
    assert iterations == sorted(iterations)
    assert iterations[-1] == 2000
    assert all(answer.incomplete for answer in done)
    assert replace(done[-1], incomplete=False) == timeless(whole)
    settled = [answer.plan for answer, part in zip(done, parts, strict=True) if part.settled]
    assert len(settled) > 0 if rated else not settled
    assert all(plan == whole.plan for plan in settled), "rating other moves changes nothing about the plan"


def test_why_a_share_ended_is_why_the_search_did() -> None:
    bot, view = searcher("ismcts"), middle()
    request = Request(Budget(iterations=1000), seed=5, parallelism=2)
    one, other = told(bot, view, request, 2)
    for reason in (StopReason.CANCELLED, StopReason.DEADLINE):
        answer = merged(bot, view, request, [one, other._replace(stop_reason=reason)])
        assert answer.stop_reason is reason
        assert answer.degraded is (reason is StopReason.DEADLINE)
