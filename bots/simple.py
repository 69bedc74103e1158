"""Bots that do not search: the yardsticks."""

from collections.abc import Sequence

import numpy as np

from bots.bot import Answer, Bot, Request, answer_of
from engine.game import Move, View
from engine.rng import scaled, seeded


class Random(Bot):
    """Plays any legal move with equal chance, by the seed."""

    name = "random"

    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        move = moves[int(scaled(np.uint64(seeded(np.uint64(request.seed or 0))), len(moves)))]
        return answer_of(view, request, move, RANDOM[request.language])


class Greedy(Bot):
    """Plays by the game's own hand-written rules of thumb."""

    name = "greedy"

    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        number = int(view.game.verbs.greedy(view.setup.rules_address, view.address))
        move = next(m for m in moves if m.id == number)
        return answer_of(view, request, move, GREEDY[request.language])


RANDOM = {"en": "Any legal move would have done.", "ja": "合法手から無作為に選びました。"}
GREEDY = {"en": "A rule of thumb, without looking ahead.", "ja": "先読みなしの経験則です。"}
