"""Positions as JSON: nothing is lost on the way out and back, and what is wrong is told all at once."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

import engine
from engine.arctic_scavengers.rules import SWITCHES
from engine.faults import InvalidInput
from engine.game import State, View

GAME = engine.load("arctic_scavengers")
Json = dict[str, Any]
HAND = ["refugee", "refugee", "scavenger", "brawler", "spear"]


def sent(value: Json) -> Json:
    """A form as the other side reads it."""
    copied: Json = json.loads(json.dumps(value))
    return copied


def positions(seed: int, every: int = 30) -> Iterator[State]:
    """Positions of a random game under random house rules, its end among them."""
    rng = random.Random(seed)
    rules = {name: rng.choice(values) for name, values in SWITCHES.items()} if seed % 3 else {}
    state = GAME.setup(2 + seed % 4, (), rules).new(seed)
    while not state.over:
        moves = state.moves()
        longer = [move for move in moves if move.text != "end"]
        state.play(rng.choice(longer if longer and rng.random() < 0.7 else moves))
        if state.over or rng.randrange(every) == 0:
            yield state


def paths(form: Json, is_world: bool = False) -> list[str]:
    """The paths of the faults of a form."""
    with pytest.raises(InvalidInput) as error:
        (GAME.state_from_json if is_world else GAME.view_from_json)(form)
    return [fault.path for fault in error.value.faults]


def observation(**fields: Any) -> Json:
    """A small sound observation with some fields changed."""
    form: Json = {"game": "arctic_scavengers", "seat": 0, "round": 3, "players": [{"hand": HAND}, {}]}
    return form | fields


@pytest.mark.parametrize("seed", range(6))
def test_worlds_and_views_come_back_whole(seed: int) -> None:
    for state in positions(seed):
        form = sent(state.to_json())
        again = GAME.state_from_json(form)
        assert sent(again.to_json()) == form
        assert again.moves() == state.moves()
        for seat in range(state.setup.seats):
            view = state.view(seat)
            assert again.view(seat).tobytes() == view.tobytes()
            read = GAME.view_from_json(sent(view.to_json()))
            assert read.tobytes() == view.tobytes()
            assert read.notes.warnings == ()


def test_fixed_orders_and_the_generator_are_kept() -> None:
    form = {
        "game": "arctic_scavengers",
        "round": 3,
        "initiator": 0,
        "to_move": 0,
        "seed": "0x00000000000000ff",
        "junkyard": {"cards": {"top": ["medkit", "net"], "bag": {"junk": 5, "pills": 7, "medkit": 3, "net": 1,
                               "pickaxe": 2, "multitool": 2, "shovel": 2}, "bottom": ["spear", "spear"]},
                     "bottom_seen_by": [{"seats": [1]}, {"seats": [0, 1]}]},
        "players": [{"hand": HAND, "deck": ["shovel", "refugee", "refugee", "scavenger", "scavenger"]}, {"hand": HAND}],
    }  # fmt: skip
    world = GAME.state_from_json(form).to_json()
    assert world["seed"] == form["seed"]
    assert world["players"][0]["deck"] == ["shovel", "refugee", "refugee", "scavenger", "scavenger"]
    assert world["junkyard"]["cards"]["top"] == ["medkit", "net"]
    assert world["junkyard"]["cards"]["bottom"] == ["spear", "spear"]
    assert world["junkyard"]["bottom_seen_by"] == [{"seats": [1]}, {"seats": [0, 1]}]
    assert GAME.state_from_json(form).view(0).to_json()["junkyard"]["known_bottom"] == [None, "spear"]


def test_a_numbered_seed_deals_what_is_left_open() -> None:
    form: Json = {"game": "arctic_scavengers", "round": 1, "players": [{}, {}, {}]}
    hands = [GAME.state_from_json(form | {"seed": seed}).to_json()["players"] for seed in (1, 1, 2)]
    assert hands[0] == hands[1] != hands[2]
    assert all(len(player["hand"]) == 5 for player in hands[0])


def test_what_was_inferred_is_told() -> None:
    view: View = GAME.view_from_json(observation())
    assert view.notes.assumptions == (
        "seats = 2",
        "contested.count = 14",
        "phase = gathering",
        "pending.question = action",
        "to_move = 0",
        "initiator = 0",
        "players[0].used_actions = none",
        "players[0].discard = empty",
        "players[0].deck = refugee, refugee, scavenger, scavenger, shovel",
        "players[1].hand_count = 5",
        "players[1].owned = the starting deck",
        "players[1].deck_count = 5",
        "market = full stacks",
        "junkyard.count = 26",
    )
    assert view.notes.warnings == ()


@pytest.mark.parametrize("seed", range(2))
def test_a_view_that_is_told_in_full_leaves_nothing_to_assume(seed: int) -> None:
    for state in positions(seed):
        for seat in range(state.setup.seats):
            assert GAME.view_from_json(sent(state.view(seat).to_json())).notes.assumptions == ()


def test_what_is_told_is_not_assumed() -> None:
    told = observation(phase="gathering", pending={"question": "action"}, players=[{"hand": HAND, "discard": []}, {}])
    assumed = GAME.view_from_json(told).notes.assumptions
    assert [text for text in assumed if text.startswith(("phase", "pending", "players[0].discard"))] == []
    used = observation(players=[{"hand": HAND, "used_actions": [], "discard_count": 0}, {}])
    assumed = GAME.view_from_json(used).notes.assumptions
    assert [text for text in assumed if text.startswith(("players[0].used", "players[0].discard"))] == []


def test_unused_fields_are_warned_about() -> None:
    players = [{"hand": HAND, "luck": "bad", "discrad": ["scout"]}, {"discard": ["spear", "shovel"]}]
    form = observation(weather="cold", ronud=3, players=players, contested={"count": 12})
    assert GAME.view_from_json(form | {"round": None}).notes.warnings == (
        "players[1].discard: read as seen_discard",
        "weather: not used",
        "ronud: not used; did you mean round?",
        "players[0].luck: not used",
        "players[0].discrad: not used; did you mean discard?",
    )


def test_the_template_is_a_sound_observation() -> None:
    view = GAME.view_from_json(GAME.template())
    assert view.notes.warnings == ()
    assert view.to_move == view.seat


FAULTS: list[tuple[Json, str]] = [
    ({"players": [{"hand": ["wizard"]}, {}]}, "players[0].hand[0]"),
    ({"players": [{"hand": ["medkit"] * 5}, {}]}, "players[0].hand"),
    ({"players": [{"hand": HAND, "owned": {"refugee": 21}}, {}]}, "players[0].owned.refugee"),
    ({"players": [{"hand": HAND}, {"deck_count": 6}]}, "players[1].deck_count"),
    ({"players": [{"hand": HAND}, {"hand_count": 11}]}, "players[1].hand_count"),
    ({"players": [{"hand": HAND}, {"reserve": 5}], "initiator": 0}, "players[1].reserve"),
    ({"players": [{"hand": HAND}, {"in_front": ["spear"]}]}, "players[1].in_front"),
    ({"players": [{"hand": HAND}, {"discard_count": 1, "seen_discard": {"spear": 1, "shovel": 1}}]},
     "players[1].discard_count"),
    ({"players": [{"hand": HAND}, {"owned": {"spear": 1}, "seen_discard": {"spear": 1, "shovel": 1}}]},
     "players[1].owned"),
    ({"players": [{"hand": HAND, "seen_discard": {"spear": 1}}, {}]}, "players[0].seen_discard"),
    ({"players": [{"hand": HAND}, {"owned_unknown": 9}]}, "players[1].owned_unknown"),
    ({"players": [{"hand": HAND}, {}, {}, {}, {}, {}]}, "players"),
    ({"players": [{"hand": HAND}, {"cycle": 1}], "wins": [{"seat": 1, "cycle": 2}], "round": 4}, "wins[0].cycle"),
    ({"wins": [{"seat": 1}]}, "wins"),
    ({"round": 4, "wins": [{"seat": 0}]}, "wins[0].card"),
    ({"round": 4, "ledger": [{"way": "lost"}] * 225}, "ledger"),
    ({"ledger": [{"way": "in"}]}, "ledger[0].seat"),
    ({"ledger": [{"way": "in", "seat": 1, "card": "junk", "seen_by": [1]}]}, "ledger[0].seen_by"),
    ({"contested": {"top_seen_by": [0]}}, "contested.top"),
    ({"junkyard": {"known_bottom": ["net"], "bottom_seen_by": [{"seats": [1]}]}}, "junkyard.bottom_seen_by[0]"),
    ({"pending": {"question": "commit", "action": "draw", "committed": ["shovel"]}}, "pending.committed[0]"),
    ({"pending": {"question": "commit"}}, "pending.action"),
    ({"pending": {"question": "commit", "action": "dig", "value": 3}}, "pending.value"),
    ({"players": [{"hand": HAND[:4]}, {}], "pending": {"question": "keep", "committed": ["scavenger"],
      "shown": ["junk", "net"]}}, "pending.shown"),
    ({"pending": {"question": "pay", "card": "thugs"}}, "pending.question"),
    ({"pending": {"question": "pay", "card": "scout"}}, "pending.card"),
    ({"phase": "reaction", "pending": {"question": "react", "action": "dig", "committed": ["brawler"]}},
     "pending.question"),
    ({"phase": "skirmish", "skirmish": {"forces": [{"seat": 0, "cards": ["spear"]}, {"seat": 1, "cards": []}]}},
     "skirmish.forces[0].cards"),
    ({"phase": "over"}, "phase"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "path"), FAULTS, ids=[f"{i}-{path}" for i, (_, path) in enumerate(FAULTS)])
def test_contradictions_are_refused_where_they_are(fields: Json, path: str) -> None:
    assert path in paths(observation(**fields))


def test_all_faults_come_at_once() -> None:
    form = observation(
        round=17,
        phase="noon",
        initiator=5,
        market={"shovel": 1, "scout": 9},
        players=[{"hand": ["wizard"], "hand_count": -1}, {"seat": 0}],
        options={"modules": ["hq9"], "rules": {"free_lunch": True}},
    )
    expected = ["options.modules[0]", "options.rules.free_lunch", "round", "phase", "initiator", "market.shovel"]
    expected += ["market.scout", "players[1].seat", "players[0].hand[0]", "players[0].hand_count"]
    assert set(expected) <= set(paths(form))


@pytest.mark.parametrize("seed", range(3))
def test_no_damaged_form_does_harm(seed: int) -> None:
    """Whatever is read either is refused with paths, or comes back whole and can be played on."""
    rng = random.Random(seed)
    for state in positions(seed, every=40):
        for _ in range(12):
            seat = rng.randrange(state.setup.seats) if state.over or rng.random() < 0.2 else state.to_move
            view = read_or_refused(damage(rng, sent(state.view(seat).to_json())))
            if view:
                assert GAME.view_from_json(sent(view.to_json())).tobytes() == view.tobytes()
            if view and view.to_move == view.seat:
                world = view.world(rng.randrange(1000))
                assert world.view(view.seat).tobytes() == view.tobytes()
                while not world.over:
                    world.play(rng.choice(world.moves()))
                assert sum(world.returns()) == pytest.approx(1)


def read_or_refused(form: Json) -> View | None:
    try:
        view: View = GAME.view_from_json(form)
    except InvalidInput as error:
        fault_paths = [fault.path for fault in error.faults]
    else:
        return view
    assert all(fault_paths)
    return None


def damage(rng: random.Random, form: Json) -> Json:
    """A copy with one or two of its values changed, dropped or doubled, at times a field dropped wherever it is."""
    form = copy.deepcopy(form)
    if rng.random() < 0.2:
        return without(form, rng.choice(EVERYWHERE))
    for _ in range(rng.randint(1, 2)):
        inner: Any = form
        while True:
            key = rng.choice(list(inner) if isinstance(inner, dict) else range(len(inner)))
            if isinstance(inner[key], dict | list) and inner[key] and rng.random() < 0.9:
                inner = inner[key]
                continue
            spoil(rng, inner, key)
            break
    return form


EVERYWHERE = ("owned", "cycle", "seen_by", "seen_discard", "owned_unknown", "dug", "hand_count", "deck_count", "ledger")


def without(value: Any, name: str) -> Any:
    """The same without the fields of this name."""
    if isinstance(value, dict):
        return {key: without(inner, name) for key, inner in value.items() if key != name}
    return [without(inner, name) for inner in value] if isinstance(value, list) else value


def spoil(rng: random.Random, inner: Any, key: Any) -> None:
    value = inner[key]
    choices: list[Any] = [None, -1, 3, 64, 255, "junk", "spear", [], {}, {"junk": 4}]
    if isinstance(value, int):
        choices += [value + 1, value + 2, max(0, value - 1), value * 8]
    if isinstance(value, list) and value:
        choices += [value * 2, value[1:], value * 40]
    if isinstance(value, str):
        choices += ["", "field_crew", "refugee", "pills"]
    inner[key] = rng.choice(choices)
