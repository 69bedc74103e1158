"""Bots: players of any game, who see views only.

Reading order, lowest first:
    params    what can be chosen about a bot, and its ranges
    bot       budget, request, answer; what a bot is
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
    arena/    games between bots, and what they say
"""

from typing import Any

from bots.bot import Answer, Bot, Budget, Request, StopReason
from bots.params import faults_of
from engine.faults import Fault, InvalidInput, shown
from engine.registry import Registry

__all__ = ["BOTS", "Answer", "Bot", "Budget", "Request", "StopReason", "find", "make", "names"]

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
    """The class of this name, or of a dotted path `package.module:Class`."""
    kind = BOTS.find(name)
    if not (isinstance(kind, type) and issubclass(kind, Bot)):
        raise InvalidInput([Fault("bot", shown(name), "the path of a subclass of bots.Bot")])
    return kind


def make(name: str, /, **params: Any) -> Bot:
    """The bot of this name with these parameters; raises `InvalidInput` for every one that does not fit."""
    kind = find(name)
    faults = faults_of(kind.params_type, params)
    if faults:
        raise InvalidInput(faults)
    return kind(kind.params_type(**params))
