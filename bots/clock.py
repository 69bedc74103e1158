"""Runs trees in bites, so that budgets, deadlines and cancellation hold to the millisecond."""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import cycle
from math import inf

from bots.bot import Answer, Request, StopReason
from bots.one_tree import OneTree

BITE_S = 0.003
SIDE_BY_SIDE_S, SMALL_BITE_S = 0.01, 0.001  # trees in threads wait for each other after so many small bites
FIRST_BITE = 16  # iterations: the speed is not known yet
LEAST_BITE_S = 0.00005  # less time than this is not worth another bite
ANSWER_S = 0.004  # kept to put the answer together
ANSWER_SHARE = 0.04  # but never more than this share of the budget

Advance = Callable[[Sequence[OneTree], int, float], object]


@contextmanager
def advancing(threads: int) -> Iterator[Advance]:
    """A function that gives trees a bite: one tree alone, or several in threads, each as many as fit until a moment."""
    if threads == 1:

        def alone(trees: Sequence[OneTree], n: int, until: float) -> None:
            trees[0].bite(n)

        yield alone
        return

    def side_by_side(tree: OneTree, n: int, until: float) -> None:
        tree.bite(n)
        while tree.left and time.monotonic() < until:
            tree.bite(n)

    with ThreadPoolExecutor(threads) as pool:
        yield lambda trees, n, until: deque(pool.map(lambda t: side_by_side(t, n, until), trees), maxlen=0)


def run(
    trees: Sequence[OneTree],
    request: Request,
    started: float,
    part: float,
    answer: Callable[[StopReason], Answer],
    tell: Callable[[], object],
) -> StopReason:
    """Searches until this part of the time or all iterations are used, or `request.stop` says so; at least one bite.

    The time is looked at after each bite of as many trees as there are threads. `answer` makes what `request.report`
    is told on the way, `tell` what `request.watch` asks for.
    """
    limit_ms = request.budget.limit_ms
    end = inf if limit_ms is None else started + (limit_ms - request.queue_ms) / 1000
    kept = ANSWER_S if limit_ms is None else min(ANSWER_S, limit_ms / 1000 * ANSWER_SHARE)
    deadline = inf if request.deadline is None else request.deadline
    finish = started + (min(end, deadline) - kept - started) * part
    due = time.monotonic() + request.report_ms / 1000 if request.report else inf
    n, width = FIRST_BITE, max(1, min(request.threads, len(trees)))
    groups, turn = [trees[i : i + width] for i in range(0, len(trees), width)], 0.0
    with advancing(width) as advance:
        for group in cycle(groups):
            if not any(t.left for t in group):
                if not any(t.left for t in trees):
                    return StopReason.BUDGET
                continue
            before, done = time.monotonic(), sum(t.done for t in group)
            advance(group, n, before + turn)
            now = time.monotonic()
            if request.stop and request.stop():
                return StopReason.CANCELLED
            room, pace = finish - now, (sum(t.done for t in group) - done) / len(group) / (now - before)
            if room < LEAST_BITE_S or room * pace < 1:
                return StopReason.BUDGET if end <= deadline else StopReason.DEADLINE
            if request.watch:
                request.watch(tell)
            if request.report and now >= due:
                request.report(replace(answer(StopReason.UNSPECIFIED), elapsed_ms=(now - started) * 1000))
                due = now + request.report_ms / 1000
            turn = min(SIDE_BY_SIDE_S, room / len(groups))
            n = max(1, int(pace * min(BITE_S if width == 1 else SMALL_BITE_S, turn)))
    return StopReason.BUDGET
