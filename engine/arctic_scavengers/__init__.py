"""Arctic Scavengers: the base game for 2 to 5 seats.

Reading order, lowest first:
    cards, modules/      what cards are, and every card as a row
    state                the records; rules builds the fixed one, prior its weights for random players,
                         prospects what cards promise
    asking               the stack of pending decisions
    zones                cards moving between zones, and what the table sees of it
    values               what cards together are worth, and which unit hits which card
    turn, skirmish       the two phases; flow: rounds and moves
    view                 what a seat knows
    scratch, accounts    dealing the rest: what a seat can place
    reunions             contested cards met twice
    trashes, ledger      which cards were trashed unseen, and which ones the record speaks of
    worlds               a whole world
    appraisal, greedy    the hand-written player: what it thinks of cards and sets, and what it does
    judgement            progress, chances, rollouts
    verbs                all of it under the engine's signatures
    moves, words         moves as text and as sentences
    names, draft         the JSON forms: words, and what a form says
    holdings, pace       what it leaves out and contradicts: tribes and market; what there has been no time for
    settling             the same of the moment
    resuming, filling    the decision it stands at; the record it stands for
    possible             whether its hidden cards can be dealt
    writing, form        a record as a form; the forms' entry points
    game                 the game object
"""

from engine.arctic_scavengers.game import GAME

__all__ = ["GAME"]
