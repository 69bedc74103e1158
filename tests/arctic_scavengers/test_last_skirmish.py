"""What everybody saw of the last skirmish: right, kept, public, and of no use to dealing and search."""

import json
from typing import Any

import numpy as np
import pytest

import bots
from bots import Budget, Request
from engine.faults import InvalidInput
from engine.game import State
from server import codec
from tests.arctic_scavengers.skirmishes import CONTESTED, GAME, SCENES, Scene, after, world
from tests.contract.games import with_a_rivals_cards_changed

Json = dict[str, Any]
EVERY = pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES.keys())


def expected(scene: Scene) -> Json:
    """The field as the rules say it must be."""
    forces: list[Json] = []
    for seat, hand in enumerate(scene.hands):
        force: Json = {"seat": seat, "cards": sorted(scene.left.get(seat, hand))}
        force |= {"spent": scene.spent[seat]} if seat in scene.spent else {}
        forces.append(force | {"fight": scene.fights[seat], "people": scene.people[seat]})
    return {"forces": forces} | ({} if scene.winner is None else {"winner": scene.winner})


def told(form: Json) -> Json:
    """The field, cards in the order of their names."""
    last: Json = form["last_skirmish"]
    return last | {"forces": [force | {"cards": sorted(force["cards"])} for force in last["forces"]]}


@EVERY
def test_everybody_is_told_how_it_ended(scene: Scene) -> None:
    state = after(scene)
    assert state.to_json()["round"] == 4
    assert told(state.to_json()) == expected(scene)
    assert all(told(state.view(seat).to_json()) == expected(scene) for seat in range(len(scene.hands)))


@EVERY
def test_it_comes_back_whole_from_json_and_from_the_wire(scene: Scene) -> None:
    state = after(scene)
    form = json.loads(json.dumps(state.to_json()))
    assert GAME.state_from_json(form).to_json() == form
    for seat in range(len(scene.hands)):
        view = state.view(seat)
        read = GAME.view_from_json(codec.read_observation(codec.write_observation(view.to_json())))
        assert (read.tobytes(), read.notes.warnings) == (view.tobytes(), ())


def play_on(state: State) -> None:
    """One decision as the hand-written player makes it."""
    view = state.view(state.to_move)
    state.play(int(GAME.verbs.greedy(state.setup.rules_address, view.address)))


def test_it_is_kept_from_round_4_to_the_end_of_the_game() -> None:
    state, seen = GAME.setup(3).new(5), dict[int, list[Json | None]]()
    while not state.over:
        form = state.view(0).to_json()
        seen.setdefault(form["round"], []).append(form.get("last_skirmish"))
        play_on(state)
    end = state.view(0).to_json()
    assert all(last is None for n in (1, 2, 3) for last in seen[n])
    assert all(seen[n][0] is not None and seen[n] == seen[n][:1] * len(seen[n]) for n in range(4, 17))
    forces = [{k: v for k, v in force.items() if k != "spent"} for force in end["skirmish"]["forces"]]
    assert [{k: v for k, v in force.items() if k != "spent"} for force in end["last_skirmish"]["forces"]] == forces
    assert end["last_skirmish"]["winner"] == end["wins"][-1]["seat"]


def test_in_a_skirmish_the_one_before_it_is_told() -> None:
    pile = {"cards": {"bag": CONTESTED | {"wolf_pack": 2, "grenade": 2}}}
    last = expected(SCENES["deadlock"])
    form = world(["sniper_team"], ["brawler"], [], round=4, contested=pile, last_skirmish=last)
    form = GAME.state_from_json(form).play_texts(["end"])[0].view(0).to_json()
    assert form["phase"] == "skirmish"
    assert told(form) == expected(SCENES["deadlock"])


def test_what_was_not_noted_is_not_told() -> None:
    form = after(SCENES["lead"]).view(0).to_json()
    del form["last_skirmish"]
    assert "last_skirmish" not in GAME.view_from_json(form).to_json()


def test_what_follows_from_the_cards_may_be_left_out() -> None:
    state = after(SCENES["a hit decides"])
    form = state.view(0).to_json()
    last = form["last_skirmish"]
    forces = [{k: v for k, v in force.items() if k not in ("fight", "people")} for force in last["forces"]]
    assert GAME.view_from_json(form | {"last_skirmish": {"forces": forces}}).tobytes() == state.view(0).tobytes()


def force(seat: int, *cards: str, **fields: Any) -> Json:
    return {"seat": seat, "cards": list(cards)} | fields


OTHERS = [force(1, "scavenger"), force(2)]


