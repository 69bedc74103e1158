"""What happened between two views of a seat, in words.

Besides the views it is made from hits and payments, which lie open to everybody.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from server.cli.skirmishes import forces_in_words, outcome_in_words
from server.cli.telling import NOBODY, Teller
from server.cli.wording import DETAILS, SEATED, UNTOLD

Form = Mapping[str, Any]
HITS = ("snipe", "disarm")
OPEN_MOVES = (*HITS, "pay")
MAY_FAIL = ("draw", "dig", "hunt")
HAND = ("hand", "hand_count", "reserve")
TABLE = ("contested", "initiator", "phase", "round")  # fields of the round
SPOILS = ("last_skirmish", "ledger", "skirmish", "wins")  # fields that the end of a skirmish changes


class Change(NamedTuple):
    """One field that is not what it was; None where there was or is no such field."""

    path: tuple[str | int, ...]
    before: Any
    after: Any


def changes(before: Any, after: Any, path: tuple[str | int, ...] = ()) -> Iterator[Change]:
    """Where two forms differ, down to numbers, words and lists of these; new entries of lists come whole."""
    old, new = _entries(before), _entries(after)
    if old is None or new is None:
        if before != after:
            yield Change(path, before, after)
        return
    for key in [*new, *(key for key in old if key not in new)]:
        if isinstance(after, list) and key not in old:
            yield Change((*path, key), None, new[key])
        else:
            yield from changes(old.get(key), new.get(key), (*path, key))


def _entries(form: Any) -> Mapping[str | int, Any] | None:
    """The fields of an object, or the objects of a list; None for what is told as a whole."""
    if isinstance(form, Mapping):
        return form
    if isinstance(form, list) and form and all(isinstance(entry, Mapping) for entry in form):
        return dict(enumerate(form))
    return {} if form is None else None


class OpenMove(NamedTuple):
    """A move that lies open to everybody, taken apart."""

    seat: int
    fields: Mapping[str, Any]


@dataclass
class Deed:
    """An action put together over several moves, each part as it was at its fullest."""

    seat: int
    start: Form  # the view before it
    parts: dict[str, Any] = field(default_factory=dict)
    told: Form = field(default_factory=dict)  # the parts as they were told

    def take_in(self, pending: Form) -> None:
        """Adds what is pending now."""
        for key, value in pending.items():
            if not (isinstance(value, list) and len(value) < len(self.parts.get(key, []))):
                self.parts[key] = value

    @property
    def action(self) -> str:
        return str(self.parts["action"])

    def cards(self, key: str) -> Counter[str]:
        return Counter(self.parts.get(key, []))


class Line(NamedTuple):
    """A sentence, and what it is about: a draw of the seat's own, its new hand, a skirmish, or anything else."""

    about: str
    text: str


Part = tuple[int, str]  # a seat, or NOBODY, and what is said of it


def player(form: Form, seat: int) -> Form:
    """The entry of a seat in a view."""
    return next((entry for entry in form.get("players", []) if entry.get("seat") == seat), {})


def cards_of_hand(form: Form, seat: int) -> Counter[str]:
    """The hand of a seat with what it has committed."""
    return Counter(player(form, seat).get("hand", [])) + Counter(form.get("pending", {}).get("committed", []))


