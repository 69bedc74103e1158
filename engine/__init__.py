"""The rules engine: games as compiled verbs over packed records.

Reading order, lowest first:
    jit       how rules are compiled and cached
    record    annotated classes -> packed records, reached by address
    bits, rng sets as masks; the only randomness
    verbs     the signatures every game implements
    faults    what is wrong with an input, all at once; extras: what may not be installed
    plain     JSON and TOML as plain values
    kinds     which of our files a text is
    game      setups, states, views, moves
    registry  things found by name
    small/    kuhn_poker (start here), leduc_poker
    arctic_scavengers/
    replay    games as lines of text; check: cases from outside
"""

from functools import cache

from engine.faults import Fault, InvalidInput, one_of, shown
from engine.game import Game
from engine.registry import Registry

__all__ = ["GAMES", "admit", "available", "known", "load", "names"]

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
    """The game of this name, or of a dotted path `package.module:object`, whose code is imported."""
    game = GAMES.find(name)
    if not isinstance(game, Game):
        raise InvalidInput([Fault("game", shown(name), "the path of an engine.game.Game object")])
    if name in GAMES.paths and game.name != name:
        raise InvalidInput([Fault("game", shown(name), f"{game.name}, the game's own name, as its entry point")])
    return game


def available() -> list[Game]:
    """All games that load."""
    return list(GAMES.available(load))


def known(name: object) -> Game:
    """The game of this name, in a file or a request that anybody may have written: a path of code is refused."""
    if not isinstance(name, str) or name not in GAMES.paths:
        raise InvalidInput([Fault("game", shown(name), one_of(name, names()))])
    return load(name)


def admit(name: str) -> str:
    """Makes the game of a dotted path known; returns the name by which files and requests may ask for it."""
    if name in GAMES.paths:
        return name
    game = load(name)
    GAMES.paths.setdefault(game.name, name)
    if load(game.name) is not game:
        raise InvalidInput([Fault("game", shown(name), f"a name of its own: there is a {game.name} already")])
    return game.name
