"""The games, seat counts and house rules over which the contract suite runs, and what it needs to know of each."""

import os
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import engine
from engine.game import Setup, State
from engine.record import Array

SCALE = 10 if os.environ.get("EMPTYCHAIR_SOAK") else 1  # how many more games are looked at decision by decision
MAX_DECISIONS = 20_000


class Kind(NamedTuple):
    """One row of the suite."""

    name: str
    seats: int
    rules: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        return "-".join([self.name, str(self.seats), *(switch for switch, _ in self.rules)])

    @property
    def setup(self) -> Setup:
        return engine.load(self.name).setup(self.seats, (), dict(self.rules))


AS = "arctic_scavengers"
OPEN_TRASH = (("trash_public", True), ("dig_return_order", "chosen"), ("used_cards_to_discard", "round_end"))
LOOSE = (
    ("spare_tools", True),
    ("offer_zero_actions", True),
    ("special_use_forfeits_fight", False),
    ("failed_action_is_refunded", False),
    ("draw_reshuffle_includes_played", True),
)
STRICT = (("reserve_may_respond", False), ("special_actions_once_per_round", True))
KINDS = [
    Kind("kuhn_poker", 2),
    Kind("leduc_poker", 2),
    *(Kind(AS, seats) for seats in range(2, 6)),
    Kind(AS, 3, OPEN_TRASH),
    Kind(AS, 4, LOOSE),
    Kind(AS, 2, STRICT),
]


def positions(setup: Setup, seed: int, limit: int = MAX_DECISIONS) -> Iterator[State]:
    """Every position with a decision in a random game, each a state of its own; the ended game comes last."""
    choose, state = np.random.default_rng(seed), setup.new(seed)
    for _ in range(limit):
        yield state
        if state.over:
            return
        state, moves = state.clone(), state.moves()
        move = moves[int(choose.integers(len(moves)))]
        setup.game.verbs.apply(setup.rules_address, state.address, move.id)


def dealt(setup: Setup, seeds: range) -> Array:
    """The starts of many games as one array of records."""
    states = np.zeros(len(seeds), setup.game.state_dtype)
    for i, seed in enumerate(seeds):
        setup.game.deal(setup, states[i : i + 1], seed)
    return states


def addresses(states: Array) -> list[int]:
    """Where each record of an array lies."""
    return [int(states.ctypes.data) + i * states.itemsize for i in range(len(states))]


def cards(setup: Setup, states: Array) -> Array:
    """Copies of each card over all zones, one row a state: what no move may change."""
    return scavenger_cards(states) if setup.game.name == AS else chips_and_cards(states)


def scavenger_cards(states: Array) -> Array:
    """Arctic Scavengers: every pile, hand and row of played cards."""
    players = states["players"]
    counts = states["market"].astype(np.int64) + states["play"]
    counts += players["hand"].sum(1, dtype=np.int64) + players["front"].sum(1, dtype=np.int64)
    piles = [(states[zone], states[size]) for zone, size in PILES]
    for seat in range(players.shape[1]):
        piles += [(players[zone][:, seat], players[f"{zone}_n"][:, seat]) for zone in ("deck", "discard")]
    for pile, size in piles:
        row, column = np.nonzero(np.arange(pile.shape[1]) < size[:, None])
        np.add.at(counts, (row, pile[row, column]), 1)
    return np.asarray(counts)


PILES = (("junk", "junk_n"), ("bottom", "bottom_n"), ("look", "look_n"), ("contested", "contested_n"))


def chips_and_cards(states: Array) -> Array:
    """The small games: the cards dealt."""
    return np.asarray(np.sort(states["card"], axis=1))


SMALL_DECKS = {"kuhn_poker": {1, 2, 3}, "leduc_poker": {1, 2, 3, 4, 5, 6}}


def with_a_rivals_cards_changed(state: State, rival: int) -> State | None:
    """The same game but for the cards in a rival's hand; None where nothing can be swapped."""
    other = state.clone()
    s = other.data[0]
    if state.game.name in SMALL_DECKS:
        dealt_out = {*s.card.tolist(), int(s.public) if state.game.name == "leduc_poker" else 0}
        s.card[rival] = min(SMALL_DECKS[state.game.name] - dealt_out)
        return other
    me = s.players[rival]
    held = [k for k in range(len(me.hand)) if me.hand[k]]
    spare = [i for i in range(me.deck_n) if me.deck[i] != held[0]] if held else []
    if not spare or s.shown:
        return None
    swap(me, held[0], spare[0])
    return other


def swap(me: Any, kind: int, i: int) -> None:
    """A card of the hand for a card of the deck."""
    drawn = int(me.deck[i])
    me.deck[i] = kind
    me.hand[kind] -= 1
    me.hand[drawn] += 1
    me.hand_set = np.uint64(sum(1 << k for k in range(len(me.hand)) if me.hand[k]))
