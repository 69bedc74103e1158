"""Weights of a random player's answers: what a beginner would do who knows which cards are good."""

from collections.abc import Sequence
from typing import Any

from engine.arctic_scavengers.asking import Ask, Say
from engine.arctic_scavengers.cards import Card

HIRE_EACH_PERSON = 6
PLAIN = 4


def worth(card: Card) -> int:
    """A rough value of owning a card: people count at the end, values on the way."""
    numbers = [max(v, 0) for v in card.own.row() + card.adds.row()]
    return 3 * card.people + sum(numbers) + 2 * card.med + (3 if card.hits else 0)


def write_prior(r: Any, kinds: Sequence[Card]) -> None:
    """Fills the table of weights by question and answer."""
    r.prior[:] = PLAIN
    for k, card in enumerate(kinds):
        r.prior[Ask.ACTION, k] = 6 + HIRE_EACH_PERSON * card.people + worth(card)
        r.prior[Ask.KEEP, k] = 1 + worth(card) ** 2 // 2
        r.prior[Ask.TRASH, k] = 24 if card.type == "junk" else 6 if card.id == "refugee" else 1
        r.prior[Ask.COMMIT, k] = 6
        r.prior[Ask.HIT, k] = r.prior[Ask.SLOT, k] = r.prior[Ask.REACT, k] = 2 + worth(card)
    r.prior[Ask.ACTION, Say.DRAW] = 24
    r.prior[Ask.ACTION, Say.DIG] = 16
    r.prior[Ask.ACTION, Say.HUNT] = 24
    r.prior[Ask.ACTION, Say.TRASH] = 1
    r.prior[Ask.ACTION, Say.END] = 6
    r.prior[Ask.KEEP, Say.STOP] = 1
    r.prior[Ask.TRASH, Say.STOP] = 24
    r.prior[Ask.COMMIT, Say.STOP] = 6
    r.prior[Ask.SLOT, Say.END] = 1
    r.prior[Ask.REACT, Say.STOP] = 8
