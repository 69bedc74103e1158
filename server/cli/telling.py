"""What a seat knows, in words.

Everything is made from views of one seat, so nothing can be told that the seat does not know.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any

from engine.game import LANGUAGES, View
from server.cli.wording import CHOOSE, DETAILS, FIELDS, HIDDEN, MARKS, SAID, SEAT, SEATED, VALUES, YES_OR_NO, YOU

NOBODY = -1


def _follows(key: str, player: Mapping[str, Any], everything: bool) -> bool:
    """Whether a field says less than another one, which lists the same cards; what others have seen is a detail."""
    return (key.endswith("_count") and key.removesuffix("_count") in player) or (
        not everything and key.startswith("seen_") and key.removeprefix("seen_") in player
    )


def _lined(value: Any) -> Sequence[Any]:
    """What has lines of its own: the objects of a list, or else the value."""
    return value if isinstance(value, list) and value and isinstance(value[0], Mapping) else [value]


class Teller:
    """The words of one game in one language, as one seat is told them."""

    def __init__(self, view: View, language: str, is_onlooker: bool = False) -> None:
        self.game = view.game
        self.seat = view.seat
        self.you = NOBODY if is_onlooker else view.seat
        self.at = LANGUAGES.index(language)
        self.comma, self.semicolon, self.colon = MARKS[self.at]

    @cached_property
    def prices(self) -> Mapping[str, Mapping[str, int]]:
        """What cards cost, for games that list them."""
        from server.games import cards_of

        return {card["id"]: card.get("cost", {}) for card in cards_of(self.game)}

    @cached_property
    def cards(self) -> Mapping[str, str]:
        """The names of the cards in the language, for games that list them."""
        from server.games import cards_of

        return {card["id"]: card[("name", "name_ja")[self.at]] for card in cards_of(self.game)}

    def seated(self, seat: int) -> str:
        """A seat, which may be the person's own."""
        return (YOU if seat == self.you else SEAT)[self.at].format(seat)

    def said(self, key: str, *words: object, **named: object) -> str:
        """One of the sentences there are, filled in."""
        return SAID[key][self.at].format(*words, **named)

    def listed(self, cards: Sequence[str]) -> str:
        """Cards by name, or that there are none."""
        return self.phrase("cards", cards) or self.said("no_cards")

    def lines(self, view: View, everything: bool = False) -> list[str]:
        """What the seat knows: what stands alone in a line, then one line each for what has parts, and for a seat."""
        form = {k: v for k, v in view.to_json().items() if k != "seat" and (everything or k not in DETAILS)}
        players, now = form.pop("players", []), form.pop("pending", None)
        form |= {"game": self.game.titles.get(LANGUAGES[self.at], self.game.name)} if "game" in form else {}
        parts = {k: v for k, v in form.items() if isinstance(v, Mapping | list)}
        alone = {k: v for k, v in form.items() if k not in parts}
        lines = [self.phrase("", alone, everything)]
        lines += self._named(parts, everything)
        for player in players:
            rest = {k: v for k, v in player.items() if k != "seat" and not _follows(k, player, everything)}
            lines.append(f"{self.seated(player['seat'])}{self.colon}{self.phrase('', rest, everything)}")
        return lines + self._named({"pending": now}, everything)

    def _named(self, parts: Mapping[str, Any], everything: bool) -> list[str]:
        """A line for each part that says something; one for each entry of a list of objects."""
        each = [(key, entry) for key, value in parts.items() for entry in _lined(value)]
        told = [(key, self.phrase(key, entry, everything)) for key, entry in each]
        return [f"{self.field(key)}{self.colon}{words}" for key, words in told if words]

    def now(self, view: View) -> list[str]:
        """The hand of the seat and the decision that is being made."""
        form = view.to_json()
        hand = {k: v for player in form["players"] if player["seat"] == self.seat for k, v in player.items()}
        return self._named({"hand": hand.get("hand", []), "pending": form.get("pending")}, everything=False)

    def field(self, key: str) -> str:
        """The name of a field, or of the card that it counts."""
        return FIELDS[key][self.at] if key in FIELDS else self.value(key)

    def value(self, word: str) -> str:
        """A card or another word that a field holds."""
        if word in self.cards:
            return self.cards[word]
        return VALUES[word][self.at] if word in VALUES else word.replace("_", " ")

    def phrase(self, key: str | int, value: Any, everything: bool = True) -> str:
        """A value in words, "" where there is nothing to say."""
        match value:
            case None:
                return ""
            case bool():
                return YES_OR_NO[self.at][value]
            case int() if key in SEATED:
                return self.seated(value)
            case str():
                return self.value(value)
            case Mapping():
                return self._object(value, everything)
            case list():
                return self._list(key, value, everything)
        return str(value)

    def _object(self, fields: Mapping[str, Any], everything: bool) -> str:
        """Names with what they hold."""
        told = {k: self.phrase(k, v, everything) for k, v in fields.items() if everything or k not in DETAILS}
        has_parts = "question" in fields or any(isinstance(v, Mapping | list) for v in fields.values())
        colon = self.colon if has_parts else " "
        words = [self._labelled(k, text, colon) for k, text in told.items() if text]
        return (self.semicolon if has_parts else self.comma).join(words)

    def _labelled(self, key: str, text: str, colon: str) -> str:
        if key == "question":
            return CHOOSE[self.at].format(text)
        return text if key == "seat" else f"{self.field(key)}{colon}{text}"

    def _list(self, key: str | int, entries: Sequence[Any], everything: bool) -> str:
        """Entries in their order; those that are repeated, once with their number."""
        told = [self.phrase("seat" if key == "seats" else key, entry, everything) or HIDDEN for entry in entries]
        if entries and isinstance(entries[0], Mapping):
            return " | ".join(told)
        runs = [(text, len(list(run))) for text, run in groupby(told)]
        return self.comma.join(text if n == 1 else f"{text} ×{n}" for text, n in runs)