@dataclass(frozen=True)
class Happening:
    """Two views of one seat, with the deed and the open moves between them; `subject` had the decision."""

    teller: Teller
    before: Form
    after: Form
    subject: int
    deed: Deed | None
    moves: Sequence[OpenMove]

    @property
    def is_new_round(self) -> bool:
        return "initiator" in self.after and self.after["round"] != self.before["round"]

    @property
    def ends_game(self) -> bool:
        return self.after.get("phase") == "over" != self.before.get("phase")

    @property
    def ends_skirmish(self) -> bool:
        return "last_skirmish" in self.after and (self.is_new_round or self.ends_game)

    @property
    def finished(self) -> Deed | None:
        """The deed, if nothing of it is pending any more."""
        return None if "action" in (self.after.get("pending") or {}) else self.deed

    def lines(self) -> Iterator[Line]:
        """All that happened, in the order of the table."""
        done = self.finished
        is_own_draw = done is not None and done.action == "draw" and done.seat == self.teller.seat
        told = [Line("draw" if is_own_draw else "", self._sentence())]
        told += [Line("skirmish", text) for text in self._skirmish()]
        if self.is_new_round:
            told += [Line("round", self._round()), Line("hand", self._new_hand())]
        yield from (line for line in told if line.text)

    # ---- what a seat did

    def _sentence(self) -> str:
        """What was done and what it changed, seat by seat."""
        parts: list[Part] = [*self._undertaken(), *self._hits(), *self._result(), *self._paid(), *self._changed()]
        told = [(seat, words) for seat, words in parts if words]
        teller, clauses = self.teller, []
        for seat, group in groupby(told, key=lambda part: part[0]):
            words = teller.comma.join(words for _, words in group)
            clauses.append(words if seat == NOBODY else f"{teller.seated(seat)}{teller.colon}{words}")
        return teller.semicolon.join(clauses)

    def _undertaken(self) -> Iterator[Part]:
        """The action and what was put into it."""
        if self.deed:
            for key, value in self.deed.parts.items():
                if key not in UNTOLD and value and value != self.deed.told.get(key):
                    yield self.deed.seat, f"{self.teller.field(key)} {self.teller.phrase(key, value)}"

    def _hits(self) -> Iterator[Part]:
        """Hits, with unit, card and whose it was."""
        for seat, fields in self.moves:
            if fields["action"] in HITS:
                card, unit = self.teller.value(fields["card"]), self.teller.value(fields["with"])
                card = self.teller.said("has_acted", card) if fields.get("spent") else card
                whom = self.deed.seat if self.deed else self._loser()
                yield seat, self.teller.said(fields["action"], card=card, whom=self.teller.seated(whom), unit=unit)

    def _loser(self) -> int:
        """Whose force has lost a card."""
        now = self.after["last_skirmish" if self.ends_skirmish else "skirmish"]["forces"]
        forces = zip(self.before["skirmish"]["forces"], now, strict=True)
        return next(int(old["seat"]) for old, new in forces if len(new["cards"]) < len(old["cards"]))

    def _result(self) -> Iterator[Part]:
        """How a finished action ended where its traces do not say it."""
        deed = self.finished
        if deed is None or deed.action not in MAY_FAIL:
            return
        action = self.teller.value(deed.action)
        if deed.action not in player(self.after, deed.seat).get("used_actions", []):
            lost = Counter(fields["card"] for _, fields in self.moves if fields["action"] in HITS)
            back = list((deed.cards("committed") - lost).elements())
            yield deed.seat, self.teller.said("failed", action)
            yield deed.seat, self.teller.said("back", self.teller.listed(back)) if back else ""
        elif not self._yield(deed):
            yield deed.seat, self.teller.said("nothing", action)
        elif deed.action == "draw":
            drawn = self._drawn(deed)
            yield deed.seat, self.teller.said("draws", self.teller.listed(drawn) if drawn else self._yield(deed))

    def _yield(self, deed: Deed) -> int:
        """How much an action came to: cards drawn or looked at, food."""
        now, start = player(self.after, deed.seat), player(deed.start, deed.seat)
        if deed.action == "hunt":
            return int(now.get("food", 0) - start.get("food", 0))
        if deed.action == "dig":
            return int(deed.parts.get("shown_count", len(deed.parts.get("shown", []))))
        used = len(deed.parts.get("committed", [])) - len((deed.start.get("pending") or {}).get("committed", []))
        return int(now["hand_count"] - start["hand_count"] + used)

    def _drawn(self, deed: Deed) -> list[str]:
        """The cards drawn, where the seat sees them."""
        if deed.seat != self.teller.seat:
            return []
        rest = cards_of_hand(deed.start, deed.seat) - deed.cards("committed")
        return list((cards_of_hand(self.after, deed.seat) - rest).elements())

    def _paid(self) -> Iterator[Part]:
        """What a hire cost, which everybody sees."""
        for entry in self.after.get("players", []):
            old = player(self.before, entry["seat"])
            if "hire" in set(entry.get("used_actions", [])) - set(old.get("used_actions", [])):
                costs = [*self._food_paid(old.get("food", 0))]
                costs += [self.teller.value(f["card"]) for _, f in self.moves if f["action"] == "pay"]
                yield entry["seat"], self.teller.said("pays", self.teller.comma.join(costs)) if costs else ""

    def _food_paid(self, food: int) -> Iterator[str]:
        """The food there was, and how much of it the price did not need."""
        stacks = [(card, n, self.after["market"].get(card, 0)) for card, n in self.before["market"].items()]
        price = next(self.teller.prices[card] for card, before, after in stacks if after < before)
        lost = food - price.get("any_mix", price.get("food", 0))
        if food:
            yield self.teller.said("food_lost", food, lost) if lost > 0 else self.teller.said("food", food)

    # ---- what it changed

    def _changed(self) -> Iterator[Part]:
        """All other changes."""
        for change in changes(self.before, self.after):
            if not self._is_told_otherwise(change.path):
                owner, path = self._owner(change.path)
                yield owner, self._change(owner, path, change)

    def _is_told_otherwise(self, path: tuple[str | int, ...]) -> bool:
        """Whether a sentence of its own tells this change, or none needs to."""
        top, last = path[0], path[-1]
        if top in ("pending", "phase"):
            return True
        if (self.is_new_round and top in TABLE) or ((self.is_new_round or self.ends_game) and top in SPOILS):
            return True
        if top == "skirmish":
            return "skirmish" not in self.before or last not in ("fight", "people")
        drawn = self.finished.seat if self.finished and self.finished.action == "draw" else NOBODY
        is_open = self.is_new_round or "skirmish" in self.after
        return top == "players" and last in HAND and (is_open or self._owner(path)[0] == drawn)

    def _owner(self, path: tuple[str | int, ...]) -> tuple[int, tuple[str | int, ...]]:
        """Of whom a change is told, and the fields that then say what changed."""
        if path[0] == "players" and len(path) > 1:
            return int(self.after["players"][int(path[1])]["seat"]), path[2:]
        if path[:2] == ("skirmish", "forces"):
            return int(self.after["skirmish"]["forces"][int(path[2])]["seat"]), path[3:]
        return NOBODY if path[0] in TABLE else self.subject, path

    def _change(self, owner: int, path: tuple[str | int, ...], change: Change) -> str:
        """One change in words; what is no longer there is not told."""
        teller = self.teller
        if not path or not UNTOLD.isdisjoint(path) or (path[-1] == "hand_count" and owner == teller.seat):
            return ""
        label = " ".join(teller.field(key) for key in path if isinstance(key, str))
        before, after = change.before, change.after
        if isinstance(after, Mapping):
            text = teller.comma.join(teller.phrase(k, v) for k, v in after.items() if k not in DETAILS)
        elif isinstance(before or after, list):
            text = self._moved(str(path[-1]), before or [], after or [])
        elif before is None or not isinstance(after, int) or path[-1] in SEATED:
            text = teller.phrase(path[-1], after)
        else:
            text = f"{before} → {after}"
        return f"{label} {text}" if text else ""

    def _moved(self, key: str, before: Sequence[Any], after: Sequence[Any]) -> str:
        """What a list gained; of the hand also what it lost."""
        old, new = Counter(before), Counter(after)
        gained, lost = (self.teller.phrase(key, list((a - b).elements())) for a, b in ((new, old), (old, new)))
        if key != "hand":
            return gained
        return " ".join(f"{sign}{cards}" for sign, cards in (("+", gained), ("-", lost)) if cards)

    # ---- what all saw

    def _skirmish(self) -> Iterator[str]:
        """The forces as they are revealed, or as they were compared, with the outcome."""
        if self.ends_skirmish:
            yield from forces_in_words(self.teller, self.after["last_skirmish"]["forces"])
            yield outcome_in_words(self.teller, self.after)
        elif "skirmish" in self.after and "skirmish" not in self.before:
            yield from forces_in_words(self.teller, self.after["skirmish"]["forces"])

    def _round(self) -> str:
        """The round that begins, its initiator, and the contested card if the seat has looked at it."""
        teller, form = self.teller, self.after
        words = [f"{teller.field(key)} {teller.phrase(key, form[key])}" for key in ("round", "initiator")]
        if card := form["contested"].get("top"):
            words.append(f"{teller.field('contested')} {teller.field('top')} {teller.value(card)}")
        return teller.comma.join(words)

    def _new_hand(self) -> str:
        """The hand the seat puts away, and the one it draws."""
        teller, seat = self.teller, self.teller.seat
        old = player(self.before, seat).get("hand", [])
        if self.ends_skirmish:
            old = self.after["last_skirmish"]["forces"][seat]["cards"]
        new = teller.said("new_hand", teller.listed(player(self.after, seat).get("hand", [])))
        words = [teller.said("old_hand", teller.listed(old)), new] if old else [new]
        return f"{teller.seated(seat)}{teller.colon}{teller.semicolon.join(words)}"
