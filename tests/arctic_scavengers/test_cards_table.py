"""The card table against the component list: copies, figures, prices, totals (149 cards in the base game)."""

from typing import Any, NamedTuple

import pytest

import engine

KINDS = ("draw", "dig", "hunt", "fight")


class Printed(NamedTuple):
    """What is printed on a card and how often it exists."""

    name: str
    type: str
    copies: int
    people: int = 0
    base: dict[str, int] = {}
    mod: dict[str, int] = {}
    cost: dict[str, int] = {}
    med: int = 0


ALL_TWO = {"draw": 2, "dig": 2, "hunt": 2, "fight": 2}
CARDS = {
    "refugee": Printed("Refugee", "tribe", 20, 1, {"dig": 0, "hunt": 0}),
    "scavenger": Printed("Scavenger", "tribe", 20, 1, {"draw": 1, "dig": 1, "hunt": 1, "fight": 1}, cost={"food": 1}),
    "brawler": Printed("Brawler", "tribe", 10, 1, {"dig": 1, "fight": 2}, cost={"food": 2}),
    "hunter": Printed("Hunter", "tribe", 8, 1, {"hunt": 2, "fight": 1}, cost={"med": 1}),
    "saboteur": Printed("Saboteur", "tribe", 8, 1, {"dig": 1, "fight": 1}, cost={"food": 1, "med": 1}),
    "scout": Printed("Scout", "tribe", 8, 1, {"draw": 2, "fight": 2}, cost={"food": 2, "med": 1}),
    "group_leaders": Printed("Group Leaders", "tribe", 5, 2, mod=ALL_TWO, cost={"food": 2, "med": 2}),
    "sniper_team": Printed("Sniper Team", "tribe", 5, 2, cost={"food": 2, "med": 2}),
    "thugs": Printed("Thugs", "tribe", 5, 3, {"dig": 1, "fight": 3}, cost={"any_mix": 6}),
    "wolf_pack": Printed("Wolf Pack", "tool", 2, mod={"hunt": 3, "fight": 2}),
    "grenade": Printed("Grenade", "tool", 2, mod={"fight": 3}),
    "sled_team": Printed("Sled Team", "tribe", 2, 2, {"draw": 2, "fight": 1}),
    "field_crew": Printed("Field Crew", "tribe", 2, 4, {"dig": 2, "hunt": 2, "fight": 2}),
    "tribe_family_3": Printed("Tribe Family (3)", "tribe", 2, 3, {"hunt": 0, "fight": 0}),
    "tribe_family_4": Printed("Tribe Family (4)", "tribe", 2, 4, {"hunt": 0, "fight": 0}),
    "tribe_family_5": Printed("Tribe Family (5)", "tribe", 2, 5, {"hunt": 0, "fight": 0}),
    "junk": Printed("Junk", "junk", 7),
    "pills": Printed("Pills", "medicine", 9, med=1),
    "medkit": Printed("Medkit", "medicine", 6, med=2),
    "net": Printed("Net", "tool", 4, mod={"hunt": 2, "fight": 1}),
    "pickaxe": Printed("Pickaxe", "tool", 4, mod={"dig": 1, "fight": 2}),
    "multitool": Printed("Multitool", "tool", 4, mod={"dig": 1, "hunt": 1, "fight": 1}),
    "shovel": Printed("Shovel", "tool", 6, mod={"dig": 2, "fight": 1}),
    "spear": Printed("Spear", "tool", 6, mod={"hunt": 1, "fight": 2}),
}
CONTESTED = [name for name, card in CARDS.items() if card.copies == 2]
IN_JAPANESE = {  # as the user's texts write them
    "refugee": "難民",
    "scavenger": "屑屋",
    "brawler": "狼藉者",
    "saboteur": "破壊工作員",
    "sniper_team": "狙撃兵チーム",
    "tribe_family_3": "部族民の家族",
    "junk": "ジャンク",
    "medkit": "メドキット",
    "pickaxe": "つるはし",
    "shovel": "シャベル",
    "spear": "槍",
}


@pytest.fixture(scope="module", name="table")
def base_cards() -> dict[str, dict[str, Any]]:
    cards = engine.load("arctic_scavengers").cards()  # type: ignore[attr-defined]
    return {card["id"]: card for card in cards if card["module"] == "base"}


def test_the_base_set_has_these_cards_and_no_others(table: dict[str, dict[str, Any]]) -> None:
    assert sorted(table) == sorted(CARDS)


def test_no_card_is_listed_twice() -> None:
    ids = [card["id"] for card in engine.load("arctic_scavengers").cards()]  # type: ignore[attr-defined]
    assert len(ids) == len(set(ids))


def test_the_copies_add_up_to_the_box(table: dict[str, dict[str, Any]]) -> None:
    assert sum(card["copies"] for card in table.values()) == 149
    assert sum(table[name]["copies"] for name in CONTESTED) == 14
    in_hiring = ("hunter", "saboteur", "scout", "group_leaders", "sniper_team", "thugs", "scavenger", "brawler")
    assert sum(table[name]["copies"] for name in in_hiring) == 69


@pytest.mark.parametrize("name", CARDS)
def test_a_card_is_as_printed(name: str, table: dict[str, dict[str, Any]]) -> None:
    card = table[name]
    cost = {part: n for part, n in card.get("cost", {}).items() if n}
    figures = card["copies"], card["people"], card["base"], card["mod"], cost, card.get("med", 0)
    found = Printed(card["name"], card["type"], *figures)
    assert found == CARDS[name]


@pytest.mark.parametrize("name", CARDS)
def test_figures_are_for_known_kinds_of_action(name: str, table: dict[str, dict[str, Any]]) -> None:
    assert set(table[name]["base"]) | set(table[name]["mod"]) <= set(KINDS)


@pytest.mark.parametrize("name", IN_JAPANESE)
def test_japanese_names_are_those_of_the_texts(name: str, table: dict[str, dict[str, Any]]) -> None:
    assert table[name]["name_ja"].startswith(IN_JAPANESE[name])


def test_every_card_has_a_japanese_name(table: dict[str, dict[str, Any]]) -> None:
    assert all(card["name_ja"] for card in table.values())


def test_people_of_a_starting_deck(table: dict[str, dict[str, Any]]) -> None:
    start = {"refugee": 4, "scavenger": 3, "brawler": 1, "spear": 1, "shovel": 1}
    assert sum(start.values()) == 10
    assert sum(table[name]["people"] * n for name, n in start.items()) == 8
