"""OpenSpiel, driven in C++ as far as its Python package allows."""

import random
from itertools import count
from typing import Any

from engine.extras import extra
from server.bench.timing import Work

SEED = 7
ROLLOUTS = 1  # a leaf, uniform
CALLS = 1000  # in one piece of work
GAMES = 100


def spiel() -> Any:
    """OpenSpiel; raises `InvalidInput` where its extra is missing."""
    with extra("bench", "peer"):
        import pyspiel
    return pyspiel


def first_decision(name: str) -> Any:
    """The state of a dealt game at its first decision with a choice."""
    game = spiel().load_game(name)
    for seed in count(1):
        dice, state = random.Random(seed), game.new_initial_state()
        while state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(dice.choices(actions, weights)[0])
        if len(state.legal_actions()) > 1:
            return state
    raise AssertionError("unreachable")


def dealt(name: str, *cards: int) -> Any:
    """The state of a poker game after this deal."""
    state = spiel().load_game(name).new_initial_state()
    for card in cards:
        state.apply_action(card)
    return state


def random_play(name: str) -> Work:
    """Games between uniform random bots; the units are moves, those of chance among them."""
    pyspiel, seeds = spiel(), count(SEED)
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, SEED + seat) for seat in range(game.num_players())]

    def play() -> int:
        moves = 0
        for _ in range(GAMES):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, next(seeds))
            moves += state.move_number()
        return moves

    return play


def search(state: Any, c: float, simulations: int) -> Work:
    """ISMCTS with uniform rollouts; the units are simulations."""
    pyspiel = spiel()
    bot = pyspiel.ISMCTSBot(SEED, pyspiel.RandomRolloutEvaluator(ROLLOUTS, SEED), c, simulations)

    def think() -> int:
        bot.get_policy(state)
        return simulations

    return think


def resampling(state: Any) -> Work:
    """Worlds dealt for the seat to move."""
    seat, resample, chance = state.current_player(), state.resample_from_infostate, random.Random(SEED).random

    def deal() -> int:
        for _ in range(CALLS):
            resample(seat, chance)
        return CALLS

    return deal


def cloning(state: Any) -> Work:
    clone = state.clone

    def copy() -> int:
        for _ in range(CALLS):
            clone()
        return CALLS

    return copy


def nothing() -> int:
    """The loop of the others without its body."""
    for _ in range(CALLS):
        pass
    return CALLS
