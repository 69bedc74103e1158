"""Cards that come back to the hand when an action fails (8.4) stay known to be there."""

from collections import Counter
from typing import Any

import pytest

import engine
from engine.game import State
from tests.contract.scripts import deal, frequencies, hand

GAME = engine.load("arctic_scavengers")
HAND = ["scavenger", "spear", "refugee", "refugee", "shovel"]
DECK = ["scavenger", "scavenger", "refugee", "refugee", "brawler"]
SNIPED = ["hunt", "commit scavenger", "commit spear", "go", "snipe scavenger with sniper_team"]
WORLDS = 4000


def after(*moves: str, round_no: int = 2, **rules: Any) -> State:
    """Seat 0 hunts with a scavenger and his spear, the scavenger is sniped; then these moves."""
    form = {
        "game": GAME.name, "round": round_no, "initiator": 0, "seed": 3, "options": {"rules": rules},
        "players": [
            {"hand": HAND, "deck": DECK},
            {"hand": ["sniper_team", *DECK[:4]], "deck": [*HAND, "brawler"]},
        ],
    }  # fmt: skip
    return GAME.state_from_json(form).play_texts([*SNIPED, *moves])[0]


def seen_in_hand(state: State, seat: int = 1) -> dict[str, int]:
    """What a seat is told of the hand of seat 0."""
    told: dict[str, int] = state.view(seat).to_json()["players"][0].get("seen_hand", {})
    return told


def test_everybody_knows_the_card_that_came_back() -> None:
    state = after()
    assert state.to_move == 0
    assert seen_in_hand(state, 0) == seen_in_hand(state, 1) == {"spear": 1}


def test_it_is_in_every_world_and_the_rest_is_an_even_deal() -> None:
    state = after("end")
    assert state.to_move == 1
    worlds = deal(state.view(1), WORLDS)
    hands = frequencies(worlds, [hand(0)])
    assert all("spear" in cards and len(cards) == 4 for (cards,) in hands)
    refugees = sum(share * Counter(cards)["refugee"] for (cards,), share in hands.items())
    assert refugees == pytest.approx(3 * 4 / 8, abs=0.06)  # three of the eight other cards he has, four refugees


def test_it_is_no_longer_known_once_it_was_used() -> None:
    assert seen_in_hand(after("hunt", "commit spear", "go")) == {}


def test_a_card_trashed_face_down_may_have_been_the_one() -> None:
    assert seen_in_hand(after("trash", "discard refugee", "go")) == {}
    assert seen_in_hand(after("trash", "discard refugee", "go", trash_public=True)) == {"spear": 1}
    assert seen_in_hand(after("trash", "discard spear", "go", trash_public=True)) == {}


def test_in_the_discard_pile_it_is_known_too() -> None:
    state = after("end", "end")
    rival = state.view(1).to_json()["players"][0]
    assert state.data[0].round_no == 3
    assert "seen_hand" not in rival
    assert rival["seen_discard"] == {"scavenger": 1, "spear": 1}
    assert rival["left_face_down"] == 3
