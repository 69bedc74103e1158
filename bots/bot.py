"""What a bot is: one method from a view and a request to an answer."""

import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

import numpy as np

from bots.params import Params
from engine.faults import Fault, InvalidInput, NotNow, shown
from engine.game import ENGINE_VERSION, LANGUAGES, MAX_SEED, Move, Position, State, View
from engine.rng import mixed

DEFAULT_TIME_MS = 1000
MAX_ITERATIONS = 1_000_000_000
MAX_TIME_MS = 600_000
MAX_ALTERNATIVES = 512
MAX_PARALLELISM = 256
MIN_REPORT_MS, MAX_REPORT_MS = 10, 60_000
PLAN_WORLDS = 32  # in which plans are followed: what differs between them, the seat cannot foresee


class StopReason(StrEnum):
    """Why a search ended."""

    BUDGET = "BUDGET"
    DEADLINE = "DEADLINE"
    CANCELLED = "CANCELLED"
    FORCED = "FORCED"  # one legal move
    DECIDED = "DECIDED"  # the rest of the budget could not change the move
    PROVEN = "PROVEN"
    UNSPECIFIED = "UNSPECIFIED"  # it goes on


def _checked(path: str, value: Any, low: int, high: int) -> list[Fault]:
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return []
    return [Fault(path, shown(value), f"a whole number from {low} to {high}")]


@dataclass(frozen=True)
class Budget:
    """How long to think: whichever limit is reached first; a second when none is given."""

    iterations: int | None = None  # over all trees
    time_ms: int | None = None  # from the moment of the request, waiting included

    def __post_init__(self) -> None:
        faults = []
        if self.iterations is not None:
            faults += _checked("budget.iterations", self.iterations, 1, MAX_ITERATIONS)
        if self.time_ms is not None:
            faults += _checked("budget.time_ms", self.time_ms, 1, MAX_TIME_MS)
        if faults:
            raise InvalidInput(faults)

    @property
    def limit_ms(self) -> int | None:
        """The limit in time that holds; None when only iterations count."""
        return DEFAULT_TIME_MS if self.iterations is None and self.time_ms is None else self.time_ms


class Share(NamedTuple):
    """The trees number, number + among, number + 2 among, ... of a search."""

    number: int
    among: int


WHOLE = Share(0, 1)


@dataclass(frozen=True)
class Request:
    """What is asked of a bot besides the position."""

    budget: Budget = Budget()
    seed: int | None = None  # 0..2^64-1; one is drawn and told when left out
    max_alternatives: int = 5
    parallelism: int = 1  # trees; part of the question, like the seed
    threads: int = 1  # trees searched at the same time; changes the speed, never the result
    language: str = "en"
    only_moves: tuple[str, ...] = ()  # by canonical text: the first moves to search; empty: all
    avoid_moves: tuple[str, ...] = ()  # first moves not to search
    evaluate_moves: tuple[str, ...] = ()  # first moves to rate, with the last quarter of the budget
    report: "Callable[[Answer], None] | None" = None  # is told what was found so far, every `report_ms`
    report_ms: int = 500
    queue_ms: float = 0.0  # already waited; counts towards the budget
    deadline: float | None = None  # on the clock of time.monotonic()
    stop: Callable[[], bool] | None = None  # asked every few milliseconds; True cancels
    share: Share = WHOLE  # of the trees, where others search the rest
    watch: Callable[[Callable[[], object]], None] | None = None  # is given, as often, how to tell a `search.Part`

    def __post_init__(self) -> None:
        faults = _checked("max_alternatives", self.max_alternatives, 0, MAX_ALTERNATIVES)
        faults += _checked("parallelism", self.parallelism, 1, MAX_PARALLELISM)
        faults += _checked("threads", self.threads, 1, MAX_PARALLELISM)
        faults += _checked("report_interval_ms", self.report_ms, MIN_REPORT_MS, MAX_REPORT_MS)
        if self.seed is not None:
            faults += _checked("seed", self.seed, 0, MAX_SEED)
        if self.language not in LANGUAGES:
            faults.append(Fault("language", shown(self.language), "one of " + ", ".join(LANGUAGES)))
        if faults:
            raise InvalidInput(faults)

    def admits(self, move: str) -> bool:
        """Whether a legal first move, by its text, may be played."""
        return move not in self.avoid_moves and (not self.only_moves or move in self.only_moves)

    def check_moves(self, legal: Sequence[str]) -> None:
        """Raises `InvalidInput` with every move named that is not legal here, and when none is left to search."""
        faults = []
        for name in ("only_moves", "avoid_moves", "evaluate_moves"):
            for i, move in enumerate(getattr(self, name)):
                if move not in legal:
                    faults.append(Fault(f"{name}[{i}]", shown(move), "one of " + ", ".join(legal)))
        if not faults and not any(map(self.admits, legal)):
            faults.append(Fault("avoid_moves", "every move there is to search", "at least one move left"))
        if faults:
            raise InvalidInput(faults)


