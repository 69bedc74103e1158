"""What must hold in every whole game of the base set: set-up, conservation, rounds, the end (sections 3, 4, 10, 27)."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import engine
from engine.game import State

SEATS = (2, 3, 4, 5)
START = Counter(refugee=4, scavenger=3, brawler=1, spear=1, shovel=1)
MARKET = {"hunter": 8, "saboteur": 8, "scout": 8, "group_leaders": 5, "sniper_team": 5, "thugs": 5}
CONTESTED = dict.fromkeys(
    ("wolf_pack", "grenade", "sled_team", "field_crew", "tribe_family_3", "tribe_family_4", "tribe_family_5"), 2
)
JUNKYARD = {"junk": 7, "pills": 9, "medkit": 6, "net": 4, "pickaxe": 4, "multitool": 4}
PEOPLE = Counter(
    refugee=1, scavenger=1, brawler=1, hunter=1, saboteur=1, scout=1, group_leaders=2, sniper_team=2, thugs=3,
    sled_team=2, field_crew=4, tribe_family_3=3, tribe_family_4=4, tribe_family_5=5,
)  # fmt: skip
IN_CIRCULATION = {2: 121, 3: 141, 4: 145, 5: 149}
HAND_ZONES = ("hand", "discard", "in_front")
MAX_DECISIONS = 20_000


def new(seats: int, seed: int, **rules: Any) -> State:
    return engine.load("arctic_scavengers").setup(seats=seats, rules=rules).new(seed)


def pile(value: Any) -> Counter[str]:
    """The cards of a pile in either of its forms."""
    if isinstance(value, list):
        return Counter(value)
    value = value or {}
    return Counter(value.get("top", [])) + Counter(value.get("bag", {})) + Counter(value.get("bottom", []))


def tribe(world: dict[str, Any], seat: int) -> Counter[str]:
    """All cards of one seat, those of the action being done included."""
    player = world["players"][seat]
    cards = sum((Counter(player.get(zone) or []) for zone in HAND_ZONES), pile(player.get("deck")))
    pending = world.get("pending") or {}
    actor = pending.get("asker", world.get("to_move")) if pending.get("question") == "react" else world.get("to_move")
    if actor == seat:
        cards += Counter(pending.get("committed") or []) + Counter(pending.get("paid") or [])
    return cards


def everything(world: dict[str, Any]) -> Counter[str]:
    """All cards in circulation, wherever they lie."""
    cards = Counter(world.get("market", {})) + pile(world["junkyard"].get("cards"))
    cards += pile(world["contested"].get("cards")) + Counter((world.get("pending") or {}).get("shown") or [])
    return sum((tribe(world, seat) for seat in range(len(world["players"]))), cards)


def positions(state: State, seed: int) -> Iterator[State]:
    """Every position in which somebody is asked, and the last one, of a game of random legal moves."""
    choose = random.Random(seed)
    for _ in range(MAX_DECISIONS):
        yield state
        if state.over:
            return
        state.play(choose.choice(state.moves()))
    pytest.fail("the game does not end")


@pytest.mark.parametrize("seats", SEATS)
def test_set_up(seats: int) -> None:
    world = new(seats, seed=seats).to_json()
    for seat in range(seats):
        assert len(world["players"][seat]["hand"]) == 5
        assert tribe(world, seat) == START
    assert world["market"] == MARKET | {"scavenger": 20 - 3 * seats, "brawler": 10 - seats}
    assert pile(world["contested"]["cards"]) == CONTESTED
    taken = 2 if seats == 2 else 0
    kinds = JUNKYARD | {"spear": 6 - seats, "shovel": 6 - seats}
    assert pile(world["junkyard"]["cards"]) == {kind: n - taken for kind, n in kinds.items()}
    assert everything(world).total() == IN_CIRCULATION[seats]
    assert (world["round"], world["phase"]) == (1, "gathering")


@pytest.mark.parametrize("seats", SEATS)
def test_the_first_initiator_and_the_deals_are_drawn(seats: int) -> None:
    worlds = [new(seats, seed).to_json() for seed in range(60)]
    assert {world["initiator"] for world in worlds} == set(range(seats))
    assert all(world["initiator"] == world["to_move"] for world in worlds)
    assert len({tuple(sorted(world["players"][0]["hand"])) for world in worlds}) > 5


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("seed", range(3))
def test_cards_are_neither_made_nor_lost(seats: int, seed: int) -> None:
    start = everything(new(seats, seed).to_json())
    for state in positions(new(seats, seed), seed):
        assert everything(state.to_json()) == start


@pytest.mark.parametrize("seats", SEATS)
def test_one_contested_card_leaves_in_every_round_from_the_third_and_the_game_has_sixteen(seats: int) -> None:
    rounds = set()
    for state in positions(new(seats, seed=7), seed=7):
        world = state.to_json()
        rounds.add(world["round"])
        left = pile(world["contested"].get("cards")).total()
        assert left == (0 if state.over else min(14, 17 - world["round"]))
    assert rounds == set(range(1, 17))


@pytest.mark.parametrize("seats", SEATS)
def test_the_initiator_stays_for_three_rounds_then_moves_on(seats: int) -> None:
    initiators = {}
    for state in positions(new(seats, seed=11), seed=11):
        if not state.over:
            world = state.to_json()
            initiators[world["round"]] = world["initiator"]
    first = initiators[1]
    assert initiators == {r: (first + max(0, r - 3)) % seats for r in range(1, 17)}


@pytest.mark.parametrize("seats", SEATS)
def test_no_kind_of_action_is_done_twice_and_none_is_offered_again(seats: int) -> None:
    for state in positions(new(seats, seed=3), seed=3):
        world = state.to_json()
        for player in world["players"]:
            used = player.get("used_actions") or []
            assert len(used) == len(set(used))
        if (world.get("pending") or {}).get("question", "action") == "action" and not state.over:
            used = world["players"][state.to_move].get("used_actions") or []
            assert not set(used) & {move.text.split()[0] for move in state.moves()}


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("seed", range(5))
def test_the_largest_tribe_wins_and_equals_share(seats: int, seed: int) -> None:
    *_, last = positions(new(seats, seed), seed)
    world = last.to_json()
    people = [sum(PEOPLE[card] * n for card, n in tribe(world, seat).items()) for seat in range(seats)]
    winners = people.count(max(people))
    assert last.returns() == pytest.approx([1 / winners if p == max(people) else 0 for p in people])


def test_nobody_looks_at_the_contested_pile_with_two_seats() -> None:
    for state in positions(new(2, seed=5), seed=5):
        assert all(not state.view(seat).to_json().get("contested", {}).get("top") for seat in range(2))


@pytest.mark.parametrize("seats", SEATS[1:])
def test_only_the_initiator_looks_at_the_contested_pile_and_from_the_third_round_on(seats: int) -> None:
    for state in positions(new(seats, seed=5), seed=5):
        if state.over:
            continue
        world = state.to_json()
        knowing = [s for s in range(seats) if state.view(s).to_json().get("contested", {}).get("top")]
        assert knowing == ([world["initiator"]] if world["round"] >= 3 else [])


def world_of_three(seed: int) -> dict[str, Any]:
    """Seat 0 to act in round 3, with a known junkyard top."""
    rival = ["refugee", "refugee", "brawler"]
    bag = {"junk": 6, "pills": 9, "medkit": 5, "net": 3, "pickaxe": 4, "multitool": 4, "shovel": 3, "spear": 3}
    return {
        "game": "arctic_scavengers",
        "round": 3,
        "initiator": 0,
        "to_move": 0,
        "players": [
            {"hand": ["refugee", "scavenger", "scavenger", "shovel", "spear"]},
            {"hand": rival},
            {"hand": rival},
        ],
        "junkyard": {"cards": {"top": ["medkit", "net", "junk"], "bag": bag}},
        "seed": seed,
    }


def after(texts: list[str], seed: int = 1) -> State:
    return engine.load("arctic_scavengers").state_from_json(world_of_three(seed)).play_texts(texts)[0]


DIG = ["dig", "commit scavenger", "commit scavenger", "go"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["trash", "discard refugee", "go"], ["trash", "discard spear", "go"]),
        ([*DIG, "keep medkit"], [*DIG, "keep net"]),
        ([*DIG, "keep medkit", "trash", "discard refugee", "go"], [*DIG, "keep net", "trash", "discard spear", "go"]),
    ],
    ids=["secret trash", "secret dig", "both"],
)
def test_other_seats_cannot_tell_what_was_done_face_down(one: list[str], other: list[str]) -> None:
    a, b = after(one), after(other)
    assert a.view(0).tobytes() != b.view(0).tobytes()
    for seat in (1, 2):
        assert a.view(seat).tobytes() == b.view(seat).tobytes()
        assert a.view(seat).to_json() == b.view(seat).to_json()


def test_a_trash_shuffles_the_junkyard() -> None:
    moves = ["trash", "discard refugee", "go", "dig", "commit scavenger", "go"]
    on_top = [{move.text for move in after(moves, seed).moves()} for seed in range(400)]
    assert 1 <= sum("keep refugee" in kept for kept in on_top) <= 40  # 1 of 41 cards: 10 expected
    assert 20 <= sum("keep medkit" in kept for kept in on_top) <= 120  # 6 of 41 cards: 59 expected
