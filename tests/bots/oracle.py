"""Exploitability of our searches on the small games, with OpenSpiel's best responses as the oracle."""

from collections.abc import Iterator
from typing import Any

import pyspiel

from bots import Bot, Budget, Request
from engine.game import Game, View

CHANCE_WORDS = {
    "kuhn_poker": ("jack", "queen", "king"),
    "leduc_poker": ("jack_1", "jack_2", "queen_1", "queen_2", "king_1", "king_2"),
}


def information_sets(state: Any) -> Iterator[Any]:
    """One state of OpenSpiel for every information set below `state`."""
    seen, left = set(), [state]
    while left:
        s = left.pop()
        if s.is_terminal():
            continue
        if not s.is_chance_node():
            if s.information_state_string() in seen:
                pass
            else:
                seen.add(s.information_state_string())
                yield s
        left += [s.child(a) for a in s.legal_actions()]


def view_of(game: Game, state: Any) -> View:
    """Our view of the seat to move in a state of OpenSpiel."""
    cards, moves, replay = [], [], state.get_game().new_initial_state()
    for action in state.history():
        if replay.is_chance_node():
            cards.append(CHANCE_WORDS[game.name][action])
        else:
            moves.append(game.move_names[action])  # type: ignore[attr-defined]
        replay.apply_action(action)
    seat = state.current_player()
    observation = {"game": game.name, "seat": seat, "moves": moves, "players": [{"seat": seat, "hand": [cards[seat]]}]}
    return game.view_from_json(observation | {"public": cards[2:]})


def visits_policy(game: Game, bot: Bot, iterations: int) -> dict[str, list[tuple[int, float]]]:
    """How often each move was tried, by a search of its own in every information set."""
    policy = {}
    for number, state in enumerate(information_sets(pyspiel.load_game(game.name).new_initial_state())):
        view = view_of(game, state)
        answer = bot.recommend(view, Request(Budget(iterations=iterations), seed=number, max_alternatives=9))
        visits = {a.plan[0].move: a.visits for a in answer.alternatives}
        policy[state.information_state_string()] = [
            (m.id, visits.get(m.text, 0) / answer.iterations) for m in view.moves()
        ]
    return policy


def exploitability(game: Game, bot: Bot, iterations: int) -> float:
    """Chips a game that a best response wins from the bot's visits policy."""
    policy = visits_policy(game, bot, iterations)
    return float(pyspiel.exploitability(pyspiel.load_game(game.name), policy))
