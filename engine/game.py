"""What a game is: positions, moves and plans as people and programs outside the search see them."""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from engine import jit
from engine.faults import SEATS_COUNT, Fault, InvalidInput, NotNow, shown
from engine.record import Array, address_of, copied, zeros
from engine.verbs import MAX_MOVES, MAX_SEATS, Verbs

LANGUAGES = ("en", "ja")
MAX_SEED = 2**64 - 1
ENGINE_VERSION = "0.1.0"


class Move(NamedTuple):
    """One decision: its number inside the engine and its canonical text."""

    id: int
    text: str


class Played(NamedTuple):
    """A move that was played; `forced` when it was the only legal one and nobody was asked."""

    seat: int
    text: str
    forced: bool


@dataclass(frozen=True, eq=False)
class Setup:
    """A game with its options and seats chosen: everything that is fixed before the first move."""

    game: "Game"
    options: Mapping[str, Any]  # canonical: every module and every rule switch, sorted
    seats: int
    rules: Array  # the read-only record
    step_rules: Array  # the same, but forced moves are not played inside `apply`

    @cached_property
    def rules_address(self) -> int:
        return address_of(self.rules)

    @cached_property
    def rules_hash(self) -> str:
        """Sixteen hex digits: equal only for the same game with equal rules, sources and options."""
        options = json.dumps(self.options, sort_keys=True)
        words = f"{self.game.name} {jit.source_hash(self.game.folder)} {options}\n"
        digest = hashlib.sha256(words.encode() + self.rules.tobytes())
        return digest.hexdigest()[:16]

    def new(self, seed: int) -> "State":
        """A game about to begin; `seed` (0..2^64-1) decides every shuffle and draw."""
        if not 0 <= seed <= MAX_SEED:
            raise InvalidInput([Fault("seed", shown(seed), f"a whole number from 0 to {MAX_SEED}")])
        data = zeros(self.game.state_dtype)
        self.game.deal(self, data, seed)
        return State(self, data)


class Position:
    """What a true state and a seat's view have in common."""

    def __init__(self, setup: Setup, data: Array) -> None:
        self.setup = setup
        self.data = data
        self.address = address_of(data)  # in the memory of this process

    def __reduce__(self) -> Any:
        raise TypeError("a position lies in the memory of its process: send it as JSON")

    @property
    def game(self) -> "Game":
        return self.setup.game

    @property
    def to_move(self) -> int:
        """The seat whose decision it is; -1 when the game is over or the seat is hidden from this view."""
        return int(self.game.verbs.seat(self.setup.rules_address, self.address))

    def moves(self) -> list[Move]:
        """The legal moves, by rising number; empty when nobody (known here) is to move."""
        return [Move(number, self.game.move_text(self.setup, self.data, number)) for number in self.legal()]

    def legal(self) -> list[int]:
        """The legal moves as numbers alone."""
        out = np.empty(MAX_MOVES, np.int32)
        n = self.game.verbs.legal(self.setup.rules_address, self.address, out)
        return list(map(int, out[:n]))

    def tobytes(self) -> bytes:
        return bytes(self.data.tobytes())


class State(Position):
    """A true position: everything about one game, secrets included."""

    def clone(self) -> "State":
        return State(self.setup, copied(self.data))

    @property
    def over(self) -> bool:
        return self.to_move < 0

    def view(self, seat: int) -> "View":
        """What `seat` knows."""
        if not 0 <= seat < self.setup.seats:
            expected = f"a whole number from 0 to {self.setup.seats - 1}{SEATS_COUNT}"
            raise InvalidInput([Fault("seat", shown(seat), expected)])
        data = zeros(self.game.state_dtype)
        self.game.verbs.observe(self.setup.rules_address, self.address, seat, address_of(data))
        return View(self.setup, data, seat)

    def play(self, move: Move | int) -> list[Played]:
        """Plays a legal move in place; returns it and the forced moves that followed."""
        number = move.id if isinstance(move, Move) else move
        if number not in self.legal():
            raise NotNow(f"move {number} is not legal here")
        played = [self._played(number, forced=False)]
        while len(forced := self.legal()) == 1:
            played.append(self._played(forced[0], forced=True))
        return played

    def step(self, move: int) -> None:
        """Plays a legal move in place, but not the forced moves that follow it."""
        self.game.verbs.apply(address_of(self.setup.step_rules), self.address, move)

    def _played(self, number: int, forced: bool) -> Played:
        text, seat = self.game.move_text(self.setup, self.data, number), self.to_move
        self.step(number)
        return Played(seat, text, forced)

    def play_texts(self, texts: Sequence[str]) -> tuple["State", list[Played]]:
        """A new state after these moves, all or nothing; forced moves may be written out or left out.

        Raises `InvalidInput` with path `moves[i]` for the first move that cannot be played.
        """
        moves = self.game.in_canonical_order(self.setup, texts)
        state, played, skipped, i = self.clone(), list[Played](), list[str](), 0
        turns: list[tuple[State, list[Played], int]] = []  # where a text was taken for a forced move written out
        fault: Fault | None = None
        while i < len(moves):
            if moves[i] in skipped:
                turns.append((state, played, i))
                skipped, i = skipped[skipped.index(moves[i]) + 1 :], i + 1
                continue
            legal = {} if state.over else {move.text: move for move in state.moves()}
            if moves[i] in legal:
                state = state.clone()
                happened = state.play(legal[moves[i]])
                played, skipped, i = played + happened, [p.text for p in happened[1:]], i + 1
                continue
            if fault is None or not turns:
                expected = "one of " + ", ".join(legal) if legal else "no further move: the game is over"
                fault = fault or Fault(f"moves[{i}]", shown(moves[i]), expected)
            if not turns:
                raise InvalidInput([fault])
            state, played, i = turns.pop()
            skipped = []  # the same text again, this time as a move of its own
        return state, played

    def returns(self) -> list[float]:
        """The result of each seat of an ended game."""
        if not self.over:
            raise NotNow("the game is not over")
        return self.game.numbers(self.game.verbs.returns, self)

    def to_json(self) -> dict[str, Any]:
        """The world form of contract.md 4: nothing hidden."""
        return self.game.state_to_json(self.setup, self.data)


