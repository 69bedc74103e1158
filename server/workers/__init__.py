"""Where searches run: one interface, and an implementation in the server's own process.

Reading order, lowest first:
    work      a search to be done, what came of it, and the interface `Workers`
    embedded  threads in this process, which search without the GIL
"""

from server.workers.embedded import EmbeddedWorkers
from server.workers.work import Work, Workers

__all__ = ["EmbeddedWorkers", "Work", "Workers"]
