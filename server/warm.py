"""Makes games ready to be asked about: compiled on the first start of a machine, loaded from the cache after that."""

from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path

import bots
import engine
from bots.bot import Budget, Request
from engine import jit

SEARCH = Path(bots.__file__).parent  # compiled once for all games
Say = Callable[[str], None]  # tells the person who waits


def warm(names: Iterable[str], say: Say) -> None:
    """Loads these games and lets every bot of ours move once in each; says so where that takes long."""
    for name in names:
        if _is_cold(name):
            say(f"compiling the rules of {name} (first start only)...")
        game = engine.load(name)
        view = game.view_from_json(game.template())
        for bot in map(bots.make, bots.BOTS.ours):
            if not bot.cheats:
                bot.recommend(view, Request(budget=Budget(iterations=1), seed=0))
        for folder in (game.folder, SEARCH):
            jit.mark_warm(folder)


def ready(name: object, say: Say) -> None:
    """Warms a game that was never compiled here; does nothing for others, and for names of no game."""
    if isinstance(name, str) and _is_cold(name):
        warm([name], say)


def _is_cold(name: str) -> bool:
    """True for a game of ours that was not compiled here yet; found without importing it, as that may compile."""
    path = engine.GAMES.paths.get(name)
    try:
        spec = find_spec(path.partition(":")[0]) if path else None
    except ImportError:  # an entry point whose package is gone: who loads the game will say so
        return False
    if not spec or not spec.origin:
        return False
    return not all(jit.is_warm(folder) for folder in (Path(spec.origin).parent, SEARCH))
