"""Games between bots that see views only, and the comparison of two bots on the same deals."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from bots.bot import Bot, Request
from engine.game import Played, Setup
from engine.rng import mixed

CONFIDENCE = 1.96  # standard errors on either side of a 95 % interval


@dataclass(frozen=True)
class Match:
    """A finished game."""

    moves: tuple[Played, ...]  # as in a replay: forced moves are left out
    returns: tuple[float, ...]  # by seat


@dataclass(frozen=True)
class Comparison:
    """How one bot fared against another: its share of the points at its seat, with a 95 % interval."""

    share: float  # in [0, 1]; between equal bots 1/2 in the small games, 1/seats where one seat wins
    low: float
    high: float
    games: int


def play_game(setup: Setup, bots: Sequence[Bot], seed: int, requests: Sequence[Request]) -> Match:
    """Plays one game, a bot and a request for each seat; the seed decides the deal and every search."""
    state, moves = setup.new(seed), list[Played]()
    while not state.over:
        seat = state.to_move
        request = replace(requests[seat], seed=int(mixed(np.uint64(seed), np.uint64(len(moves)))))
        answer = bots[seat].recommend(state.view(seat), request)
        moves += state.play(state.game.parse(state, answer.plan[0].move))
    return Match(tuple(m for m in moves if not m.forced), tuple(state.returns()))


def compare(setup: Setup, a: Bot, b: Bot, deals: int, seed: int, requests: tuple[Request, Request]) -> Comparison:
    """Plays every deal once with `a` at each seat in turn and `b` at all others; deals are the unit of the interval."""
    game = setup.game
    shares = []
    for deal in range(deals):
        points = 0.0
        for seat in range(setup.seats):
            players = [a if s == seat else b for s in range(setup.seats)]
            asked = [requests[0] if s == seat else requests[1] for s in range(setup.seats)]
            result = play_game(setup, players, int(mixed(np.uint64(seed), np.uint64(deal))), asked).returns[seat]
            points += (result - game.min_return) / (game.max_return - game.min_return)
        shares.append(points / setup.seats)
    mean = sum(shares) / deals
    error = sqrt(sum((x - mean) ** 2 for x in shares) / max(deals - 1, 1) / deals)
    return Comparison(mean, mean - CONFIDENCE * error, mean + CONFIDENCE * error, deals * setup.seats)
