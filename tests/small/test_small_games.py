"""Kuhn and Leduc poker against OpenSpiel, and against their own promises."""

import os
import subprocess
import sys
from collections import Counter
from typing import Any

import numpy as np
import pyspiel
import pytest

import engine
from engine.faults import InvalidInput
from engine.game import Game, State
from engine.record import address_of, zeros
from engine.verbs import play_out
from tests.small.dump import dump

KUHN, LEDUC = engine.load("kuhn_poker"), engine.load("leduc_poker")
BOTH = pytest.mark.parametrize("game", [KUHN, LEDUC], ids=lambda g: g.name)


def start_of(game: Game, theirs: Any) -> State:
    """Our state after the deal of an OpenSpiel state."""
    state = game.setup().new(1)
    for seat, card in enumerate(theirs.history()[:2]):
        state.data[0].card[seat] = card + 1
    return state


def compare_below(ours: State, theirs: Any, count: Counter[str]) -> None:
    """Walks both trees at once: seats, legal moves and returns must agree everywhere."""
    if theirs.is_chance_node():
        for card in theirs.legal_actions():
            dealt = ours.clone()
            dealt.data[0].public = card + 1
            compare_below(dealt, theirs.child(card), count)
    elif theirs.is_terminal():
        count["ends"] += 1
        assert ours.over
        assert ours.returns() == theirs.returns(), theirs
    else:
        count["decisions"] += 1
        assert ours.to_move == theirs.current_player(), theirs
        assert [m.id for m in ours.moves()] == theirs.legal_actions(), theirs
        for move in ours.moves():
            after = ours.clone()
            after.play(move)
            compare_below(after, theirs.child(move.id), count)


def tree_count(game: Game) -> Counter[str]:
    count = Counter[str]()
    deal = pyspiel.load_game(game.name).new_initial_state()
    for first in deal.legal_actions():
        second_deal = deal.child(first)
        for second in second_deal.legal_actions():
            theirs = second_deal.child(second)
            compare_below(start_of(game, theirs), theirs, count)
    return count


def test_kuhn_has_24_decisions_and_30_ends() -> None:
    assert tree_count(KUHN) == {"decisions": 24, "ends": 30}


def test_leduc_is_openspiels_tree() -> None:
    assert tree_count(LEDUC) == {"decisions": 3780, "ends": 5520}


def random_positions(game: Game, games: int) -> list[State]:
    """Every decision of some random games."""
    generator, found = np.random.default_rng(5), []
    for seed in range(games):
        state = game.setup().new(seed)
        while not state.over:
            found.append(state.clone())
            state.play(state.moves()[int(generator.integers(len(state.moves())))])
    return found


@BOTH
def test_a_world_of_a_view_has_that_view(game: Game) -> None:
    for i, state in enumerate(random_positions(game, 200)):
        view = state.view(state.to_move)
        world = view.world(i)
        assert world.view(view.seat).tobytes() == view.tobytes()
        assert world.moves() == state.moves() == view.moves()
        assert len(set(world.data[0].card.tolist())) == 2


@BOTH
def test_worlds_do_not_depend_on_what_is_hidden(game: Game) -> None:
    """Two true states with one view and one seed give one stream of samples."""
    for state in random_positions(game, 50):
        view, other = state.view(state.to_move), state.view(state.to_move).world(99)
        assert other.view(view.seat).tobytes() == view.tobytes()
        for seed in range(10):
            assert other.view(view.seat).world(seed).tobytes() == view.world(seed).tobytes()


@pytest.mark.parametrize(("game", "moves", "cards"), [(KUHN, 0, 2), (LEDUC, 0, 5), (LEDUC, 2, 4)])
def test_hidden_cards_are_dealt_evenly(game: Game, moves: int, cards: int) -> None:
    state = game.setup().new(4)
    for _ in range(moves):
        state.play(1)
    view = state.view(0)
    dealt = Counter(int(view.world(seed).data[0].card[1]) for seed in range(4000))
    assert len(dealt) == cards
    expected = 4000 / cards
    assert sum((n - expected) ** 2 / expected for n in dealt.values()) < 20  # chi-square, at most 4 degrees


