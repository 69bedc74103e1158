"""The figures of the arena; by wall clock."""

import time
from collections.abc import Iterable, Iterator
from statistics import fmean, median

import engine
from bots.arena.pairing import tasks
from bots.arena.results import Contest, Result, contest_of
from bots.arena.running import Hall, player_of, run
from bots.arena.spreading import spread
from bots.cluster import LOCAL, connected
from server.bench.figures import Row, row
from server.bench.service import GAME
from server.bench.timing import Effort, Measure

SEARCHER = "ismcts@500"
RUNS = 3
FIRST_DEALS = 4  # not counted


def contest(effort: Effort, *entrants: str) -> Contest:
    """Both seats of as many deals as there is time for."""
    return contest_of(engine.load(GAME), entrants, effort.deals)


def overhead(effort: Effort) -> Iterator[Row]:
    met = contest(effort, "random", "greedy")
    hall = Hall(met)
    players = [player_of(entrant) for _, entrant in hall.entrants]
    hall.play(next(tasks(met)))
    games = [hall.table.play(players, seed) for seed in range(effort.requests)]
    yield row("arena_overhead_ms_per_game", fmean(game.ms - game.thinking_ms for game in games), len(games))


def seconds(results: Iterable[list[Result]]) -> float:
    """How long a run takes."""
    started = time.perf_counter()
    for _ in results:
        pass
    return time.perf_counter() - started


def speedup(effort: Effort) -> Iterator[Row]:
    met = contest(effort, SEARCHER, "greedy")
    yield row("arena_2_workers_speedup", seconds(run(met, 1)) / seconds(run(met, 2)), 2 * effort.deals)


def on_ray(effort: Effort) -> Iterator[Row]:
    """Whole runs, in turn; each Ray has played a game before, so that its workers are there."""
    met = contest(effort, SEARCHER, "greedy")
    first = met._replace(deals=FIRST_DEALS)

    def taken(cpus: int) -> float:
        with connected(LOCAL, cpus):
            seconds(spread(first, LOCAL))
            return seconds(spread(met, LOCAL))

    ratios = [taken(1) / taken(2) for _ in range(RUNS)]
    yield row("ray_2_workers_vs_1", median(ratios), len(ratios))


MEASURES: dict[str, Measure] = {
    "arena_overhead_ms_per_game": overhead,
    "arena_2_workers_speedup": speedup,
    "ray_2_workers_vs_1": on_ray,
}