@pytest.mark.parametrize(
    ("last", "path", "wanted"),
    [
        ({"forces": [force(0, "brawler", fight=3), *OTHERS]}, "forces[0].fight", "2, as its cards say"),
        ({"forces": [force(0, "brawler", people=2), *OTHERS]}, "forces[0].people", "1, as its cards say"),
        ({"forces": [force(0, "brawlr"), *OTHERS]}, "forces[0].cards[0]", "brawler"),
        ({"forces": [force(0, *["grenade"] * 3), *OTHERS]}, "forces[0].cards", "at most 2"),
        ({"forces": [force(0, "grenade", "grenade"), force(1, "grenade"), force(2)]}, "forces[1].cards", "at most 2"),
        ({"forces": [force(0, "brawler", spent={"brawler": 1}), *OTHERS]}, "forces[0].spent.brawler", "special units"),
        ({"forces": [force(0, spent={"saboteur": 1}), *OTHERS]}, "forces[0].spent.saboteur", "special units"),
        ({"forces": OTHERS}, "forces", "3, one a seat"),
        ({"forces": [force(1), *OTHERS]}, "forces[1].seat", "each seat once"),
        ({"forces": [force(3), *OTHERS]}, "forces[0].seat", "from 0 to 2"),
        ({"forces": [force(0, "brawler"), *OTHERS], "winner": 1}, "winner", "0"),
        ({"forces": [force(0, "scavenger"), *OTHERS], "winner": 1}, "winner", "nothing: a deadlock"),
        ({"winner": 1}, "forces", "3, one a seat"),
        (["brawler"], "", "an object"),
    ],
)  # fmt: skip
def test_what_cannot_have_been_is_told_with_its_path(last: object, path: str, wanted: str) -> None:
    form = after(SCENES["lead"]).view(0).to_json() | {"last_skirmish": last}
    with pytest.raises(InvalidInput) as error:
        GAME.view_from_json(form)
    found = {fault.path: fault.expected for fault in error.value.faults}
    assert wanted in found[f"last_skirmish.{path}".rstrip(".")]


def test_before_round_4_there_was_none() -> None:
    form = world(["brawler"], ["scavenger"], [], last_skirmish=expected(SCENES["lead"]))
    with pytest.raises(InvalidInput) as error:
        GAME.state_from_json(form)
    assert [(fault.path, fault.expected) for fault in error.value.faults] == [
        ("last_skirmish", "nothing before round 4")
    ]


def test_at_the_end_the_cards_are_the_hands() -> None:
    state = GAME.setup(2).new(4)
    while not state.over:
        play_on(state)
    form = state.to_json()
    assert GAME.state_from_json(form).to_json() == form
    form["last_skirmish"] = {"forces": [{"seat": seat, "cards": ["brawler"] * 2} for seat in (0, 1)]}
    with pytest.raises(InvalidInput) as error:
        GAME.state_from_json(form)
    assert {fault.path for fault in error.value.faults} <= {f"last_skirmish.forces[{seat}].cards" for seat in (0, 1)}


# ---- what must not depend on it


def late(seed: int) -> State:
    """A position of a game of three in the middle of round 5."""
    state, choose = GAME.setup(3).new(seed), np.random.default_rng(seed)
    while state.data[0].round_no < 5:
        moves = state.moves()
        state.play(moves[int(choose.integers(len(moves)))])
    return state


@pytest.mark.parametrize("seed", range(4))
def test_a_rivals_hidden_cards_do_not_change_it(seed: int) -> None:
    state = late(seed)
    other = with_a_rivals_cards_changed(state, (state.to_move + 1) % 3)
    assert other is not None
    assert other.view(state.to_move).to_json()["last_skirmish"] == state.to_json()["last_skirmish"]
    assert other.view(state.to_move).tobytes() == state.view(state.to_move).tobytes()


@pytest.mark.parametrize("seed", range(4))
def test_dealing_and_search_make_nothing_of_it(seed: int) -> None:
    state = late(seed)
    view = state.view(state.to_move)
    form = view.to_json()
    kept = form.pop("last_skirmish")
    without = GAME.view_from_json(form)
    dealt, bare = view.world(seed).to_json(), without.world(seed).to_json()
    assert dealt.pop("last_skirmish") == kept
    assert dealt == bare
    request = Request(budget=Budget(iterations=300), seed=seed)
    answers = [bots.make("ismcts").recommend(known, request) for known in (view, without)]
    assert [answer.plan for answer in answers] == [answers[0].plan] * 2
    assert [[other.visits for other in answer.alternatives] for answer in answers] == [
        [other.visits for other in answers[0].alternatives]
    ] * 2
