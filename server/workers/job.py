"""A search on its way to another process: what is asked, as values and memory that can be sent."""

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np

import bots
import engine
from bots.bot import Bot, Request
from engine import jit
from engine.game import ENGINE_VERSION, Notes, View
from server.workers.work import Work

BOTS = Path(bots.__file__).parent


class RulesDiffer(RuntimeError):
    """Front and worker do not have the same rules or bots: one of them has to be upgraded."""


class Job(NamedTuple):
    """One search, or a share of one."""

    game: str  # its path
    options: Mapping[str, Any]
    seats: int
    rules_hash: str
    bots_hash: str
    seat: int
    data: bytes  # the record of the view
    notes: Notes
    bot: Bot
    request: Request
    followed: bool  # somebody wants to hear of it meanwhile
    left_s: float | None  # until the answer must be under way; moments mean nothing on another machine's clock

    def view(self) -> View:
        """The view, in this process; raises `RulesDiffer` where the memory would mean something else."""
        setup = engine.load(self.game).setup(self.seats, self.options["modules"], self.options["rules"])
        here, asked = (setup.rules_hash, jit.source_hash(BOTS)), (self.rules_hash, self.bots_hash)
        if here != asked:
            raise RulesDiffer(f"a worker has rules and bots {here}, asked was for {asked}")
        data = np.ndarray(1, setup.game.state_dtype, bytearray(self.data))
        return View(setup, data, self.seat, self.notes)


def job_of(work: Work, request: Request, ends_at: float | None) -> Job:
    """What there is to send of a work, its answer to be under way by `ends_at` (time.monotonic)."""
    view, now = work.view, time.monotonic()
    setup = view.setup
    return Job(
        engine.GAMES.paths[setup.game.name],
        dict(setup.options),
        setup.seats,
        setup.rules_hash,
        jit.source_hash(BOTS),
        view.seat,
        view.tobytes(),
        view.notes,
        work.bot,
        replace(request, threads=1, report=None, stop=None, watch=None, deadline=None),
        request.report is not None,
        None if ends_at is None else ends_at - now,
    )


class About(NamedTuple):
    """What must be equal on both sides: where it is not, answers would differ."""

    versions: Mapping[str, str]  # of the engine, and of what compiles it
    rules: Mapping[str, str]  # hash by game
    bots: str  # hash of their sources


def about(games: Mapping[str, str]) -> About:
    """This process, for these games and their paths."""
    rules = {name: engine.load(path).setup().rules_hash for name, path in sorted(games.items())}
    versions = {"engine": ENGINE_VERSION, "numba": numba.__version__, "numpy": np.__version__}
    return About(versions, rules, jit.source_hash(BOTS))
