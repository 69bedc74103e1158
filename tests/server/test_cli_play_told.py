"""What a person is told of hits, failures, payments, skirmishes, rounds and the end, scene by scene."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine import replay
from engine.game import State
from server.cli import main
from server.cli.watching import Watch
from tests.arctic_scavengers.skirmishes import DECK, GAME, SCENES, Scene, before, world

Run = Callable[..., Result]
EVERY = pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES.keys())
NAMES = {card["id"]: card["name"] for card in GAME.cards()}
NUMBER = [card.id for card in GAME.kinds(GAME.setup())]


@pytest.fixture
def run() -> Run:
    def invoke(*words: object, typed: list[str] | None = None) -> Result:
        lines = "".join(f"{line}\n" for line in typed or [])
        return CliRunner().invoke(main, [str(word) for word in words], input=lines)

    return invoke


def told(state: State, texts: tuple[str, ...], seat: int, language: str = "en") -> list[str]:
    """What a seat is told of these moves and the forced ones after them, taken in one by one."""
    watch = Watch(state, seat, language)
    _, played = state.play_texts(texts)
    for mover, text, _ in played:
        move = GAME.parse(state, text).id
        fields = GAME.move_fields(state.setup, state.data, move)
        state.step(move)
        watch.see(state, mover, move, fields)
    return watch.told()


def listed(cards: list[str]) -> str:
    """Cards as they are told."""
    counts = Counter(sorted(cards, key=NUMBER.index))
    return ", ".join(f"{NAMES[k]} ×{n}" if n > 1 else NAMES[k] for k, n in counts.items()) or "no cards"


# ---- the skirmish


@EVERY
def test_a_skirmish_is_told_force_by_force_with_its_outcome(scene: Scene) -> None:
    last = len(scene.hands) - 1
    lines = told(before(scene), scene.moves, last)
    forces = []
    for seat, hand in enumerate(scene.hands):
        who = f"you (seat {seat})" if seat == last else f"seat {seat}"
        acted = f", has acted: {listed(list(scene.spent[seat]))}" if seat in scene.spent else ""
        cards = listed(scene.left.get(seat, hand))
        forces.append(f"skirmish, {who}: {cards}{acted}; fight {scene.fights[seat]}, people {scene.people[seat]}")
    if scene.winner is None:
        outcome = f"deadlock: {scene.why[0]}; contested resource to the junkyard"
    else:
        who = f"you (seat {last})" if scene.winner == last else f"seat {scene.winner}"
        outcome = f"skirmish won by {who}: {scene.why[0]}"
    at = lines.index(outcome)
    assert lines[at - len(forces) : at] == forces
    assert lines[at + 1].startswith("round 4, initiator seat 1" if last > 1 else "round 4, initiator you (seat 1)")


@EVERY
def test_it_is_told_in_japanese_too(scene: Scene) -> None:
    lines = told(before(scene), scene.moves, len(scene.hands) - 1, "ja")
    [outcome] = [line for line in lines if scene.why[1] in line]
    assert outcome.startswith("引き分け：" if scene.winner is None else "小競り合いの勝者は")
    assert ("争奪資源は廃品置き場へ" in outcome) == (scene.winner is None)
    assert not any("流失" in line for line in lines)


def test_who_looked_at_the_card_or_won_it_is_told_which_it_was() -> None:
    top = "Sled Team"  # seat 0 looked at it
    form = world(*SCENES["lead"].hands)
    form["contested"]["top_seen_by"] = [0]
    ends = [told(GAME.state_from_json(form), ("end",), seat) for seat in (0, 1)]
    assert f"skirmish won by you (seat 0): fight 4 against 2; contested resource {top}" in ends[0]
    assert "skirmish won by seat 0: fight 4 against 2" in ends[1]
    form = world(*SCENES["deadlock"].hands)
    form["contested"]["top_seen_by"] = [0]
    why = SCENES["deadlock"].why[0]
    ends = [told(GAME.state_from_json(form), ("end",), seat) for seat in (0, 1)]
    assert f"deadlock: {why}; contested resource ({top}) to the junkyard" in ends[0]
    assert f"deadlock: {why}; contested resource to the junkyard" in ends[1]


@pytest.mark.parametrize("seat", range(3))
def test_forces_are_told_when_they_are_revealed_and_losses_under_their_owner(seat: int) -> None:
    hands = ["sniper_team", "sniper_team"], ["brawler", "spear", "scavenger"], ["refugee", "scavenger"]
    state = GAME.state_from_json(world(*hands))
    whose = [f"you (seat {q})" if q == seat else f"seat {q}" for q in range(3)]
    assert told(state, ("end",), seat)[-3:] == [
        f"skirmish, {whose[0]}: Sniper Team ×2; fight 0, people 4",
        f"skirmish, {whose[1]}: Scavenger, Brawler, Spear; fight 5, people 2",
        f"skirmish, {whose[2]}: Refugee, Scavenger; fight 1, people 2",
    ]
    assert told(state, ("aim 1", "snipe brawler with sniper_team"), seat) == [
        f"{whose[0]}: snipes the Brawler of {whose[1]} with the Sniper Team; {whose[1]}: fight 5 → 3, people 2 → 1"
    ]


def test_a_unit_that_spends_itself_loses_its_own_fight() -> None:
    state = GAME.state_from_json(world(["saboteur"], ["brawler", "spear"], ["brawler", "spear"]))
    assert "skirmish, seat 0: Saboteur; fight 1, people 1" in told(state, ("end",), 1)
    lines = told(state, ("aim 2", "disarm spear with saboteur"), 1)
    assert lines[0].startswith("seat 0: disarms the Spear of seat 2 with the Saboteur")
    assert "skirmish, seat 0: Saboteur, has acted: Saboteur; fight 0, people 1" in lines


# ---- gathering

HUNTERS = ["hunter", "spear", "refugee"]


def gathering(*hands: list[str], **fields: Any) -> State:
    """Round 2, seat 0 begins."""
    players = [{"hand": hand, "hand_count": len(hand), "deck": DECK} for hand in hands]
    return GAME.state_from_json(
        world(*hands) | {"round": 2, "to_move": 0, "players": players, "contested": {}} | fields
    )


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_failed_action_is_told_with_the_hit_and_what_came_back(seat: int) -> None:
    state = gathering(HUNTERS, ["sniper_team"], [])
    moves = ("hunt", "commit hunter", "commit spear", "go", "snipe hunter with sniper_team")
    whose = [f"you (seat {q})" if q == seat else f"seat {q}" for q in range(3)]
    [line] = told(state, moves, seat)
    hit = f"{whose[1]}: snipes the Hunter of {whose[0]} with the Sniper Team"
    assert line.startswith(
        f"{whose[0]}: action hunt, used Hunter, Spear; {hit}; {whose[0]}: hunt failed, back in hand Spear"
    )
    assert "done hunt" not in line


def test_a_failed_action_is_told_in_japanese() -> None:
    moves = ("hunt", "commit hunter", "commit spear", "go", "snipe hunter with sniper_team")
    [line] = told(gathering(HUNTERS, ["sniper_team"], []), moves, 2, "ja")
    assert "席1：狙撃兵チームで席0の猟師を狙撃；席0：" in line
    assert "狩りは失敗、手札に戻る：槍" in line


def test_what_came_back_once_is_told_when_it_comes_back_again() -> None:
    state = gathering(["hunter", "hunter", "spear"], ["sniper_team", "sniper_team"], [])
    moves = ("hunt", "commit hunter", "commit spear", "go", "snipe hunter with sniper_team")
    assert all("hunt failed, back in hand Spear" in told(state, moves, 2)[0] for _ in range(2))


@pytest.mark.parametrize("seat", [0, 2])
def test_a_disarmed_hunt_that_comes_to_nothing_says_so(seat: int) -> None:
    state = gathering(["refugee", "spear", "refugee"], ["saboteur"], [])
    moves = ("hunt", "commit refugee", "commit spear", "go", "disarm spear with saboteur")
    [line] = told(state, moves, seat)
    whom = "you (seat 0)" if seat == 0 else "seat 0"
    assert f"seat 1: disarms the Spear of {whom} with the Saboteur; {whom}: hunt came to 0" in line


def test_a_hunt_that_goes_on_after_a_hit_tells_its_food() -> None:
    state = gathering(["hunter", "scavenger", "spear"], ["sniper_team"], [])
    texts = ("hunt", "commit scavenger", "commit hunter", "commit spear", "go", "snipe hunter with sniper_team")
    [line] = told(state, texts, 2)
    assert "used Scavenger, Hunter, Spear; seat 1: snipes the Hunter of seat 0" in line
    assert line.count("failed") == 0
    assert "food 2" in line


@pytest.mark.parametrize(
    ("hand", "moves", "paid"),
    [
        (["hunter", "hunter", "medkit", "refugee"], ("hire scout", "pay medkit"), "food 4 (2 of it lost), Medkit"),
        (["hunter", "hunter", "pills"], ("hire brawler",), "food 4 (2 of it lost)"),
        (["hunter", "hunter", "medkit", "refugee"], ("hire thugs", "pay medkit"), "food 4, Medkit"),
        (["hunter", "hunter", "pills", "pills", "refugee"], ("hire thugs", "pay pills"), "food 4, Pills, Pills"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_what_a_hire_cost_is_told(hand: list[str], moves: tuple[str, ...], paid: str, seat: int) -> None:
    state = gathering(hand, [])
    told(state, ("hunt", "commit hunter", "commit hunter", "go"), seat)
    [line] = told(state, moves, seat)
    assert f"pays {paid}, market" in line


def test_a_draw_tells_its_cards_to_those_who_see_them() -> None:
    moves = ("draw", "commit scavenger", "commit scavenger", "go")
    hand = ["scavenger", "scavenger", "brawler"]
    lines = {seat: told(gathering(hand, ["refugee"]), moves, seat)[0] for seat in (0, 1)}
    assert "used Scavenger ×2, draws 2, done draw" in lines[1]
    state = gathering(hand, ["refugee"]).play_texts(moves)[0]
    drawn = Counter(state.to_json()["players"][0]["hand"]) - Counter(["brawler"])
    assert f"draws {listed(list(drawn.elements()))}, done draw" in lines[0]


# ---- rounds and the end


@pytest.mark.parametrize("seat", [0, 1])
def test_the_whole_hand_is_put_away_for_a_new_one(seat: int) -> None:
    state = gathering(["scavenger", "scavenger", "spear"], ["refugee"])
    lines = told(state, ("end", "end"), seat)
    hand = state.to_json()["players"][seat]["hand"]
    old = (["scavenger", "scavenger", "spear"], ["refugee"])[seat]
    assert lines[-2] == ("round 3, initiator you (seat 0)" if seat == 0 else "round 3, initiator seat 0")
    assert lines[-1] == f"you (seat {seat}): old hand put away: {listed(old)}; new hand {listed(hand)}"


def test_quiet_rounds_speak_of_no_reserve(run: Run) -> None:
    for language, word in (("en", "reserve"), ("ja", "予備")):
        game = ("play", "arctic_scavengers", "--opponent", "greedy", "--seed", 5, "--lang", language)
        assert word not in run(*game, typed=["end"]).stdout
        assert word in run(*game, typed=["end"] * 3).stdout


def people_at_the_end(form: Mapping[str, Any]) -> list[int]:
    """The people of each tribe, counted card by card from a world."""
    worth = {card["id"]: card["people"] for card in GAME.cards()}
    totals = []
    for tribe in form["players"]:
        deck = tribe.get("deck", [])
        pile = deck if isinstance(deck, list) else [*deck.get("top", []), *Counter(deck.get("bag", {})).elements()]
        totals.append(sum(worth[card] for card in [*pile, *tribe.get("hand", []), *tribe.get("discard", [])]))
    return totals


@pytest.mark.parametrize("seed", [5, 7])
def test_the_end_tells_people_and_ranks(run: Run, tmp_path: Path, seed: int) -> None:
    file = tmp_path / "game.jsonl"
    game = ("play", "arctic_scavengers", "--seats", 3, "--opponent", "greedy", "--seed", seed, "--save", file)
    shown = run(*game, typed=["end"] * 100).stdout.splitlines()[-3:]
    *_, (state, _) = replay.read(file.read_text().splitlines()).states()
    people = people_at_the_end(state.to_json())
    ranks = {seat: 1 + sum(other > mine for other in people) for seat, mine in enumerate(people)}
    wanted = []
    for seat in sorted(range(3), key=lambda seat: -people[seat]):
        who, rate = ("a person", "greedy")[seat > 0], f"{state.returns()[seat]:.0%}"
        wanted.append(f"{ranks[seat]}. seat {seat} ({who}): people {people[seat]}, {rate}")
    assert shown == wanted


# ---- replay


def test_a_replay_tells_forced_moves_draws_and_skirmishes_in_its_language(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    run("play", "arctic_scavengers", "--opponent", "greedy", "--seed", 5, "--save", file, typed=["end"] * 100)
    english, japanese = (run("replay", file, "--lang", language).stdout.splitlines() for language in ("en", "ja"))
    assert any(line.endswith("Draw with these cards (value 1) (forced)") for line in english)
    assert any(line.endswith("これらのカードで引く(値1)(自動)") for line in japanese)
    assert not any("seat" in line or "forced" in line for line in japanese)
    assert sum(line.startswith(("    skirmish won by seat ", "    deadlock: ")) for line in english) == 14
    assert sum(line.startswith(("    小競り合いの勝者は席", "    引き分け：")) for line in japanese) == 14
    assert sum(", draws " in line for line in english) == sum(line.split()[2] == "draw" for line in english)
    assert not any("you (seat" in line for line in english)


def test_a_replay_as_json_keeps_its_lines(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    run("play", "arctic_scavengers", "--opponent", "greedy", "--seed", 5, "--save", file, typed=["end"] * 100)
    lines = [json.loads(line) for line in run("replay", file, "--json").stdout.splitlines()]
    moves = [line for line in lines if line.keys() == {"seat", "move", "words", "forced"}]
    kept = [turn.move for turn in replay.read(file.read_text().splitlines()).turns]
    assert [line["move"] for line in moves if not line["forced"]] == kept
    assert [line for line in lines if line not in moves and line.keys() != {"told"}] == [lines[-1]]
    assert set(lines[-1]) == {"returns"}
