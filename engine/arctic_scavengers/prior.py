"""Weights of a random player's answers, tuned in games of such players against each other.

What tells most: hire whenever it can be paid, dig seldom, and end the turn before all fighters are spent.
"""

from collections.abc import Sequence
from typing import Any

from engine.arctic_scavengers.asking import Ask, Say
from engine.arctic_scavengers.cards import Card

HIRE, HIRE_EACH_PERSON = 200, 10
TRASH_OTHERS = 1
ANSWERS = {
    (Ask.ACTION, Say.DRAW): 5,
    (Ask.ACTION, Say.DIG): 2,
    (Ask.ACTION, Say.HUNT): 48,
    (Ask.ACTION, Say.TRASH): 2,
    (Ask.ACTION, Say.END): 28,
    (Ask.COMMIT, Say.STOP): 24,
    (Ask.KEEP, Say.STOP): 1,
    (Ask.TRASH, Say.STOP): 60,
    (Ask.SLOT, Say.END): 1,
    (Ask.REACT, Say.STOP): 8,
}
PLAIN = 4  # of everything else


def worth(card: Card) -> int:
    """A rough value of owning a card: people count at the end, values on the way."""
    numbers = [max(v, 0) for v in card.own.row() + card.adds.row()]
    return 3 * card.people + sum(numbers) + 2 * card.med + (3 if card.hits else 0)


def trash_weight(card: Card) -> int:
    """Junk goes first, then people who can do nothing alone."""
    if card.type == "junk":
        return 200
    return 100 if worth(card) <= 3 * card.people and card.people == 1 else TRASH_OTHERS


def write_prior(r: Any, kinds: Sequence[Card]) -> None:
    """Fills the table of weights by question and answer."""
    r.prior[:] = PLAIN
    for k, card in enumerate(kinds):
        r.prior[Ask.ACTION, k] = HIRE + HIRE_EACH_PERSON * card.people
        r.prior[Ask.COMMIT, k] = 6
        r.prior[Ask.KEEP, k] = 1 + worth(card) ** 2 // 2
        r.prior[Ask.TRASH, k] = trash_weight(card)
        r.prior[Ask.SLOT, k] = r.prior[Ask.HIT, k] = r.prior[Ask.REACT, k] = 2 + worth(card)
    for (question, answer), weight in ANSWERS.items():
        r.prior[question, answer] = weight
