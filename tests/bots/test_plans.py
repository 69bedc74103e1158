"""Plans of a search: which, in what order, with which statistics; and searches of some of the moves only."""

import gc
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import engine
from bots import Answer, Budget, Request, StopReason, make
from bots.bot import Alternative
from bots.descent import KINDS
from bots.ismcts import Ismcts
from bots.one_tree import OneTree
from bots.plans import Branch, Plans
from bots.tree import MAX_NODES
from engine.faults import InvalidInput
from engine.game import View
from tests.bots.test_search import LEDUC, first_view, result
from tests.bots.toy import GAME as TOY

AS = engine.load("arctic_scavengers")


def middle() -> View:
    return AS.view_from_json(AS.template())


def asked(view: View, iterations: int = 2000, bot: str = "ismcts", **request: Any) -> Answer:
    return make(bot).recommend(view, Request(Budget(iterations=iterations), seed=3, **request))


def moves(alternative: Alternative) -> list[str]:
    return [step.move for step in alternative.plan if not step.forced]


def first_moves(answer: Answer) -> list[str]:
    return [moves(other)[0] for other in answer.alternatives]


@pytest.mark.parametrize("parallelism", [1, 3])
def test_alternatives_are_different_plans_by_falling_visits(parallelism: int) -> None:
    answer = asked(middle(), 6000, max_alternatives=8, parallelism=parallelism)
    plans = [moves(other) for other in answer.alternatives]
    assert answer.alternatives[0].plan == answer.plan
    assert len({tuple(plan) for plan in plans}) == len(plans) == 8
    visits = [other.visits for other in answer.alternatives[1:]]
    assert visits == sorted(visits, reverse=True)
    assert len(set(first_moves(answer))) < 8, "some share their first move"


def followed(visits: int, won: float, line: tuple[int, ...] = (1,)) -> Branch:
    """A branch whose games had an average return of `won`, in LEDUC's chips, for both seats."""
    sums = np.zeros((len(KINDS), 8))
    sums[:2] = [[visits * won], [visits * (won * won + 1)]]
    return Branch(line, visits, visits, visits, sums)


@pytest.mark.parametrize(
    ("branches", "best"),
    [
        ([followed(1000, 0.5), followed(900, 0.8)], 1),  # found later, and clearly better
        ([followed(1000, 0.5), followed(900, 0.56)], 0),  # better, but not surely
        ([followed(1000, 0.5), followed(900, 0.8), followed(900, 0.9)], 2),
        ([followed(1000, 0.5), followed(149, 3.0)], 0),  # not visited enough
        ([followed(1000, 0.5), followed(900, 0.8)._replace(games=0)], 0),  # its games were not counted
        ([followed(10, 0.5)], 0),
    ],
)
def test_a_move_is_preferred_by_what_it_is_surely_worth(branches: list[Branch], best: int) -> None:
    plans = Plans(first_view(LEDUC), [], np.zeros(0, np.uint64), 0.1)
    assert plans.best(branches) is branches[best]


