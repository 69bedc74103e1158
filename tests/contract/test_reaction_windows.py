"""Nobody learns who could have responded (contract 8)."""

from typing import Any

import pytest

import engine
from engine.game import State

GAME = engine.load("arctic_scavengers")
ACTOR = ["scavenger", "scavenger", "refugee", "refugee", "shovel"]
PLAIN = ["brawler", "scavenger", "refugee", "refugee", "spear"]
LATER = ["scavenger", "scavenger", "refugee", "refugee"]


def world(unit: str, in_hand: bool, reserve: bool) -> State:
    """Seat 0 acts; seat 1 has a special unit in hand, or else on the bottom of his deck."""
    hand, deck = [*PLAIN[1:], unit], [*LATER, "shovel", "brawler"]
    if not in_hand:
        hand, deck = [*PLAIN[1:], "brawler"], [*LATER, "shovel", unit]
    first: dict[str, Any] = {"hand": ACTOR, "deck": PLAIN}
    form = {
        "game": GAME.name, "round": 2, "initiator": 1 if reserve else 0, "to_move": 1 if reserve else 0,
        "players": [first, {"hand": hand, "deck": deck}, {"hand": PLAIN, "deck": [*LATER, "shovel"]}],
    }  # fmt: skip
    state = GAME.state_from_json(form | {"seed": 3})
    return state.play_texts(["end", "end"])[0] if reserve else state


def views(state: State) -> list[bytes]:
    return [state.view(seat).tobytes() for seat in (0, 2)]


@pytest.mark.parametrize("unit", ["sniper_team", "saboteur"])
@pytest.mark.parametrize("reserve", [False, True])
@pytest.mark.parametrize("action", ["dig", "draw", "hunt"])
def test_others_see_the_same_before_and_after_a_pass(unit: str, reserve: bool, action: str) -> None:
    able, unable = world(unit, True, reserve), world(unit, False, reserve)
    assert views(able) == views(unable)
    carrier = ["refugee", "scavenger"] if action == "hunt" else ["scavenger"]
    tool = ["shovel"] if action == "dig" else []
    texts = [action, *(f"commit {card}" for card in carrier + tool)]
    able, unable = able.play_texts(texts)[0], unable.play_texts(texts)[0]
    for state in (able, unable):
        if "go" in [m.text for m in state.moves()]:
            state.play(GAME.parse(state, "go"))
    if unit == "sniper_team" or tool:
        assert able.to_move == 1
        pending = able.view(2).to_json().get("pending", {})
        assert not {"asker", "committed_by"} & set(pending)
        assert "to_move" not in able.view(2).to_json()
        able.play(GAME.parse(able, "pass"))
    assert able.to_move == unable.to_move == 0
    assert views(able) == views(unable)


def learned(state: State, texts: list[str], observer: int) -> list[int]:
    """The words `observer` is told while these moves are played."""
    words = []
    for text in texts:
        mover, move = state.to_move, GAME.parse(state, text).id
        GAME.verbs.apply(state.setup.rules_address, state.address, move)
        words.append(GAME.verbs.seen(state.setup.rules_address, state.address, observer, mover, move, 0))
    return [word for word in words if word]


@pytest.mark.parametrize("observer", [0, 2])
@pytest.mark.parametrize("reserve", [False, True])
def test_a_search_cannot_tell_a_pass_from_nobody_to_ask(observer: int, reserve: bool) -> None:
    """The keys of its nodes are made of these words; the actor's own move must not make a difference either."""
    texts = ["hunt", "commit refugee", "commit scavenger", "go"]
    able, unable = world("sniper_team", True, reserve), world("sniper_team", False, reserve)
    assert learned(able, [*texts, "pass"], observer) == learned(unable, texts, observer)
    assert able.to_move == unable.to_move == 0


def test_the_mover_alone_knows_what_he_trashed() -> None:
    one, other = (world("sniper_team", False, False) for _ in range(2))
    texts = [["trash", f"discard {card}", "go"] for card in ("refugee", "scavenger")]
    assert learned(one.clone(), texts[0], 2) == learned(other.clone(), texts[1], 2)
    assert learned(one, texts[0], 0) != learned(other, texts[1], 0)
