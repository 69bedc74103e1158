"""Runs cases from outside against the rules: a position, moves, and what must then hold (docs/contract.md 5)."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import engine
from engine.faults import SEATS_COUNT, Fault, InvalidInput, NotNow, Reader, one_of
from engine.game import Game, Position, State
from engine.kinds import Kind, read_as
from engine.plain import from_json, from_toml, read_file
from engine.verbs import MAX_SEATS

TOLERANCE = 1e-6  # of numbers that are not whole
PILES = ("deck", "top", "bottom", "known_bottom", "ledger", "wins", "junkyard.cards", "contested.cards")  # order counts
KEYS = ("seat", "id")  # fields that say which entry of a list of objects is meant
WORLD_ONLY = ("world", "view", "over", "returns")
SEATS = tuple(map(str, range(MAX_SEATS)))


class Case(NamedTuple):
    """One position with what is expected of it."""

    game: Game
    name: str
    form: Mapping[str, Any]  # a world or an observation, in its JSON form
    is_world: bool
    moves: tuple[str, ...]
    expect: Mapping[str, Any]


class Outcome(NamedTuple):
    """A case that was run; it holds when there are no differences."""

    name: str
    differences: tuple[str, ...]


def parsed(path: Path) -> Mapping[str, Any]:
    """What a TOML or JSON file of cases holds; raises `InvalidInput` when it is neither, or another of our files."""
    value = read_as(Kind.CASES, read_file(path), from_json if path.suffix == ".json" else from_toml)
    return value if isinstance(value, Mapping) else {}


def read(form: Mapping[str, Any]) -> list[Case]:
    """The cases of a parsed file; raises `InvalidInput` with every fault of its form."""
    top = Reader(form)
    game = engine.known(top.raw("game"))
    cases = [_case(game, entry) for entry in top.objects("case")]
    if not cases:
        top.fault("case", top.raw("case"), "at least one case")
        top.done()  # what else is in the file means nothing then
    _refuse_unused(top, ("game", "case"))
    top.done()
    return cases


def run(case: Case) -> Outcome:
    """Plays a case and compares."""
    wanted_faults = case.expect.get("faults", [])
    try:
        position = _position(case)
    except InvalidInput as error:
        return Outcome(case.name, tuple(_faults(wanted_faults, error)))
    found = [f"faults: none, expected {', '.join(wanted_faults)}"] if wanted_faults else []
    for name, wanted in case.expect.items():
        if name in EXPECTATIONS:
            found += EXPECTATIONS[name](position, wanted)
    return Outcome(case.name, tuple(found))


def differences(found: Any, wanted: Any, path: str = "") -> Iterator[str]:
    """Where `found` lacks what `wanted` names: fields not wanted may be anything, null wants a field absent.

    Lists match in any order, except piles; a list of objects with a seat or id is matched by it, and partly.
    """
    if isinstance(wanted, Mapping):
        fields = found if isinstance(found, Mapping) else {}
        for name, inner in wanted.items():
            yield from differences(fields.get(name), inner, f"{path}.{name}" if path else str(name))
    elif isinstance(wanted, list) and (key := _key(wanted)):
        entries = found if isinstance(found, list) else []
        by_key = {entry.get(key): entry for entry in entries if isinstance(entry, Mapping)}
        for entry in wanted:
            at = f"{path}[{key} {entry[key]}]"
            if entry[key] in by_key:
                yield from differences(by_key[entry[key]], entry, at)
            else:
                yield f"{at}: found nothing, expected {_line(entry)}"
    elif not _same(found, wanted, path.endswith(PILES)):
        yield f"{path}: found {_line(found)}, expected {_line(wanted)}"


def _case(game: Game, case: Reader) -> Case:
    name = case.raw("name")
    if not isinstance(name, str) or not name:
        case.fault("name", name, "a name")
    is_world = case.raw("world") is not None
    if is_world == (case.raw("observation") is not None):
        case.fault("", "both" if is_world else "neither", "either a world or an observation")
    form = case.raw("world" if is_world else "observation")
    expect = _expect(case, is_world)
    moves = case.raw("moves") or []
    if not _is_words(moves) or (moves and not is_world):
        case.fault("moves", moves, "a list of move texts" if is_world else "nothing: moves are played in a world")
        moves = []
    _refuse_unused(case, ("name", "world", "observation", "moves", "expect"))
    if isinstance(form, Mapping):
        form = {"game": game.name, **form}
    return Case(game, str(name), form, is_world, tuple(moves), expect)


def _expect(case: Reader, is_world: bool) -> Mapping[str, Any]:
    """What the case expects; everything that could never be compared is a fault."""
    value = case.raw("expect")
    expect = Reader({} if value is None else value, case.at("expect"), case.faults)
    if not isinstance(value, Mapping) or not value:
        case.fault("expect", value, "at least one expectation")
        return {}
    for name, (fits, form) in FORMS.items():
        if name in value and not fits(expect.raw(name)):
            expect.fault(name, expect.raw(name), form)
        if name in value and name in WORLD_ONLY and not is_world:
            expect.fault(name, expect.raw(name), "nothing: an observation does not tell")
    _refuse_unused(expect, list(FORMS))
    return value


def _refuse_unused(reader: Reader, known: Sequence[str]) -> None:
    for name in reader.unused():
        reader.faults.append(Fault(reader.at(name), "a field that means nothing here", one_of(name, known)))


def _position(case: Case) -> Position:
    if not case.is_world:
        return case.game.view_from_json(case.form)
    state, _ = case.game.state_from_json(case.form).play_texts(case.moves)
    return state


def _faults(wanted: Sequence[str], error: InvalidInput) -> Iterator[str]:
    if not wanted:
        yield from (f"refused: {fault}" for fault in error.faults)
    named = [fault.path for fault in error.faults]
    for path in wanted:
        if path not in named:
            yield f"faults: found {', '.join(named)}, expected {path}"


def _texts(position: Position) -> list[str]:
    return [move.text for move in position.moves()]


def _legal(position: Position, wanted: list[str]) -> Iterator[str]:
    found = _texts(position)
    if missing := [text for text in wanted if text not in found]:
        yield f"legal: lacks {', '.join(missing)}"
    if extra := [text for text in found if text not in wanted]:
        yield f"legal: has {', '.join(extra)}, which is not expected"


def _legal_has(position: Position, wanted: list[str]) -> Iterator[str]:
    found = _texts(position)
    if missing := [text for text in wanted if text not in found]:
        yield f"legal_has: lacks {', '.join(missing)}; legal are {', '.join(found) or 'none'}"


def _legal_lacks(position: Position, unwanted: list[str]) -> Iterator[str]:
    if extra := [text for text in unwanted if text in _texts(position)]:
        yield f"legal_lacks: has {', '.join(extra)}"


def _refused(position: Position, moves: str | list[str]) -> Iterator[str]:
    for move in [moves] if isinstance(moves, str) else moves:
        try:
            position.game.parse(position, move)
        except (InvalidInput, NotNow):
            continue
        yield f"refused: {move} is accepted"


def _world(position: Position, wanted: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(position, State):
        yield from differences(position.to_json(), wanted, "world")


def _view(position: Position, wanted: Mapping[str, Any]) -> Iterator[str]:
    for seat, partial in wanted.items():
        if int(seat) >= position.setup.seats:
            yield f"view.{seat}: found no such seat, expected one below {position.setup.seats}{SEATS_COUNT}"
        elif isinstance(position, State):
            yield from differences(position.view(int(seat)).to_json(), partial, f"view.{seat}")


def _over(position: Position, wanted: bool) -> Iterator[str]:
    if isinstance(position, State) and position.over != wanted:
        yield f"over: found {_line(position.over)}, expected {_line(wanted)}"


def _returns(position: Position, wanted: list[float]) -> Iterator[str]:
    if not isinstance(position, State) or not position.over:
        yield "returns: none, the game is not over"
    elif not _same(position.returns(), wanted, ordered=True):
        yield f"returns: found {_line(position.returns())}, expected {_line(wanted)}"


def _same(found: Any, wanted: Any, ordered: bool) -> bool:
    if isinstance(wanted, list):
        one, other = found or [], wanted
        if not isinstance(one, list):
            return False
        if ordered or not _is_words(one) or not _is_words(other):
            return len(one) == len(other) and all(_same(*pair, ordered) for pair in zip(one, other, strict=True))
        return Counter(one) == Counter(other)
    if _is_number(wanted) and _is_number(found):
        return bool(abs(found - wanted) <= TOLERANCE)
    absent = found is None and not wanted  # a count of 0 need not be told
    return absent or (type(found) is type(wanted) and bool(found == wanted))


def _key(entries: list[Any]) -> str | None:
    """The field that tells these entries apart, if they are objects that have one."""
    for key in KEYS:
        values = [entry.get(key) for entry in entries if isinstance(entry, Mapping)]
        told = {value for value in values if isinstance(value, str | int)}
        if entries and len(told) == len(entries):
            return key
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


EXPECTATIONS: Mapping[str, Callable[[Position, Any], Iterator[str]]] = {
    "legal": _legal,
    "legal_has": _legal_has,
    "legal_lacks": _legal_lacks,
    "refused": _refused,
    "world": _world,
    "view": _view,
    "over": _over,
    "returns": _returns,
}
FORMS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "legal": (_is_words, "a list of move texts"),
    "legal_has": (_is_words, "a list of move texts"),
    "legal_lacks": (_is_words, "a list of move texts"),
    "refused": (lambda value: isinstance(value, str) or _is_words(value), "a move text, or a list of them"),
    "world": (lambda value: isinstance(value, Mapping), "an object"),
    "view": (lambda value: isinstance(value, Mapping) and all(k in SEATS for k in value), "{seat: partial}"),
    "over": (lambda value: isinstance(value, bool), "true or false"),
    "returns": (lambda value: isinstance(value, list), "a list of numbers"),
    "faults": (_is_words, "a list of paths"),
}
