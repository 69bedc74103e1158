"""Moves in words."""

import engine
from engine.faults import JsonObject

GAME = engine.load("arctic_scavengers")


def told(observation: JsonObject, language: str) -> dict[str, str]:
    """The legal moves of a position in words."""
    view = GAME.view_from_json({"game": GAME.name} | observation)
    return {m.text: GAME.move_words(view.setup, view.data, m.id, language) for m in view.moves()}


def test_responses() -> None:
    position = {
        "seat": 1,
        "round": 3,
        "phase": "reaction",
        "initiator": 0,
        "market": {"saboteur": 7},
        "pending": {"question": "react", "action": "dig", "asker": 0, "committed": ["brawler", "shovel"]},
        "players": [{}, {"hand": ["refugee", "refugee", "scavenger", "spear", "saboteur"]}],
    }
    assert told(position, "en") == {
        "disarm shovel with saboteur": "Disarm the Shovel with the Saboteur",
        "pass": "Let it happen",
    }
    assert told(position, "ja") == {
        "disarm shovel with saboteur": "破壊工作員でシャベルを解除する",
        "pass": "何もしない",
    }


def test_aiming_at_a_seat() -> None:
    forces = {0: ["sniper_team"], 1: ["scavenger"], 2: ["refugee", "brawler"]}
    position = {
        "seat": 0,
        "round": 3,
        "phase": "skirmish",
        "initiator": 0,
        "market": {"sniper_team": 4},
        "skirmish": {"slot": 0, "forces": [{"seat": seat, "cards": cards} for seat, cards in forces.items()]},
        "players": [{"hand": cards} for cards in forces.values()],
    }
    assert told(position, "en")["aim 2"] == "Aim at seat 2"
    assert told(position, "ja")["aim 2"] == "席2を狙う"


def test_a_turn_ends_with_a_reserve_only_where_a_skirmish_follows() -> None:
    for round_no, words in ((2, ("End the turn", "手番を終える")), (3, ("reserve", "予備"))):
        position = {"seat": 0, "round": round_no, "players": [{"hand": ["refugee"]}, {}]}
        for language, word in zip(("en", "ja"), words, strict=True):
            said = told(position, language)["end"]
            assert word == said if round_no == 2 else word in said
