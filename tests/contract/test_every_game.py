"""What holds in every game, at every decision: one suite over all games, seat counts and some house rules."""

import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

from bots import Budget, Request, make
from engine.game import Played, State, View
from engine.record import address_of, zeros
from engine.replay import read, record
from engine.verbs import MAX_MOVES
from tests.contract.dump import dump, search_all
from tests.contract.games import (
    AS,
    KINDS,
    MAX_DECISIONS,
    SCALE,
    Kind,
    addresses,
    cards,
    dealt,
    positions,
    with_a_rivals_cards_changed,
)

EVERY = pytest.mark.parametrize("kind", KINDS, ids=str)
BATCH = 200
GAMES = 20_000  # played in compiled code
LOOKED_AT = 3 * SCALE  # games looked at from Python, decision by decision
SEARCHED_EVERY = 60
WORLDS = 50
STRIDE = 7  # decisions between two counts of the cards
PLAIN_STRIDE = 23  # plain Python deals a late world in half a second: whole games, but worlds at some decisions only


@EVERY
def test_random_games_end_within_range(kind: Kind) -> None:
    setup, verbs = kind.setup, kind.setup.game.verbs
    out = np.zeros(8, np.float32)
    for start in range(0, GAMES, BATCH):
        states = dealt(setup, range(start, start + BATCH))
        for i, address in enumerate(addresses(states)):
            played = verbs.playout(setup.rules_address, address, np.uint64(start + i + 1), i % 2, MAX_DECISIONS)
            assert 0 < played < MAX_DECISIONS
            assert verbs.seat(setup.rules_address, address) == -1
            verbs.returns(setup.rules_address, address, out)
            points = out[: kind.seats]
            assert setup.game.min_return <= points.min() <= points.max() <= setup.game.max_return
            assert points.sum() == pytest.approx(1.0 if kind.name == AS else 0.0)


