"""Bots that behave badly, and what tests need to see of them."""

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from bots.bot import Answer, Bot, Request, StopReason, answer_of
from bots.ismcts import Ismcts
from engine.game import Move, View


class Sleeper(Bot):
    """Uses its whole budget without a thought; counts who runs and who was told to stop."""

    name = "sleeper"
    running = 0
    cancelled = 0
    lock = threading.Lock()

    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        with self.lock:
            Sleeper.running += 1
        end = min(started + ((request.budget.limit_ms or 0) - request.queue_ms) / 1000, request.deadline or 1e18)
        reason = StopReason.BUDGET
        while time.monotonic() < end and reason is StopReason.BUDGET:
            time.sleep(0.002)
            reason = StopReason.CANCELLED if request.stop and request.stop() else StopReason.BUDGET
        with self.lock:
            Sleeper.running -= 1
            Sleeper.cancelled += reason is StopReason.CANCELLED
        return answer_of(view, request, moves[0], "zzz", reason)


class Cheat(Bot):
    """Plays what is no move."""

    name = "cheat"

    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        answer = answer_of(view, request, moves[0], "Watch me.")
        return replace(answer, plan=(replace(answer.plan[0], move="fly"),))


class Crasher(Bot):
    """Fails in a way nobody foresaw."""

    name = "crasher"

    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        raise ZeroDivisionError("secret detail")


class Quitter(Bot):
    """Ends its process."""

    name = "quitter"

    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        os._exit(3)


class Deaf(Bot):
    """Goes on for ever, and hears nothing."""

    name = "deaf"

    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        while True:
            time.sleep(0.01)


class Sealed(Bot):
    """Cannot be sent."""

    name = "sealed"

    def __reduce__(self) -> NoReturn:
        raise TypeError("stays here")

    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        raise AssertionError("it is never asked")


class Loner(Ismcts):
    """Searches in a way of its own."""

    name = "loner"

    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        return answer_of(view, request, moves[0], "My own way.")


class Dreamer(Bot):
    """Wants to play what no game has."""

    name = "dreamer"

    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        answer = answer_of(view, request, moves[0], "")
        return replace(answer, plan=(replace(answer.plan[0], move="fly"),))


class Thoughtless(Bot):
    """No bot yet."""

    name = "thoughtless"
