"""Scripted records: real games played from fixed worlds, and the worlds then dealt from a seat's view."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np

import engine
from engine.arctic_scavengers.game import ArcticScavengers
from engine.faults import NotNow
from engine.game import State, View
from engine.record import Array
from tests.contract.blind import Cards, Law

_game = engine.load("arctic_scavengers")
assert isinstance(_game, ArcticScavengers)
GAME = _game
START: Cards = Counter(refugee=4, scavenger=3, brawler=1, spear=1, shovel=1)
FIVE = ["scavenger", "brawler", "refugee", "refugee", "spear"]
OTHER_FIVE = ["scavenger", "scavenger", "refugee", "refugee", "shovel"]
CONTESTED: Cards = Counter(
    dict.fromkeys(
        ("sled_team", "field_crew", "tribe_family_3", "tribe_family_4", "tribe_family_5", "wolf_pack", "grenade"), 2
    )
)
SEEDS = 1000


def box(seats: int) -> Cards:
    """The junkyard at the start."""
    cards = Counter(junk=7, pills=9, medkit=6, net=4, pickaxe=4, multitool=4, spear=6 - seats, shovel=6 - seats)
    return cards - Counter(dict.fromkeys(cards, 2)) if seats == 2 else cards


def first_round(seats: int) -> dict[str, Any]:
    """A world about to begin: all have the same hand on top."""
    players = [{"hand": FIVE, "deck": OTHER_FIVE} for _ in range(seats)]
    return {"game": GAME.name, "round": 1, "initiator": 0, "to_move": 0, "players": players}


def late_round(seats: int, junkyard: Cards, owners: Sequence[int], round_no: int = 8) -> dict[str, Any]:
    """A world in which little is left in the junkyard: the rest lies in the decks of `owners`."""
    left = Counter(dict(zip(CONTESTED, [2] * 7, strict=True)))
    gone = Counter(list(CONTESTED.elements())[17 - round_no :])
    rest = sorted(chain((box(seats) - junkyard).elements(), gone.elements()))
    world = first_round(seats) | {"round": round_no, "junkyard": {"cards": {"bag": dict(junkyard)}}}
    world["contested"] = {"cards": {"bag": dict(left - gone)}, "top_seen_by": [0] if seats > 2 else []}
    for i, seat in enumerate(owners):
        world["players"][seat]["deck"] = [*OTHER_FIVE, *rest[i :: len(owners)]]
    return world


def third_round(hands: Sequence[list[str]], decks: Sequence[list[str]], top: str) -> dict[str, Any]:
    """A world in which seat 0 has looked at the contested card; what is not in hand or deck is discarded."""
    players = [
        {"hand": hand, "deck": deck, "discard": sorted((START - Counter(hand) - Counter(deck)).elements())}
        for hand, deck in zip(hands, decks, strict=True)
    ]
    pile = {"top": [top], "bag": dict(CONTESTED - Counter([top]))}
    return first_round(len(hands)) | {
        "round": 3,
        "players": players,
        "contested": {"cards": pile, "top_seen_by": [0]},
    }


def play(world: dict[str, Any], script: Sequence[str]) -> State:
    """The game after a script, from the first seed under which it can be played.

    `keep *` and `discard *` are any card; `look a b` demands these cards in the look.
    """
    for seed in range(SEEDS):
        state = GAME.state_from_json(world | {"seed": seed})
        try:
            follow(state, script)
        except NotNow:
            continue
        return state
    raise AssertionError("no seed plays this script")


def follow(state: State, script: Sequence[str]) -> None:
    """Plays a script in place; raises `NotNow` at a line that cannot be played. Forced moves may be written out."""
    forced: list[str] = []
    for line in script:
        verb, *cards = line.split()
        if forced and line == forced[0]:
            forced.pop(0)
        elif verb == "look":
            if sorted(state.to_json()["pending"]["shown"]) != sorted(cards):
                raise NotNow(line)
        elif cards == ["*"]:
            forced = any_of(state, verb)
        else:
            forced = [p.text for p in state.play(GAME.parse(state, line))[1:]]


def any_of(state: State, verb: str) -> list[str]:
    """Plays some move of this verb that names a card; returns the forced moves that followed."""
    for move in state.moves():
        if move.text.startswith(verb) and move.text != "keep none":
            return [p.text for p in state.play(move)[1:]]
    raise NotNow(verb)


def deal(view: View, n: int) -> Array:
    """`n` worlds of a view, one record each, from seeds 1 to n."""
    setup = view.setup
    worlds = np.zeros(n, GAME.state_dtype)
    scratch = np.zeros(GAME.scratch_bytes, np.uint8)
    start, size = int(worlds.ctypes.data), worlds.itemsize
    for i in range(n):
        address, seed = start + i * size, np.uint64(i + 1)
        dealt = GAME.verbs.determinize(
            setup.rules_address, view.address, view.seat, seed, address, int(scratch.ctypes.data)
        )
        assert dealt == 1
    return worlds


KINDS = [card.id for card in GAME.kinds(GAME.setup(2))]
Reader = Callable[[Array], list[tuple[str, ...]]]


def ledger(*entries: int) -> Reader:
    """Reads the cards of these ledger entries."""
    return lambda worlds: [tuple(sorted(KINDS[k] for k in row)) for row in worlds["ledger_kind"][:, list(entries)]]


def wins(entry: int) -> Reader:
    """Reads a contested card that was won."""
    return lambda worlds: [(KINDS[k],) for k in worlds["win_kind"][:, entry]]


def hand(seat: int) -> Reader:
    """Reads a hand."""
    return lambda worlds: [
        tuple(sorted(Counter(dict(zip(KINDS, row, strict=False))).elements()))
        for row in worlds["players"]["hand"][:, seat].tolist()
    ]


def contested_top(worlds: Array) -> list[tuple[str, ...]]:
    """Reads the top contested card."""
    return [(KINDS[row[n - 1]],) for row, n in zip(worlds["contested"], worlds["contested_n"], strict=True)]


def zone(card: str, *seats: int) -> Reader:
    """Reads where a contested card lies that these seats do not have: contested, junkyard, both or with a rival."""

    def read(worlds: Array) -> list[tuple[str, ...]]:
        k = KINDS.index(card)
        pile = ((worlds["contested"] == k) & (np.arange(CONTESTED.total()) < worlds["contested_n"][:, None])).sum(1)
        others = [q for q in range(int(worlds["seats"][0])) if q not in seats]
        tribe = sum(tribes(worlds, q)[:, k] for q in others)
        own = sum(tribes(worlds, q)[:, k] for q in seats)
        rest = CONTESTED[card] - pile - tribe - own
        return [
            ("contested",) * int(a) + ("junkyard",) * int(b) + ("tribe",) * int(c)
            for a, b, c in zip(pile, rest, tribe, strict=True)
        ]

    return read


def tribes(worlds: Array, seat: int) -> Array:
    """Cards by kind in hand, deck and discard pile, one row a world."""
    players = worlds["players"][:, seat]
    counts = players["hand"][:, : len(KINDS)].astype(np.int64)
    for zone in ("deck", "discard"):
        filled = np.arange(players[zone].shape[1]) < players[f"{zone}_n"][:, None]
        counts += np.stack([((players[zone] == k) & filled).sum(1) for k in range(len(KINDS))], 1)
    return counts


def frequencies(worlds: Array, readers: Sequence[Reader]) -> Law:
    """How often each joint outcome came up."""
    counted = Counter(zip(*(read(worlds) for read in readers), strict=True))
    return {outcome: n / len(worlds) for outcome, n in counted.items()}