@EVERY
def test_cards_are_neither_made_nor_lost(kind: Kind) -> None:
    setup, verbs = kind.setup, kind.setup.game.verbs
    states = dealt(setup, range(BATCH))
    at_start, running = cards(setup, states), addresses(states)
    choose, moves = np.random.default_rng(1), np.empty(MAX_MOVES, np.int32)
    for _ in range(MAX_DECISIONS // STRIDE):
        for address in running * STRIDE:
            n = verbs.legal(setup.rules_address, address, moves)
            if n:
                verbs.apply(setup.rules_address, address, moves[choose.integers(n)])
        running = [a for a in running if verbs.seat(setup.rules_address, a) >= 0]
        assert np.array_equal(cards(setup, states), at_start)
        if not running:
            break
    assert not running


@EVERY
def test_a_clone_plays_like_the_state_and_leaves_it_alone(kind: Kind) -> None:
    for state in positions(kind.setup, 1):
        before = state.tobytes()
        if state.over:
            break
        for move in state.moves():
            one, other = state.clone(), state.clone()
            one.play(move)
            other.play(move)
            assert one.tobytes() == other.tobytes() != before
        assert state.tobytes() == before


@EVERY
def test_forced_moves_are_played_alike_inside_and_outside_of_apply(kind: Kind) -> None:
    for state, following in pairwise(positions(kind.setup, 2)):
        results = []
        for move in state.moves():
            stepped = state.clone()
            stepped.play(move)
            results.append(all_told(stepped))
        assert all_told(following) in results


def all_told(state: State) -> list[object]:
    """The position in words, secrets and generator included, and every seat's view of it."""
    return [state.to_json(), *(state.view(seat).tobytes() for seat in range(state.setup.seats))]


@EVERY
def test_move_texts_play_the_game_again(kind: Kind) -> None:
    setup = kind.setup
    for seed in range(LOOKED_AT):
        state, played = setup.new(seed), list[Played]()
        choose = np.random.default_rng(seed)
        while not state.over:
            played += state.play(state.moves()[int(choose.integers(len(state.moves())))])
        replay = read(record(setup, seed, played).lines())
        *_, (again, _) = replay.states()
        assert again.tobytes() == state.tobytes()
        assert setup.new(seed).play_texts([p.text for p in played])[0].tobytes() == state.tobytes()


@EVERY
def test_moves_are_unique_rising_ascii_and_at_least_two(kind: Kind) -> None:
    for seed in range(LOOKED_AT):
        for state in positions(kind.setup, seed):
            moves = state.moves()
            texts = [m.text for m in moves]
            if state.over:
                assert moves == []
                break
            assert len(moves) >= 2
            assert all(a.id < b.id for a, b in pairwise(moves))
            assert len(set(texts)) == len(texts)
            assert all(t.isascii() and t == " ".join(t.split()) for t in texts)
            assert [state.game.parse(state, t) for t in texts] == moves


def sample(view: View, seed: int, fill: int) -> bytes:
    """A dealt world, from memory that held something else before."""
    game, setup = view.game, view.setup
    into, scratch = zeros(game.state_dtype), np.full(game.scratch_bytes, fill, np.uint8)
    used = address_of(scratch)
    assert game.verbs.determinize(setup.rules_address, view.address, view.seat, np.uint64(seed), address_of(into), used)
    return State(setup, into).tobytes()


@EVERY
def test_worlds_fit_the_view_vary_and_depend_on_nothing_else(kind: Kind) -> None:
    for seed in range(LOOKED_AT):
        alike = 0
        for i, state in enumerate(positions(kind.setup, seed)):
            if state.over:
                break
            view = state.view(state.to_move)
            world = view.world(i)
            again = world.view(view.seat)
            assert again.tobytes() == view.tobytes()
            assert world.moves() == view.moves() == state.moves()
            assert sample(view, i, 0) == sample(again, i, 255) == world.tobytes()
            if i % 10 == 0:
                assert len({view.world(k).tobytes() for k in range(WORLDS)}) > 1
            alike += world.tobytes() == state.tobytes()
        assert alike == 0


@EVERY
def test_dealt_worlds_can_be_written_down_and_read_again(kind: Kind) -> None:
    for i, state in enumerate(positions(kind.setup, 6)):
        if state.over or i % STRIDE:
            continue
        world = state.view(state.to_move).world(i)
        again = state.game.state_from_json(world.to_json())
        for seat in range(kind.seats):
            assert again.view(seat).tobytes() == world.view(seat).tobytes()


LONG = [(Kind(AS, 5), 8), (Kind(AS, 5), 45), (Kind(AS, 3, (("trash_public", True),)), 313)]


@pytest.mark.parametrize(("kind", "seed"), LONG, ids=str)
def test_a_long_record_fits_some_deal_bug(kind: Kind, seed: int) -> None:
    for state in positions(kind.setup, seed):
        if not state.over:
            assert state.view(state.to_move).world(seed).to_move == state.to_move


@EVERY
def test_a_search_sees_no_more_than_the_view(kind: Kind) -> None:
    for i, state in enumerate(positions(kind.setup, 3)):
        if state.over or i % SEARCHED_EVERY:
            continue
        view = state.view(state.to_move)
        request = Request(Budget(iterations=100), seed=5)
        one, other = (make("ismcts").recommend(v, request) for v in (view, view.world(8).view(view.seat)))
        assert (one.plan, one.alternatives, one.explanation) == (other.plan, other.alternatives, other.explanation)


@EVERY
def test_a_rivals_hidden_cards_change_nobody_elses_view(kind: Kind) -> None:
    changed = 0
    for state in positions(kind.setup, 4):
        for rival in range(kind.seats):
            other = with_a_rivals_cards_changed(state, rival) if not state.over else None
            if other is None:
                continue
            changed += 1
            assert other.view(rival).tobytes() != state.view(rival).tobytes()
            for seat in set(range(kind.seats)) - {rival}:
                assert other.view(seat).tobytes() == state.view(seat).tobytes()
    assert changed


def run(argument: str, **environment: str) -> list[str]:
    """What another process prints in another mode."""
    command = [sys.executable, "-W", "error", "-m", "tests.contract.dump", *argument.split()]
    there = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert there.stderr == ""
    return there.stdout.splitlines()


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_every_process_and_hash_seed_finds_the_same_bytes(hash_seed: str) -> None:
    here = [*dump(1).splitlines(), *search_all().splitlines()]
    assert run("1 search", PYTHONHASHSEED=hash_seed) == here


@pytest.mark.timeout(600)
def test_plain_python_finds_the_same_bytes() -> None:
    assert run(str(PLAIN_STRIDE), NUMBA_DISABLE_JIT="1") == dump(PLAIN_STRIDE).splitlines()


@pytest.mark.timeout(900)  # compiles everything once more, into a folder of its own
def test_no_access_is_out_of_bounds() -> None:
    assert run("1", NUMBA_BOUNDSCHECK="1") == dump(1).splitlines()
