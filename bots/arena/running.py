"""A whole run, in this process or in others: the results are the same and come in the same order."""

import gc
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from threading import Thread, current_thread, main_thread

import engine
from bots.arena.entrant import Entrant, read_entrant
from bots.arena.pairing import Task, deal_seed, rotations, tasks
from bots.arena.playing import Player, Table
from bots.arena.results import Contest, Result
from bots.bot import Request

AHEAD = 8  # tasks of each worker that may be done before those that come first


class WorkerLost(RuntimeError):
    """A worker process has ended in the middle of a run."""


class Hall:
    """A contest made ready: its rules and its entrants loaded."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.table = Table(contest.setup())
        self.entrants = [(text, read_entrant(text)) for text in contest.entrants]

    def play(self, task: Task) -> list[Result]:
        """The games of a task."""
        return [self._game(task.deal, players) for players in rotations(task.players)]

    def _game(self, deal: int, players: tuple[int, ...]) -> Result:
        names, entrants = zip(*(self.entrants[player] for player in players), strict=True)
        seated = [player_of(entrant) for entrant in entrants]  # one a seat and a game: none carries over what it saw
        match = self.table.play(seated, deal_seed(self.contest.seed, deal))
        return Result(deal, names, match.returns, match.decisions, round(match.ms, 2), match.fouls, match.used)


def player_of(entrant: Entrant) -> Player:
    """The entrant, ready to play; of its answers the plan alone is wanted."""
    return Player(entrant.make(), Request(entrant.budget, max_alternatives=0))


def run(contest: Contest, workers: int = 0) -> Generator[list[Result], None, None]:
    """Plays a contest; yields the games of one deal for one set of entrants at a time.

    Workers are processes of their own; raises `WorkerLost` where one of them ends. Without any the games are played
    in this process, which a bot may end. Nothing runs on when the iterator is closed.
    """
    return _in_processes(contest, workers) if workers else _here(contest)


def _here(contest: Contest) -> Generator[list[Result], None, None]:
    yield from map(Hall(contest).play, tasks(contest))


def _in_processes(contest: Contest, workers: int) -> Generator[list[Result], None, None]:
    others = set(multiprocessing.active_children())
    opening = engine.GAMES.paths[contest.game], contest
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _open, opening) as pool:
        try:
            yield from _in_order(pool, tasks(contest), workers * AHEAD)
        except BaseException as reason:  # whatever ends a run early ends what is being played, too
            for worker in set(multiprocessing.active_children()) - others:
                worker.kill()
            if isinstance(reason, BrokenProcessPool):
                raise WorkerLost("a worker process was ended or ran out of memory") from reason
            raise


def _in_order(pool: ProcessPoolExecutor, left: Iterator[Task], ahead: int) -> Generator[list[Result], None, None]:
    with _deaf():
        waiting = deque(pool.submit(_play, task) for task in islice(left, ahead))
    while waiting:
        yield waiting.popleft().result()
        waiting.extend(pool.submit(_play, task) for task in islice(left, 1))


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that start in here never hear Ctrl-C: it is for the one that started them to end them.

    A signal to end that comes meanwhile is heard afterwards: a process half started would complain of its end.
    """
    came = list[int]()
    if in_main := current_thread() is main_thread():
        usual = signal.signal(signal.SIGINT, signal.SIG_IGN), signal.getsignal(signal.SIGTERM)
        if usual[1] != signal.SIG_IGN:
            signal.signal(signal.SIGTERM, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        if in_main:
            signal.signal(signal.SIGINT, usual[0])
            signal.signal(signal.SIGTERM, usual[1])
    for number in came:
        signal.raise_signal(number)


def _end_with_parent() -> None:
    """Ends this process when the one that started it is gone, whatever that ended by."""
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)


_halls: list[Hall] = []  # of a worker process: the one it plays in


def _open(path: str, contest: Contest) -> None:
    """Makes a worker ready; what it has loaded stays, so the garbage collector need not go through it."""
    Thread(target=_end_with_parent, daemon=True).start()
    engine.admit(path)
    _halls.append(Hall(contest))
    gc.freeze()


def _play(task: Task) -> list[Result]:
    return _halls[0].play(task)
