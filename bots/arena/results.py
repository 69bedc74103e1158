"""What is kept of a run: JSON lines, first what was played, then a game a line."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import engine
from bots.arena.entrant import read_entrants
from engine.faults import Fault, InvalidInput, Reader
from engine.game import ENGINE_VERSION, MAX_SEED, Game, Setup
from engine.plain import from_json
from engine.verbs import MAX_SEATS

MAX_DEALS = 10_000_000
KINDS = ("crash", "illegal", "overrun")  # of fouls; the first two lose the game


class Contest(NamedTuple):
    """What a run plays: the first line of its results."""

    game: str
    options: Mapping[str, Any]
    seats: int
    seed: int
    deals: int  # for each set of entrants that fill the seats
    entrants: tuple[str, ...]
    rules_hash: str
    engine_version: str

    def setup(self) -> Setup:
        """The game with its options; raises `InvalidInput` for a game or options that do not exist."""
        return engine.known(self.game).setup(self.seats, self.options["modules"], self.options["rules"])


class Foul(NamedTuple):
    """What a bot did that it must not."""

    seat: int
    kind: str  # one of KINDS
    text: str


class Used(NamedTuple):
    """How often each kind of action, and each card, was named by the moves of one seat, forced ones among them."""

    actions: Mapping[str, int]
    cards: Mapping[str, int]


class Result(NamedTuple):
    """One game: a line of the results."""

    deal: int  # 0..deals-1
    entrants: tuple[str, ...]  # by seat
    returns: tuple[float, ...]  # by seat
    decisions: int  # that bots were asked for: forced moves do not count
    ms: float
    faults: tuple[Foul, ...]
    used: tuple[Used, ...]  # by seat


def contest_of(game: Game, entrants: Sequence[str], deals: int, seed: int = 0, **options: Any) -> Contest:
    """A contest of these entrants, with the options of `Game.setup`; raises `InvalidInput` with every fault."""
    numbers = Reader({"deals": deals, "seed": seed})
    numbers.integer("deals", 1, 1, MAX_DEALS)
    numbers.integer("seed", 0, 0, MAX_SEED)
    setup, names = game.setup(), list[str]()
    try:
        names = [entrant.text for entrant in read_entrants(entrants)]
    except InvalidInput as error:
        numbers.faults += error.faults
    try:
        setup = game.setup(**options)
    except InvalidInput as error:
        numbers.faults += error.faults
    numbers.done()
    chosen = dict(setup.options)
    return Contest(game.name, chosen, setup.seats, seed, deals, tuple(names), setup.rules_hash, ENGINE_VERSION)


def line_of(entry: Contest | Result) -> str:
    """A line of the results, without its end."""
    if isinstance(entry, Contest):
        return json.dumps(entry._asdict())
    faults = [foul._asdict() for foul in entry.faults]
    return json.dumps(entry._asdict() | {"faults": faults, "used": [used._asdict() for used in entry.used]})


def read(lines: Iterable[str]) -> tuple[Contest, list[Result]]:
    """A run from its lines; raises `InvalidInput` with every fault, `games[i]` being the line after the first."""
    faults: list[Fault] = []
    values = [
        _parsed(line, f"games[{i - 1}]" if i else "header", faults) for i, line in enumerate(filter(str.strip, lines))
    ]
    if not values:
        raise InvalidInput([Fault("", "no lines", "a header line, then a game a line")])
    contest = _contest(Reader(values[0], "header", faults))
    games = [_result(Reader(value, f"games[{i}]", faults), contest) for i, value in enumerate(values[1:]) if value]
    if faults:
        raise InvalidInput(faults)
    return contest, games


def _parsed(line: str, path: str, faults: list[Fault]) -> Any:
    try:
        return from_json(line, path)
    except InvalidInput as error:
        faults += error.faults
        return {}  # nothing else is wrong with it


def _contest(header: Reader) -> Contest:
    entrants = header.raw("entrants")
    if not isinstance(entrants, list) or len(entrants) < 2 or not all(isinstance(name, str) for name in entrants):
        header.fault("entrants", entrants, "a list of at least two entrants")
        entrants = []
    for name in ("seats", "deals"):
        if header.raw(name) is None:
            header.fault(name, None, "a whole number")
    options = header.object("options")
    contest = Contest(
        str(header.raw("game")),
        {"modules": options.raw("modules") or [], "rules": options.raw("rules") or {}},
        header.integer("seats", 0, 1, MAX_SEATS),
        header.integer("seed", 0, 0, MAX_SEED),
        header.integer("deals", 0, 1, MAX_DEALS),
        tuple(entrants),
        str(header.raw("rules_hash") or ""),
        str(header.raw("engine_version") or ""),
    )
    try:
        engine.known(contest.game)
    except InvalidInput as error:
        header.faults += (fault._replace(path=header.at(fault.path)) for fault in error.faults)
    return contest


def _result(game: Reader, contest: Contest) -> Result:
    seats, known = contest.seats, contest.entrants
    returns = [_number(game, f"returns[{i}]", value) for i, value in enumerate(_listed(game, "returns", seats))]
    names = game.words("entrants", known)
    if len(names) != seats:
        game.fault("entrants", game.raw("entrants"), f"a list of {seats} entrants of the header")
    return Result(
        game.integer("deal", 0, 0, max(contest.deals - 1, 0)),
        tuple(map(str, names)),
        tuple(returns),
        game.integer("decisions", 0),
        _number(game, "ms", game.raw("ms")),
        tuple(_foul(foul, seats) for foul in game.objects("faults")),
        tuple(
            _used(Reader(used, game.at(f"used[{i}]"), game.faults))
            for i, used in enumerate(_listed(game, "used", seats))
        ),
    )


def _listed(game: Reader, name: str, seats: int) -> list[Any]:
    """A list of one entry a seat."""
    value = game.raw(name)
    if isinstance(value, list) and len(value) == seats:
        return value
    game.fault(name, value, f"a list of {seats} entries, one a seat")
    return []


def _number(game: Reader, path: str, value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    game.fault(path, value, "a number")
    return 0.0


def _foul(foul: Reader, seats: int) -> Foul:
    return Foul(foul.integer("seat", 0, 0, seats - 1), foul.word("kind", KINDS[0], KINDS), str(foul.raw("text") or ""))


def _used(used: Reader) -> Used:
    return Used(*(_counts(used, name) for name in Used._fields))


def _counts(used: Reader, name: str) -> dict[str, int]:
    counts = used.object(name)
    return {word: counts.integer(word, 0) for word in _names(used.raw(name))}


def _names(value: object) -> Iterator[str]:
    return iter(map(str, value)) if isinstance(value, Mapping) else iter(())
