"""The figures of the arena; by wall clock."""

import time
from collections.abc import Iterator
from statistics import fmean

import engine
from bots.arena.pairing import tasks
from bots.arena.results import Contest, contest_of
from bots.arena.running import Hall, player_of, run
from server.bench.figures import Row, row
from server.bench.service import GAME
from server.bench.timing import Effort, Measure

SEARCHER = "ismcts@500"


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


def speedup(effort: Effort) -> Iterator[Row]:
    met = contest(effort, SEARCHER, "greedy")

    def seconds(workers: int) -> float:
        started = time.perf_counter()
        for _ in run(met, workers):
            pass
        return time.perf_counter() - started

    yield row("arena_2_workers_speedup", seconds(1) / seconds(2), 2 * effort.deals)


MEASURES: dict[str, Measure] = {"arena_overhead_ms_per_game": overhead, "arena_2_workers_speedup": speedup}
