"""What the small card games share: one hidden card a seat, a list of public moves, JSON forms made of these."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np

from engine.faults import SEATS_COUNT, Fault, InvalidInput, Reader, shown
from engine.game import LANGUAGES, MAX_SEED, Game, Notes, Setup, State, View, checked_seats
from engine.record import Array, address_of, dtype_of, zeros
from engine.rng import seeded

SEATS = 2
UNKNOWN = 0  # a card nobody here knows: what a blank record holds


class Rules:
    """Nothing to choose: the record exists because every verb is given one."""

    seats: Annotated[int, np.int8]


RULES = dtype_of(Rules)


class SmallGame(Game):
    """A two-seat card game whose position follows from its hidden cards and its list of moves."""

    min_seats = max_seats = SEATS
    cards: ClassVar[Sequence[str]]  # names by card number, from 1
    move_names: ClassVar[Sequence[str]]  # canonical texts by move number
    move_sentences: ClassVar[Mapping[str, Sequence[str]]]  # the same in words, by language
    public_cards = 0  # cards that come to lie open for both

    @property
    def folder(self) -> Path:
        return Path(__file__).parent

    def setup(
        self, seats: int | None = None, modules: Iterable[str] = (), rules: Mapping[str, Any] | None = None
    ) -> Setup:
        n = checked_seats(self, seats)
        faults = [Fault(f"options.modules[{i}]", shown(m), "no module") for i, m in enumerate(modules)]
        faults += [Fault(f"options.rules.{name}", shown(value), "no switch") for name, value in (rules or {}).items()]
        if faults:
            raise InvalidInput(faults)
        record = zeros(RULES)
        record[0].seats = n
        return Setup(self, {"modules": [], "rules": {}}, n, record, record)

    def deal(self, setup: Setup, data: Array, seed: int) -> None:
        """One card to each seat: a world of the view in which both cards are unknown."""
        blank, scratch = zeros(self.state_dtype), np.zeros(self.scratch_bytes, np.uint8)
        self.verbs.determinize(
            setup.rules_address, address_of(blank), 0, np.uint64(seed), address_of(data), address_of(scratch)
        )

    def move_text(self, setup: Setup, data: Array, move: int) -> str:
        return self.move_names[move]

    def move_words(self, setup: Setup, data: Array, move: int, language: str) -> str:
        return self.move_sentences[language if language in LANGUAGES else "en"][move]

    def state_to_json(self, setup: Setup, data: Array) -> dict[str, Any]:
        return self._common(setup, data) | {
            "players": [{"seat": p, "hand": [self.cards[data[0].card[p]]]} for p in range(SEATS)],
            "seed": int(data[0].rng),
        }

    def view_to_json(self, setup: Setup, data: Array, seat: int) -> dict[str, Any]:
        players: list[dict[str, Any]] = [{"seat": p, "hand_count": 1} for p in range(SEATS)]
        players[seat] = {"seat": seat, "hand": [self.cards[data[0].card[seat]]]}
        return self._common(setup, data) | {"seat": seat, "players": players}

    def _common(self, setup: Setup, data: Array) -> dict[str, Any]:
        position = State(setup, data)
        form = {
            "game": self.name,
            "options": {"modules": [], "rules": {}},
            "seats": setup.seats,
            "phase": "over" if position.over else "betting",
            "to_move": position.to_move,
            "moves": [self.move_names[m] for m in data[0].move[: data[0].turn]],
        }
        if position.over:
            del form["to_move"]
        if self.public_cards and data[0].public:
            form["public"] = [self.cards[data[0].public]]
        return form

    def state_from_json(self, value: object) -> State:
        reader = Reader(value)
        state = self._read_common(reader)
        hands = self._read_hands(reader, range(SEATS))
        self._place(reader, state, hands)
        seed = reader.integer("seed", 0, high=MAX_SEED)
        state.data[0].rng = seed or seeded(np.uint64(0))  # 0 would be stuck
        reader.done()
        return state

    def view_from_json(self, value: object) -> View:
        reader = Reader(value)
        state = self._read_common(reader)
        if reader.raw("seat") is None:
            reader.fault("seat", None, f"a whole number from 0 to {SEATS - 1}{SEATS_COUNT}")
        seat = reader.seat("seat", 0, SEATS)
        hands = self._read_hands(reader, [seat])
        self._place(reader, state, hands)
        state.data[0].rng = 0
        reader.done()
        assumed = [f"{name}: {meaning}" for name, meaning in DEFAULTS.items() if reader.raw(name) is None]
        return View(state.setup, state.data, seat, Notes(tuple(assumed), tuple(reader.warnings())))

    def _read_common(self, reader: Reader) -> State:
        """The position after the listed moves, its cards still unknown."""
        reader.word("game", self.name, [self.name])
        if not reader.has("game"):
            reader.fault("game", None, self.name)
        options = reader.object("options")
        for name in ("modules", "rules"):
            if options.has(name):
                options.fault(name, options.raw(name), "nothing: the game has no options")
        reader.integer("seats", SEATS, low=SEATS, high=SEATS)
        state = State(self.setup(), zeros(self.state_dtype))
        state.data[0].rng = 1
        known = len(reader.faults)
        texts = reader.words("moves", self.move_names)
        for i, text in enumerate(texts if len(reader.faults) == known else []):
            legal = {m.text: m for m in state.moves()}
            if text not in legal:
                expected = "one of " + ", ".join(legal) if legal else "no move: the game is over"
                reader.fault(f"moves[{i}]", text, expected)
                break
            state.play(legal[text])
        self._read_told(reader, state)
        return state

    def _read_told(self, reader: Reader, state: State) -> None:
        """Fields that follow from the moves: they may be left out, but must not contradict."""
        reader.word("phase", "", ["over" if state.over else "betting"])
        if reader.raw("to_move") is not None:
            low, high = (0, -1) if state.over else (state.to_move, state.to_move)
            reader.integer("to_move", -1, low=low, high=high)

    def _read_hands(self, reader: Reader, known: Iterable[int]) -> dict[int, int]:
        """The cards of the seats that must be known; no other card may be told."""
        hands, told = dict.fromkeys(known, UNKNOWN), set[int]()
        players = reader.objects("players")
        for i, player in enumerate(players[:SEATS]):
            seat = player.seat("seat", i, SEATS)
            if seat in told:
                player.fault("seat", seat, "a seat that is not listed twice")
            told.add(seat)
            player.integer("hand_count", 1, low=1, high=1)
            cards = player.words("hand", self.cards[1:])
            if len(cards) != (seat in hands):
                expected = "a list of one card" if seat in hands else "nothing: this seat does not see it"
                player.fault("hand", player.raw("hand"), expected)
            elif cards:
                hands[seat] = self.cards.index(str(cards[0]))
        if len(players) > SEATS:
            reader.fault("players", f"{len(players)} entries", f"at most {SEATS}")
        elif not reader.faults and UNKNOWN in hands.values():
            reader.fault("players", reader.raw("players"), "the hand of seat " + " and ".join(map(str, hands)))
        return hands

    def _place(self, reader: Reader, state: State, hands: Mapping[int, int]) -> None:
        """Lays the cards into the position; the same card twice is a fault."""
        record, cards = state.data[0], [c for c in hands.values() if c]
        for seat, card in hands.items():
            record.card[seat] = card
        if self.public_cards:
            given = reader.words("public", self.cards[1:])
            if len(given) != (record.public != UNKNOWN):
                expected = "the one public card" if record.public else "nothing: no card lies open yet"
                reader.fault("public", reader.raw("public"), expected)
            elif given:
                record.public = self.cards.index(str(given[0]))
                cards.append(int(record.public))
        if len(set(cards)) < len(cards):
            reader.fault("players", [self.cards[c] for c in cards], "different cards")

    def template(self) -> dict[str, Any]:
        data = zeros(self.state_dtype)
        self.deal(self.setup(), data, 1)
        return State(self.setup(), data).view(0).to_json()


DEFAULTS = {"seats": str(SEATS)}
