"""An answer as it is received, from whatever bot: one that is no legal plan, or none at all, is told with its name."""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from traceback import extract_tb
from typing import Any

from bots.bot import PLAN_WORLDS, Answer, Bot, Request, Step, word_of
from engine.faults import Fault, InvalidInput, NotNow, shown
from engine.game import Position, State, View

CRASH, ILLEGAL = "crash", "illegal"
OURS = "bots."


class BotFailed(ValueError):
    """A bot did not do what a bot does: `fault` names it, for anybody; `cause` is for whoever wrote it."""

    def __init__(self, kind: str, fault: Fault, cause: str = "") -> None:
        super().__init__(str(fault))
        self.kind = kind  # CRASH or ILLEGAL
        self.fault = fault
        self.cause = cause  # what it raised and where; "" if it raised nothing

    def __reduce__(self) -> Any:
        return BotFailed, (self.kind, self.fault, self.cause)


def advise(bot: Bot, view: View | State, request: Request | None = None) -> Answer:
    """The bot's answer, as `Bot.recommend` gives it; raises `BotFailed` for an error of the bot and a bad plan.

    Answers that it reports on the way are checked as well.
    """
    asked = request or Request()
    if asked.evaluate_moves and not bot.searches:
        raise InvalidInput([Fault("evaluate_moves", f"moves for {name_of(bot)} to rate", "a bot that searches")])
    if asked.seed is None:
        asked = replace(asked, seed=secrets.randbits(64))
    if tell := asked.report:
        asked = replace(asked, report=lambda answer: tell(checked(bot, view, asked, answer)))
    try:
        answer = bot.recommend(view, asked)
    except BotFailed:
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if isinstance(error, InvalidInput | NotNow) and not _can_be_answered(view, asked):
            raise
        raise _crashed(bot, error) from error
    return checked(bot, view, asked, answer)


def name_of(bot: Bot) -> str:
    """What a bot is called: its name, or the path of its class where it has none."""
    kind = type(bot)
    return str(getattr(kind, "name", f"{kind.__module__}:{kind.__qualname__}"))


def _can_be_answered(view: View | State, request: Request) -> bool:
    """Whether a bot that raises cannot put it down to the question."""
    legal = view.moves()
    try:
        request.check_moves([move.text for move in legal])
        return bool(legal) and (isinstance(view, State) or view.world(0).to_move == view.seat)
    except (InvalidInput, NotNow):
        return False


def told(error: BaseException) -> str:
    """What a bot raised, in its own words if it has any."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - its words are a stranger's code, too
        return type(error).__name__


def _crashed(bot: Bot, error: BaseException) -> BotFailed:
    last = extract_tb(error.__traceback__)[-1]
    cause = f"{told(error)} ({Path(last.filename).name}, line {last.lineno})"
    return BotFailed(CRASH, Fault("bot", f"{name_of(bot)}, which raised {type(error).__name__}", "an answer"), cause)


def checked(bot: Bot, view: View | State, request: Request, answer: Answer) -> Answer:
    """The answer, if it holds a plan that can be carried out; raises `BotFailed` otherwise."""
    plan = answer.plan if isinstance(answer, Answer) else ()
    if not (plan and isinstance(plan, Sequence) and all(isinstance(s, Step) and type(s.move) is str for s in plan)):
        raise BotFailed(ILLEGAL, Fault("bot", f"{name_of(bot)}, which answered {shown(answer)}", "a plan"))
    texts = [step.move for step in plan]
    if _number(view, texts[0]) is None or not request.admits(texts[0]):
        legal = [move.text for move in view.moves() if request.admits(move.text)]
        found = f"{name_of(bot)}, which would play {shown(texts[0])}"
        raise BotFailed(ILLEGAL, Fault("bot", found, "one of " + ", ".join(legal)))
    if len(texts) == 1 or type(bot).__module__.startswith(OURS):
        return answer  # the tests see to it that plans of ours can be played
    ordered = view.game.in_canonical_order(view.setup, texts)
    if not any(_can_be_played(ordered, world) for world in _worlds(view, request)):
        found = f"{name_of(bot)}, whose plan is {shown(texts)}"
        raise BotFailed(ILLEGAL, Fault("bot", found, "moves that can be played one after another"))
    return answer


def _worlds(view: View | State, request: Request) -> Iterator[State]:
    """Where a plan may be carried out: the worlds in which the search follows its own, to be played on."""
    if isinstance(view, State):
        yield view.clone()
    else:
        yield from (view.world(int(word_of(request, i))) for i in range(PLAN_WORLDS))


def _can_be_played(texts: Sequence[str], world: State) -> bool:
    """Whether the seat to move can play these moves one after another; forced ones may be left out.

    It is done with each answer, on budgets of time as well: `State.play_texts` would take five times as long.
    """
    seat = world.to_move
    for text in texts:
        while (move := _number(world, text)) is None or world.to_move != seat:
            legal = world.legal()
            if len(legal) != 1:
                return False
            world.step(legal[0])
        world.step(move)
    return True


def _number(position: Position, text: str) -> int | None:
    """The legal move of this text; None where there is none."""
    game, setup, data = position.game, position.setup, position.data
    return next((move for move in position.legal() if game.move_text(setup, data, move) == text), None)
