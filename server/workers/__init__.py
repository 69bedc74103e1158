"""Where searches run: one interface, in the server's own process or on a Ray cluster.

Reading order, lowest first:
    work      a search to be done, what came of it, and the interface `Workers`
    embedded  threads in this process, which search without the GIL
    job       a search on its way to another process
    desk      a worker there
    pool      the workers of a front: which are free, lost, needed
    spread    one search over several of them
    remote    all of these as `Workers`; with `pool` the only one here that imports Ray
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import engine
from bots import cluster
from server.config import Settings
from server.workers.embedded import EmbeddedWorkers
from server.workers.work import Work, Workers

__all__ = ["EmbeddedWorkers", "Work", "Workers", "workers_for"]


@contextmanager
def workers_for(settings: Settings, games: Sequence[str], warm: Callable[[], None] = lambda: None) -> Iterator[Workers]:
    """The workers that the settings ask for, for these games, which `warm` makes ready; a local Ray ends with them.

    Raises `InvalidInput` for a cluster that cannot be joined, before anything is compiled.
    """
    if not settings.ray:
        warm()
        yield EmbeddedWorkers(settings.slots, settings.queue, settings.deadline_margin_ms)
        return
    with cluster.connected(settings.ray, max(settings.slots, settings.max_workers)):
        from server.workers.pool import Pool, Scale
        from server.workers.remote import RayWorkers

        warm()
        least = settings.slots if settings.ray == cluster.LOCAL else settings.workers or max(cluster.cpus(), 1)
        scale = Scale(least, max(least, settings.max_workers), settings.worker_idle_s)
        pool = Pool({name: engine.GAMES.paths[name] for name in games}, scale)
        yield RayWorkers(pool, scale.most + settings.queue, settings.deadline_margin_ms)
