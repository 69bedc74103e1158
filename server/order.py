"""What is asked of a bot, from its JSON form: one reader for the wire and for the command line."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import bots
import engine
from bots.bot import Bot, Budget, Request
from bots.levels import LEVELS
from engine.faults import Fault, InvalidInput, JsonObject, NotNow, Reader, one_of, shown
from engine.game import LANGUAGES, Game, State, View
from server.errors import Unknown

A = TypeVar("A")
B = TypeVar("B")

DEFAULT_BOT = "ismcts"
OVER = "over"  # the phase of an ended game, in every game
NUMBERS = {name: name for name in ("seed", "max_alternatives", "parallelism")} | {"report_interval_ms": "report_ms"}
MOVES = ("only_moves", "avoid_moves", "evaluate_moves")


class Order(NamedTuple):
    """A bot and what is asked of it."""

    bot: Bot
    request: Request


class Choice(NamedTuple):
    """A bot by name, as a request or a level chooses it."""

    bot: str
    parameters: Mapping[str, Any]
    budget: Budget


def read_order(value: JsonObject, trusted: bool = False) -> Order:
    """An order from the JSON form of a RecommendRequest; raises `InvalidInput` with every fault found.

    Only from a trusted caller may the bot be a path of code to import.
    """
    (bot, usual), (budget, request) = both(
        lambda: _bot(_choice(value), trusted), lambda: both(lambda: _budget(value), lambda: _request(value))
    )
    return Order(bot, request(budget or usual))


def read_view(observation: JsonObject) -> View:
    """What a seat knows, from its JSON form; raises `InvalidInput` with every fault found."""
    return known_game(observation.get("game")).view_from_json(observation)


def known_game(name: object) -> Game:
    """A registered game; raises `Unknown` for any other name, a path of code to import included."""
    try:
        return engine.known(name)
    except InvalidInput as error:
        if name and isinstance(name, str):
            raise Unknown(error.faults) from error
        raise


def asked_seat(view: View) -> View:
    """The view, if the seat it belongs to is to move; raises `NotNow` otherwise."""
    if view.to_move == view.seat:
        return view
    if view.to_json().get("phase") == OVER:
        raise NotNow("the game is over")
    who = f"seat {view.to_move} is" if view.to_move >= 0 else "nobody is, as far as this seat knows"
    raise NotNow(f"seat {view.seat} is not to move: {who}")


def mover_view(state: State) -> View:
    """What the seat to move knows; raises `NotNow` when the game is over."""
    if state.over:
        raise NotNow("the game is over")
    return state.view(state.to_move)


def read_language(word: str) -> str:
    """The language asked for, English when none is."""
    reader = Reader({"language": word})
    language = reader.word("language", LANGUAGES[0], LANGUAGES)
    reader.done()
    return language


def both(first: Callable[[], A], second: Callable[[], B]) -> tuple[A, B]:
    """Both results, or one `InvalidInput` with the faults of both; `Unknown` where they are nothing but names."""
    try:
        one = first()
    except InvalidInput as error:
        kind, faults = type(error), error.faults
        with suppress(NotNow):  # what can never be valid is told first
            try:
                second()
            except InvalidInput as other:
                kind = kind if isinstance(other, kind) else InvalidInput
                faults += other.faults
        raise kind(faults) from error
    return one, second()


def _choice(value: JsonObject) -> Choice:
    name = value.get("level")
    if not name:
        return Choice(value.get("bot") or DEFAULT_BOT, value.get("parameters") or {}, Budget())
    told = [(field, value[field]) for field in ("bot", "parameters") if value.get(field)]
    if told:
        expected = "nothing: the level names the bot and its parameters"
        raise InvalidInput([Fault(field, shown(given), expected) for field, given in told])
    if name not in LEVELS:
        raise Unknown([Fault("level", shown(name), one_of(name, LEVELS))])
    level = LEVELS[name]
    return Choice(level.bot, level.parameters, level.budget)


def _budget(value: JsonObject) -> Budget | None:
    """The budget asked for; None when there is none."""
    limits = {name: limit for name, limit in value.get("budget", {}).items() if limit is not None}
    return Budget(**limits) if limits else None


def _request(value: JsonObject) -> Callable[[Budget], Request]:
    """The request, but for its budget."""
    given = {name: value[field] for field, name in NUMBERS.items() if value.get(field) is not None}
    given |= {name: tuple(value.get(name, ())) for name in MOVES}
    language = value.get("language") or LANGUAGES[0]
    Request(language=language, **given)  # its faults are told together with the others
    return lambda budget: Request(budget=budget, language=language, **given)


def _bot(choice: Choice, trusted: bool) -> tuple[Bot, Budget]:
    """The bot chosen, and the budget it has unless another one is asked for."""
    if choice.bot not in bots.names() and not (trusted and ":" in choice.bot):
        raise Unknown([Fault("bot", shown(choice.bot), one_of(choice.bot, bots.names()))])
    if bots.find(choice.bot).cheats:
        raise InvalidInput([Fault("bot", shown(choice.bot), "a bot that sees no more than its seat")])
    try:
        return bots.make(choice.bot, **choice.parameters), choice.budget
    except InvalidInput as error:
        renamed = [fault._replace(path=fault.path.replace("params.", "parameters.", 1)) for fault in error.faults]
        raise InvalidInput(renamed) from error
