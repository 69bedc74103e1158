"""Results read back: every fault with its line, since others may have written or cut them."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import engine
from bots.arena.pairing import is_line_up
from bots.arena.results import KINDS, MAX_DEALS, Contest, Foul, Result, Used
from engine.faults import Fault, InvalidInput, Reader
from engine.game import MAX_SEED, Game
from engine.kinds import Kind, read_as
from engine.plain import from_json
from engine.verbs import MAX_SEATS

HEADER = "header"
Line = tuple[str, str]  # where it is, what it says


class Run(NamedTuple):
    """A run as far as it was played."""

    contest: Contest
    results: list[Result]  # in the order of the file
    warnings: list[str]  # what should be known of it


def read(text: str) -> Run:
    """A run from the text of its file; raises `InvalidInput` with every fault of the header, else of all games.

    A last line that was cut off, as by the end of a process, is left out with a warning.
    """
    lines = [(f"line {number}", line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines:
        raise InvalidInput([Fault("", "no lines", "a header line, then a game a line")])
    header = read_as(Kind.RESULTS, text, lambda _: from_json(lines[0][1], HEADER))
    contest = _contest(Reader(header, HEADER))
    warnings = _rules_warnings(contest)
    if len(lines) > 1 and not text.endswith("\n") and _is_cut(lines[-1]):
        warnings.append(f"{lines.pop()[0]}: cut off, and left out")
    return Run(contest, _results(lines[1:], contest), warnings)


def _rules_warnings(contest: Contest) -> list[str]:
    """Why the games may go differently here than where they were played."""
    try:
        here = contest.setup().rules_hash
    except InvalidInput:  # options of another version
        here = ""
    if contest.rules_hash in ("", here):
        return []
    return [f"rules_hash: played under other rules or another version ({contest.engine_version or 'unknown'})"]


def _is_cut(line: Line) -> bool:
    try:
        from_json(line[1])
    except InvalidInput:
        return True
    return False


def _contest(header: Reader) -> Contest:
    entrants = header.raw("entrants")
    if not isinstance(entrants, list) or len(entrants) < 2 or not all(isinstance(name, str) for name in entrants):
        header.fault("entrants", entrants, "a list of at least two entrants")
        entrants = []
    elif len(set(entrants)) < len(entrants):
        header.fault("entrants", entrants, "each entrant once")
    for name in ("seats", "deals"):
        if header.raw(name) is None:
            header.fault(name, None, "a whole number")
    name = header.raw("game")
    contest = Contest(
        str(name),
        _options(header.object("options")),
        header.integer("seats", 0, 1, MAX_SEATS),
        header.integer("seed", 0, 0, MAX_SEED),
        header.integer("deals", 0, 1, MAX_DEALS),
        tuple(entrants),
        str(header.raw("rules_hash") or ""),
        str(header.raw("engine_version") or ""),
    )
    try:
        engine.known(name)
    except InvalidInput as error:
        header.faults += (fault._replace(path=header.at(fault.path)) for fault in error.faults)
    header.done()
    return contest


def _options(options: Reader) -> dict[str, Any]:
    modules, rules = options.raw("modules") or [], options.raw("rules") or {}
    if not isinstance(modules, list) or not all(isinstance(module, str) for module in modules):
        options.fault("modules", modules, "a list of names")
    if not isinstance(rules, Mapping):
        options.fault("rules", rules, "a map from switch to value")
    return {"modules": modules, "rules": rules}


def _results(lines: list[Line], contest: Contest) -> list[Result]:
    """The games; raises `InvalidInput` with every fault, games that are there twice among them."""
    faults, found, game = list[Fault](), dict[tuple[int, tuple[str, ...]], str](), engine.known(contest.game)
    results = list[Result]()
    for at, line in lines:
        before = len(faults)
        try:
            result = _result(Reader(from_json(line, at), at, faults), contest, game)
        except InvalidInput as error:
            faults += error.faults
            continue
        first = found.setdefault((result.deal, result.entrants), at)
        if first != at and len(faults) == before:
            faults.append(Fault(at, f"the game of {first}", "each game once"))
        results.append(result)
    if faults:
        raise InvalidInput(faults)
    return results


def _result(line: Reader, contest: Contest, game: Game) -> Result:
    seats = contest.seats
    returns = [
        _number(line, f"returns[{i}]", value, game.min_return, game.max_return)
        for i, value in enumerate(_listed(line, "returns", seats))
    ]
    return Result(
        _deal(line, contest),
        _entrants(line, contest),
        tuple(returns),
        line.integer("decisions", 0),
        _number(line, "ms", line.raw("ms")),
        tuple(_foul(foul, seats) for foul in line.objects("faults")),
        tuple(
            _used(Reader(used, line.at(f"used[{i}]"), line.faults))
            for i, used in enumerate(_listed(line, "used", seats))
        ),
    )


def _deal(line: Reader, contest: Contest) -> int:
    if line.raw("deal") is None:
        line.fault("deal", None, "a whole number")
    return line.integer("deal", 0, 0, contest.deals - 1)


def _entrants(line: Reader, contest: Contest) -> tuple[str, ...]:
    """Who sat where: a set that the header has meet, its order turned."""
    names, before = line.words("entrants", contest.entrants), len(line.faults)
    players = [contest.entrants.index(str(name)) for name in names]
    if before == len(line.faults) and (len(names) != contest.seats or not is_line_up(players, len(contest.entrants))):
        expected = f"{contest.seats} entrants that the header has meet, by seat"
        line.fault("entrants", line.raw("entrants"), expected)
    return tuple(map(str, names))


def _listed(line: Reader, name: str, seats: int) -> list[Any]:
    """A list of one entry a seat."""
    value = line.raw(name)
    if isinstance(value, list) and len(value) == seats:
        return value
    line.fault(name, value, f"a list of {seats} entries, one a seat")
    return []


def _number(line: Reader, path: str, value: object, low: float = 0.0, high: float = float("inf")) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
        return value
    limits = f"from {low:g} to {high:g}" if high < float("inf") else f"from {low:g}"
    line.fault(path, value, f"a number {limits}")
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
