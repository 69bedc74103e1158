"""Positions as a person would note them: each is read without a warning, and answered with sense."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import bots
import engine
from bots import Answer, Budget, Request

FOLDER = Path(__file__).parents[2] / "examples" / "positions" / "arctic_scavengers"
NAMES = (
    "after_dig_2p",
    "five_seats_mid",
    "gathering_early_2p",
    "gathering_late_3p",
    "hire_choice_4p",
    "last_contested_2p",
    "minimal",
    "reaction_4p",
    "skirmish_slot_3p",
    "trash_choice_2p",
)
GAME = engine.load("arctic_scavengers")
Json = dict[str, Any]


def noted(name: str) -> Json:
    form: Json = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return form


def asked(form: Mapping[str, Any], seed: int = 1, iterations: int = 4000) -> Answer:
    request = Request(budget=Budget(iterations=iterations), seed=seed)
    return bots.make("ismcts").recommend(GAME.view_from_json(form), request)


def plan(form: Mapping[str, Any], seed: int = 1) -> list[str]:
    """The moves of the recommended plan."""
    return [step.move for step in asked(form, seed).plan]


def visits(name: str) -> Counter[str]:
    """How often each first move was tried, added up over the plans that begin with it."""
    view = GAME.view_from_json(noted(name))
    request = Request(budget=Budget(iterations=4000), seed=1, max_alternatives=500)
    tried = Counter[str]()
    for other in bots.make("ismcts").recommend(view, request).alternatives:
        tried[other.plan[0].move] += other.visits
    return tried


def test_these_are_all_the_examples() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_read_and_written_back(name: str) -> None:
    view = GAME.view_from_json(noted(name))
    assert view.notes.warnings == ()
    assert view.to_move == view.seat
    assert len(view.moves()) > 1
    assert GAME.view_from_json(view.to_json()).tobytes() == view.tobytes()


def test_a_minimal_note_fits_in_fifteen_lines_and_says_what_was_inferred() -> None:
    assert len((FOLDER / "minimal.json").read_text(encoding="utf-8").splitlines()) <= 15
    view = GAME.view_from_json(noted("minimal"))
    assert {"contested.count = 11", "market.scout = 7"} <= set(view.notes.assumptions)


# ---- what a sensible answer contains or avoids


def spends_food_or_draws_first(moves: list[str]) -> bool:
    """Whoever has food hires with it; a draw may come first, as food stays until the turn ends."""
    return moves[0] == "draw" or any(move.startswith("hire ") for move in moves)


def test_when_food_is_there_somebody_is_hired() -> None:
    assert spends_food_or_draws_first(plan(noted("minimal")))


def test_early_on_a_turn_is_used() -> None:
    moves = plan(noted("gathering_early_2p"))
    assert moves[0] in ("hunt", "draw", "dig", "trash")
    assert "discard brawler" not in moves


def test_late_in_the_game_food_and_pills_buy_thugs_and_the_field_crew_stays() -> None:
    moves = plan(noted("gathering_late_3p"))
    assert moves[0] == "hire thugs"
    assert "discard field_crew" not in moves


def test_the_carrier_that_decides_is_sniped() -> None:
    assert plan(noted("reaction_4p")) == ["snipe hunter with sniper_team"]


def test_a_skirmish_that_is_there_for_the_taking_is_won() -> None:
    moves = plan(noted("skirmish_slot_3p"))
    assert moves[0] == "aim 1"
    form = noted("skirmish_slot_3p") | {"pending": {"question": "hit", "target": 1}}
    assert plan(form)[0] == "snipe brawler with sniper_team"


def test_a_dig_never_brings_junk_home() -> None:
    tried = visits("after_dig_2p")
    assert tried["keep medkit"] > tried["keep junk"]
    assert plan(noted("after_dig_2p"))[0] != "keep junk"


def test_with_five_seats_food_is_spent_before_the_turn_ends() -> None:
    assert spends_food_or_draws_first(plan(noted("five_seats_mid")))


def test_the_force_that_wins_the_last_contested_card_stays_in_hand() -> None:
    moves = plan(noted("last_contested_2p"))
    assert moves[0] in ("draw", "end")  # drawing costs the scout alone, who does not fight
    assert not {"commit brawler", "discard brawler", "discard spear"} & set(moves)


def test_junk_is_trashed_and_the_field_crew_is_not() -> None:
    moves = plan(noted("trash_choice_2p"))
    assert moves[0] == "discard junk"
    assert "discard field_crew" not in moves


def test_in_the_last_round_food_buys_the_most_people() -> None:
    assert plan(noted("hire_choice_4p"))[0] == "hire thugs"


# ---- what a seat knows of hidden cards changes the plan: the same table, with and without the knowledge

LAST_PEEK: Json = {
    "game": "arctic_scavengers",
    "seat": 0,
    "round": 16,
    "initiator": 0,
    "to_move": 0,
    "market": {"scavenger": 4, "brawler": 3, "hunter": 4, "saboteur": 6, "scout": 4, "thugs": 3, "group_leaders": 3},
    "contested": {"count": 1},
    "players": [
        {
            "hand": ["field_crew", "wolf_pack", "scavenger"],
            "deck_count": 0,
            "discard": ["refugee"] * 2
            + ["scavenger"] * 2
            + ["brawler", "spear", "shovel", "hunter"]
            + ["thugs"] * 2
            + ["group_leaders"] * 2,
            "used_actions": ["trash"],
        },
        {
            "hand_count": 5,
            "deck_count": 4,
            "discard_count": 9,
            "owned": {"refugee": 4, "scavenger": 5, "brawler": 2, "hunter": 2, "saboteur": 1, "shovel": 1, "spear": 1}
            | {"pills": 1},
            "owned_unknown": 1,
        },
        {
            "hand_count": 5,
            "deck_count": 5,
            "discard_count": 9,
            "owned": {"refugee": 4, "scavenger": 4, "brawler": 3, "scout": 2, "saboteur": 1, "shovel": 1, "spear": 1}
            | {"pills": 1},
            "owned_unknown": 2,
        },
    ],
    "wins": [{"seat": 0, "card": "field_crew"}, {"seat": 0, "card": "wolf_pack"}, {"seat": 1}, {"seat": 2}],
}
LAST_STAND: Json = {  # two food hire a Brawler, but then only one is left to beat whoever the rival kept
    "game": "arctic_scavengers",
    "seat": 0,
    "round": 16,
    "initiator": 1,
    "to_move": 0,
    "market": {"scavenger": 11, "brawler": 8, "thugs": 5},
    "contested": {"count": 1},
    "players": [
        {
            "hand": ["brawler", "hunter"],
            "deck_count": 0,
            "discard": ["refugee"] * 4 + ["scavenger"] * 3 + ["shovel", "spear", "pills"],
            "used_actions": ["dig"],
        },
        {
            "hand_count": 1,
            "reserve": 1,
            "deck_count": 0,
            "discard_count": 12,
            "owned": {"refugee": 4, "scavenger": 6, "brawler": 1, "shovel": 1, "spear": 1},
        },
    ],
}
LAST_DIG: Json = {
    "game": "arctic_scavengers",
    "seat": 0,
    "round": 16,
    "initiator": 1,
    "to_move": 0,
    "market": {"scavenger": 9, "brawler": 8, "hunter": 7},
    "contested": {"count": 1},
    "junkyard": {"count": 3},
    "players": [
        {
            "hand": ["brawler", "shovel"],
            "deck_count": 0,
            "discard": ["refugee"] * 4
            + ["scavenger"] * 4
            + ["spear", "hunter", "pills", "pills", "medkit", "junk"]
            + ["field_crew", "tribe_family_3", "tribe_family_3", "sled_team"],
            "used_actions": ["hunt", "hire"],
        },
        {
            "hand_count": 1,
            "reserve": 1,
            "deck_count": 19,
            "discard_count": 22,
            "owned": {"refugee": 4, "scavenger": 7, "brawler": 1, "shovel": 3, "spear": 3, "net": 2, "pickaxe": 2}
            | {"multitool": 2, "pills": 1, "medkit": 1, "wolf_pack": 2, "grenade": 2, "sled_team": 1, "field_crew": 1},
            "owned_unknown": 10,
        },
    ],
    "wins": [{"seat": 0, "card": name} for name in ("field_crew", "tribe_family_3", "tribe_family_3", "sled_team")]
    + [{"seat": 1}] * 6,
}


def peeked(card: str) -> Json:
    return LAST_PEEK | {"contested": {"count": 1, "top": card}}


def with_fighters_seen() -> Json:
    """All that the rival could fight with was seen in his discard pile."""
    mine, rival = LAST_STAND["players"]
    seen = {"scavenger": 6, "brawler": 1, "spear": 1, "shovel": 1, "refugee": 3}
    return LAST_STAND | {"players": [mine, rival | {"seen_discard": seen}]}


def with_known_bottom() -> Json:
    return LAST_DIG | {"junkyard": {"count": 3, "known_bottom": ["junk", "tribe_family_5", "pills"]}}


def first(form: Json) -> str:
    """The first move, the same under two seeds."""
    moves = {asked(form, seed, iterations=40_000).plan[0].move for seed in (1, 2)}
    assert len(moves) == 1
    return moves.pop()


@pytest.mark.parametrize(
    ("known", "with_it", "unknown", "without_it"),
    [
        pytest.param(lambda: peeked("tribe_family_5"), "draw", lambda: peeked("grenade"), "hunt", id="peeked card"),
        pytest.param(with_fighters_seen, "hunt", lambda: LAST_STAND, "end", id="rival's unseen cards"),
        pytest.param(with_known_bottom, "dig", lambda: LAST_DIG, "end", id="known bottom of the junkyard"),
    ],
)
def test_knowledge_of_hidden_cards_changes_the_plan(
    known: Callable[[], Json], with_it: str, unknown: Callable[[], Json], without_it: str
) -> None:
    assert first(known()) == with_it
    assert first(unknown()) == without_it
