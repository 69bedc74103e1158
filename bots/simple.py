"""Bots that do not search: the yardsticks."""

from collections.abc import Sequence

import numpy as np

from bots.bot import Answer, Bot, Request, answer_of
from engine.game import Move, View
from engine.rng import scaled, seeded


class Random(Bot):
    """Plays any legal move with equal chance, by the seed."""

    name = "random"
    searches = False

    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        admitted = [move for move in moves if request.admits(move.text)]
        move = admitted[int(scaled(np.uint64(seeded(np.uint64(request.seed or 0))), len(admitted)))]
        return answer_of(view, request, move, RANDOM[request.language])


class Greedy(Bot):
    """Plays by the game's own hand-written rules of thumb."""

    name = "greedy"
    searches = False

    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        number = int(view.game.verbs.greedy(view.setup.rules_address, view.address))
        move = next((m for m in moves if m.id == number and request.admits(m.text)), None)
        move = move or _likeliest(view, [m for m in moves if request.admits(m.text)])
        return answer_of(view, request, move, GREEDY[request.language])


def _likeliest(view: View, moves: Sequence[Move]) -> Move:
    """Of these moves the one that the game's prior likes best, the lowest on a tie."""
    weights = np.empty(len(moves), np.float32)
    numbers = np.array([move.id for move in moves], np.int32)
    view.game.verbs.prior(view.setup.rules_address, view.address, numbers, len(moves), weights)
    return moves[int(weights.argmax())]


RANDOM = {"en": "Any legal move would have done.", "ja": "合法手から無作為に選びました。"}
GREEDY = {"en": "A rule of thumb, without looking ahead.", "ja": "先読みなしの経験則です。"}