def test_the_public_card_is_drawn_evenly() -> None:
    drawn = Counter[int]()
    for seed in range(3000):
        state = LEDUC.setup().new(seed)
        state.play(1)
        state.play(1)
        cards = [*state.data[0].card.tolist(), int(state.data[0].public)]
        assert len(set(cards)) == 3
        drawn[cards[2]] += 1
    assert len(drawn) == 6
    assert sum((n - 500) ** 2 / 500 for n in drawn.values()) < 25


@BOTH
def test_playing_out_is_playing_by_the_other_verbs(game: Game) -> None:
    v, rules = game.verbs, game.setup().rules_address
    for seed, state in enumerate(random_positions(game, 30)):
        for limit in (1, 1000):
            one, two = state.clone(), state.clone()
            played = v.playout(rules, one.address, np.uint64(seed + 1), 0, limit)
            expected = play_out(v.seat, v.legal, v.apply, v.prior, rules, two.address, np.uint64(seed + 1), 0, limit)
            assert (played, one.tobytes()) == (expected, two.tobytes())


@BOTH
def test_returns_are_conserved_and_bounded(game: Game) -> None:
    found = set()
    for state in random_positions(game, 300):
        game.verbs.playout(state.setup.rules_address, state.address, np.uint64(3), 0, 100)
        returns = state.returns()
        found.update(returns)
        assert sum(returns) == 0
    assert max(found) <= game.max_return
    assert min(found) >= game.min_return


@BOTH
def test_the_greedy_move_is_legal(game: Game) -> None:
    for state in random_positions(game, 100):
        view = state.view(state.to_move)
        assert game.verbs.greedy(view.setup.rules_address, view.address) in [m.id for m in view.moves()]


@BOTH
def test_open_chance_leaves_the_own_card_out(game: Game) -> None:
    state = game.setup().new(1)
    rules, other = state.setup.rules_address, state.view(0).world(3)
    other.data[0].card[0], other.data[0].card[1] = state.data[0].card[1], state.data[0].card[0]

    def seen(s: State, hide_draws: int) -> int:
        return int(game.verbs.seen(rules, s.address, 0, -1, -1, hide_draws))

    assert seen(state, 0) != seen(other, 0)
    assert seen(state, 1) == seen(other, 1) != 0


@BOTH
def test_json_gives_the_same_bytes(game: Game) -> None:
    for state in random_positions(game, 100):
        assert game.state_from_json(state.to_json()).tobytes() == state.tobytes()
        for seat in (0, 1):
            view = state.view(seat)
            back = game.view_from_json(view.to_json())
            assert (back.tobytes(), back.seat, back.notes.warnings) == (view.tobytes(), seat, ())
            assert back.to_json() == view.to_json()


@BOTH
def test_an_ended_game_has_a_json_form(game: Game) -> None:
    state = game.setup().new(2)
    while not state.over:
        state.play(state.moves()[-1])
    form = state.to_json()
    assert form["phase"] == "over"
    assert "to_move" not in form
    assert game.state_from_json(form).tobytes() == state.tobytes()


@BOTH
def test_the_template_is_an_observation(game: Game) -> None:
    assert game.view_from_json(game.template()).moves()


def faults(game: Game, value: object, form: str = "view") -> list[str]:
    with pytest.raises(InvalidInput) as error:
        (game.view_from_json if form == "view" else game.state_from_json)(value)
    return [fault.path for fault in error.value.faults]


