"""What five cards a round cannot have come to is warned of; what a game reaches is read, however little is noted."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import bots
import engine
from bots import Budget, Request
from engine.arctic_scavengers.rules import SWITCHES
from engine.faults import InvalidInput
from engine.game import State, View

GAME = engine.load("arctic_scavengers")
Json = dict[str, Any]
HAND = ["refugee", "refugee", "scavenger", "brawler", "spear"]
START = {"refugee": 4, "scavenger": 3, "brawler": 1, "shovel": 1, "spear": 1}
FRONT = {"rules": {"used_cards_to_discard": "round_end"}}


def noted(own: Json, rival: Json | None = None, **fields: Any) -> Json:
    """A position of seat 0, which begins round 5, against one rival."""
    form: Json = {"game": "arctic_scavengers", "seat": 0, "round": 5, "initiator": 0}
    return form | {"players": [{"hand": HAND} | own, rival or {}]} | fields


def committed(question: str, *cards: str, action: str = "dig", **fields: Any) -> Json:
    return {"question": question, "action": action, "committed": list(cards)} | fields


IMPOSSIBLE: dict[str, tuple[Json, str]] = {
    # the hand
    "three cards, nothing used": (
        noted({"hand": HAND[:3], "deck": ["refugee", "refugee", "scavenger", "scavenger", "shovel"]}, round=1),
        "players[0].hand"),
    "three cards of a rival whose turn is to come": (noted({}, {"hand_count": 3}), "players[1].hand_count"),
    "four cards, two of them committed": (
        noted({"hand": HAND[:2]}, pending=committed("keep", "scavenger", shown=["junk"])), "players[0].hand"),
    "four cards after a draw": (
        noted({"hand": HAND[:4], "used_actions": ["draw"], "discard": ["scavenger", "shovel"]}), "players[0].hand"),
    "five cards after a hunt": (noted({"used_actions": ["hunt"]}), "players[0].hand"),
    "four cards after a dig and a trash": (
        noted({"hand": HAND[:4], "used_actions": ["dig", "trash"]}), "players[0].hand"),
    "five cards after a hire without a hunt": (
        noted({"used_actions": ["hire"], "discard": ["pills", "hunter", "shovel"]}), "players[0].hand"),
    "five cards after a response": (
        noted({}, {"hand_count": 5, "discard_count": 7, "owned": {**START, "saboteur": 1, "pills": 1},
                   "responses": {"disarm": 1}}), "players[1].hand_count"),
    "six cards after a draw by scavengers": (
        noted({"hand": [*HAND, "shovel"], "used_actions": ["draw"], "discard": ["scavenger"]}), "players[0].hand"),
    "three cards, of which a response can have taken one": (
        noted({"hand": HAND[:3], "discard": ["saboteur", "pills", "refugee", "shovel"]}, initiator=1, to_move=1),
        "players[0].hand"),
    # deck and discard pile
    "used cards that lie nowhere": (
        noted({"hand": HAND[:3], "used_actions": ["dig"], "discard": ["scavenger"]}), "players[0].discard"),
    "used cards of a rival that lie nowhere": (
        noted({}, {"hand_count": 3, "used_actions": ["dig"], "discard_count": 1}, initiator=1, to_move=1),
        "players[1].discard_count"),
    "a hired card that lies nowhere": (
        noted({"hand": HAND[:3], "used_actions": ["hunt", "hire"], "discard": ["scavenger", "refugee"]}),
        "players[0].discard"),
    "four cards in the first deck": (
        noted({"deck": ["refugee"] * 2 + ["scavenger"] * 2}, round=1), "players[0].deck"),
    "four cards in a rival's first deck": (
        noted({}, {"deck_count": 4, "discard_count": 1}, round=1), "players[1].deck_count"),
    "a first deck drawn empty": (
        noted({}, {"reserve": 5, "deck_count": 1, "discard_count": 4}, round=1, initiator=1), "players[1].deck_count"),
    "discards beside a deck in round 2": (
        noted({}, {"deck_count": 1, "discard_count": 4}, round=2), "players[1].discard_count"),
    "old discards beside a deck in the own turn of round 2": (
        noted({"hand": HAND[:4], "used_actions": ["dig"], "deck": ["scavenger"],
               "discard": ["scavenger", "shovel", "refugee", "refugee", "net"]}, round=2), "players[0].discard"),
    "a single old discard": (noted({}, {"deck_count": 4, "discard_count": 1}), "players[1].discard_count"),
    "a single old discard below two used cards": (
        noted({"hand": HAND[:3], "used_actions": ["hunt"], "food": 2,
               "discard": ["scavenger", "scavenger", "shovel"]}), "players[0].discard"),
    # prices
    "a hunter without medicine": (
        noted({}, {"owned": {**START, "hunter": 1}, "discard_count": 6}), "players[1].owned"),
    "group leaders for one med": (
        noted({}, {"owned": {**START, "group_leaders": 1, "pills": 1}, "discard_count": 7}), "players[1].owned"),
    "an own scout without medicine": (
        noted({"hand": ["scout", *HAND[1:]], "deck_count": 6}), "players[0].hand"),
    "an own scout in the discard pile": (
        noted({"discard": ["scout", "refugee"], "deck": ["refugee", "scavenger", "scavenger", "shovel"]}),
        "players[0].discard"),
    "a hunter that nobody can have trashed": (
        noted({"discard": ["pills", "hunter"]}, {"owned": {**START, "hunter": 1}, "discard_count": 6}),
        "players[1].owned"),
    # food
    "five food of one card": (
        noted({"hand": HAND[:4], "used_actions": ["hunt"], "food": 5,
               "discard": ["hunter", "net", "spear", "pills", "scavenger"]}), "players[0].food"),
    "food of cards that are still in hand": (
        noted({"hand": ["hunter", *HAND[:3]], "used_actions": ["hunt"], "food": 2,
               "discard": ["scavenger", "pills", "refugee"]}), "players[0].food"),
    "food of a net without a hunter": (
        noted({"hand": HAND[:4], "used_actions": ["hunt"], "food": 2, "discard": ["net", "shovel", "pills"]}),
        "players[0].food"),
}  # fmt: skip

POSSIBLE: dict[str, Json] = {
    "a rival's hand by default, after a response": noted(
        {}, {"owned": {**START, "saboteur": 1, "pills": 1}, "discard_count": 3, "responses": {"disarm": 1}}),
    "three cards left by two responses": noted(
        {"hand": ["refugee", "refugee", "brawler"], "discard": ["saboteur", "saboteur", "pills", "spear"]},
        initiator=1, phase="gathering"),
    "a small tribe": noted({}, {"hand_count": 3, "deck_count": 0}),
    "a draw that fell short": noted(
        {}, {"hand_count": 2, "deck_count": 0, "discard_count": 2, "used_actions": ["draw"]}, initiator=1, to_move=1),
    "cards a rival's unit hit, given back": noted(
        {"hand": HAND[:4], "discard": ["shovel", "scavenger", "scavenger"]},
        {"owned": {**START, "saboteur": 1, "pills": 1}, "hand_count": 5, "discard_count": 2}),
    "no card of the first deck drawn, one hired": noted(
        {}, {"reserve": 3, "discard_count": 3, "owned": {**START, "scavenger": 4}}, round=1, initiator=1),
    "a single old discard of a tribe that trashes": noted({}, {"deck_count": 3, "discard_count": 1}),
    "a single old discard with the switch": noted(
        {}, {"deck_count": 4, "discard_count": 1}, options={"rules": {"draw_reshuffle_includes_played": True}}),
    "a hunter that another tribe has trashed": noted(
        {"discard": ["pills", "spear"]}, {"owned": {**START, "hunter": 1}, "dug": 1, "discard_count": 6},
        ledger=[{"seat": 0, "way": "in", "card": "hunter"}]),
    "a scout seen of a rival of whom nothing is noted": noted(
        {"discard": ["refugee", "scavenger"]}, {"seen_discard": {"scout": 1, "refugee": 1}, "discard_count": 2}),
    "an own scout, and neither deck nor tribe": noted({"hand": ["scout", *HAND[1:]]}),
    "used cards, and no discard pile": noted({"hand": HAND[:2], "used_actions": ["hunt"], "food": 2}),
    "thugs for food alone": noted({}, {"owned": {**START, "thugs": 1}, "discard_count": 6}),
    "a tribe that lost starting cards untold": noted({"hand": ["scout", *HAND[1:]], "deck": ["refugee", "shovel"]}),
    "used cards in front": noted(
        {"hand": HAND[:3], "used_actions": ["hunt"], "food": 2, "in_front": ["scavenger", "scavenger"]}, options=FRONT),
}  # fmt: skip


def doubts(view: View) -> list[str]:
    """Where a form tells what cannot have come about."""
    return [warning.partition(": found ")[0] for warning in view.notes.warnings if ": found " in warning]


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_cannot_be_is_warned_of_where_it_is(name: str) -> None:
    form, path = IMPOSSIBLE[name]
    view = GAME.view_from_json(form)
    assert doubts(view) == [path]
    if view.to_move == view.seat:
        assert bots.make("ismcts").recommend(view, Request(Budget(iterations=20), seed=1)).plan


def test_more_than_rounds_and_turns_allow_is_refused() -> None:
    with pytest.raises(InvalidInput) as error:
        GAME.view_from_json(noted({"hand": [*HAND, "shovel"], "food": 99}))
    assert [fault.path for fault in error.value.faults] == ["players[0].hand", "players[0].food"]


@pytest.mark.parametrize("name", POSSIBLE)
def test_its_neighbour_is_read_and_comes_back(name: str) -> None:
    view = GAME.view_from_json(POSSIBLE[name])
    assert doubts(view) == []
    assert GAME.view_from_json(view.to_json()).tobytes() == view.tobytes()


def test_a_rival_who_shows_a_hired_card_has_paid_for_it() -> None:
    view = GAME.view_from_json(POSSIBLE["a scout seen of a rival of whom nothing is noted"])
    assert "players[1].owned = the starting deck and the cards seen, with 1 pills to pay for them" in (
        view.notes.assumptions
    )


def test_an_own_card_that_cost_medicine_has_it_in_the_deck_unless_more_is_noted() -> None:
    view = GAME.view_from_json(POSSIBLE["an own scout, and neither deck nor tribe"])
    assert "players[0].deck = pills, refugee, refugee, refugee, scavenger, scavenger, shovel" in view.notes.assumptions


# ---- nothing that a game reaches is refused

FINE_PRINT = (  # what a person would not write down, each with what makes no sense without it
    ("sure",),
    ("seen_hand", "seen_discard", "left_face_down"),
    ("dug", "won_unknown"),
)
OWN_RECORD = ("owned", "owned_unknown", "dug", "won_unknown")
TWICE_TOLD = {"hand": "hand_count", "deck": "deck_count", "discard": "discard_count"}


def chosen(rng: random.Random, state: State, style: str) -> Any:
    """A move of somebody who hires, trashes or fights whenever it goes, or plays by rules of thumb, or by chance."""
    moves = state.moves()
    if style == "greedy":
        request = Request(budget=Budget(iterations=1), seed=rng.randrange(1 << 30))
        wanted = bots.make("greedy").recommend(state.view(state.to_move), request).plan[0].move
        return next(move for move in moves if move.text == wanted)
    liked = {"trash": ("trash", "discard"), "fight": ("snipe", "disarm", "hire s"), "hire": ("hire", "pay")}
    best = [move for move in moves if move.text.startswith(liked.get(style, ()))]
    longer = [move for move in moves if move.text != "end"]
    return rng.choice(best if best and rng.random() < 0.8 else longer if longer and rng.random() < 0.8 else moves)


def reached(seed: int, every: int) -> Iterator[State]:
    """Positions of one game, under random switches in two games of three."""
    rng = random.Random(seed)
    rules = {name: rng.choice(values) for name, values in SWITCHES.items()} if seed % 3 else {}
    state = GAME.setup(2 + seed % 4, (), rules).new(seed)
    style = ("chance", "trash", "fight", "hire", "greedy")[seed % 5]
    while not state.over:
        state.play(chosen(rng, state, style))
        if state.over or rng.randrange(every) == 0:
            yield state


def without(fields: Json, names: tuple[str, ...]) -> Json:
    return {name: value for name, value in fields.items() if name not in names}


def lightened(rng: random.Random, form: Json) -> Json:
    """The same without some of what a person would not write down, or would write down once."""
    left_out = [group for group in FINE_PRINT if rng.random() < 0.5 and not form.get("pending", {}).get("paid")]
    names = sum(left_out, ())
    players = [without(player, names) for player in form["players"]]
    if rng.random() < 0.5:
        own = players[form["seat"]]
        told = tuple(count for name, count in TWICE_TOLD.items() if own.get(name))
        players[form["seat"]] = without(own, (*OWN_RECORD, *told))
    light = without(form, ("seats", "junkyard")) if rng.random() < 0.5 else form
    return light | {"players": players}


@pytest.mark.parametrize("seed", range(10))
def test_whatever_a_game_reaches_is_read(seed: int) -> None:
    rng = random.Random(seed)
    for state in reached(seed, every=60):
        for seat in range(state.setup.seats):
            form = state.view(seat).to_json()
            read = GAME.view_from_json(form)
            assert (read.tobytes(), doubts(read)) == (state.view(seat).tobytes(), [])
            assert doubts(GAME.view_from_json(lightened(rng, form))) == []
