"""Moves taken apart, for clients that do not parse text."""

import pytest

from engine.arctic_scavengers.moves import fields


@pytest.mark.parametrize(
    ("text", "taken_apart"),
    [
        ("draw", {"action": "draw"}),
        ("commit scavenger", {"action": "commit", "card": "scavenger"}),
        ("keep none", {"action": "keep"}),
        ("aim 2", {"action": "aim", "seat": 2}),
        ("snipe brawler with sniper_team", {"action": "snipe", "card": "brawler", "with": "sniper_team"}),
        (
            "snipe spent saboteur with sniper_team",
            {"action": "snipe", "card": "saboteur", "spent": True, "with": "sniper_team"},
        ),
        ("disarm shovel with saboteur", {"action": "disarm", "card": "shovel", "with": "saboteur"}),
    ],
)
def test_a_move_taken_apart(text: str, taken_apart: dict[str, object]) -> None:
    assert fields(text) == taken_apart
