"""One game between bots, whatever they do: crashes, illegal moves and overruns are part of the result."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from bots.advice import told
from bots.arena.results import Foul, Used
from bots.bot import Bot, Request
from engine.faults import shown
from engine.game import Notes, Played, Setup, View
from engine.record import address_of, zeros
from engine.rng import mixed, one_way
from engine.verbs import MAX_MOVES, OVER

SEEDS = 512  # made at a time
MAX_TIMES, GRACE_MS = 1.5, 50  # a budget in time may be exceeded by that
NO_NOTES = Notes((), ())
SHORT = 200  # characters that are kept of what a bot said


class Player(NamedTuple):
    """A bot at the table."""

    bot: Bot
    request: Request  # of each decision; its seed is replaced


@dataclass(frozen=True)
class Match:
    """A finished game."""

    moves: tuple[Played, ...]
    returns: tuple[float, ...]  # by seat
    fouls: tuple[Foul, ...]
    used: tuple[Used, ...]  # by seat
    ms: float
    thinking_ms: float  # of these, spent by the bots

    @property
    def decisions(self) -> int:
        """How often a bot was asked, and had a move to play."""
        return sum(not move.forced for move in self.moves)


class Disqualified(Exception):
    """A bot has lost the game by what it did."""

    def __init__(self, seat: int, kind: str, text: str) -> None:
        self.foul = Foul(seat, kind, " ".join(text.split())[:SHORT])
        super().__init__(self.foul)


class Table:
    """Where games of one setup are played, one at a time; it remembers what moves are called."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.numbers: dict[str, int] = {}  # by text: the move it meant last
        self.fields: dict[str, tuple[str, str | None]] = {}  # by text: action and card
        self.out = np.empty(MAX_MOVES, np.int32)

    def play(self, players: Sequence[Player], seed: int) -> Match:
        """One game, a player for each seat; the seed decides the deal and every search."""
        started, sitting = time.perf_counter(), Sitting(self, seed)
        try:
            while sitting.seat != OVER:
                sitting.ask(players[sitting.seat])
            returns = sitting.state.returns()
        except Disqualified as reason:
            sitting.fouls.append(reason.foul)
            returns = self._forfeited(reason.foul.seat)
        used = self._used(sitting.moves)
        ms = (time.perf_counter() - started) * 1000
        return Match(tuple(sitting.moves), tuple(returns), tuple(sitting.fouls), used, ms, sitting.thinking_ms)

    def _forfeited(self, loser: int) -> list[float]:
        """The least for one seat; the others share the most."""
        low, high = self.setup.game.min_return, self.setup.game.max_return
        each = low + (high - low) / max(self.setup.seats - 1, 1)
        return [low if seat == loser else each for seat in range(self.setup.seats)]

    def _used(self, moves: Sequence[Played]) -> tuple[Used, ...]:
        counts = [(Counter[str](), Counter[str]()) for _ in range(self.setup.seats)]
        for (seat, text, _), times in Counter(moves).items():
            action, card = self.fields[text]
            counts[seat][0][action] += times
            if card is not None:
                counts[seat][1][card] += times
        return tuple(Used(*(dict(sorted(c.items())) for c in pair)) for pair in counts)


class Sitting:
    """A game that is being played."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self.seed = seed
        self.state = table.setup.new(seed)
        self.moves: list[Played] = []
        self.fouls: list[Foul] = []
        self.thinking_ms = 0.0
        self._setup, self._data, self._game = table.setup, self.state.data, table.setup.game
        self._verbs, self._places = self._game.verbs, (self._setup.rules_address, self.state.address)
        self._step_places = address_of(self._setup.step_rules), self.state.address
        self.seat: int = self._verbs.seat(*self._places)  # whose decision it is, or OVER
        self._legal: list[int] = table.out[: self._verbs.legal(*self._places, table.out)].tolist()

    def ask(self, player: Player) -> None:
        """Lets the player whose decision it is choose, and plays it; raises `Disqualified`."""
        bot, asked = player
        position = self.state.clone() if bot.cheats else self._view()
        request = with_seed(asked, search_seed(self.seed, len(self.moves)))
        before = time.perf_counter()
        try:
            text = bot.recommend(position, request).plan[0].move
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise Disqualified(self.seat, "crash", told(error)) from error
        finally:
            self._clock(asked.budget.time_ms, (time.perf_counter() - before) * 1000)
        self._advance(self._number(text), text)

    def _view(self) -> View:
        """What the seat to move knows, as `State.view` tells it."""
        data = zeros(self._game.state_dtype)  # of its own: a bot reads all the memory it lies in
        view = View(self._setup, data, self.seat, NO_NOTES)
        self._verbs.observe(*self._places, self.seat, view.address)
        return view

    def _clock(self, limit_ms: int | None, ms: float) -> None:
        self.thinking_ms += ms
        if limit_ms is not None and ms > MAX_TIMES * limit_ms + GRACE_MS:
            self.fouls.append(Foul(self.seat, "overrun", f"{ms:.0f} ms of {limit_ms}"))

    def _number(self, text: str) -> int:
        """The legal move of this text; the one it meant last is tried first."""
        numbers = self.table.numbers
        if type(text) is not str:
            raise Disqualified(self.seat, "illegal", f"a {type(text).__name__}, not the text of a move")
        likely = numbers.get(text, OVER)
        if likely in self._legal and self._text(likely) == text:
            return likely
        for number in self._legal:
            if self._text(number) == text:
                numbers[text] = number
                return number
        raise Disqualified(self.seat, "illegal", f"{shown(text)} is not legal here")

    def _advance(self, number: int, text: str) -> None:
        """Plays a move, and those that are forced after it."""
        (rules, state), (step_rules, _), out = self._places, self._step_places, self.table.out
        apply, whose, legal, forced = self._verbs.apply, self._verbs.seat, self._verbs.legal, False
        while True:
            if text not in self.table.fields:
                self._note(text, number)
            self.moves.append(Played(self.seat, text, forced))
            apply(step_rules, state, number)
            self.seat = whose(rules, state)
            n = legal(rules, state, out)
            if n != 1:
                break
            number = out.item(0)
            text, forced = self._text(number), True
        self._legal = out[:n].tolist()

    def _note(self, text: str, number: int) -> None:
        """Remembers the action and the card of a move that is about to be played."""
        told = self._game.move_fields(self._setup, self._data, number)
        self.table.fields[text] = told["action"], told.get("card")

    def _text(self, number: int) -> str:
        return self._game.move_text(self._setup, self._data, number)


def with_seed(request: Request, seed: int) -> Request:
    """The request with another seed: what `replace` does, but nothing is checked again."""
    fields = vars(request).copy()
    fields["seed"] = seed
    made = object.__new__(Request)
    object.__setattr__(made, "__dict__", fields)
    return made


def search_seed(seed: int, move: int) -> int:
    """The seed of the search for a move of a game, counted from 0 and forced ones among them; it hides the deal's."""
    return _search_seeds(seed, move // SEEDS)[move % SEEDS]


@lru_cache(maxsize=4)
def _search_seeds(seed: int, block: int) -> list[int]:
    first = block * SEEDS
    words: list[int] = mixed(np.uint64(one_way(seed, 0)), np.arange(first, first + SEEDS, dtype=np.uint64)).tolist()
    return words
