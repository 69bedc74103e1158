"""What rollouts leave behind when they are cut off, and what the heuristic makes of it."""

from typing import Any

import numpy as np
import pytest

import engine
from engine.game import State

GAME = engine.load("arctic_scavengers")


def chances(players: list[dict[str, Any]], round_no: int, **more: Any) -> list[float]:
    """What the heuristic says of a world."""
    world = {"game": "arctic_scavengers", "seats": len(players), "round": round_no, "players": players, **more}
    return GAME.numbers(GAME.verbs.heuristic, GAME.state_from_json(world))


def with_hires(*cards: str) -> dict[str, Any]:
    return {"discard": list(cards)}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_equal_tribes_have_equal_chances(seats: int) -> None:
    assert GAME.numbers(GAME.verbs.heuristic, GAME.setup(seats).new(1)) == pytest.approx([1 / seats] * seats)


def test_chances_add_up_and_follow_people_at_the_end() -> None:
    last = chances([with_hires("thugs"), with_hires("hunter")], 16)
    assert sum(last) == pytest.approx(1)
    assert last[0] == pytest.approx(1 / (1 + np.exp(-2 / 1.6)), abs=1e-6)  # two people more


def test_a_fighter_promises_more_the_earlier_it_comes() -> None:
    early, late = (chances([with_hires("thugs"), with_hires("group_leaders", "junk")], n)[0] for n in (4, 16))
    assert early > late > 0.5


def first_decision(seed: int) -> State:
    return GAME.setup(2).new(seed)


@pytest.mark.parametrize("policy", [0, 1, 2])
def test_a_rollout_that_is_cut_off_stops_between_two_rounds(policy: int) -> None:
    for seed in range(20):
        state = first_decision(seed)
        played = GAME.verbs.playout(state.setup.rules_address, state.address, np.uint64(seed + 1), policy, 1)
        record = state.data[0]
        assert played >= 1
        assert (record.round_no, record.turns, record.used) == (2, 0, 0)
        assert [int(p.hand_n) for p in record.players[:2]] == [5, 5]


def test_a_rollout_without_a_limit_ends_the_game() -> None:
    state = first_decision(3)
    GAME.verbs.playout(state.setup.rules_address, state.address, np.uint64(1), 2, 1 << 30)
    assert state.over