def test_trees_side_by_side_share_the_room() -> None:
    request = Request(Budget(iterations=10**9), parallelism=8)
    bot = Ismcts()
    trees = bot.plant(middle(), 3, request)
    assert {len(tree._nodes) for tree in trees} == {MAX_NODES // 8 + 1}


def test_the_plan_is_legal_as_it_stands() -> None:
    state = AS.setup(3).new(5)
    for other in asked(state.view(state.to_move), 4000, max_alternatives=6).alternatives:
        state.play_texts([step.move for step in other.plan])


# The rival's reserve comes to light with the seat's last move of the turn.
RESERVES = {
    "game": "arctic_scavengers",
    "seats": 2,
    "seat": 0,
    "round": 5,
    "initiator": 1,
    "to_move": 0,
    "players": [
        {"hand": ["sniper_team", "brawler", "spear"], "used_actions": ["draw", "dig", "hunt", "hire"]},
        {"reserve": 5},
    ],
}
# What lies in the junkyard was put there by others, in an order that no chance decides.
ORDERED = {
    "game": "arctic_scavengers",
    "seats": 2,
    "seat": 0,
    "round": 5,
    "initiator": 0,
    "players": [
        {
            "hand": ["scavenger", "brawler", "scavenger", "shovel"],
            "used_actions": ["draw", "hunt", "hire", "trash"],
            "deck_count": 6,
        },
        {},
    ],
    "junkyard": {"known_bottom": [None] * 28},
}


def playable(view: View, plan: Sequence[str]) -> int:
    """In how many of 100 worlds the seat can play the plan, but for worlds in which a rival comes between."""
    done = 0
    for seed in range(100):
        world, whole = view.world(seed), True
        for text in plan:
            if world.over or world.to_move != view.seat:
                break
            legal = {move.text: move.id for move in world.moves()}
            whole = text in legal
            if not whole:
                break
            world.step(legal[text])
        done += whole
    return done


# Whether the rival can respond to tools depends on whether his saboteur is in his hand.
RESPONSES = {
    "game": "arctic_scavengers",
    "seats": 2,
    "seat": 0,
    "round": 4,
    "initiator": 0,
    "players": [
        {"hand": ["scavenger", "scavenger", "brawler", "spear", "shovel"]},
        {"owned": {"refugee": 4, "scavenger": 3, "brawler": 1, "shovel": 1, "spear": 1, "saboteur": 1, "pills": 1}},
    ],
}


@pytest.mark.parametrize("bot", ["ismcts", "pimc"])
@pytest.mark.parametrize("position", [RESERVES, ORDERED, RESPONSES], ids=["reserves", "ordered", "responses"])
def test_plans_foresee_nothing_hidden(bot: str, position: dict[str, object]) -> None:
    """Whatever other seats hold, every plan can be carried out as it stands."""
    view = AS.view_from_json(position)
    for seed in (0, 2):
        request = Request(Budget(iterations=10_000), seed=seed, max_alternatives=12)
        for other in make(bot).recommend(view, request).alternatives:
            assert playable(view, [step.move for step in other.plan]) == 100, other.plan


def test_statistics_of_plans_add_up_to_those_of_their_moves() -> None:
    """Every game from the toy's root goes through one of the lines of three moves that seat 0 has."""
    answer = asked(first_view(TOY), 5000, max_alternatives=20, bot="ismcts")
    whole = [other for other in answer.alternatives if len(moves(other)) == 3]
    assert len(whole) > 2
    assert 4800 < sum(other.visits for other in whole) <= 5000
    for other in whole:
        mean, error = other.win_chance[0].mean, other.win_chance[0].standard_error
        assert 0 <= mean <= 1
        assert error <= 0.5 / (other.visits - 1) ** 0.5 + 1e-9


def test_only_some_moves() -> None:
    view = middle()
    legal = [move.text for move in view.moves()]
    assert len(legal) > 3
    assert set(first_moves(asked(view, only_moves=tuple(legal[1:3]), max_alternatives=99))) == set(legal[1:3])
    avoided = asked(view, avoid_moves=(legal[0],), max_alternatives=99)
    assert legal[0] not in first_moves(avoided)
    assert asked(view, only_moves=tuple(legal[:2]), avoid_moves=(legal[0],)).plan[0].move == legal[1]
    alone = asked(view, only_moves=(legal[-1],))
    assert (alone.plan[0].move, alone.iterations, alone.stop_reason) == (legal[-1], 2000, StopReason.BUDGET)


@pytest.mark.parametrize("bot", ["random", "greedy", "pimc"])
def test_every_bot_keeps_to_the_moves_admitted(bot: str) -> None:
    view = middle()
    for move in view.moves():
        assert asked(view, 100, bot, only_moves=(move.text,)).plan[0].move == move.text
    usual = asked(view, 100, "greedy").plan[0].move
    assert asked(view, 100, "greedy", avoid_moves=(usual,)).plan[0].move != usual


def test_rating_moves_changes_nothing_about_the_plan() -> None:
    view = middle()
    legal = tuple(move.text for move in view.moves())
    before = asked(view, 3000, max_alternatives=2)
    rated = asked(view, 4000, max_alternatives=2, evaluate_moves=legal)
    assert rated.plan == before.plan
    assert rated.explanation == before.explanation
    assert rated.iterations == 4000
    assert [moves(a) for a in rated.alternatives[:2]] == [moves(a) for a in before.alternatives]
    assert set(first_moves(rated)) == set(legal)
    assert len(rated.alternatives) == 2 + len(set(legal) - set(first_moves(before)))


def test_a_quarter_of_the_budget_is_for_the_moves_rated() -> None:
    view = middle()
    avoided = "end"
    answer = asked(view, 4000, avoid_moves=(avoided,), evaluate_moves=(avoided,), max_alternatives=1)
    assert moves(answer.alternatives[-1])[0] == avoided
    assert answer.alternatives[-1].visits == 1000


def test_a_move_to_be_rated_with_no_iteration_left_is_told_without_statistics() -> None:
    answer = asked(first_view(LEDUC), 3, avoid_moves=("raise",), evaluate_moves=("raise",))
    assert answer.alternatives[-1].visits == 0
    assert answer.alternatives[-1].win_chance == ()


@pytest.mark.parametrize(
    ("request_fields", "paths"),
    [
        ({"only_moves": ("call", "fly")}, ["only_moves[1]"]),
        ({"avoid_moves": ("fly",), "evaluate_moves": ("swim", "call")}, ["avoid_moves[0]", "evaluate_moves[0]"]),
        ({"avoid_moves": ("call", "raise")}, ["avoid_moves"]),
        ({"only_moves": ("call",), "avoid_moves": ("call",)}, ["avoid_moves"]),
    ],
)
def test_moves_that_are_not_there_are_refused(request_fields: dict[str, Sequence[str]], paths: list[str]) -> None:
    for bot in ("random", "greedy", "ismcts", "pimc"):
        with pytest.raises(InvalidInput) as error:
            asked(first_view(LEDUC), 10, bot, **request_fields)
        assert [fault.path for fault in error.value.faults] == paths


def test_trees_go_as_soon_as_the_answer_is_there() -> None:
    """They are large: none may wait for a garbage collector that comes when it likes."""
    gc.collect()
    gc.disable()
    try:
        before = {id(tree) for tree in gc.get_objects() if isinstance(tree, OneTree)}
        asked(middle(), 200, parallelism=2, evaluate_moves=("end",))
        asked(middle(), 200, "pimc")
        assert {id(tree) for tree in gc.get_objects() if isinstance(tree, OneTree)} <= before
    finally:
        gc.enable()


def test_reports_grow_and_the_answer_is_the_same_without_them() -> None:
    view, reports = first_view(LEDUC), list[Answer]()
    told = make("ismcts").recommend(
        view, Request(Budget(iterations=300_000), seed=1, report=reports.append, report_ms=10)
    )
    quiet = make("ismcts").recommend(view, Request(Budget(iterations=300_000), seed=1))
    assert result(told) == result(quiet)
    counts = [report.iterations for report in reports]
    assert len(counts) >= 2
    assert counts == sorted(set(counts))
    assert {report.stop_reason for report in reports} == {StopReason.UNSPECIFIED}
    assert all(report.plan and report.elapsed_ms > 0 for report in reports)
