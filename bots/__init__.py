"""Bots: players of any game, who see views only.

Reading order, lowest first:
    params    what can be chosen about a bot, and its ranges
    bot       budget, request, answer; what a bot is
    advice    an answer as it is received: checked, whatever bot gives it
    simple    random, greedy
    calls     verbs by address
    tree      nodes and edges
    descent   the search, compiled once for every game
    one_tree  a tree in memory
    clock     bites, budgets, deadlines, threads
    plans     lines of own moves out of trees
    words     one sentence that says why
    search    what the bots that search share
    ismcts    searches what a seat knows
    pimc      searches worlds as if nothing were hidden
    levels    named strengths
    cluster   joining Ray
    arena/    games between bots, and what they say
"""

from collections.abc import Callable
from typing import Any, TypeVar

from bots.advice import BotFailed, advise
from bots.bot import Answer, Bot, Budget, Request, StopReason
from bots.params import faults_of
from engine.faults import Fault, InvalidInput, shown
from engine.registry import Registry

__all__ = [
    "BOTS",
    "Answer",
    "Bot",
    "BotFailed",
    "Budget",
    "Request",
    "StopReason",
    "advise",
    "find",
    "make",
    "names",
]

T = TypeVar("T")

BOTS = Registry(
    "bot",
    {
        "clairvoyant": "bots.pimc:Clairvoyant",
        "greedy": "bots.simple:Greedy",
        "ismcts": "bots.ismcts:Ismcts",
        "pimc": "bots.pimc:Pimc",
        "random": "bots.simple:Random",
    },
    "emptychair.bots",
)
names = BOTS.names


def find(name: str) -> type[Bot]:
    """The class of this name, or of a dotted path `package.module:Class`; raises `InvalidInput` for one of no use."""
    kind = _made(name, lambda: BOTS.find(name))
    if not (isinstance(kind, type) and issubclass(kind, Bot)):
        raise InvalidInput([Fault("bot", shown(name), "the path of a subclass of bots.Bot")])
    if lacking := sorted(kind.__abstractmethods__):
        raise InvalidInput([Fault("bot", f"{shown(name)}, without {', '.join(lacking)}", "a class that is complete")])
    return kind


def make(name: str, /, **params: Any) -> Bot:
    """The bot of this name with these parameters; raises `InvalidInput` for every one that does not fit."""
    kind = find(name)
    faults = _made(name, lambda: faults_of(kind.params_type, params))
    if faults:
        raise InvalidInput(faults)
    return _made(name, lambda: kind(kind.params_type(**params)))


def _made(name: str, make: Callable[[], T]) -> T:
    """What somebody's code makes; raises `InvalidInput` where that fails in whatever way."""
    try:
        return make()
    except InvalidInput:
        raise
    except (Exception, SystemExit) as error:
        found = f"{shown(name)}, which raises {type(error).__name__} ({error})"
        raise InvalidInput([Fault("bot", found, "a bot that can be made")]) from error