def word_of(request: Request, i: int) -> Any:
    """Generator word number i of a request."""
    return mixed(np.uint64(request.seed or 0), np.uint64(i))


@dataclass(frozen=True)
class Estimate:
    """A mean over simulated games, and its standard error."""

    mean: float
    standard_error: float


@dataclass(frozen=True)
class Step:
    """One move of a plan."""

    move: str  # canonical text
    words: str  # a sentence in the language of the request
    fields: Mapping[str, Any]  # the move taken apart
    forced: bool = False  # the only legal move there


@dataclass(frozen=True)
class Alternative:
    """A plan and what the search knows of its first move."""

    plan: tuple[Step, ...]
    visits: int
    availability: int  # iterations in which the move was legal
    win_chance: tuple[Estimate, ...]  # returns by seat: a share of the win in [0, 1]; chips in the small games
    progress: tuple[Estimate, ...]  # by seat, in [0, 1]; empty when it was not counted


@dataclass(frozen=True)
class Answer:
    """A recommended plan with its reasons."""

    plan: tuple[Step, ...]
    alternatives: tuple[Alternative, ...]  # best first, the plan's among them; empty for bots that do not search
    explanation: str
    iterations: int
    elapsed_ms: float
    queue_ms: float
    stop_reason: StopReason
    seed: int
    engine_version: str
    rules_hash: str
    assumptions: tuple[str, ...]  # how fields left out of the observation were filled
    warnings: tuple[str, ...]
    degraded: bool  # less was done than was asked
    incomplete: bool  # some trees of a search that was split are missing


class Bot(ABC):
    """A player of any game, who sees views only."""

    name: ClassVar[str]
    cheats: ClassVar[bool] = False  # takes states in place of views: in arenas only
    searches: ClassVar[bool] = True  # plays otherwise with another budget, and can rate moves
    params_type: ClassVar[type[Params]] = Params

    def __init__(self, params: Params | None = None) -> None:
        self.params = params or self.params_type()

    def recommend(self, view: View | State, request: Request | None = None) -> Answer:
        """A plan for the seat of the view; raises `NotNow` when that seat is not to move.

        Only bots that cheat take states, and only states.
        """
        started = time.monotonic()
        if not isinstance(view, View):
            raise TypeError(f"{self.name} is given what a seat knows, never a state")
        request = request or Request()
        if request.seed is None:
            request = replace(request, seed=secrets.randbits(64))
        moves = view.moves()
        if view.to_move != view.seat or not moves:
            raise NotNow(f"seat {view.seat} is not to move")
        request.check_moves([move.text for move in moves])
        if len(moves) == 1:
            answer = answer_of(view, request, moves[0], FORCED[request.language], StopReason.FORCED)
        else:
            answer = self.think(view, moves, request, started)
        return replace(answer, elapsed_ms=(time.monotonic() - started) * 1000)

    @abstractmethod
    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        """An answer where there are at least two legal moves; `request.seed` is set."""


FORCED = {"en": "It is the only legal move.", "ja": "他に合法手がありません。"}


def step_of(position: Position, move: int, language: str, forced: bool = False) -> Step:
    """A legal move of a position as a step of a plan."""
    game, setup, data = position.game, position.setup, position.data
    words = game.move_words(setup, data, move, language)
    return Step(game.move_text(setup, data, move), words, game.move_fields(setup, data, move), forced)


def answer_of(
    view: View, request: Request, move: Move, explanation: str, stop_reason: StopReason = StopReason.BUDGET
) -> Answer:
    """An answer of one move without statistics."""
    return Answer(
        plan=(step_of(view, move.id, request.language),),
        alternatives=(),
        explanation=explanation,
        iterations=0,
        elapsed_ms=0.0,
        queue_ms=request.queue_ms,
        stop_reason=stop_reason,
        seed=request.seed or 0,
        engine_version=ENGINE_VERSION,
        rules_hash=view.setup.rules_hash,
        assumptions=view.notes.assumptions,
        warnings=view.notes.warnings,
        degraded=False,
        incomplete=False,
    )
