"""A sound hand-written player: the yardstick."""

from engine.arctic_scavengers.state import Rules, State
from engine.bits import lowest
from engine.jit import rule


@rule
def choose(r: Rules, s: State) -> int:
    """The move of the seat asked, judged from its view alone."""
    return lowest(s.legal)
