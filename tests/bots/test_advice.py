"""Answers as they are received: those of bots that misbehave are told, whatever they do."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import pytest

import bots
import engine
from bots import Answer, Bot, BotFailed, Budget, Request, advise, make
from bots.advice import CRASH, ILLEGAL
from bots.bot import Step, answer_of
from engine.faults import InvalidInput, NotNow
from engine.game import State
from tests.bots.test_search import first_view
from tests.bots.toy import GAME as TOY

LEDUC = engine.load("leduc_poker")


class Double(Bot):
    """Thinks as it is told to."""

    name = "double"
    act: ClassVar[Callable[[Answer, Request], Any]]

    def think(self, view: Any, moves: Any, request: Request, started: float) -> Answer:
        answer: Answer = type(self).act(answer_of(view, request, moves[0], ""), request)
        return answer


class Unmade(Double):
    """Takes no parameters."""

    def __init__(self) -> None:
        super().__init__()


class Unread(Double):
    """Has parameters that are none."""

    params_type: ClassVar[Any] = int


def playing(act: Callable[[Answer, Request], Any]) -> Bot:
    made = type("Made", (Double,), {"act": staticmethod(act)})()
    assert isinstance(made, Bot)
    return made


def plan(*texts: Any) -> Callable[[Answer, Request], Answer]:
    """Answers with these moves."""
    return lambda answer, _: replace(answer, plan=tuple(Step(text, "", {}) for text in texts))


def leave(answer: Answer, request: Request) -> None:
    raise SystemExit(3)


def ask_badly(answer: Answer, request: Request) -> None:
    make("ismcts", c=99)


def move_late(answer: Answer, request: Request) -> None:
    raise NotNow("not now")


@pytest.mark.parametrize(
    ("act", "kind", "said"),
    [
        (plan("fly"), ILLEGAL, "bot: found double, which would play 'fly', expected one of a, b"),
        (plan(None), ILLEGAL, "which answered Answer.*, expected a plan"),
        (plan("a", "a", "fly"), ILLEGAL, r"whose plan is \['a', 'a', 'fly'\]"),
        (plan("a", "b", "a", "a", "a", "a", "a"), ILLEGAL, "expected moves that can be played one after another"),
        (plan(), ILLEGAL, "expected a plan"),
        (
            lambda answer, _: replace(answer, plan=("a",)),
            ILLEGAL,
            "bot: found double, which answered Answer.*, expected a plan",
        ),
        (lambda *_: None, CRASH, "which raised TypeError"),
        (lambda *_: {}["gone"], CRASH, "bot: found double, which raised KeyError, expected an answer"),
        (leave, CRASH, "which raised SystemExit"),
        (ask_badly, CRASH, "which raised InvalidInput"),
        (move_late, CRASH, "which raised NotNow"),
    ],
)
def test_a_bot_that_misbehaves_is_told(act: Callable[[Answer, Request], Any], kind: str, said: str) -> None:
    with pytest.raises(BotFailed, match=said) as caught:
        advise(playing(act), first_view(TOY))
    assert (caught.value.kind, caught.value.fault.path) == (kind, "bot")
    assert bool(caught.value.cause) == (kind == CRASH)


def test_a_move_that_was_left_out_is_no_answer() -> None:
    with pytest.raises(BotFailed, match="would play 'a', expected one of b"):
        advise(playing(plan("a")), first_view(TOY), Request(avoid_moves=("a",)))
    assert advise(playing(plan("b", "a", "b")), first_view(TOY), Request(avoid_moves=("a",))).plan[2].move == "b"


def test_what_is_wrong_with_the_question_is_no_fault_of_the_bot() -> None:
    with pytest.raises(InvalidInput, match=r"only_moves\[0\]: found 'fly'"):
        advise(make("random"), first_view(TOY), Request(only_moves=("fly",)))
    with pytest.raises(NotNow):
        advise(make("random"), LEDUC.setup().new(1).view(1))


def test_an_answer_on_the_way_is_checked_too() -> None:
    told: list[Answer] = []

    def report(answer: Answer, request: Request) -> Answer:
        assert request.report
        request.report(answer)
        request.report(replace(answer, plan=()))
        return answer

    with pytest.raises(BotFailed, match="expected a plan"):
        advise(playing(report), first_view(TOY), Request(report=told.append))
    assert [len(answer.plan) for answer in told] == [1]


@pytest.mark.parametrize("name", ["greedy", "random"])
def test_who_does_not_search_rates_no_moves(name: str) -> None:
    view = first_view(TOY)
    with pytest.raises(InvalidInput, match=r"evaluate_moves: found moves for .* expected a bot that searches"):
        advise(make(name), view, Request(evaluate_moves=(view.moves()[0].text,)))


def test_a_bot_without_a_name_is_told_by_its_class() -> None:
    class Nameless(Bot):
        def think(self, *_: Any) -> Answer:
            raise ValueError

    with pytest.raises(BotFailed, match=r"bot: found tests\.bots\.test_advice:.*Nameless, which raised ValueError"):
        advise(Nameless(), first_view(TOY))


def test_one_that_sees_all_is_checked_by_what_it_saw() -> None:
    state = LEDUC.setup().new(1)
    before = state.tobytes()
    assert advise(make("clairvoyant"), state, Request(Budget(iterations=50))).plan
    assert state.tobytes() == before


@pytest.mark.parametrize("bot", [name for name in bots.BOTS.ours if name != "clairvoyant"])
@pytest.mark.parametrize("name", engine.names())
def test_plans_of_our_bots_pass(name: str, bot: str) -> None:
    """A whole game of plans, at every decision of it."""
    game = engine.load(name)
    state: State = game.setup().new(5)
    for seed in range(60):
        if state.over:
            return
        answer = advise(make(bot), state.view(state.to_move), Request(Budget(iterations=60), seed=seed))
        state.play(game.parse(state, answer.plan[0].move))
