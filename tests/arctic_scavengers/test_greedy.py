"""The hand-written player: sound, better than chance, and blind to what its seat cannot see."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import engine
from engine.game import Setup, State, View
from engine.rng import scaled, seeded
from engine.verbs import MAX_MOVES

GAME = engine.load("arctic_scavengers")
HUNTERS = ["hunter", "hunter", "net"]  # six food
BARE: dict[str, Any] = {"game": "arctic_scavengers", "seats": 2, "seat": 0}


def greedy(view: View) -> int:
    return int(GAME.verbs.greedy(view.setup.rules_address, view.address))


def legal(state: State) -> list[int]:
    """The numbers of the legal moves, without their texts."""
    out = np.empty(MAX_MOVES, np.int32)
    return [int(m) for m in out[: GAME.verbs.legal(state.setup.rules_address, state.address, out)]]


def uniform(state: State, seed: int) -> int:
    moves = legal(state)
    return moves[int(scaled(np.uint64(seeded(np.uint64(seed))), len(moves)))]


def points_of_greedy(setup: Setup, seed: int, seat: int) -> float:
    """Greedy's result at this seat, all others playing uniformly; every move it makes is checked."""
    state, decisions = setup.new(seed), 0
    while not state.over:
        decisions += 1
        move = uniform(state, seed * 1000 + decisions)
        if state.to_move == seat:
            move = greedy(state.view(seat))
            assert move in legal(state)
        GAME.verbs.apply(setup.rules_address, state.address, move)
    return state.returns()[seat]


@pytest.mark.parametrize(("seats", "deals"), [(2, 100), (3, 20), (4, 15), (5, 12)])
def test_beats_uniform_play_on_paired_deals(seats: int, deals: int) -> None:
    setup = GAME.setup(seats=seats)
    points = [points_of_greedy(setup, seed, seat) for seed in range(deals) for seat in range(seats)]
    assert sum(points) / len(points) >= 0.9


HOUSE_RULES: list[Mapping[str, Any]] = [
    {"used_cards_to_discard": "round_end", "offer_zero_actions": True},
    {"spare_tools": True, "dig_return_order": "chosen", "trash_public": True},
    {"failed_action_is_refunded": False, "special_use_forfeits_fight": False},
]


@pytest.mark.parametrize("rules", HOUSE_RULES, ids=lambda rules: next(iter(rules)))
def test_only_makes_legal_moves_against_itself_under_house_rules(rules: Mapping[str, Any]) -> None:
    setup = GAME.setup(seats=3, rules=rules)
    for seed in range(10):
        state = setup.new(seed)
        while not state.over:
            move = greedy(state.view(state.to_move))
            assert move in legal(state)
            GAME.verbs.apply(setup.rules_address, state.address, move)


def test_plays_the_same_in_every_world_its_seat_cannot_tell_apart_and_leaves_the_view_as_it_was() -> None:
    setup = GAME.setup(seats=3)
    for seed in range(6):
        state = setup.new(seed)
        while not state.over:
            view = state.view(state.to_move)
            before, move = view.tobytes(), greedy(view)
            assert view.tobytes() == before
            assert greedy(view.world(seed + 1).view(view.seat)) == move
            GAME.verbs.apply(setup.rules_address, state.address, move)


def advice(hand: list[str], rival: Mapping[str, Any] | None = None, used: tuple[str, ...] = (), **fields: Any) -> str:
    """Greedy's move in words, seat 0 of two being asked."""
    own: dict[str, Any] = {
        "seat": 0,
        "hand": hand,
        "deck": ["scavenger"] * 3,
        "discard": fields.pop("discard", []),
        "food": fields.pop("food", 0),
    }
    players = [own | {"used_actions": list(used)}, {"seat": 1} | dict(rival or {})]
    view = GAME.view_from_json(BARE | {"players": players} | fields)
    return next(m.text for m in view.moves() if m.id == greedy(view))


def test_hunts_when_that_pays_for_thugs() -> None:
    assert advice(["hunter", "hunter", "net", "refugee", "refugee"], round=4) == "hunt"


def test_hires_the_most_people_it_can_pay() -> None:
    assert advice(["thugs", "refugee"], round=4, food=6, used=("hunt",), discard=HUNTERS) == "hire thugs"


def test_draws_before_anything_else() -> None:
    assert advice(["scout", "thugs"], round=4, food=6, used=("hunt",), discard=HUNTERS) == "draw"


def test_pays_with_least_waste() -> None:
    pay = {"question": "pay", "card": "hunter", "need": 1}
    assert advice(["pills", "medkit", *["refugee"] * 3], round=3, pending=pay) == "pay pills"


@pytest.mark.parametrize(
    ("shown", "kept"),
    [(["junk", "medkit", "net"], "keep medkit"), (["junk", "junk", "junk"], "keep none")],
    ids=["medicine", "junk"],
)
def test_keeps_the_best_card_of_a_dig(shown: list[str], kept: str) -> None:
    dig = {"question": "keep", "action": "dig", "committed": ["brawler", "shovel"], "value": 3, "shown": shown}
    assert advice(["thugs", "refugee", "refugee"], round=4, pending=dig) == kept


def test_trashes_junk() -> None:
    assert advice(["thugs", "junk"], round=4, used=("draw", "hunt", "hire", "dig")) == "trash"
    assert (
        advice(["thugs", "junk"], round=4, used=("draw", "hunt", "hire", "dig"), pending={"question": "trash"})
        == "discard junk"
    )


def test_keeps_refugees_late_because_people_count_at_the_end() -> None:
    assert advice(["thugs", "refugee"], round=12, used=("draw", "hunt", "hire", "dig")) == "end"


def test_keeps_fighters_for_the_skirmish_instead_of_digging() -> None:
    assert advice(["thugs", "thugs"], round=10, used=("draw", "hunt", "hire")) == "end"


@pytest.mark.parametrize(
    ("force", "move"),
    [(["thugs", "refugee"], "snipe thugs with sniper_team"), (["scavenger", "refugee"], "end")],
    ids=["decides", "won anyway"],
)
def test_uses_a_special_unit_only_where_it_changes_the_skirmish(force: list[str], move: str) -> None:
    hand, rival = ["sniper_team", "thugs"], {"hand": force}
    assert advice(hand, rival, round=8, initiator=0, phase="skirmish") == move


def test_responds_where_it_hurts() -> None:
    hunt = {"question": "react", "asker": 1, "action": "hunt", "committed": ["field_crew", "wolf_pack"], "value": 5}
    fields: dict[str, Any] = {"round": 8, "initiator": 1, "phase": "reaction", "to_move": 0, "pending": hunt}
    assert (
        advice(["sniper_team", "scavenger", *["refugee"] * 3], {"hand_count": 3}, **fields)
        == "snipe field_crew with sniper_team"
    )
