"""Bots: players of any game, who see views only.

Reading order, lowest first:
    params    what can be chosen about a bot, and its ranges
    bot       budget, request, answer; what a bot is
    simple    random, greedy
    calls     verbs by address
    tree      nodes and edges
    descent   the search, compiled once for every game
    one_tree  a tree in memory; plans
    clock     bites, budgets, deadlines, threads
    words     one sentence that says why
    ismcts    the bot that searches
    match     games between bots, paired comparison
"""

from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from bots.bot import Answer, Bot, Budget, Request, StopReason
from bots.params import faults_of
from engine.faults import Fault, InvalidInput, shown

__all__ = ["BOTS", "Answer", "Bot", "Budget", "Request", "StopReason", "find", "make", "names"]

BOTS = {
    "greedy": "bots.simple:Greedy",
    "ismcts": "bots.ismcts:Ismcts",
    "random": "bots.simple:Random",
}
ENTRY_POINTS = "emptychair.bots"


def names() -> list[str]:
    """Every bot that `make` knows by name: ours, and those of installed packages."""
    return sorted(BOTS | {p.name: p.value for p in entry_points(group=ENTRY_POINTS)})


def find(name: str) -> type[Bot]:
    """The class of this name, or of a dotted path `package.module:Class`."""
    paths = {p.name: p.value for p in entry_points(group=ENTRY_POINTS)} | BOTS
    path = paths.get(name, name if ":" in name else "")
    if not path:
        raise InvalidInput([Fault("bot", shown(name), "one of " + ", ".join(names()))])
    module, _, attribute = path.partition(":")
    try:
        kind = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InvalidInput([Fault("bot", shown(name), f"an importable bot ({error})")]) from error
    if not (isinstance(kind, type) and issubclass(kind, Bot)):
        raise InvalidInput([Fault("bot", shown(name), "the path of a subclass of bots.Bot")])
    return kind


def make(name: str, **params: Any) -> Bot:
    """The bot of this name with these parameters; raises `InvalidInput` for every one that does not fit."""
    kind = find(name)
    faults = faults_of(kind.params_type, params)
    if faults:
        raise InvalidInput(faults)
    return kind(kind.params_type(**params))
