"""What a JSON form says, field by field, before anything is inferred; faults are collected, never raised here."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.arctic_scavengers.asking import Ask
from engine.arctic_scavengers.cards import Card
from engine.arctic_scavengers.names import ACTIONS, QUESTIONS, WAYS
from engine.arctic_scavengers.rules import SWITCHES, module_faults, switch_faults
from engine.arctic_scavengers.state import CONTESTED, LAST_ROUND, LEDGER, LOOK, PILE, TRIBE, WAY_LOST
from engine.faults import SEATS_COUNT, Reader
from engine.game import Setup

LEFT_OUT = -1
PHASE_WORDS = ("gathering", "reaction", "skirmish", "over")
USED = list(ACTIONS.values())
BYTE = 255


@dataclass
class Pile:
    """A pile as a form gives it: what lies on top in order, what lies anywhere, what lies below in order."""

    top: list[int] = field(default_factory=list)
    bag: Counter[int] = field(default_factory=Counter)
    bottom: list[int] = field(default_factory=list)

    def counts(self) -> Counter[int]:
        return self.bag + Counter(self.top) + Counter(self.bottom)


@dataclass
class Crossing:
    """An entry of the ledger, or a won card (way "out" of the contested pile)."""

    form: Reader
    seat: int
    way: int
    card: int
    cycle: int
    seen: int


@dataclass
class Tribe:
    """One entry of `players`; LEFT_OUT or None where the form is silent."""

    form: Reader
    seat: int
    hand: list[int] | None
    hand_n: int
    deck: Pile | None
    deck_n: int
    discard: list[int] | None
    discard_n: int
    front: list[int]
    owned: Counter[int] | None
    unknown: int
    won_unknown: int
    dug: int
    held: Counter[int]
    openly: Counter[int]
    left: int
    sure: Counter[int]
    cycle: int
    trashed_now: int
    used: list[str]
    food: int
    reserve: int
    responses: Mapping[str, int]
    known: Counter[int]
    since: Counter[int]
    # settled later
    start: Counter[int] = field(default_factory=Counter)
    is_open: bool = False  # its cards are told
    cards: Counter[int] = field(default_factory=Counter)  # of an open tribe, with what it trashed face down
    hidden: int = LEFT_OUT  # of them, those that the public record does not tell
    done: bool = False
    named_dug: int = 0
    named_won: int = 0
    missing: int = 0  # cards trashed that the ledger does not list


class Draft:
    """Everything that one form says."""

    def __init__(self, game: Any, value: object, is_world: bool) -> None:
        self.game = game
        self.is_world = is_world
        self.forms: list[Reader] = []
        self.assumptions: list[str] = []
        self.warnings: list[str] = []
        self.actor = self.asked = LEFT_OUT  # these are settled later
        self.turns = self.played_n = 0
        self.is_hidden = self.shown_forces = False
        self.stacks: dict[int, int] = {}
        self.top = self.opened(Reader(value))
        self.faults = self.top.faults
        self.top.word("game", game.name, [game.name])
        if not self.top.raw("game") and not self.faults:
            self.top.fault("game", self.top.raw("game"), repr(game.name))
        self.setup = self.read_setup()
        self.r: Any = self.setup.rules[0]
        self.seats = self.setup.seats
        self.kinds: tuple[Card, ...] = game.kinds(self.setup)
        self.ids = [card.id for card in self.kinds]
        self.number = {name: k for k, name in enumerate(self.ids)}
        self.copies = self.r.total.tolist()  # by kind
        self.contested_kinds = frozenset(np.flatnonzero(self.r.contested).tolist())
        self.market_ids = [name for k, name in enumerate(self.ids) if self.r.market[k]]
        self.contested_ids = [name for k, name in enumerate(self.ids) if self.r.contested[k]]
        self.seat = self.read_seat()
        self.read_moment()
        self.read_table()
        self.tribes = self.read_tribes()
        self.ledger = self.read_ledger()
        self.wins = self.read_wins()

    def opened(self, form: Reader) -> Reader:
        """Remembers a part of the form, whose unused fields become warnings."""
        self.forms.append(form)
        return form

    def assume(self, text: str) -> None:
        self.assumptions.append(text)

    def unused(self) -> list[str]:
        """Fields that nobody asked for, as warnings."""
        return [warning for form in self.forms for warning in form.warnings()]

    # ---- kinds of values

    @property
    def one_seat(self) -> str:
        """What is expected where a seat must be named."""
        return f"a whole number from 0 to {self.seats - 1}{SEATS_COUNT}"

    def seat_at(self, form: Reader, name: str, default: int = LEFT_OUT) -> int:
        return form.seat(name, default, self.seats)

    def mask(self, form: Reader, name: str) -> int:
        """A list of seats, as bits."""
        value = form.raw(name)
        if value is None:
            return 0
        if not isinstance(value, Sequence) or isinstance(value, str):
            form.fault(name, value, "a list of seats")
            return 0
        mask = 0
        for i, q in enumerate(value):
            if isinstance(q, bool) or not isinstance(q, int | float) or q not in range(self.seats):
                form.fault(f"{name}[{i}]", q, self.one_seat)
            else:
                mask |= 1 << int(q)
        return mask

    def masks(self, form: Reader, name: str) -> list[int]:
        """A list of sets of seats, each as `{seats: [...]}`."""
        return [self.mask(self.opened(entry), "seats") for entry in form.objects(name)]

    def cards(self, form: Reader, name: str, allowed: Sequence[str] | None = None, most: int = PILE) -> list[int]:
        """A list of cards; a list that is too long is a fault."""
        words = form.words(name, self.ids if allowed is None else allowed)
        if len(words) > most:
            form.fault(name, f"{len(words)} cards", f"at most {most}")
            words = words[:most]
        return [self.number[str(word)] for word in words]

    def card(self, form: Reader, name: str, allowed: Sequence[str] | None = None) -> int:
        word = form.word(name, "", self.ids if allowed is None else allowed)
        return self.number[word] if word else LEFT_OUT

    def map(self, form: Reader, name: str, high: int = BYTE) -> Counter[int]:
        """A map from card to number, without zeros."""
        return Counter({self.number[word]: n for word, n in form.counts(name, self.ids, high).items() if n})

    def pile(self, form: Reader, name: str, allowed: Sequence[str] | None = None) -> Pile | None:
        """A pile: a list (top first) or `{top, bag, bottom}`; None when left out."""
        value = form.raw(name)
        if not form.has(name):
            return None
        if not isinstance(value, Mapping):
            return Pile(top=self.cards(form, name, allowed))
        inner = self.opened(form.object(name))
        words = self.ids if allowed is None else allowed
        bag = inner.counts("bag", words, PILE)
        pile = Pile(bag=Counter({self.number[word]: n for word, n in bag.items() if n}))
        pile.top, pile.bottom = self.cards(inner, "top", allowed), self.cards(inner, "bottom", allowed)
        return pile

    # ---- parts

    def read_setup(self) -> Setup:
        """The options and the number of seats; what is wrong is replaced, so that reading can go on."""
        top = self.top
        options = self.opened(top.object("options"))
        modules = options.raw("modules") if options.raw("modules") is not None else []
        rules = options.raw("rules") if options.raw("rules") is not None else {}
        if not isinstance(modules, Sequence) or isinstance(modules, str):
            options.fault("modules", modules, "a list of modules")
            modules = []
        if not isinstance(rules, Mapping):
            options.fault("rules", rules, "a map from switch to value")
            rules = {}
        self.faults += module_faults(modules) + switch_faults(rules)
        good = {n: v for n, v in rules.items() if n in SWITCHES and not switch_faults({n: v})}
        setup: Setup = self.game.setup(self.count_seats(), [m for m in modules if not module_faults([m])], good)
        return setup

    def count_seats(self) -> int:
        low, high = int(self.game.min_seats), int(self.game.max_seats)
        players = self.top.raw("players")
        is_list = isinstance(players, Sequence) and not isinstance(players, str)
        listed = len(players) if is_list else 0
        given: int = self.top.integer("seats", LEFT_OUT, low, high)
        if given != LEFT_OUT:
            return given
        if self.top.raw("seats") is None:
            if low <= listed <= high:
                self.assume(f"seats = {listed}")
                return listed
            if is_list or players is None:  # anything else is a fault when the entries are read
                self.top.fault("players", f"{listed} entries", f"{low} to {high}, one a seat")
        return min(max(listed, low), high)

    def read_seat(self) -> int:
        if self.is_world:
            return LEFT_OUT
        if self.top.raw("seat") is None:
            self.top.fault("seat", None, f"the seat whose knowledge this is, {self.one_seat}")
        return self.seat_at(self.top, "seat", 0)

    def read_moment(self) -> None:
        """Round, phase, and the pending decision."""
        top = self.top
        self.round_no = top.integer("round", LEFT_OUT, 1, LAST_ROUND)
        self.phase = top.word("phase", "", PHASE_WORDS)
        self.initiator, self.to_move = self.seat_at(top, "initiator"), self.seat_at(top, "to_move")
        self.skirmish = self.opened(top.object("skirmish"))
        self.slot = self.skirmish.integer("slot", LEFT_OUT, 0, self.seats)
        self.forces = self.read_forces(self.skirmish)
        self.last_skirmish = self.opened(top.object("last_skirmish"))
        self.last_forces = self.read_forces(self.last_skirmish)
        self.last_winner = self.seat_at(self.last_skirmish, "winner")
        self.pending = pending = self.opened(top.object("pending"))
        word = pending.word("question", "", list(QUESTIONS.values()))
        self.question: Ask | None = next((ask for ask, name in QUESTIONS.items() if name == word), None)
        self.asker, self.target = self.seat_at(pending, "asker"), self.seat_at(pending, "target")
        action = pending.word("action", "", USED)
        self.act = next((int(act) for act, name in ACTIONS.items() if name == action), LEFT_OUT)
        self.committed = self.cards(pending, "committed", most=TRIBE)
        self.committed_n = pending.integer("committed_count", LEFT_OUT, 0, TRIBE)
        self.value = pending.integer("value", LEFT_OUT, 0, BYTE)
        self.shown = self.cards(pending, "shown", most=LOOK)
        self.shown_n = pending.integer("shown_count", LEFT_OUT, 0, LOOK)
        self.shown_seen = self.masks(pending, "shown_seen_by")
        self.card_hired = self.card(pending, "card", self.market_ids)
        self.need = pending.integer("need", LEFT_OUT, 1, BYTE)
        medicines = [name for k, name in enumerate(self.ids) if int(self.r.medicines) >> k & 1]
        self.paid = self.cards(pending, "paid", medicines, TRIBE)
        self.passes = pending.integer("passes", 0, 0, self.seats - 2)

    def read_forces(self, skirmish: Reader) -> dict[int, Reader]:
        """The forces of a skirmish, by seat."""
        forces: dict[int, Reader] = {}
        for form in skirmish.objects("forces"):
            q = self.seat_at(self.opened(form), "seat")
            if form.raw("seat") is None:
                form.fault("seat", None, self.one_seat)
            elif q in forces:
                form.fault("seat", q, "each seat once")
            elif q >= 0:
                forces[q] = form
        return forces

    def read_table(self) -> None:
        """Market, junkyard, contested pile."""
        top = self.top
        self.market = top.counts("market", self.market_ids)
        for name, n in self.market.items():
            full = int(self.r.market[self.number[name]])
            if n > full:
                top.fault(f"market.{name}", n, f"a whole number from 0 to {full}")
        self.junkyard = junkyard = self.opened(top.object("junkyard"))
        self.junk_count = junkyard.integer("count", LEFT_OUT, 0, PILE)
        self.junk = self.pile(junkyard, "cards") if self.is_world else None
        self.bottom: list[int] = self.junk.bottom if self.junk else []
        self.known, self.looked_at, self.since = Counter[int](), Counter[int](), Counter[int]()
        if not self.is_world:
            words = junkyard.words("known_bottom", self.ids, null=True)
            self.bottom = [self.number[word] if word else LEFT_OUT for word in words]
            self.known, self.looked_at = self.map(junkyard, "known"), self.map(junkyard, "looked_at")
            self.since = self.map(junkyard, "known_since", LEDGER)
        self.bottom_seen = self.masks(junkyard, "bottom_seen_by")
        if not self.is_world and not self.bottom:
            self.bottom = [LEFT_OUT] * len(self.bottom_seen)
        self.contested = contested = self.opened(top.object("contested"))
        self.contested_n = contested.integer("count", LEFT_OUT, 0, CONTESTED)
        self.contested_cards = self.pile(contested, "cards", self.contested_ids) if self.is_world else None
        self.contested_top = LEFT_OUT if self.is_world else self.card(contested, "top", self.contested_ids)
        self.top_seen = self.mask(contested, "top_seen_by")
        if self.is_world:
            self.next_rolls = top.raw("next_rolls")
            if self.next_rolls:
                top.fault("next_rolls", self.next_rolls, "nothing: this game has no dice, and piles fix every draw")

    def read_tribes(self) -> list[Tribe]:
        """One tribe a seat, whether listed or not."""
        forms: dict[int, Reader] = {}
        for i, form in enumerate(self.top.objects("players")):
            if i >= self.seats and form.raw("seat") is None:
                form.fault("", "an entry too many", f"{self.seats} entries, one a seat")
                continue
            q = self.seat_at(form, "seat", LEFT_OUT if form.raw("seat") is not None else i)
            if q in forms:
                form.fault("seat", q, "each seat once")
            elif q >= 0:
                forms[q] = form
        for q in range(self.seats):
            forms.setdefault(q, Reader({}, f"players[{q}]", self.faults))
        return [self.read_tribe(q, self.opened(forms[q])) for q in range(self.seats)]

    def read_tribe(self, q: int, form: Reader) -> Tribe:
        hand = self.cards(form, "hand", most=TRIBE) if form.has("hand") else None
        knowledge = self.opened(form.object("knowledge")) if self.is_world else form
        return Tribe(
            form=form,
            seat=q,
            hand=hand,
            hand_n=form.integer("hand_count", LEFT_OUT, 0, TRIBE),
            deck=self.pile(form, "deck") if self.is_world or q == self.seat else None,
            deck_n=form.integer("deck_count", LEFT_OUT, 0, TRIBE),
            discard=self.cards(form, "discard", most=TRIBE) if form.has("discard") else None,
            discard_n=form.integer("discard_count", LEFT_OUT, 0, TRIBE),
            front=self.cards(form, "in_front", most=TRIBE),
            owned=self.map(form, "owned", TRIBE) if form.has("owned") else None,
            unknown=form.integer("owned_unknown", LEFT_OUT, 0, TRIBE),
            won_unknown=form.integer("won_unknown", LEFT_OUT, 0, CONTESTED),
            dug=form.integer("dug", LEFT_OUT, 0, LAST_ROUND),
            held=self.map(form, "seen_hand", TRIBE),
            openly=self.map(form, "seen_discard", TRIBE),
            left=form.integer("left_face_down", LEFT_OUT, 0, TRIBE),
            sure=self.map(form, "sure", TRIBE),
            cycle=form.integer("cycle", LEFT_OUT, 0, BYTE),
            trashed_now=form.integer("trashed_this_cycle", LEFT_OUT, 0, BYTE),
            used=[str(word) for word in form.words("used_actions", USED)],
            food=form.integer("food", 0, 0, BYTE),
            reserve=form.integer("reserve", LEFT_OUT, 0, TRIBE),
            responses=form.counts("responses", [card.hits for card in self.kinds if card.hits]),
            known=self.map(knowledge, "junkyard") if self.is_world else Counter(),
            since=self.map(knowledge, "junkyard_since", LEDGER)
            if self.is_world
            else self.since
            if q == self.seat
            else Counter(),
        )

    def read_ledger(self) -> list[Crossing]:
        forms = self.top.objects("ledger")
        if len(forms) > LEDGER:
            self.top.fault("ledger", f"{len(forms)} entries", f"at most {LEDGER}")
        return [self.crossing(self.opened(form), is_win=False) for form in forms[:LEDGER]]

    def read_wins(self) -> list[Crossing]:
        forms = self.top.objects("wins")
        if len(forms) > CONTESTED:
            self.top.fault("wins", f"{len(forms)} entries", f"at most {CONTESTED}")
        return [self.crossing(self.opened(form), is_win=True) for form in forms[:CONTESTED]]

    def crossing(self, form: Reader, is_win: bool) -> Crossing:
        """An entry of the ledger or of the wins."""
        word = "out" if is_win else form.word("way", "", list(WAYS.values()))
        if not form.raw("way") and not is_win:
            form.fault("way", form.raw("way"), "one of " + ", ".join(WAYS.values()))
        way = next((way for way, name in WAYS.items() if name == word), LEFT_OUT)
        if way != WAY_LOST and form.raw("seat") is None:
            form.fault("seat", None, self.one_seat)
        q = 0 if way == WAY_LOST else self.seat_at(form, "seat", 0)
        card = self.card(form, "card", self.contested_ids if is_win or way == WAY_LOST else None)
        seen = self.mask(form, "seen_by") if form.has("seen_by") else LEFT_OUT
        return Crossing(form, q, way, card, form.integer("cycle", LEFT_OUT, 0, BYTE), seen)
