"""A whole run on a Ray cluster: chunks of it as tasks, with the same results in the same order."""

import gc
from collections import deque
from collections.abc import Generator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import bots
import engine
from bots.arena.pairing import Task, games, tasks
from bots.arena.results import Contest, Result
from bots.arena.running import Hall, WorkerLost
from bots.cluster import connected, cpus, undisturbed
from engine import jit
from engine.faults import Fault, InvalidInput

if TYPE_CHECKING:
    from ray import ObjectRef

CHUNK_MS = 750  # of play in a chunk: enough that handing it out does not count, little enough to share out evenly
QUEUED = 2  # chunks in flight for each CPU: the next one is there when one is done
AHEAD = 4  # chunks for each in flight that may be done before those that come first
HEAR_S = 0.25  # between two moments at which signals are heard
RETRIES = 3  # of a chunk whose worker has ended: its games come out the same, unless a bot ends its process

Chunk: TypeAlias = list[list[Result]]  # the games of consecutive tasks


def spread(contest: Contest, address: str, workers: int = 0) -> Generator[list[Result], None, None]:
    """Plays a contest on the cluster at an address of `bots.cluster`; yields what `bots.arena.run` does.

    At most `workers` chunks are in flight, each on a CPU (0: as many as keep all CPUs of the cluster busy, however
    many these come to be). Raises `InvalidInput` for `ray` where there is no cluster or its workers have other code,
    and `WorkerLost` where they end time and again. Nothing runs on when the iterator is closed.
    """
    with connected(address, workers):
        field = Field(contest, workers)
        try:
            yield from field.play()
        except BaseException:
            field.clear()
            raise


class Field:
    """The chunks of a contest that are in flight."""

    def __init__(self, contest: Contest, workers: int) -> None:
        import ray

        self.remote = ray.remote(num_cpus=1, max_retries=RETRIES)(_play)
        self.given = engine.GAMES.paths[contest.game], contest, code_hash(contest)
        self.workers = workers  # 0: as the cluster grows and shrinks
        self.tasks, self.left = tasks(contest), games(contest) // contest.seats
        self.size = 1  # of the next chunk, in tasks
        self.waiting: deque[ObjectRef[Chunk | str]] = deque()  # those not told yet, in order
        self.running: list[ObjectRef[Chunk | str]] = []

    def play(self) -> Generator[list[Result], None, None]:
        """All games, in their order."""
        import ray

        self._send()
        while self.waiting:
            with undisturbed():
                _, self.running = ray.wait(self.running, timeout=HEAR_S)
            while self.waiting and self.waiting[0] not in self.running:
                chunk = self._received(self.waiting.popleft())
                self._send()
                yield from chunk

    def clear(self) -> None:
        """Ends what is being played."""
        import ray

        with undisturbed():
            for ref in self.running:
                ray.cancel(ref, force=True)

    def _send(self) -> None:
        """Hands out as much as may be in flight; towards the end in smaller chunks, so that all end together."""
        limit = self.workers or QUEUED * max(cpus(), 1)
        while self.left and len(self.running) < limit and len(self.waiting) < AHEAD * limit:
            chunk = list(islice(self.tasks, max(min(self.size, self.left // (2 * limit)), 1)))
            self.left -= len(chunk)
            with undisturbed():
                self.running.append(self.remote.remote(*self.given, chunk))
            self.waiting.append(self.running[-1])

    def _received(self, ref: "ObjectRef[Chunk | str]") -> Chunk:
        """The games of a chunk that is done; what it took decides the size of the next."""
        import ray
        from ray.exceptions import RayError, RayTaskError

        try:
            with undisturbed():
                chunk = ray.get(ref)
        except RayTaskError as error:
            if isinstance(error.cause, ImportError | AttributeError):
                raise _refused(str(error.cause)) from error
            raise
        except RayError as error:
            raise WorkerLost(
                f"workers were ended or ran out of memory, {RETRIES + 1} times at the same games"
            ) from error
        if isinstance(chunk, str):
            raise _refused(chunk)
        ms = sum(game.ms for some in chunk for game in some)
        self.size = max(min(2 * len(chunk), int(len(chunk) * CHUNK_MS / max(ms, 1))), 1)
        return chunk


def _refused(said: str) -> InvalidInput:
    return InvalidInput([Fault("ray", f"a worker that says: {said}", "workers with the code that is used here")])


def code_hash(contest: Contest) -> str:
    """Changes with everything of ours that decides a game: rules, options, bots."""
    return f"{contest.setup().rules_hash}-{jit.source_hash(Path(bots.__file__).parent)}"


_halls: list[Hall] = []  # of a worker process: the one it plays in


def _play(path: str, contest: Contest, code: str, chunk: Sequence[Task]) -> Chunk | str:
    """In a worker process: the games of some tasks, or why it plays none."""
    try:
        hall = _hall(path, contest, code)
        return [hall.play(task) for task in chunk]
    except InvalidInput as error:
        return str(error)


def _hall(path: str, contest: Contest, code: str) -> Hall:
    """The hall of this contest, kept for the tasks that follow; raises `InvalidInput` where it cannot be the same."""
    if not (_halls and _halls[0].contest == contest):
        engine.admit(path)
        if (here := code_hash(contest)) != code:
            raise InvalidInput([Fault("rules_hash", f"{here} (with that of the bots)", code)])
        _halls[:] = [Hall(contest)]
        gc.freeze()  # what is loaded stays
    return _halls[0]
