"""The arena: which of some bots is better, on the same deals and at every seat.

Reading order, lowest first:
    entrant   a bot with its budget and parameters, as written
    results   what is kept of a run, as lines of JSON
    pairing   who meets whom, at which seat, on which deal
    reading   what is kept, read back
    playing   one game, whatever its bots do
    running   a whole run, in as many processes as wanted
    spreading the same on a Ray cluster
    standing  shares of points, ratings, and which of two is better
"""

from bots.arena.entrant import Entrant
from bots.arena.results import Contest, Result, contest_of
from bots.arena.running import run
from bots.arena.spreading import spread

__all__ = ["Contest", "Entrant", "Result", "contest_of", "run", "spread"]
