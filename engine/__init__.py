"""The rules engine: games as compiled verbs over packed records.

Reading order, lowest first:
    jit       how rules are compiled and cached
    record    annotated classes -> packed records, reached by address
    bits, rng sets as masks; the only randomness
    verbs     the signatures every game implements
    faults    what is wrong with an input, all at once
    game      setups, states, views, moves
    registry  things found by name
    small/    kuhn_poker (start here), leduc_poker
    arctic_scavengers/
    replay    games as lines of text; check: cases from outside
"""

from functools import cache

from engine.faults import Fault, InvalidInput, shown
from engine.game import Game
from engine.registry import Registry

__all__ = ["GAMES", "load", "names"]

GAMES = Registry(
    "game",
    {
        "arctic_scavengers": "engine.arctic_scavengers:GAME",
        "kuhn_poker": "engine.small.kuhn_poker:GAME",
        "leduc_poker": "engine.small.leduc_poker:GAME",
    },
    "emptychair.games",
)
names = GAMES.names


@cache
def load(name: str) -> Game:
    """The game of this name, or of a dotted path `package.module:object`."""
    game = GAMES.find(name)
    if not isinstance(game, Game):
        raise InvalidInput([Fault("game", shown(name), "the path of an engine.game.Game object")])
    return game
