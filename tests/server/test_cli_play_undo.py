"""Steps taken back: only those of an action being put together, and only while they told nothing new."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pytest

from engine.game import Move, Played, State
from server.cli.chairs import Chairs
from server.cli.table import Table
from tests.contract.games import AS, KINDS, Kind

DECISIONS = 150
ACTIONS = [kind for kind in KINDS if kind.name == AS and (kind.seats == 2 or kind.rules)]


def told(table: Table) -> list[list[str]]:
    return [watch.told() for watch in table.watches.values()]


def look(table: Table) -> tuple[bytes, list[Played]]:
    """All that there is on the table."""
    return table.state.tobytes(), list(table.played)


def pending(state: State) -> dict[str, object]:
    form = state.view(state.to_move).to_json().get("pending", {})
    assert isinstance(form, dict)
    return form


def steps(kind: Kind, seed: int) -> Iterator[tuple[Table, Move]]:
    """A table of people, before each decision of a random game, with the move that the caller plays."""
    table = Table(kind.setup, seed, Chairs(tuple(range(kind.seats)), {}), "en")
    choose = np.random.default_rng(seed)
    for _ in range(DECISIONS):
        if table.state.over:
            return
        moves = table.state.moves()
        yield table, moves[int(choose.integers(len(moves)))]


def may_go_back(table: Table, seat: int, asked: Mapping[str, object], played: Sequence[Played]) -> bool:
    """Whether the seat is still putting its action together, nobody else has acted, and no cards were looked at."""
    if table.state.over or table.state.to_move != seat or any(move.seat != seat for move in played):
        return False
    now = pending(table.state)
    return "action" in now and ("shown" in asked) == ("shown" in now)


@pytest.mark.parametrize("kind", ACTIONS, ids=str)
def test_a_step_is_as_if_it_had_never_been_or_cannot_be_taken_back(kind: Kind) -> None:
    seen = Counter[bool]()
    for table, move in steps(kind, 11):
        seat, before, asked = table.state.to_move, look(table), pending(table.state)
        told(table)
        table.play(move)
        after, may = look(table), may_go_back(table, seat, asked, table.played[len(before[1]) :])
        assert table.take_back() == may
        seen[may] += 1
        if may:
            assert (look(table), told(table)) == (before, [[]] * kind.seats)
            table.play(move)
            assert look(table) == after
    assert min(seen[False], seen[True]) > 20


def test_a_look_at_the_junkyard_cannot_be_undone() -> None:
    looked = 0
    for table, move in steps(Kind(AS, 2), 5):
        if "shown" in pending(table.state):
            looked += 1
            assert not table.take_back()
        table.play(move)
    assert looked > 0


def test_an_action_is_taken_back_to_its_beginning_and_no_further() -> None:
    table, _ = next(steps(Kind(AS, 2), 5))
    before = table.state.tobytes()
    for text in ("trash", "discard refugee", "discard refugee"):
        table.play(table.state.game.parse(table.state, text))
    assert [table.take_back() for _ in range(4)] == [True, True, True, False]
    assert (table.state.tobytes(), table.played) == (before, [])


def test_nobody_is_told_of_what_was_taken_back() -> None:
    straight, winding = (next(steps(Kind(AS, 2), 5))[0] for _ in range(2))
    for table, texts in ((straight, ["go"]), (winding, ["undo", "discard shovel", "undo", "discard refugee", "go"])):
        for text in ("trash", "discard refugee", *texts):
            if text == "undo":
                assert table.take_back()
            else:
                table.play(table.state.game.parse(table.state, text))
    assert look(straight) == look(winding)
    assert told(straight) == told(winding)


def test_bets_stand() -> None:
    for table, move in steps(Kind("leduc_poker", 2), 5):
        table.play(move)
        assert not table.take_back()