HAND = [{"seat": 0, "hand": ["king"]}]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (7, {"", "game", "seat"}),
        ({"game": "chess", "seat": 0, "players": HAND}, {"game"}),
        ({"game": "kuhn_poker", "players": HAND}, {"seat"}),
        ({"game": "kuhn_poker", "seat": 2, "players": HAND}, {"seat"}),
        ({"game": "kuhn_poker", "seat": 0}, {"players"}),
        ({"game": "kuhn_poker", "seat": 1, "players": HAND}, {"players[0].hand"}),
        ({"game": "kuhn_poker", "seat": 0, "players": [{"hand": ["king", "jack"]}]}, {"players[0].hand"}),
        ({"game": "kuhn_poker", "seat": 0, "players": [*HAND, {"hand": ["jack"]}]}, {"players[1].hand"}),
        ({"game": "kuhn_poker", "seat": 0, "players": [*HAND, {}, {}]}, {"players"}),
        ({"game": "kuhn_poker", "seat": 0, "players": [*HAND, *HAND]}, {"players[1].seat"}),
        ({"game": "kuhn_poker", "seat": 0, "players": HAND, "moves": ["pass", "pass", "bet"]}, {"moves[2]"}),
        ({"game": "kuhn_poker", "seat": 0, "players": HAND, "moves": ["fold"]}, {"moves[0]"}),
        ({"game": "kuhn_poker", "seat": 0, "players": HAND, "to_move": 1}, {"to_move"}),
        ({"game": "kuhn_poker", "seat": 0, "players": HAND, "phase": "over"}, {"phase"}),
        ({"game": "kuhn_poker", "seat": 0, "players": HAND, "options": {"modules": ["hq1"]}}, {"options.modules"}),
        (
            {"game": "kuhn_poker", "seat": 5, "seats": 3, "moves": ["x"], "players": [{"hand": ["ace"]}]},
            {"seat", "seats", "moves[0]", "players[0].hand[0]", "players[0].hand"},
        ),
    ],
)
def test_faults_of_observations(value: object, expected: set[str]) -> None:
    assert set(faults(KUHN, value)) == expected


def test_faults_of_the_public_card() -> None:
    king = [{"seat": 0, "hand": ["king_1"]}]
    form = {"game": "leduc_poker", "seat": 0, "players": king}
    assert faults(LEDUC, form | {"public": ["king_2"]}) == ["public"]
    assert faults(LEDUC, form | {"moves": ["call", "call"]}) == ["public"]
    assert faults(LEDUC, form | {"moves": ["call", "call"], "public": ["king_1"]}) == ["players"]
    assert LEDUC.view_from_json(form | {"moves": ["call", "call"], "public": ["king_2"]}).to_move == 0


def test_faults_of_worlds() -> None:
    world = {"game": "kuhn_poker", "players": [{"hand": ["king"]}, {"hand": ["king"]}]}
    assert faults(KUHN, world, "world") == ["players"]
    assert faults(KUHN, {"game": "kuhn_poker", "players": HAND, "seed": -1}, "world") == ["players", "seed"]


def test_the_games_have_no_options() -> None:
    with pytest.raises(InvalidInput) as error:
        KUHN.setup(seats=2, modules=["hq1"], rules={"open": True})
    assert [f.path for f in error.value.faults] == ["options.modules[0]", "options.rules.open"]
    with pytest.raises(InvalidInput):
        KUHN.setup(seats=3)


@BOTH
def test_words_in_both_languages(game: Game) -> None:
    state = game.setup().new(1)
    for move in state.moves():
        words = {lang: game.move_words(state.setup, state.data, move.id, lang) for lang in ("en", "ja")}
        assert words["en"][0].isupper()
        assert not words["ja"].isascii()
        assert not any(sentence.endswith((".", "。")) for sentence in words.values())
        assert game.parse(state, move.text) == move
        assert game.move_fields(state.setup, state.data, move.id) == {"action": move.text}


def test_plain_python_gives_the_same_bytes() -> None:
    command = [sys.executable, "-W", "error", "-m", "tests.small.dump"]
    plain = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    there = subprocess.run(command, env=plain, capture_output=True, text=True, check=False)
    assert there.stderr == ""
    assert there.stdout == dump()


def test_a_record_is_reached_by_address() -> None:
    data = zeros(KUHN.state_dtype)
    KUHN.deal(KUHN.setup(), data, 1)
    assert KUHN.verbs.seat(KUHN.setup().rules_address, address_of(data)) == 0
