"""Positions that no game can reach are refused by the path of the field that says so; their neighbours are read."""

from typing import Any

import pytest

import engine
from engine.faults import InvalidInput
from engine.game import View

GAME = engine.load("arctic_scavengers")
Json = dict[str, Any]
HAND = ["refugee", "refugee", "scavenger", "brawler", "spear"]
FOUR = ["refugee", "refugee", "brawler", "spear"]


def observation(**fields: Any) -> Json:
    """A small sound observation of seat 0 in round 5, with some fields changed."""
    hand = HAND[: len(HAND) - len(fields.get("pending", {}).get("committed", ()))]
    form: Json = {"game": "arctic_scavengers", "seat": 0, "round": 5, "players": [{"hand": hand}, {}]}
    return form | fields


def me(*hand: str, **fields: Any) -> list[Json]:
    """Seat 0 with this hand against a rival of whom nothing is noted."""
    return [{"hand": list(hand), **fields}, {}]


def read(form: Json) -> View:
    view: View = GAME.view_from_json(form)
    return view


def faults(form: Json) -> dict[str, str]:
    """Path and text of every fault."""
    with pytest.raises(InvalidInput) as error:
        read(form)
    return {fault.path: str(fault) for fault in error.value.faults}


def committed(question: str, *cards: str, action: str = "dig", **fields: Any) -> Json:
    return {"question": question, "action": action, "committed": list(cards)} | fields


PAID_FOR = ["medkit", "refugee"]
HIRED_AND_HUNTED = ["pills", "hunter", "scavenger", "scavenger"]
SABOTEUR, SNIPER_TEAM = (me(unit, *FOUR, discard=PAID_FOR) for unit in ("saboteur", "sniper_team"))
FORCES = {"seat": 1, "cards": ["scout"]}
OWN_WIN = [{"seat": 0, "card": "tribe_family_3"}]
SPOTTED = ["tribe_family_3", *FOUR]
START = {"refugee": 4, "scavenger": 3, "brawler": 1, "shovel": 1, "spear": 1}
BOTH_WINS_SEEN: Json = {
    "wins": [{"seat": 1, "card": card, "cycle": i} for i, card in enumerate(("grenade", "sled_team"))],
    "ledger": [{"seat": 1, "way": "out", "cycle": 0}],
}
RECORD = {"cycle": 2, "dug": 1, "owned_unknown": 1, "won_unknown": 1}  # it takes one of the wins for the dug card
PAID: Json = {"question": "pay", "card": "group_leaders", "paid": ["pills"]}

THREE = [{"hand": HAND}, {}, {}]
TOP = {"top": "grenade"}

