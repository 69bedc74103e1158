"""Cards left over when a discard pile becomes the deck (5.3) stay known to be in the hand."""

from collections import Counter
from typing import Any

import pytest

import engine
from engine.game import State
from tests.arctic_scavengers.test_rules_games import positions
from tests.contract.scripts import deal, frequencies, hand

GAME = engine.load("arctic_scavengers")
REST = ["refugee", "refugee", "refugee", "refugee", "scavenger"]
ALL_SHOWN = ["hunt", "commit scavenger", "commit spear", "go", "dig", "commit scavenger", "commit brawler",
             "commit shovel", "go", "keep none", "end", "end"]  # fmt: skip
JUNKYARD = {"pills": 7, "medkit": 4, "net": 2, "pickaxe": 2, "multitool": 2, "shovel": 2, "spear": 2}
DRAW_ONE = ["draw", "commit scavenger", "go"]
WORLDS = 500


def second_round(deck: list[str], *moves: str, **rules: Any) -> State:
    """Seat 1 shows all five cards in round 1; then these moves, with the deck in hand and the shown cards discarded."""
    form = {
        "game": GAME.name, "round": 1, "initiator": 1, "options": {"rules": rules}, "seed": 5,
        "players": [
            {"hand": REST},
            {"hand": ["scavenger", "scavenger", "spear", "brawler", "shovel"], "deck": deck},
        ],
        "junkyard": {"cards": {"top": ["junk"] * 5, "bag": JUNKYARD}},
    }  # fmt: skip
    return GAME.state_from_json(form).play_texts([*ALL_SHOWN, *moves])[0]


def seen_in_hand(state: State) -> dict[str, int]:
    told: dict[str, int] = state.view(0).to_json()["players"][1].get("seen_hand", {})
    return told


def test_what_does_not_lie_in_the_discard_pile_is_in_the_hand() -> None:
    assert seen_in_hand(second_round(REST)) == {}, "no reshuffle yet"
    state = second_round(REST, *DRAW_ONE, "end")
    assert seen_in_hand(state) == {"refugee": 4}
    hands = frequencies(deal(state.view(0), WORLDS), [hand(1)])
    assert all(Counter(cards)["refugee"] == 4 and len(cards) == 5 for (cards,) in hands)
    drawn = {next(iter(Counter(cards) - Counter(refugee=4))): share for (cards,), share in hands.items()}
    assert drawn["scavenger"] == pytest.approx(2 / 5, abs=0.1)
    assert drawn.keys() == {"scavenger", "spear", "brawler", "shovel"}


def test_cards_trashed_unseen_may_have_been_any_of_them() -> None:
    state = second_round(REST, "trash", "discard refugee", "go", *DRAW_ONE, "end")
    assert seen_in_hand(state) == {"refugee": 3}, "one of the four may be gone, never two"
    state = second_round(REST, "trash", "discard refugee", "discard refugee", "go", *DRAW_ONE, "end")
    assert seen_in_hand(state) == {"refugee": 2}


def test_cards_trashed_for_all_to_see_are_gone() -> None:
    state = second_round(REST, "trash", "discard refugee", "go", *DRAW_ONE, "end", trash_public=True)
    assert seen_in_hand(state) == {"refugee": 3}


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("rules", [{}, {"used_cards_to_discard": "round_end"}, {"trash_public": True}])
def test_what_is_known_of_a_hand_is_in_it(seats: int, rules: dict[str, Any]) -> None:
    known = 0
    for seed in range(6):
        for state in positions(GAME.setup(seats, rules=rules).new(seed), seed):
            me = state.data["players"][0, :seats]
            assert (me["held"] <= me["hand"]).all()
            known += int(me["held"].sum())
    assert known > 0
