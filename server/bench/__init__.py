"""The figures the project promises, each measured beside its peer in the same run (docs/benchmarks.md).

Reading order, lowest first:
    figures   names, units, goals; the rows that are printed
    timing    rates by CPU time, ours and the peer's in turn
    loops     what is timed of the compiled code
    positions games part-way, and what their seats know
    peers     OpenSpiel
    versus    the figures against OpenSpiel
    service   the figures of the server and of starting up
    running   the figures of a service that runs on
    contests  the figures of the arena
    nodes     Ray nodes on this machine, to lose some
    clusters  the figures of the service on Ray
    behaviour what the games do, as a hash of each
    scaling   how far the service goes: a simulation, and what it is measured against
"""

from collections.abc import Collection, Iterator

from engine.faults import Fault, InvalidInput, shown
from server.bench import behaviour, clusters, contests, running, service, versus
from server.bench.figures import FIGURES, Row
from server.bench.timing import FULL, QUICK

__all__ = ["MEASURES", "run"]

PARTS = (versus, service, running, contests, clusters, behaviour)
MEASURES = {name: measure for part in PARTS for name, measure in part.MEASURES.items()}  # by the figure each is about


def run(only: Collection[str] = (), quick: bool = False) -> Iterator[Row]:
    """The rows of contract.md 11 as they are measured; `only` picks figures, with what is printed beside them."""
    faults = [Fault("only", shown(name), "one of " + ", ".join(FIGURES)) for name in only if name not in FIGURES]
    if faults:
        raise InvalidInput(faults)
    wanted = {FIGURES[name].beside or name for name in only or FIGURES}
    return (row for name, measure in MEASURES.items() if name in wanted for row in measure(QUICK if quick else FULL))