CASES: dict[str, tuple[Json, str]] = {
    "with two seats nobody looks at the contested card": ({"contested": TOP}, "contested.top"),
    "nobody looks at it before round 3": ({"players": THREE, "round": 2, "contested": TOP}, "contested.top"),
    "only the initiator looks at it": ({"players": THREE, "initiator": 1, "contested": TOP}, "contested.top"),
    "nobody else is known to have seen it": (
        {"players": THREE, "initiator": 1, "contested": {"top_seen_by": [1, 2]}},
        "contested.top_seen_by",
    ),
    "an empty word is no way": ({"ledger": [{"seat": 1, "way": ""}]}, "ledger[0].way"),
    "an empty word is no game": ({"game": ""}, "game"),
    "players that are no list": ({"players": float("inf")}, "players"),
    "a bottom card the seat knows but does not tell": (
        {"junkyard": {"bottom_seen_by": [{"seats": [0]}]}},
        "junkyard.bottom_seen_by[0]",
    ),
    # actions done once a turn
    "a second hire": ({"players": me("pills", "medkit", food=2, used_actions=["hunt", "hire"],
                                     discard=["pills", "hunter", "scavenger", "scavenger"]),
                       "pending": {"question": "pay", "card": "scout"}}, "pending.question"),
    "a second trash": ({"players": me("pills", used_actions=["trash"]), "pending": {"question": "trash"}},
                       "pending.question"),
    "a payment while trashing": ({"players": me("pills", "medkit", food=2),
                                  "pending": {"question": "pay", "card": "scout", "action": "trash"}},
                                 "pending.action"),
    "food without a hunt": ({"players": me("pills", used_actions=["dig"], food=9)}, "players[0].food"),
    "pills paid that do not lie open": (
        {"players": me("pills", "spear", food=2, discard=["scavenger"] * 2 + ["refugee"]), "pending": PAID},
        "pending.paid"),
    "pills paid where only medkits lie open": (
        {"players": me("medkit", "refugee", discard=["medkit", "medkit", "spear"]),
         "pending": {"question": "pay", "card": "thugs", "paid": ["pills", "pills", "medkit"]}}, "pending.paid"),
    "pills paid that do not lie in front": (
        {"options": {"rules": {"used_cards_to_discard": "round_end"}}, "pending": PAID,
         "players": me("pills", "spear", food=2, in_front=["scavenger"] * 2, discard=["pills"])}, "pending.paid"),
    # cards committed
    "two tools for one carrier": (
        {"pending": committed("commit", "scavenger", "shovel", "pickaxe")}, "pending.committed"),
    "a tool without a carrier": ({"pending": committed("commit", "shovel")}, "pending.committed"),
    "a response to a tool alone": (
        {"players": SABOTEUR, "pending": committed("react", "shovel")}, "pending.committed"),
    "a response to nothing": ({"players": SABOTEUR, "pending": committed("react")}, "pending.committed"),
    "a response to an action of value 0": (
        {"players": SNIPER_TEAM, "pending": committed("react", "refugee")}, "pending.committed"),
    "fewer cards looked at than dug for": (
        {"pending": committed("keep", "scavenger", "shovel", shown=["junk"])}, "pending.shown"),
    "own cards to trash that are counted but not told": (
        {"pending": {"question": "trash", "committed_count": 2}}, "pending.committed_count"),
    # the skirmish
    "two forces of one seat": ({"skirmish": {"forces": [FORCES, FORCES]}}, "skirmish.forces[1].seat"),
    "a force of nobody": ({"skirmish": {"forces": [{"cards": ["scout"]}]}}, "skirmish.forces[0].seat"),
    "forces while gathering": ({"phase": "gathering", "skirmish": {"forces": [FORCES]}}, "skirmish.forces"),
    # contested cards
    "a contested card before the first skirmish": ({"round": 3, "players": me("field_crew")}, "players[0].hand"),
    "two contested cards after one skirmish": (
        {"round": 4, "players": me("field_crew", "grenade")}, "players[0].hand"),
    "a contested card beside the only win of another": (
        {"round": 4, "players": me("field_crew"), "wins": [{"seat": 1}]}, "players[0].hand"),
    "a contested card in the junkyard of round 2": (
        {"round": 2, "pending": committed("keep", "scavenger", shown=["field_crew"])}, "pending.shown"),
    "a rival's contested card in round 3": (
        {"round": 3, "players": [{"hand": HAND}, {"owned": {"field_crew": 1}, "deck_count": 0, "hand_count": 1}]},
        "players[1].owned"),
    "two contested cards and one win": (
        {"round": 16, "players": me("tribe_family_3", discard=["tribe_family_3"]), "wins": OWN_WIN}, "wins"),
    "a contested card besides all that were won": (
        {"round": 4, "players": me("field_crew"), "wins": [{"seat": 0, "card": "grenade"}]}, "wins"),
    # the record
    "fewer trashed than listed": (
        {"players": [{"hand": HAND}, {"cycle": 5, "trashed_this_cycle": 0}],
         "ledger": [{"seat": 1, "way": "in", "cycle": 5}]}, "players[1].trashed_this_cycle"),
    "more trashed than missing": (
        {"players": [{"hand": HAND}, {"cycle": 5, "trashed_this_cycle": 1}]}, "players[1].trashed_this_cycle"),
    "fewer unknown cards than the own ledger": (
        {"players": me(*HAND, owned_unknown=0, discard=["pills"]),
         "ledger": [{"seat": 0, "way": "out", "card": "pills"}]}, "players[0].owned_unknown"),
    "dug cards that are neither unknown nor owned": (
        {"players": [{"hand": HAND}, {"dug": 2, "owned_unknown": 0}]}, "players[1].owned_unknown"),
    "a won card that is neither unknown nor owned": (
        {"players": [{"hand": HAND}, {"won_unknown": 0}], "wins": [{"seat": 1}]}, "players[1].won_unknown"),
    "a card trashed for all to see and not told": (
        {"options": {"rules": {"trash_public": True}}, "ledger": [{"seat": 1, "way": "in"}]}, "ledger[0].card"),
    "a card trashed for all to see, but for one seat": (
        {"options": {"rules": {"trash_public": True}}, "players": [{"hand": HAND}, {}, {}],
         "ledger": [{"seat": 1, "way": "in", "card": "refugee", "seen_by": [0, 1]}]}, "ledger[0].seen_by"),
    "more copies seen in the junkyard than there are": (
        {"junkyard": {"looked_at": {"junk": 255}}}, "junkyard.looked_at.junk"),
    "more cards seen in the junkyard than lie there": (
        {"round": 1, "initiator": 0, "junkyard": {"looked_at": {"pills": 7, "medkit": 4, "junk": 5, "net": 2,
         "pickaxe": 2, "multitool": 2, "shovel": 4, "spear": 4}}}, "junkyard.looked_at"),
    "a sighting after the end of the ledger": (
        {"junkyard": {"looked_at": {"junk": 1}, "known_since": {"junk": 3}}}, "junkyard.known_since.junk"),
    "a card in hand that is still in the starting deck of all": (
        {"round": 2, "players": me(*["refugee"] * 5)}, "players[0].hand"),
    "a known hand larger than the hand": (
        {"players": [{"hand": HAND}, {"seen_hand": {"refugee": 3}, "hand_count": 2}]}, "players[1].seen_hand"),
    # what there has been time for
    "a special unit that acted before its slot": (
        {"initiator": 0, "phase": "skirmish", "players": [{"hand": ["sniper_team"]}, {"hand": ["saboteur"]}],
         "skirmish": {"slot": 0, "forces": [{"seat": 1, "spent": {"saboteur": 1}}]}}, "skirmish.forces[0].spent"),
    "responses without a special unit": (
        {"players": [{"hand": HAND}, {"owned": START, "responses": {"snipe": 1}}]}, "players[1].responses.snipe"),
    "more responses than its special unit can give": (
        {"players": [{"hand": HAND}, {"owned": {**START, "saboteur": 1}, "responses": {"disarm": 3}}]},
        "players[1].responses.disarm"),
    "cards hired by a seat that has had no turn": (
        {"round": 1, "initiator": 0, "players": [{"hand": HAND}, {"owned": {**START, "hunter": 1}}]},
        "players[1].owned"),
    "more cards hired than turns and digs": (
        {"round": 2, "initiator": 0, "players": [{"hand": HAND}, {"owned": {**START, "hunter": 3}}]},
        "players[1].owned"),
    "more cards of the junkyard than digs": (
        {"round": 2, "initiator": 0, "players": [{"hand": HAND}, {"owned": {**START, "pills": 2}}]},
        "players[1].owned"),
    "a dig of a seat that has had no turn": (
        {"round": 1, "initiator": 0, "players": [{"hand": HAND}, {"dug": 1, "owned_unknown": 1}]}, "players[1].dug"),
    "a second card dug in one turn": (
        {"round": 1, "initiator": 1, "ledger": [{"seat": 1, "way": "out"}] * 2,
         "players": [{"hand": HAND}, {"reserve": 5}]}, "ledger[1].way"),
    "a card trashed by a seat that has had no turn": (
        {"round": 1, "initiator": 0, "ledger": [{"seat": 1, "way": "in"}]}, "ledger[0].way"),
    "a tribe that shrank before its first turn": (
        {"round": 1, "initiator": 0, "players": [{"hand": HAND}, {"deck_count": 4}]}, "players[1].deck_count"),
    "six cards before a draw": ({"players": me(*HAND, "shovel")}, "players[0].hand"),
    "six cards of a rival before his turn": (
        {"initiator": 0, "players": [{"hand": HAND}, {"hand_count": 6}]}, "players[1].hand_count"),
    "more cards than any draw gives": (
        {"players": [{"hand": HAND}, {"hand_count": 11, "reserve": 11, "deck_count": 0,
                                      "owned": {**START, "hunter": 1}}]}, "players[1].hand_count"),
    "more reshuffles than rounds and draws": ({"players": [{"hand": HAND}, {"cycle": 9}]}, "players[1].cycle"),
    "more food than the tribe can hunt": ({"players": me(*HAND, food=5)}, "players[0].food"),
    # the market
    "a stack that nobody had time to buy": (
        {"round": 1, "initiator": 0, "market": {"scout": 7}}, "market.scout"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_it_is_refused_where_it_is(name: str) -> None:
    fields, path = CASES[name]
    found = faults(observation(**fields))
    assert path in found
    assert "" not in found


SOUND: dict[str, Json] = {
    "pills paid from the hand": {
        "players": me("pills", "spear", food=2, discard=["scavenger", "scavenger", "pills"]),
        "pending": PAID,
    },
    "pills paid lie in front": {
        "options": {"rules": {"used_cards_to_discard": "round_end"}},
        "players": me("pills", "spear", food=2, in_front=["scavenger", "scavenger", "pills"]),
        "pending": PAID,
    },
    "a tool more than carriers, by the switch": {
        "options": {"rules": {"spare_tools": True}},
        "pending": committed("commit", "scavenger", "shovel", "pickaxe"),
    },
    "a tool more than carriers, after a snipe": {
        "players": me("saboteur", *FOUR[1:], responses={"snipe": 1}, discard=["sniper_team", "pills", "pills"]),
        "pending": committed("react", "scavenger", "shovel", "pickaxe"),
    },
    "food from a hunt after a hire": {
        "players": me("refugee", "spear", used_actions=["hire", "hunt"], food=2, discard=HIRED_AND_HUNTED),
    },
    "one contested card after one skirmish": {"round": 4, "players": me("field_crew", *FOUR)},
    "a contested card dug after it was lost": {
        "players": me(*SPOTTED, discard=["tribe_family_3", "refugee"]),
        "wins": OWN_WIN,
        "ledger": [{"way": "lost"}, {"seat": 0, "way": "out", "card": "tribe_family_3"}],
    },
    "a dug card that was identified, without a ledger": {
        "players": [{"hand": HAND}, {"owned": {**START, "pills": 1}, "dug": 1, "owned_unknown": 0}],
    },
    "two wins seen, of which one was shown": {
        "round": 6,
        "players": [{"hand": HAND}, {"owned": {**START, "grenade": 1, "sled_team": 1}, **RECORD}],
        **BOTH_WINS_SEEN,
    },
    "two wins seen, and both trashed for all to see": {
        "round": 6,
        "options": {"rules": {"trash_public": True}},
        "players": [{"hand": HAND}, {"owned": START, **RECORD}],
        "wins": BOTH_WINS_SEEN["wins"],
        "ledger": [
            *BOTH_WINS_SEEN["ledger"],
            *({"seat": 1, "way": "in", "card": card, "cycle": 1} for card in ("grenade", "sled_team")),
        ],
    },
    "the only card won, trashed for all to see, looked at, dug and shown again": {
        "round": 4,
        "options": {"rules": {"trash_public": True}},
        "junkyard": {"looked_at": {"sled_team": 1}, "known_since": {"sled_team": 1}},
        "players": [
            {"hand": HAND},
            {"owned": {**START, "sled_team": 1}, "cycle": 2, "dug": 1, "owned_unknown": 0, "won_unknown": 0},
        ],
        "wins": [{"seat": 1, "cycle": 0}],
        "ledger": [{"seat": 1, "way": "in", "card": "sled_team", "cycle": 1}, {"seat": 1, "way": "out", "cycle": 1}],
    },
    "six cards after a draw": {"players": me(*HAND, "shovel", discard=["scout", "pills"], used_actions=["draw"])},
    "a unit that responded before and after its draw": {
        "initiator": 1,
        "players": [
            {"hand": HAND},
            {"owned": {**START, "saboteur": 1, "pills": 1}, "reserve": 5, "responses": {"disarm": 2}},
        ],
    },
    "a card hired in the first turn": {
        "round": 1,
        "initiator": 1,
        "players": [{"hand": HAND}, {"owned": {**START, "brawler": 2}, "reserve": 0, "discard_count": 6}],
    },
    "a rival whose hand is not told has committed cards of it": {
        "initiator": 1,
        "players": me("sniper_team", *FOUR, discard=PAID_FOR),
        "phase": "reaction",
        "pending": committed("react", "scavenger", "brawler"),
    },
    "as many reshuffles as rounds and draws": {"players": [{"hand": HAND}, {"cycle": 8}]},
    "as much food as five cards can hunt": {
        "players": me(food=4, hand_count=0, discard=["refugee", "spear", *["scavenger"] * 3])
    },
    "two cards of a kind, of which the ledger tells one": {
        "players": me("pills", *FOUR, discard=["pills", "refugee"]),
        "ledger": [{"seat": 0, "way": "out", "card": "pills"}],
    },
}


@pytest.mark.parametrize("name", SOUND)
def test_its_neighbour_is_read_and_comes_back_whole(name: str) -> None:
    view = read(observation(**SOUND[name]))
    assert view.notes.warnings == ()
    assert view.world(1).view(0).tobytes() == view.tobytes()
    assert read(view.to_json()).tobytes() == view.tobytes()


@pytest.mark.parametrize("paid", [["medkit", "medkit"], ["pills", "pills", "medkit"]])
def test_the_medicines_paid_come_back_as_they_were(paid: list[str]) -> None:
    pending = {"question": "pay", "card": "thugs", "paid": paid}
    discard = ["pills", "pills", "medkit", "medkit"]
    players = me("medkit", *FOUR[len(paid) :], discard=[*discard, "refugee"])
    view = read(observation(round=6, players=players, pending=pending))
    assert view.to_json()["pending"] == {**pending, "action": "hire", "need": 2}
    assert read(view.to_json()).tobytes() == view.tobytes()


@pytest.mark.parametrize("seat", [0, 1])
def test_who_notes_only_the_cards_gained_is_told_that_owned_is_the_whole_tribe(seat: int) -> None:
    players: list[Json] = [{"hand": HAND}, {}]
    players[seat]["owned"] = {"scout": 1}
    ((path, text),) = faults(observation(players=players)).items()
    assert path == f"players[{seat}].owned"
    assert "starting cards included: add 4 refugee, 3 scavenger, 1 brawler, 1 shovel, 1 spear" in text


def test_who_forgets_a_card_of_his_own_in_owned_is_told_which() -> None:
    players: list[Json] = [{"hand": ["thugs", "brawler", "brawler", *FOUR[:2]], "owned": START}, {}]
    ((path, text),) = faults(observation(round=3, initiator=0, players=players, market={"thugs": 4})).items()
    assert path == "players[0].owned"
    assert text.endswith("starting cards included: add 1 brawler, 1 thugs")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, "wins = [] (2 contested cards taken are counted as lost to the junkyard)"),
        ({"round": 4}, "wins = [] (1 contested card taken is counted as lost to the junkyard)"),
        ({"round": None, "contested": {"count": 9}}, "wins = [] (5 contested cards taken are counted as lost to"),
        ({"wins": [{"seat": 1}]}, "wins = the 1 listed (1 contested card taken is counted as lost to the junkyard)"),
        ({"round": 2}, ""),
        ({"wins": [{"seat": 1}, {"seat": 1}]}, ""),
        ({"wins": [{"seat": 1}], "ledger": [{"way": "lost"}]}, ""),
        ({"round": 4, "players": me("field_crew", *FOUR)}, ""),  # it is in a hand
        ({"round": 4, "players": [{"hand": HAND}, {"owned": {**START, "field_crew": 1}}]}, ""),
    ],
)
def test_contested_cards_that_nobody_noted_are_told_to_be_counted_as_lost(fields: Json, told: str) -> None:
    assumed = [text for text in read(observation(**fields)).notes.assumptions if text.startswith("wins")]
    assert len(assumed) == bool(told)
    assert "".join(assumed).startswith(told)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"seat": 2}, "seat: found 2, expected a whole number from 0 to 1; seats count from 0"),
        ({"seat": None}, "seat: found nothing, expected the seat whose knowledge this is, a whole number from 0 to 1"),
        ({"initiator": 2}, "a whole number from 0 to 1; seats count from 0"),
        ({"wins": [{"seat": 2}]}, "wins[0].seat: found 2, expected a whole number from 0 to 1; seats count from 0"),
        ({"ledger": [{"way": "in"}]}, "ledger[0].seat: found nothing, expected a whole number from 0 to 1; seats"),
        ({"wins": [{"seat": 0, "seen_by": [2]}]}, "wins[0].seen_by[0]: found 2, expected a whole number from 0 to 1;"),
        ({"players": me("Scout")}, "did you mean scout?"),
        ({"players": me("refugees", "refugee")}, "players[0].hand[0]: found 'refugees', expected one of refugee, "),
        ({"market": {"sniper": 4}}, "did you mean sniper_team?"),
        ({"phase": "gather"}, "did you mean gathering?"),
        ({"options": {"rules": {"trash_publik": True}}}, "did you mean trash_public?"),
    ],
)
def test_what_was_meant_is_told(fields: Json, said: str) -> None:
    assert any(said in text for text in faults(observation(**fields)).values())


