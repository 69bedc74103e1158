"""Bots that search as if nothing were hidden."""

import numpy as np
import pytest

import engine
from bots import Budget, Request, make
from bots.pimc import Pimc
from engine.faults import InvalidInput
from engine.game import State
from tests.bots.test_search import KUHN, LEDUC, first_view, kuhn_view, result

AS = engine.load("arctic_scavengers")


def test_iterations_are_shared_by_the_worlds() -> None:
    bot = make("pimc", worlds=4)
    assert isinstance(bot, Pimc)
    view = first_view(LEDUC)
    trees = bot.plant(view, len(view.moves()), Request(Budget(iterations=10), seed=1))
    assert [tree.left for tree in trees] == [3, 3, 2, 2]
    assert len(bot.plant(view, 2, Request(Budget(iterations=3), seed=1))) == 3


def test_within_a_world_everything_is_known() -> None:
    """In its own world a player who holds less folds, and one who holds more calls: so the queen halves its votes."""
    request = Request(Budget(iterations=4000), seed=1)
    answer = make("pimc", worlds=40, c=0.5, trust=0.0).recommend(kuhn_view(1, "queen", "bet"), request)
    share = {other.plan[0].move: other.visits / 4000 for other in answer.alternatives}
    assert share["bet"] == pytest.approx(0.5, abs=0.25)
    assert make("pimc").recommend(kuhn_view(1, "king", "bet"), request).plan[0].move == "bet"
    assert make("pimc").recommend(kuhn_view(1, "jack", "bet"), request).plan[0].move == "pass"


@pytest.mark.parametrize("name", ["pimc", "clairvoyant"])
def test_the_same_seed_finds_the_same(name: str) -> None:
    state = AS.setup().new(4)
    position = state if name == "clairvoyant" else state.view(state.to_move)
    request = Request(Budget(iterations=200), seed=9)
    assert result(make(name).recommend(position, request)) == result(make(name).recommend(position, request))


def dealt(cards: tuple[str, str]) -> State:
    """A game of Kuhn poker with these cards, in which seat 0 has bet."""
    for seed in range(100):
        state = KUHN.setup().new(seed)
        if tuple(player["hand"][0] for player in state.to_json()["players"]) == cards:
            state.play(KUHN.parse(state, "bet"))
            return state
    raise AssertionError(cards)


def test_the_clairvoyant_knows_the_rivals_card() -> None:
    request = Request(Budget(iterations=500), seed=1)
    for cards, move in ((("jack", "queen"), "bet"), (("king", "queen"), "pass")):
        state = dealt(cards)
        before = state.tobytes()
        assert make("clairvoyant").recommend(state, request).plan[0].move == move
        assert state.tobytes() == before


def test_the_clairvoyant_does_not_know_what_chance_will_bring() -> None:
    """Two states that differ only in the generator get the same answer."""
    one, two = AS.setup().new(4), AS.setup().new(4)
    two.data["rng"] ^= np.uint64(0xABCDEF)
    request = Request(Budget(iterations=300), seed=1)
    assert result(make("clairvoyant").recommend(one, request)) == result(make("clairvoyant").recommend(two, request))


def test_the_clairvoyant_takes_no_view() -> None:
    with pytest.raises(InvalidInput, match="sees no more"):
        make("clairvoyant").recommend(first_view(KUHN))
