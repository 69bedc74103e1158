"""What is kept of a run: JSON lines, first what was played, then a game a line."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import engine
from bots.arena.entrant import read_entrants
from engine.faults import InvalidInput, Reader
from engine.game import ENGINE_VERSION, MAX_SEED, Game, Setup

MAX_DEALS = 10_000_000
KINDS = ("crash", "illegal", "overrun")  # of fouls; the first two lose the game


class Contest(NamedTuple):
    """What a run plays: the first line of its results."""

    game: str
    options: Mapping[str, Any]
    seats: int
    seed: int
    deals: int  # for each set of entrants that fill the seats
    entrants: tuple[str, ...]
    rules_hash: str
    engine_version: str

    def setup(self) -> Setup:
        """The game with its options; raises `InvalidInput` for a game or options that do not exist."""
        return engine.known(self.game).setup(self.seats, self.options["modules"], self.options["rules"])


class Foul(NamedTuple):
    """What a bot did that it must not."""

    seat: int
    kind: str  # one of KINDS
    text: str


class Used(NamedTuple):
    """How often each kind of action, and each card, was named by the moves of one seat, forced ones among them."""

    actions: Mapping[str, int]
    cards: Mapping[str, int]


class Result(NamedTuple):
    """One game: a line of the results."""

    deal: int  # 0..deals-1
    entrants: tuple[str, ...]  # by seat
    returns: tuple[float, ...]  # by seat
    decisions: int  # that bots were asked for: forced moves do not count
    ms: float
    faults: tuple[Foul, ...]
    used: tuple[Used, ...]  # by seat


def contest_of(game: Game, entrants: Sequence[str], deals: int, seed: int = 0, **options: Any) -> Contest:
    """A contest of these entrants, with the options of `Game.setup`; raises `InvalidInput` with every fault."""
    numbers = Reader({"deals": deals, "seed": seed})
    numbers.integer("deals", 1, 1, MAX_DEALS)
    numbers.integer("seed", 0, 0, MAX_SEED)
    setup, names = game.setup(), list[str]()
    try:
        names = [entrant.text for entrant in read_entrants(entrants)]
    except InvalidInput as error:
        numbers.faults += error.faults
    try:
        setup = game.setup(**options)
    except InvalidInput as error:
        numbers.faults += error.faults
    numbers.done()
    chosen = dict(setup.options)
    return Contest(game.name, chosen, setup.seats, seed, deals, tuple(names), setup.rules_hash, ENGINE_VERSION)


def line_of(entry: Contest | Result) -> str:
    """A line of the results, without its end."""
    if isinstance(entry, Contest):
        return json.dumps(entry._asdict())
    faults = [foul._asdict() for foul in entry.faults]
    return json.dumps(entry._asdict() | {"faults": faults, "used": [used._asdict() for used in entry.used]})
