"""What takes input from outside, and what must hold whatever the input is: one oracle for both drivers.

A check returns True for an input that is taken, False for one that is refused as it ought to be, and raises for all
else.
"""

import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

import engine
from bots.arena import reading
from bots.arena.entrant import read_entrant, read_entrants
from bots.arena.results import line_of
from bots.arena.standing import compare, standings
from engine import check as cases
from engine import replay as replays
from engine.faults import Fault, InvalidInput, NotNow
from engine.game import Game, State, View
from engine.plain import from_json
from engine.registry import PATH
from tests.contract.games import MAX_DECISIONS, cards
from tests.fuzz import mutation, seeds
from tests.fuzz.wire import METHODS, SEALER, answers, request_type

T = TypeVar("T")
MAX_TEXTS = 10  # of which each is parsed alone


class Target(NamedTuple):
    """One kind of input."""

    check: Callable[[bytes], bool]
    seeds: Callable[[], Sequence[bytes]]  # valid inputs
    mutate: mutation.Mutate


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def taken(read: Callable[[], T], *beginnings: str) -> T | None:
    """What was read; None where it was refused with faults that say what and, if that is asked for, where."""
    try:
        return read()
    except InvalidInput as error:
        _check_faults(error.faults, beginnings or ("",))
    return None


def _check_faults(faults: Sequence[Fault], beginnings: tuple[str, ...]) -> None:
    assert faults
    for fault in faults:
        assert fault.found
        assert fault.path.startswith(beginnings)
        assert "\n" not in fault.found + fault.expected


def game_of(value: object) -> Game:
    """The game that a form names; any for a form that is none."""
    return engine.known(value.get("game") if isinstance(value, dict) else seeds.KINDS[0].name)


def observation(data: bytes) -> bool:
    """A JSON text as an observation."""
    view = taken(lambda: game_of(value := from_json(text_of(data))).view_from_json(value))
    if view is None:
        return False
    again = view.game.view_from_json(view.to_json())
    assert again.tobytes() == view.tobytes()
    if view.to_move == view.seat:
        _check_asked(view)
    return True


def _check_asked(view: View) -> None:
    """The seat to move has legal moves, and worlds that it cannot tell from the real one."""
    moves = view.moves()
    assert moves
    assert [view.game.parse(view, move.text) for move in moves] == moves
    for seed in range(3):
        world = view.world(seed)
        assert world.moves() == moves
        assert world.view(view.seat).tobytes() == view.tobytes()


def world(data: bytes) -> bool:
    """A JSON text as a world."""
    state = taken(lambda: game_of(value := from_json(text_of(data))).state_from_json(value))
    if state is None:
        return False
    again = state.game.state_from_json(state.to_json())
    assert again.to_json() == state.to_json()
    for seat in range(state.setup.seats):
        _check_seen(state.view(seat), again.view(seat))
    if not state.over:
        _check_asked(state.view(state.to_move))
        _check_end(state)
    return True


def _check_seen(view: View, again: View) -> None:
    """What a seat knows of a world that was read twice; of one that no game leads to, it may be refused."""
    assert again.tobytes() == view.tobytes()
    read = taken(lambda: view.game.view_from_json(view.to_json()))
    assert read is None or read.tobytes() == view.tobytes()


def _check_end(state: State) -> None:
    """The game can be played to its end, and no card is made or lost."""
    ended, verbs = state.clone(), state.game.verbs
    played = verbs.playout(state.setup.rules_address, ended.address, np.uint64(1), 0, MAX_DECISIONS)
    assert 0 < played < MAX_DECISIONS
    assert state.game.min_return <= min(ended.returns()) <= max(ended.returns()) <= state.game.max_return
    before, after = (cards(state.setup, position.data) for position in (state, ended))
    assert np.array_equal(before, after)


def moves(data: bytes) -> bool:
    """The number of a position, and move texts, a line each, to be played from there."""
    states = seeds.states()
    state, texts = states[data[0] % len(states) if data else 0], text_of(data[1:]).split("\n")
    before = state.tobytes()
    for text in texts[:MAX_TEXTS]:
        _check_parsed(state, text)
    after = taken(lambda: state.play_texts(texts), "moves[")
    assert state.tobytes() == before
    if after is None:
        return False
    written = [played.text for played in after[1]]  # forced moves too: without them a list may mean two things
    assert state.play_texts(written)[0].tobytes() == after[0].tobytes()
    return True


def _check_parsed(state: State, text: str) -> None:
    try:
        move = state.game.parse(state, text)
    except NotNow:
        assert text not in [move.text for move in state.moves()]
        return
    assert move in state.moves()
    assert move.text == text


def replay(data: bytes) -> bool:
    """The lines of a replay."""
    read = taken(lambda: replays.read(text_of(data).splitlines()))
    if read is None:
        return False
    assert replays.read(read.lines()) == read
    if taken(read.warnings) is None:
        return False
    return taken(lambda: [bool(played) for _, played in read.states()], "turns[") is not None


def case_file(data: bytes) -> bool:
    """A file of cases, TOML or JSON."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("cases.json" if data.lstrip().startswith(b"{") else "cases.toml")
        path.write_bytes(data)
        read = taken(lambda: cases.read(cases.parsed(path)))
    for case in read or ():
        outcome = cases.run(case)
        assert outcome == cases.run(case)
        assert all(outcome.differences)
    return read is not None


def entrants(data: bytes) -> bool:
    """Entrants of an arena, a line each; code that one names by its path is not imported."""
    texts = text_of(data).split("\n")
    read = taken(lambda: [read_entrant(text) for text in texts])
    if read is None or any(PATH.fullmatch(entrant.bot) for entrant in read):
        return False
    assert [read_entrant(entrant.text) for entrant in read] == read
    found = taken(lambda: read_entrants(texts), "entrants")
    assert found in (None, read)
    return found is not None


def results(data: bytes) -> bool:
    """The lines of an arena's results."""
    found = taken(lambda: reading.read(text_of(data)))
    if found is None:
        return False
    contest, games, _ = found
    assert reading.read("\n".join([line_of(contest), *map(line_of, games)]))[:2] == (contest, games)
    assert sorted(s.entrant for s in standings(contest, games)) == sorted(contest.entrants)
    taken(lambda: compare(contest, games, *contest.entrants[:2]))
    return True


def sealed(data: bytes) -> bool:
    """A sealed game."""
    found = taken(lambda: SEALER.open(data), "sealed")
    assert (found is not None) == (data in seeds.sealed())
    return found is not None


TARGETS = {
    "observation": Target(observation, seeds.observations, mutation.json_text),
    "world": Target(world, seeds.worlds, mutation.json_text),
    "moves": Target(moves, seeds.moves, mutation.tokens),
    "replay": Target(replay, seeds.replays, mutation.json_lines),
    "cases": Target(case_file, seeds.cases, mutation.json_text),
    "entrants": Target(entrants, seeds.entrants, mutation.tokens),
    "results": Target(results, seeds.results, mutation.json_lines),
    "sealed": Target(sealed, seeds.sealed, mutation.tokens),
} | {
    rpc: Target(partial(answers, rpc), partial(seeds.requests, rpc), mutation.message(request_type(rpc)))
    for rpc in METHODS
}
