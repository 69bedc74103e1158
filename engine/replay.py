"""A game as lines of text: a header, then one move a line; read back, it gives the same states."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import engine
from engine.faults import Fault, InvalidInput, NotNow, Reader, one_of, shown
from engine.game import ENGINE_VERSION, MAX_SEED, Game, Played, Setup, State
from engine.kinds import Kind, read_as
from engine.plain import from_json
from engine.verbs import MAX_SEATS

ANYONE = -1  # as the seat of a turn that does not say whose it is


class Turn(NamedTuple):
    """One decision of a replay."""

    seat: int
    move: str


class Replay(NamedTuple):
    """A game from its first deal on; forced moves are not listed."""

    game: str
    options: Mapping[str, Any]
    seats: int
    seed: int
    rules_hash: str
    engine_version: str
    turns: tuple[Turn, ...]

    def setup(self) -> Setup:
        """The game with its options; raises `InvalidInput` for options that do not exist."""
        return _setup(engine.known(self.game), self.options, self.seats)

    def warnings(self) -> list[str]:
        """Why the replay may play differently here than where it was written."""
        if self.rules_hash in ("", self.setup().rules_hash):
            return []
        return [f"rules_hash: written under other rules or another version ({self.engine_version or 'unknown'})"]

    def states(self) -> Iterator[tuple[State, list[Played]]]:
        """The start, then the state after each turn with what was played; the state is the same object each time.

        Raises `InvalidInput` with path `turns[i].move` or `turns[i].seat` at the first turn that does not fit.
        """
        state = self.setup().new(self.seed)
        yield state, []
        for i, turn in enumerate(self.turns):
            yield state, _play(state, turn, f"turns[{i}]")

    def lines(self) -> Iterator[str]:
        """The replay as text, without line ends."""
        yield json.dumps({name: getattr(self, name) for name in _HEADER}, ensure_ascii=False)
        for turn in self.turns:
            yield json.dumps({name: value for name, value in turn._asdict().items() if value != ANYONE})


_HEADER = Replay._fields[:-1]


def record(setup: Setup, seed: int, played: Iterable[Played]) -> Replay:
    """The replay of a game that was dealt from `seed` and went this way."""
    turns = tuple(Turn(p.seat, p.text) for p in played if not p.forced)
    options = dict(setup.options)
    return Replay(setup.game.name, options, setup.seats, seed, setup.rules_hash, ENGINE_VERSION, turns)


def read(lines: Iterable[str]) -> Replay:
    """A replay from its lines; raises `InvalidInput` with every fault, `turns[i]` being the line after the header.

    Without a header that can be read there is but one fault: the file is something else.
    """
    texts = [line for line in lines if line.strip()]
    faults: list[Fault] = []
    header = Reader(_header(texts), "", faults)
    values = [_parsed(line, f"turns[{i}]", faults) for i, line in enumerate(texts[1:])]
    name, options = header.raw("game"), header.raw("options") or {}
    if not isinstance(name, str):
        header.fault("game", name, one_of(name, engine.names()))
    seats = header.integer("seats", 2, 1, MAX_SEATS)
    seed = header.integer("seed", 0, 0, MAX_SEED)
    turns = tuple(_turn(Reader(value, f"turns[{i}]", faults)) for i, value in enumerate(values))
    header.done()
    hashes = [str(header.raw(field) or "") for field in ("rules_hash", "engine_version")]
    return Replay(str(name), options, seats, seed, hashes[0], hashes[1], turns)


def _header(texts: Sequence[str]) -> object:
    """The first line, which must be an object."""
    if not texts:
        raise InvalidInput([Fault("", "no lines", "a header line, then one move a line")])
    header = read_as(Kind.REPLAY, "\n".join(texts), lambda _: from_json(texts[0], "header"))
    if not isinstance(header, Mapping):
        raise InvalidInput([Fault("header", shown(header), "an object")])
    return header


def _parsed(line: str, path: str, faults: list[Fault]) -> object:
    try:
        return from_json(line, path)
    except InvalidInput as error:
        faults += error.faults
        return {"move": ""}  # nothing else is wrong with it


def _turn(entry: Reader) -> Turn:
    move = entry.raw("move")
    if not isinstance(move, str):
        entry.fault("move", move, "the text of a move")
        move = ""
    return Turn(entry.seat("seat", ANYONE, MAX_SEATS), move)


def _setup(game: Game, options: object, seats: int) -> Setup:
    faults: list[Fault] = []
    fields = Reader(options, "options", faults)
    modules, rules = fields.raw("modules") or [], fields.raw("rules") or {}
    if not isinstance(modules, list) or not all(isinstance(module, str) for module in modules):
        fields.fault("modules", modules, "a list of names")
    if not isinstance(rules, Mapping):
        fields.fault("rules", rules, "a map from switch to value")
    fields.done()
    return game.setup(seats, modules, rules)


def _play(state: State, turn: Turn, path: str) -> list[Played]:
    if turn.seat not in (ANYONE, state.to_move):
        expected = f"{state.to_move}, whose decision it is" if not state.over else "nobody: the game is over"
        raise InvalidInput([Fault(f"{path}.seat", str(turn.seat), expected)])
    try:
        return state.play(state.game.parse(state, turn.move))
    except NotNow as error:
        legal = ", ".join(m.text for m in state.moves()) or "nothing: the game is over"
        raise InvalidInput([Fault(f"{path}.move", shown(turn.move), legal)]) from error
