"""What a card is and what a module is: plain data, read once when a game is set up."""

from dataclasses import dataclass, field
from enum import IntEnum


class Act(IntEnum):
    """What cards are committed to; the first four have a value on the cards."""

    DRAW = 0
    DIG = 1
    HUNT = 2
    FIGHT = 3
    HIRE = 4
    TRASH = 5


NONE = -1  # a value the card does not have at all; 0 is a value that can be improved


@dataclass(frozen=True)
class Values:
    """A card's numbers for draw, dig, hunt and fight."""

    draw: int = NONE
    dig: int = NONE
    hunt: int = NONE
    fight: int = NONE

    def row(self) -> tuple[int, int, int, int]:
        return self.draw, self.dig, self.hunt, self.fight


@dataclass(frozen=True)
class Price:
    """What a hire costs: so much food and so much med, or any mixture that adds up."""

    food: int = 0
    med: int = 0
    mix: int = 0


@dataclass(frozen=True)
class Card:
    """One kind of card. `own` values let it act alone, `adds` only improve a card that can."""

    id: str
    en: str
    ja: str
    type: str  # tribe, tool, medicine, junk
    copies: int
    people: int = 0
    own: Values = Values()
    adds: Values = Values()
    med: int = 0
    price: Price | None = None
    hits: str = ""  # the special unit's verb: snipe (members) or disarm (tools)
    ja_is_ours: bool = False  # no printed Japanese name was at hand: our plain translation


@dataclass(frozen=True)
class Module:
    """A part of the box: its cards, by where they begin."""

    id: str
    market: tuple[Card, ...] = ()
    junkyard: tuple[Card, ...] = ()
    contested: tuple[Card, ...] = ()
    starting: tuple[Card, ...] = ()  # cards that only starting decks hold
    start: dict[str, int] = field(default_factory=dict)  # each seat's starting deck
    needs: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[Card, ...]:
        return self.starting + self.market + self.junkyard + self.contested