def test_cards_trashed_for_all_to_see_have_left_the_starting_deck() -> None:
    rules = {"rules": {"trash_public": True}}
    ledger = [{"seat": 1, "way": "in", "card": card} for card in ("grenade", "refugee")]
    view = read(observation(options=rules, ledger=ledger, wins=[{"seat": 1}]))
    assert "players[1].owned = the starting deck, less the cards trashed openly" in view.notes.assumptions
    assert "players[1].deck_count = 4" in view.notes.assumptions
    assert view.world(1).view(0).tobytes() == view.tobytes()


def test_food_says_that_there_was_a_hunt() -> None:
    view = read(observation(players=me("pills", "refugee", "spear", food=2, discard=["scavenger"] * 2)))
    assert "players[0].used_actions = hunt" in view.notes.assumptions
    assert "hunt" not in [move.text for move in view.moves()]


def test_cards_that_nobody_bought_are_warned_about() -> None:
    market = {"hunter": 4, "scout": 7, "brawler": 8}
    rival = {"owned": {**START, "hunter": 1, "pills": 1}}
    players = [{"hand": ["scout", "pills", *FOUR[1:]]}, rival]
    view = read(observation(market=market, players=players))
    assert view.notes.warnings == ("market.hunter: 3 cards bought by nobody; note them in players[].owned",)


