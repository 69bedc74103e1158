"""Worlds of Arctic Scavengers against the exact law of blind play (contract 13), on scripted records."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from scipy.stats import chisquare

from engine.game import State
from tests.contract.blind import Cards, Chance, Impossible, Law, Outcome, law_of, marginal, named
from tests.contract.scripts import (
    CONTESTED,
    FIVE,
    GAME,
    OTHER_FIVE,
    START,
    Reader,
    box,
    contested_top,
    deal,
    first_round,
    frequencies,
    hand,
    late_round,
    ledger,
    play,
    third_round,
    wins,
    zone,
)

WORLDS = 20_000
THRESHOLD = 1e-4
FEWEST = 5  # expected in a cell of a chi-square test
SMALL: Cards = Counter(net=2, junk=3, pills=1)
TRASH_TWO = ["trash", "discard *", "discard *", "go", "end"]
DIG_TWO = ["dig", "commit scavenger", "commit brawler", "go"]
DIG_UNSEEN = [*DIG_TWO, "keep *", "end"]


@dataclass(frozen=True)
class Case:
    """A script, whose view is judged, the blind story of it, and how each part of it is read from a world."""

    name: str
    world: dict[str, Any]
    script: list[str]
    seat: int
    story: Callable[[Chance], Outcome]
    readers: dict[str, Reader]


def require(cards: Cards, known: str) -> None:
    """The observer had looked at this card; nothing is required if the name is empty."""
    if known and cards[known] == 0:
        raise Impossible


def trash_then_dig(junkyard: Cards, *seen: str) -> Callable[[Chance], Outcome]:
    """A rival trashes two of five cards, another keeps one of two, the observer may see some of the rest."""

    def story(chance: Chance) -> Outcome:
        pile, cards = Counter(junkyard), chance.draw(Counter(START), 5)
        trashed = chance.draw(cards, 2)
        pile += trashed
        look = chance.draw(pile, 2)
        dug = chance.draw(look, 1)
        chance.turns_up(pile, *seen)
        return {"trashed": named(trashed), "dug": named(dug), "reserve": named(cards)}

    return story


def trash_alone(*seen: str) -> Callable[[Chance], Outcome]:
    """A rival trashes two of five cards, then the observer digs."""

    def story(chance: Chance) -> Outcome:
        pile, cards = Counter(SMALL), chance.draw(Counter(START), 5)
        trashed = chance.draw(cards, 2)
        pile += trashed
        chance.turns_up(pile, *seen)
        return {"trashed": named(trashed), "reserve": named(cards)}

    return story


def shown_after(first: tuple[str, ...], second: tuple[str, ...], third: tuple[str, ...]) -> Callable[[Chance], Outcome]:
    """A rival trashes two cards in round 1, and shows some in each of three rounds; before the third he reshuffles."""

    def story(chance: Chance) -> Outcome:
        deck = Counter(START)
        cards = chance.draw(deck, 5)
        chance.turns_up(cards, *first)
        trashed = chance.draw(cards, 2)
        cards = chance.draw(deck, 5)
        chance.turns_up(cards, *second)
        cards = chance.draw(Counter(START) - trashed, 5)
        chance.turns_up(cards, *third)
        return {"trashed": named(trashed), "reserve": named(cards)}

    return story


def deadlock_then_dig(known: str = "") -> Callable[[Chance], Outcome]:
    """A contested card goes to the junkyard, the next one is looked at, and a rival keeps one of two."""

    def story(chance: Chance) -> Outcome:
        contested, pile = Counter(CONTESTED), box(3)
        lost = chance.draw(contested, 1)
        require(lost, known)
        top = chance.draw(contested, 1)
        pile += lost
        look = chance.draw(pile, 2)
        return {"lost": named(lost), "dug": named(chance.draw(look, 1)), "top": named(top)}

    return story


def win_then_trash(known: str = "") -> Callable[[Chance], Outcome]:
    """A rival wins a contested card, shuffles it into his deck and trashes two of five cards."""

    def story(chance: Chance) -> Outcome:
        contested = Counter(CONTESTED)
        won = chance.draw(contested, 1)
        require(won, known)
        trashed = chance.draw(chance.draw(START + won, 5), 2)
        return {"won": named(won), "trashed": named(trashed)}

    return story


def own_trash(*kinds: str) -> Callable[[Chance], Outcome]:
    """The observer trashes these, then a rival keeps one of two."""

    def story(chance: Chance) -> Outcome:
        look = chance.draw(box(3) + Counter(kinds), 2)
        return {"dug": named(chance.draw(look, 1))}

    return story


def digs_around_trash(*seen: str) -> Callable[[Chance], Outcome]:
    """A rival digs, a second one trashes, a third one digs; then the observer may dig."""

    def story(chance: Chance) -> Outcome:
        pile = Counter(SMALL)
        look = chance.draw(pile, 2)
        first = chance.draw(look, 1)
        trashed = chance.draw(chance.draw(Counter(START), 5), 2)
        pile += look + trashed
        look = chance.draw(pile, 2)
        second = chance.draw(look, 1)
        chance.turns_up(pile, *seen)
        return {"first": named(first), "trashed": named(trashed), "second": named(second)}

    return story


def dug_then_trashed(*seen: str) -> Callable[[Chance], Outcome]:
    """A rival keeps a card unseen, shuffles it into his deck, trashes two of five cards; the observer may dig."""

    def story(chance: Chance) -> Outcome:
        pile = box(2)
        look = chance.draw(pile, 2)
        dug = chance.draw(look, 1)
        trashed = chance.draw(chance.draw(START + dug, 5), 2)
        pile += look + trashed
        chance.turns_up(pile, *seen)
        return {"dug": named(dug), "trashed": named(trashed)}

    return story


def zones(card: str, contested: Cards, junkyard: Cards, tribe: Cards) -> dict[str, tuple[str, ...]]:
    """Where the copies of a card lie, as `zone` reads it."""
    piles = {"contested": contested, "junkyard": junkyard, "tribe": tribe}
    return {"zone": tuple(name for name, pile in piles.items() for _ in range(pile[card]))}


def met_again(card: str, shown: bool, losses: int, kept: str, *looks: str) -> Callable[[Chance], Outcome]:
    """A rival wins a card, shows it or not, and a second one; he trashes one card; the observer looks at four."""

    def story(chance: Chance) -> Outcome:
        contested, pile = Counter(CONTESTED), box(2)
        tribe = START + chance.draw(contested, 1)
        require(tribe, card if shown else "")
        second = chance.draw(contested, 1)
        pile += chance.draw(contested, losses)
        pile += chance.draw(tribe, 1)
        chance.turns_up(pile, *looks)
        pile += Counter(looks) - Counter([kept])
        return zones(card, contested, pile, tribe + second)

    return story


def dug_and_shown(card: str, losses: int) -> Callable[[Chance], Outcome]:
    """The observer wins a card and trashes it; a rival digs one, and shows it later."""

    def story(chance: Chance) -> Outcome:
        contested, pile = Counter(CONTESTED), box(2)
        pile += chance.draw(contested, 1)
        require(pile, card)
        require(chance.draw(contested, 1), "sled_team")
        pile += chance.draw(contested, losses)
        tribe = chance.draw(pile, 1)
        require(tribe, card)
        pile += Counter(sled_team=1)
        return zones(card, contested, pile, tribe)

    return story


def after_skirmishes(owned: Cards, losses: int) -> dict[str, Any]:
    """A world in which seat 1 has won two cards, of which he has shown some, and is about to trash one."""
    gone = Counter(tribe_family_4=1, grenade=1) + Counter(["sled_team", "field_crew"][:losses])
    mine = {"hand": ["scavenger", "scavenger", "shovel", "refugee", "refugee"], "deck": FIVE_LEFT, "cycle": 1}
    rival = {"hand": ["tribe_family_4"], "deck": [*START.elements()], "discard": ["grenade"], "cycle": 1}
    return {
        "game": GAME.name,
        "round": 5 + losses,
        "initiator": 1,
        "players": [mine, rival | {"owned": dict(START + owned), "left_face_down": 0}],
        "wins": [won(1, "tribe_family_4", 0), won(1, "grenade", 1)],
        "ledger": [{"way": "lost", "card": card} for card in ["sled_team", "field_crew"][:losses]],
        "contested": {"cards": {"bag": dict(CONTESTED - gone)}},
    }


def won(seat: int, card: str, cycle: int) -> dict[str, Any]:
    return {"seat": seat, "card": card, "cycle": cycle, "seen_by": [seat]}


def after_a_dig(losses: int) -> dict[str, Any]:
    """A world in which a rival showed a card that he had dug after seat 0 had trashed it, and it trashed one since."""
    gone = Counter(tribe_family_3=1, sled_team=1) + Counter(["field_crew"] * losses)
    dug = {"seat": 1, "way": "out", "card": "tribe_family_3", "cycle": 0}
    ledger = [trashed("tribe_family_3", 1), *[{"way": "lost", "card": "field_crew"}] * losses, dug]
    rival = {"hand": [], "reserve": 0, "deck": [*START.elements(), "tribe_family_3"], "cycle": 2, "dug": 1}
    return {
        "game": GAME.name,
        "round": 5 + losses,
        "initiator": 1,
        "to_move": 0,
        "players": [{"hand": FIVE, "deck": OTHER_FIVE, "cycle": 3}, rival | SHOWN],
        "wins": [won(0, "tribe_family_3", 0), won(0, "sled_team", 1)],
        "ledger": [*ledger, trashed("sled_team", 2)],
        "contested": {"cards": {"bag": dict(CONTESTED - gone)}},
    }


def trashed(card: str, cycle: int) -> dict[str, Any]:
    return {"seat": 0, "way": "in", "card": card, "cycle": cycle}


FIVE_LEFT = ["refugee", "refugee", "scavenger", "brawler", "spear"]
FAMILY: Cards = Counter(tribe_family_4=1)
SHOWN = {
    "owned": dict(START + Counter(tribe_family_3=1)),
    "owned_unknown": 0,
    "won_unknown": 0,
    "sure": {"tribe_family_3": 1},
}
DIG_FOUR = ["trash", "discard tribe_family_4", "go", "end", "dig", "commit scavenger", "commit scavenger",
            "commit shovel", "go", "look junk medkit net tribe_family_4"]  # fmt: skip
LOOKED_AT = ("junk", "medkit", "net", "tribe_family_4")
HUNT = ["hunt", "commit refugee", "commit spear", "go"]
LONE_REFUGEE = [["refugee"]] * 3
NEXT = [*FIVE, "scavenger", "scavenger", "refugee", "shovel"]
TRASHED, RESERVE = {"trashed": ledger(0, 1)}, {"reserve": hand(0)}
TRASH_DIG = {**TRASHED, "dug": ledger(2), **RESERVE}
LOST_DIG = {"lost": ledger(0), "dug": ledger(1), "top": contested_top}
AROUND = {"first": ledger(0), "trashed": ledger(1, 2), "second": ledger(3)}
WON_TRASH = {"won": wins(0), "trashed": ledger(0, 1)}
DUG_TRASH = {"dug": ledger(0), "trashed": ledger(1, 2)}
WINNER = third_round([["refugee"], ["brawler"], ["refugee"]], [NEXT, [], NEXT], "sled_team")
DEADLOCK = third_round(LONE_REFUGEE, [NEXT] * 3, "grenade")
DUG_IN_ROUND_1 = [*DIG_UNSEEN, "end", "end", "end", *TRASH_TWO]

CASES = [
    Case("trash, rival's dig", late_round(3, SMALL, [1, 2]), [*TRASH_TWO, *DIG_UNSEEN], 2, trash_then_dig(SMALL),
         TRASH_DIG),
    Case("the same in round 1", first_round(3), [*TRASH_TWO, *DIG_UNSEEN], 2, trash_then_dig(box(3)), TRASH_DIG),
    Case("trash, rival's dig, a sighting", late_round(3, SMALL, [1, 2]),
         [*TRASH_TWO, *DIG_UNSEEN, *DIG_TWO, "look junk refugee"], 2, trash_then_dig(SMALL, "refugee", "junk"),
         TRASH_DIG),
    Case("two seats, two sighted", late_round(2, SMALL, [1]),
         [*TRASH_TWO, *DIG_TWO, "look refugee junk", "keep junk"], 1, trash_alone("refugee", "junk"),
         {**TRASHED, **RESERVE}),
    Case("two seats, no trash sighted", late_round(2, SMALL, [1]),
         [*TRASH_TWO, *DIG_TWO, "look net junk", "keep net"], 1, trash_alone("net", "junk"), {**TRASHED, **RESERVE}),
    Case("shown after a reshuffle", first_round(2), [*TRASH_TWO, "end", "end", "end", *HUNT, "end"], 1,
         shown_after((), (), ("refugee", "spear")), {**TRASHED, **RESERVE}),
    Case("shown before and after a reshuffle", first_round(2),
         ["hunt", "commit scavenger", "go", *TRASH_TWO, "end", "dig", "commit scavenger", "go", "keep none", "end",
          "end", "dig", "commit refugee", "commit scavenger", "commit shovel", "go", "keep none", "end"], 1,
         shown_after(("scavenger",), ("scavenger",), ("refugee", "scavenger", "shovel")), {**TRASHED, **RESERVE}),
    Case("deadlock, who had not peeked", DEADLOCK, ["end"] * 3 + DIG_UNSEEN, 2, deadlock_then_dig(), LOST_DIG),
    Case("deadlock, the peeker", DEADLOCK, ["end"] * 3 + [*DIG_UNSEEN, "end"], 0, deadlock_then_dig("grenade"),
         LOST_DIG),
    Case("win, the peeker", WINNER, ["end"] * 3 + [*TRASH_TWO, "end"], 0, win_then_trash("sled_team"), WON_TRASH),
    Case("win, who had not peeked", WINNER, ["end"] * 3 + TRASH_TWO, 2, win_then_trash(), WON_TRASH),
    Case("own trash, rival's dig", first_round(3),
         ["trash", "discard refugee", "discard spear", "go", "end", *DIG_UNSEEN, "end"], 0,
         own_trash("refugee", "spear"), {"dug": ledger(2)}),
    Case("digs around a trash", late_round(4, SMALL, [2, 3]), [*DIG_UNSEEN, *TRASH_TWO, *DIG_UNSEEN], 3,
         digs_around_trash(), AROUND),
    Case("digs around a trash, a sighting", late_round(4, SMALL, [2, 3]),
         [*DIG_UNSEEN, *TRASH_TWO, *DIG_UNSEEN, *DIG_TWO, "look refugee net"], 3,
         digs_around_trash("refugee", "net"), AROUND),
    Case("a dug card may be trashed", first_round(2), DUG_IN_ROUND_1, 1, dug_then_trashed(), DUG_TRASH),
    Case("a dug card may be trashed, a sighting", first_round(2),
         [*DUG_IN_ROUND_1, *DIG_TWO, "look refugee junk"], 1, dug_then_trashed("refugee", "junk"), DUG_TRASH),
    *(Case(f"won, {'shown' if owned else 'unseen'}, trashed, {verb}, {losses} deadlocks",
           after_skirmishes(owned, losses), [*DIG_FOUR, f"keep {kept}"], 0,
           met_again("tribe_family_4", bool(owned), losses, kept, *LOOKED_AT),
           {"zone": zone("tribe_family_4", *seats)})
      for owned in (FAMILY, Counter()) for losses in (0, 1, 2)
      for verb, kept, seats in (("dug", "tribe_family_4", [0]), ("put back", "net", []))),
    *(Case(f"trashed, dug and shown, {losses} deadlocks", after_a_dig(losses), [], 0,
           dug_and_shown("tribe_family_3", losses), {"zone": zone("tribe_family_3", 0)}) for losses in (0, 1, 2)),
]  # fmt: skip


def pooled(expected: Law, found: Law) -> tuple[list[float], list[float]]:
    """Expected and found counts of worlds, cells too small for a chi-square test taken together."""
    cells = [(p * WORLDS, found.get(outcome, 0.0) * WORLDS) for outcome, p in expected.items()]
    large = [cell for cell in cells if cell[0] >= FEWEST]
    small = [cell for cell in cells if cell[0] < FEWEST]
    if small:
        large.append((sum(e for e, _ in small), sum(f for _, f in small)))
    return [e for e, _ in large], [f for _, f in large]


def doubt(expected: Law, found: Law) -> str:
    """What is wrong with frequencies under a law; empty when nothing is."""
    strays = set(found) - set(expected)
    if strays:
        return f"impossible: {sorted(strays)[:3]}"
    counts = pooled(expected, found)
    if len(counts[0]) < 2 or min(counts[0]) == 0:
        return ""
    p = float(chisquare(counts[1], counts[0]).pvalue)
    if p > THRESHOLD:
        return ""
    far = sorted(expected, key=lambda o: -abs(expected[o] - found.get(o, 0.0)))[:6]
    return f"p = {p:.1e}: " + "; ".join(f"{o} {expected[o]:.4f} dealt {found.get(o, 0.0):.4f}" for o in far)


@cache
def position(case: str) -> State:
    """The position after the script of a case."""
    (chosen,) = (c for c in CASES if c.name == case)
    return play(chosen.world, chosen.script)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_worlds_follow_the_law_of_blind_play(case: Case) -> None:
    state = position(case.name)
    assert state.to_move == case.seat
    names, law = law_of(case.story)
    assert names == tuple(case.readers)
    found = frequencies(deal(state.view(case.seat), WORLDS), list(case.readers.values()))
    doubts = {name: doubt(marginal(law, i), marginal(found, i)) for i, name in enumerate(names)}
    doubts["together"] = doubt(law, found)
    assert not {name: text for name, text in doubts.items() if text}
