"""The rules engine: games as compiled verbs over packed records.

Reading order, lowest first:
    jit       how rules are compiled and cached
    record    annotated classes -> packed records, reached by address
    bits, rng sets as masks; the only randomness
    verbs     the signatures every game implements
    faults    what is wrong with an input, all at once
    game      setups, states, views, moves
    small/    kuhn_poker (start here), leduc_poker
    arctic_scavengers/
    replay    games as lines of text; check: cases from outside
"""

from importlib import import_module
from importlib.metadata import entry_points

from engine.faults import Fault, InvalidInput, shown
from engine.game import Game

__all__ = ["GAMES", "load", "names"]

GAMES = {
    "arctic_scavengers": "engine.arctic_scavengers:GAME",
    "kuhn_poker": "engine.small.kuhn_poker:GAME",
    "leduc_poker": "engine.small.leduc_poker:GAME",
}
ENTRY_POINTS = "emptychair.games"


def names() -> list[str]:
    """Every game that `load` knows by name: ours, and those of installed packages."""
    return sorted(GAMES | {p.name: p.value for p in entry_points(group=ENTRY_POINTS)})


def load(name: str) -> Game:
    """The game of this name, or of a dotted path `package.module:object`."""
    paths = {p.name: p.value for p in entry_points(group=ENTRY_POINTS)} | GAMES
    path = paths.get(name, name if ":" in name else "")
    if not path:
        raise InvalidInput([Fault("game", shown(name), "one of " + ", ".join(names()))])
    module, _, attribute = path.partition(":")
    try:
        game = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InvalidInput([Fault("game", shown(name), f"an importable game ({error})")]) from error
    if not isinstance(game, Game):
        raise InvalidInput([Fault("game", shown(name), "the path of an engine.game.Game object")])
    return game
