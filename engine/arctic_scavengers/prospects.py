"""What a card promises its owner: people at the end of the game, for each round still to come.

Fitted, with the two figures of `judgement.write_heuristic`, to the results of 7,500 games of 2 to 4 seats of the
hand-written player with slips: logistic regression on all the cards a tribe owns at the start of a round. Fighters
and medicine win games; every card that does neither dilutes the deck.
"""

from collections.abc import Sequence
from typing import Any

from engine.arctic_scavengers.cards import Card

OWN = (0.035, -0.070, 0.049, 0.190)  # by act: draw, dig, hunt, fight
ADDS = (0.119, -0.100, 0.016, 0.116)
MED = 0.184
HITS = 0.030
ANY = -0.226


def prospect(card: Card) -> float:
    """People at the end of the game for each round to come, besides those on the card."""
    values = zip(OWN + ADDS, card.own.row() + card.adds.row(), strict=True)
    return ANY + sum(w * max(v, 0) for w, v in values) + MED * card.med + (HITS if card.hits else 0)


def write_prospects(r: Any, kinds: Sequence[Card]) -> None:
    """Fills the row of prospects by kind."""
    for k, card in enumerate(kinds):
        r.prospect[k] = prospect(card)
