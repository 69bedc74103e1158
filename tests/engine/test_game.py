"""Positions as the engine gives and takes them."""

import pickle
from itertools import combinations

import pytest

import engine
from engine.faults import MAX_FAULTS, InvalidInput
from engine.game import Played, State

AS = engine.load("arctic_scavengers")
FORCED = 3  # moves that follow the one played


def forced_moves() -> tuple[State, list[Played]]:
    """A position, and a move of it with the forced moves that follow."""
    for seed in range(100):
        state = AS.setup(2).new(seed)
        for move in state.moves():
            played = state.clone().play(move)
            if len(played) >= FORCED:
                return state, played
    raise AssertionError


def test_forced_moves_may_be_left_out_one_by_one() -> None:
    state, played = forced_moves()
    texts = [one.text for one in played]
    end = state.play_texts(texts[:1])[0].to_json()
    for n in range(len(texts)):
        for written in combinations(texts[1:], n):
            after, told = state.play_texts([texts[0], *written])
            assert (after.to_json(), told) == (end, played)


@pytest.mark.parametrize("field", ["hand", "market", "rules"])
def test_of_very_many_faults_the_first_are_told(field: str) -> None:
    form = AS.template()
    wrong = [f"card{i}" for i in range(20 * MAX_FAULTS)]
    if field == "hand":
        form["players"][0]["hand"] = wrong
    elif field == "market":
        form["market"] = dict.fromkeys(wrong, 1)
    else:
        form["options"] = {"rules": dict.fromkeys(wrong, 1)}
    with pytest.raises(InvalidInput) as error:
        AS.view_from_json(form)
    assert MAX_FAULTS <= len(error.value.faults) <= 2 * MAX_FAULTS


@pytest.mark.parametrize("name", sorted(engine.GAMES.ours))
def test_a_view_read_from_its_form_assumes_nothing(name: str) -> None:
    state = engine.load(name).setup().new(4)
    view = state.view(state.to_move)
    again = view.game.view_from_json(view.to_json())
    assert (again.notes.assumptions, again.notes.warnings) == ((), ())


def test_a_position_elsewhere_has_an_address_of_its_own() -> None:
    state = AS.setup(2).new(1)
    twin = state.clone()
    assert (twin.tobytes(), twin.to_json()) == (state.tobytes(), state.to_json())
    assert twin.address != state.address
    with pytest.raises(TypeError, match="send it as JSON"):
        pickle.dumps(state)
    twin.play(twin.moves()[0])
    assert twin.tobytes() != state.tobytes()
