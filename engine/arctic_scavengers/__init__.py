"""Arctic Scavengers: the base game for 2 to 5 seats.

Reading order, lowest first:
    cards, modules/  what cards are, and every card as a row
    state            the records; rules builds the fixed one, prior its weights for random players
    asking           the stack of pending decisions
    zones            cards moving between zones, and what the table sees of it
    turn, skirmish   the two phases; flow: rounds and moves
    view             what a seat knows; accounts, trashes, worlds: dealing the rest
    judgement        progress, rollouts; greedy: the hand-written player
    verbs            all of it under the engine's signatures
    moves, words     moves as text and as sentences; form: the JSON forms
"""

from engine.arctic_scavengers.game import GAME

__all__ = ["GAME"]