class View(Position):
    """What one seat knows of a game: the only thing bots are given."""

    def __init__(self, setup: Setup, data: Array, seat: int, notes: "Notes | None" = None) -> None:
        super().__init__(setup, data)
        self.seat = seat
        self.notes = notes or Notes((), ())

    def world(self, seed: int) -> State:
        """A true state that this view cannot tell from the real one; only for the seat to move."""
        if self.to_move != self.seat:
            raise NotNow(f"seat {self.seat} is not to move")
        data = zeros(self.game.state_dtype)
        scratch = np.zeros(self.game.scratch_bytes, np.uint8)
        dealt = self.game.verbs.determinize(
            self.setup.rules_address, self.address, self.seat, np.uint64(seed), address_of(data), address_of(scratch)
        )
        if not dealt:
            raise InvalidInput([Fault("", "an observation that no deal of the cards fits", "a possible position")])
        return State(self.setup, data)

    def to_json(self) -> dict[str, Any]:
        """The observation form of contract.md 4."""
        return self.game.view_to_json(self.setup, self.data, self.seat)


class Notes(NamedTuple):
    """What reading an input brought up besides faults."""

    assumptions: tuple[str, ...]  # fields that were left out and how they were filled
    warnings: tuple[str, ...]  # fields that were not used or look odd


class Game(ABC):
    """One game: its names, its records, its verbs, and its words."""

    name: ClassVar[str]  # as on the wire
    titles: ClassVar[Mapping[str, str]]  # by language
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    min_return: ClassVar[float]
    max_return: ClassVar[float]
    state_dtype: np.dtype[Any]
    scratch_bytes: int = 8
    modules: ClassVar[Sequence[str]] = ()
    switches: ClassVar[Mapping[str, Sequence[Any]]] = {}  # house rules: allowed values, default first
    switch_descriptions: ClassVar[Mapping[str, Mapping[str, str]]] = {}  # a sentence each, by switch and language

    @property
    @abstractmethod
    def folder(self) -> Path:
        """Where the game's sources lie; names its cache of compiled code."""

    @cached_property
    @abstractmethod
    def verbs(self) -> Verbs:
        """The compiled verbs; the first use on a machine compiles them."""

    @abstractmethod
    def setup(
        self, seats: int | None = None, modules: Iterable[str] = (), rules: Mapping[str, Any] | None = None
    ) -> Setup:
        """The game with these options; raises `InvalidInput` for what does not exist or fit."""

    @abstractmethod
    def deal(self, setup: Setup, data: Array, seed: int) -> None:
        """Fills a blank record with the start of a game."""

    @abstractmethod
    def move_text(self, setup: Setup, data: Array, move: int) -> str:
        """The canonical text of a legal move of this position."""

    @abstractmethod
    def move_words(self, setup: Setup, data: Array, move: int, language: str) -> str:
        """A legal move of this position in a sentence a player would say."""

    @abstractmethod
    def state_to_json(self, setup: Setup, data: Array) -> dict[str, Any]: ...

    @abstractmethod
    def view_to_json(self, setup: Setup, data: Array, seat: int) -> dict[str, Any]: ...

    @abstractmethod
    def state_from_json(self, value: object) -> State:
        """A true state from its world form; raises `InvalidInput` with every fault found."""

    @abstractmethod
    def view_from_json(self, value: object) -> View:
        """A view from an observation; raises `InvalidInput` with every fault found."""

    @abstractmethod
    def template(self) -> dict[str, Any]:
        """A valid observation to start from, with every field a person would note."""

    def move_fields(self, setup: Setup, data: Array, move: int) -> dict[str, Any]:
        """A legal move taken apart: {action, card, seat...}, for clients that do not parse text."""
        verb, *words = self.move_text(setup, data, move).split()
        return {"action": verb} | ({"card": words[0]} if words else {})

    def tally(self, setup: Setup, data: Array) -> Mapping[str, Sequence[int]]:
        """What decides an ended game, by name: a number a seat, the most wins; empty where the returns say it all."""
        return {}

    def in_canonical_order(self, setup: Setup, texts: Sequence[str]) -> list[str]:
        """The same moves where a game leaves their order free (cards added to one action)."""
        return list(texts)

    def parse(self, state: Position, text: str) -> Move:
        """The legal move with this text; raises `NotNow` when no legal move has it."""
        for move in state.moves():
            if move.text == text:
                return move
        raise NotNow(f"{shown(text)} is not legal here")

    def numbers(self, verb: Any, position: Position) -> list[float]:
        """What a verb of the `returns` kind says, one number a seat."""
        out = np.zeros(MAX_SEATS, np.float32)
        verb(position.setup.rules_address, position.address, out)
        return [float(x) for x in out[: position.setup.seats]]


def checked_seats(game: Game, seats: int | None) -> int:
    """The number of seats, `min_seats` when not given; raises `InvalidInput` outside the game's range."""
    n = game.min_seats if seats is None else seats
    if isinstance(n, bool) or not isinstance(n, int) or not game.min_seats <= n <= game.max_seats:
        expected = f"a whole number from {game.min_seats} to {game.max_seats}"
        if game.min_seats == game.max_seats:
            expected = str(game.min_seats)
        raise InvalidInput([Fault("seats", shown(seats), expected)])
    return n
