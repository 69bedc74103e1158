"""Skirmishes as the rules book tells them: who shows what, and how it must end (rules 9; 11 for two seats)."""

from typing import Any, NamedTuple

import engine
from engine.game import State

GAME = engine.load("arctic_scavengers")
DECK = ["refugee", "refugee", "scavenger", "scavenger", "shovel"]
CONTESTED = {"sled_team": 1, "field_crew": 2, "tribe_family_3": 2, "tribe_family_4": 2, "tribe_family_5": 2}


class Scene(NamedTuple):
    """What the seats keep in hand, what is played from the last seat's turn on, and what everybody then sees."""

    hands: tuple[list[str], ...]
    moves: tuple[str, ...]
    fights: tuple[int, ...]
    people: tuple[int, ...]
    winner: int | None
    why: tuple[str, str]  # English, Japanese
    left: dict[int, list[str]] = {}  # forces that lost cards
    spent: dict[int, dict[str, int]] = {}


SCENES = {
    "lead": Scene(
        (["brawler", "spear"], ["brawler"], ["refugee", "refugee"]),
        ("end",), (4, 2, 0), (1, 1, 2), 0, ("fight 4 against 2", "戦力4対2"),
    ),
    "people in a tie": Scene(
        (["brawler"], ["scavenger", "scavenger", "refugee"], ["refugee", "refugee", "refugee", "refugee"]),
        ("end",), (2, 2, 0), (1, 3, 4), 1, ("tied at fight 2, people 3 against 1", "戦力2で並び、人数3対1"),
    ),
    "deadlock": Scene(
        (["brawler"], ["brawler"], ["refugee"]),
        ("end",), (2, 2, 0), (1, 1, 1), None, ("tied at fight 2 and people 1", "戦力2、人数1で並ぶ"),
    ),
    "margin not reached": Scene(
        (["brawler", "refugee"], ["scavenger"]),
        ("end",), (2, 1), (2, 1), None,
        ("fight 2 against 1, a lead of 2 is needed", "戦力2対1、2以上の差が必要"),
    ),
    "people of two seats": Scene(
        (["brawler", "refugee"], ["brawler"]),
        ("end",), (2, 2), (2, 1), None,
        ("fight 2 against 2, a lead of 2 is needed", "戦力2対2、2以上の差が必要"),
    ),
    "margin reached": Scene(
        (["brawler", "shovel"], ["scavenger"]),
        ("end",), (3, 1), (1, 1), 0, ("fight 3 against 1", "戦力3対1"),
    ),
    "a hit decides": Scene(
        (["sniper_team", "scavenger"], ["brawler", "spear", "refugee"], ["refugee"]),
        ("end", "aim 1", "snipe brawler with sniper_team"), (1, 0, 0), (3, 1, 1), 0,
        ("fight 1 against 0", "戦力1対0"), {1: ["refugee", "spear"]}, {0: {"sniper_team": 1}},
    ),
    "nobody": Scene(
        ([], [], []), ("end",), (0, 0, 0), (0, 0, 0), None, ("tied at fight 0 and people 0", "戦力0、人数0で並ぶ"),
    ),
}  # fmt: skip


def world(*hands: list[str], **fields: Any) -> dict[str, Any]:
    """A world of round 3 with these hands, in which only the last seat has its turn before it."""
    last = len(hands) - 1
    players = [{"hand": hand, "hand_count": len(hand), "deck": DECK, "cycle": 0} for hand in hands]
    for player in players[:last]:
        player["reserve"] = player["hand_count"]
    pile = {"top": ["sled_team"], "bag": CONTESTED | {"wolf_pack": 2, "grenade": 2}}
    moment = {"game": GAME.name, "round": 3, "initiator": 0, "to_move": last, "seed": 3}
    return moment | {"contested": {"cards": pile}, "players": players} | fields


def before(scene: Scene) -> State:
    """The position before the last seat ends its turn."""
    return GAME.state_from_json(world(*scene.hands))


def after(scene: Scene) -> State:
    """The position after the skirmish."""
    return before(scene).play_texts(scene.moves)[0]