def test_fields_of_other_questions_are_warned_about() -> None:
    pending = {"question": "action", "action": "dig", "committed": ["spear"], "target": 1}
    form = observation(players=me(*HAND), pending=pending)
    form["skirmish"] = {"slot": 0}
    assert read(form).notes.warnings == (
        "skirmish.slot: not used",
        "pending.action: not used",
        "pending.committed: not used",
        "pending.target: not used",
    )


def test_a_reaction_is_that_of_the_seat_that_notes_it() -> None:
    players = [{}, {"hand": ["sniper_team", *FOUR], "discard": PAID_FOR}]
    noted = {"seat": 1, "phase": "reaction", "players": players, "pending": {"action": "draw", "committed": ["scout"]}}
    view = read(observation(**noted))
    assert [move.text for move in view.moves()] == ["snipe scout with sniper_team", "pass"]
    assert {"pending.question = react", "to_move = 1"} <= set(view.notes.assumptions)


def test_a_view_of_a_pending_response_names_the_initiator_and_nobody_asked() -> None:
    players = [{}, {"hand": ["sniper_team", *FOUR], "discard": PAID_FOR}]
    noted = {"seat": 1, "phase": "reaction", "players": players, "pending": {"action": "draw", "committed": ["scout"]}}
    view = read(observation(initiator=0, **noted))
    assert view.to_move == -1
    assert any(text.startswith("to_move = another seat than 1") for text in view.notes.assumptions)
    assert read(view.to_json()).tobytes() == view.tobytes()


def test_what_keeps_the_hidden_cards_from_being_dealt_is_named() -> None:
    rival = {"owned": {"scout": 8}, "hand_count": 5, "deck_count": 3}
    found = faults(observation(players=[{"hand": HAND}, rival, rival]))
    assert list(found) == ["players[1].owned"]
    assert "8 scout too many" in found["players[1].owned"]


def test_the_initiator_notes_the_contested_card() -> None:
    view = read(observation(players=[{"hand": HAND}, {}, {}], initiator=0, contested={"top": "grenade"}))
    assert view.to_json()["contested"] == {"count": 12, "top": "grenade", "top_seen_by": [0]}


def test_cards_trashed_openly_are_seen_as_they_are_chosen() -> None:
    for is_public, told in ((True, ["refugee"]), (False, None)):
        world = {"game": "arctic_scavengers", "seats": 2, "initiator": 0, "players": [{"hand": HAND}, {}]}
        state = GAME.state_from_json(world | {"options": {"rules": {"trash_public": is_public}}})
        state, _ = state.play_texts(["trash", "discard refugee"])
        view = state.view(1)
        assert view.to_json()["pending"].get("committed") == told
        assert read(view.to_json()).tobytes() == view.tobytes()
