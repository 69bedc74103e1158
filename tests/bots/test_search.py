"""The compiled search: determinism, counts, bites, trees."""

import os
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest

import engine
from bots import Answer, Budget, Request, StopReason, make
from bots.ismcts import Ismcts
from bots.one_tree import OneTree
from bots.tree import ROOT
from engine.game import Game, View
from tests.bots.dump import dump_all
from tests.bots.toy import GAME as TOY

LEDUC = engine.load("leduc_poker")
KUHN = engine.load("kuhn_poker")


def kuhn_view(seat: int, card: str, *moves: str) -> View:
    return KUHN.view_from_json(
        {"game": "kuhn_poker", "seat": seat, "moves": moves, "players": [{"seat": seat, "hand": [card]}]}
    )


def first_view(game: Game, seed: int = 1) -> View:
    return game.setup().new(seed).view(0)


def planted(view: View, iterations: int, nodes: int | None = None, **params: object) -> OneTree:
    bot = make("ismcts", **params)
    assert isinstance(bot, Ismcts)
    settings = bot.settings(view.game, bot.params.observer) | {"word": 7}
    return OneTree(view, settings, len(view.moves()), iterations, nodes or iterations)


def searched(view: View, iterations: int, nodes: int | None = None, **params: object) -> OneTree:
    tree = planted(view, iterations, nodes, **params)
    tree.bite(iterations)
    return tree


def result(answer: Answer) -> tuple[object, ...]:
    """All of an answer that must not depend on the clock."""
    return (answer.plan, answer.alternatives, answer.explanation, answer.iterations, answer.stop_reason, answer.seed)


@pytest.mark.parametrize("environment", [{"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2"}, {"NUMBA_DISABLE_JIT": "1"}])
def test_every_process_hash_seed_and_mode_finds_the_same_bytes(environment: dict[str, str]) -> None:
    command = [sys.executable, "-W", "error", "-m", "tests.bots.dump"]
    there = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert there.stderr == ""
    assert there.stdout == dump_all()


@pytest.mark.parametrize("game", [KUHN, LEDUC, TOY], ids=lambda g: g.name)
@pytest.mark.parametrize("observer", ["mover", "root"])
def test_bites_of_any_size_find_the_same(game: Game, observer: str) -> None:
    whole = searched(first_view(game), 3000, observer=observer)
    pieces = planted(first_view(game), 3000, observer=observer)
    for size in (1, 2, 997, 5000):
        pieces.bite(size)
    assert pieces.done == 3000
    assert pieces.edges.tobytes() == whole.edges.tobytes()
    assert pieces._counts.tobytes() == whole._counts.tobytes()


@pytest.mark.parametrize("game", [KUHN, LEDUC, TOY], ids=lambda g: g.name)
def test_trees_in_threads_find_what_they_find_in_turn(game: Game) -> None:
    def ask(threads: int) -> Answer:
        request = Request(Budget(iterations=50_001), seed=5, parallelism=4, threads=threads)
        return make("ismcts").recommend(first_view(game), request)

    assert result(ask(4)) == result(ask(1)) == result(ask(2))


def test_trees_share_the_iterations_and_differ() -> None:
    bot = make("ismcts")
    assert isinstance(bot, Ismcts)
    trees = bot.plant(first_view(LEDUC), 2, Request(Budget(iterations=11), seed=1, parallelism=4))
    assert [t.left for t in trees] == [3, 3, 3, 2]
    assert len(bot.plant(first_view(LEDUC), 2, Request(Budget(iterations=2), seed=1, parallelism=4))) == 2
    for tree in trees:
        tree.left = 5000
        tree.bite(5000)
    assert len({t.edges.tobytes() for t in trees}) == 4


@pytest.mark.parametrize("game", [KUHN, LEDUC, TOY], ids=lambda g: g.name)
def test_each_root_move_is_available_in_each_iteration_and_visits_add_up(game: Game) -> None:
    tree = searched(first_view(game), 2500)
    assert list(tree.edges["available"]) == [2500] * len(tree.edges)
    assert tree.edges["visits"].sum() == 2500


def all_nodes(tree: OneTree) -> Sequence[list[tuple[int, int, int]]]:
    """(move, visits, available) of every edge, node by node."""
    nodes = []
    for row in tree._nodes[ROOT : tree._record[0].tree.last_node + 1]:
        edge, edges = int(row["first"]), []
        while edge:
            e = tree._edges[edge]
            edges.append((int(e["move"]), int(e["visits"]), int(e["available"])))
            edge = int(e["after"])
        nodes.append(edges)
    return nodes


def test_availability_counts_the_visits_at_which_a_move_was_legal() -> None:
    """Seen from the root, seat 1 has `b` in the one world of three in which it holds the king."""
    nodes = all_nodes(searched(first_view(TOY), 30_000, observer="root"))
    last = [n for n in nodes if 0 < n[-1][2] < n[0][2]]
    legal = sum(n[-1][2] for n in last if len(n) == 2)
    visited = sum(sum(visits for _, visits, _ in n) for n in last)
    assert legal / visited == pytest.approx(1 / 3, abs=0.02)
    for n in nodes:
        assert max(available for _, _, available in n) == sum(visits for _, visits, _ in n)
        assert [move for move, _, _ in n] == sorted({move for move, _, _ in n})


def test_mover_nodes_are_information_sets() -> None:
    """Seat 0 with its card: two own decisions; seat 1: two after the first move for each of its two cards."""
    nodes = all_nodes(searched(first_view(KUHN), 20_000))
    assert len(nodes) == 2 + 2 * 2
    assert len(all_nodes(searched(first_view(KUHN), 20_000, observer="root"))) == 2 + 2


def test_a_full_tree_is_searched_on() -> None:
    tree = searched(first_view(LEDUC), 5000, nodes=3)
    assert tree._record[0].tree.last_node == 3
    assert tree.edges["visits"].sum() == 5000


def test_another_seed_finds_another_tree() -> None:
    one, two = planted(first_view(LEDUC), 1000), planted(first_view(LEDUC), 1000)
    two._record[0].word = 8
    one.bite(1000)
    two.bite(1000)
    assert one._counts.tobytes() != two._counts.tobytes()


@pytest.mark.parametrize("observer", ["mover", "root"])
@pytest.mark.parametrize("seed", range(5))
def test_never_folds_the_king_nor_calls_with_the_jack(observer: str, seed: int) -> None:
    bot, request = make("ismcts", observer=observer), Request(Budget(iterations=300), seed=seed)
    for seat, moves in ((1, ["bet"]), (0, ["pass", "bet"])):
        assert bot.recommend(kuhn_view(seat, "king", *moves), request).plan[0].move == "bet"
        assert bot.recommend(kuhn_view(seat, "jack", *moves), request).plan[0].move == "pass"


def test_standard_errors_follow_from_the_sums() -> None:
    """With the queen facing a bet from jack or king, a call wins or loses two chips with even chance."""
    answer = make("ismcts", c=10.0).recommend(kuhn_view(1, "queen", "bet"), Request(Budget(iterations=20_000), seed=1))
    call = next(a for a in answer.alternatives if a.plan[0].move == "bet")
    mean, error = call.win_chance[1].mean, call.win_chance[1].standard_error
    assert error == pytest.approx(np.sqrt((4 - mean**2) / (call.visits - 1)))
    assert abs(mean) < 5 * error
    assert call.win_chance[0].mean == -mean
    fold = next(a for a in answer.alternatives if a.plan[0].move == "pass")
    assert (fold.win_chance[1].mean, fold.win_chance[1].standard_error) == (-1, 0)


def test_plans_end_at_chance_and_at_another_seat() -> None:
    bot, request = make("ismcts"), Request(Budget(iterations=5000), seed=1, language="ja")
    answer = bot.recommend(first_view(TOY), request)
    assert [s.move for s in answer.plan] == ["b", "b", "b"]
    assert answer.plan[0].words == "bを取る"
    state = TOY.setup().new(1)
    for move in (0, 1, 1):
        state.play(move)
    answer = bot.recommend(state.view(0), request)
    assert [s.move for s in answer.plan] == ["b", "b"]
    assert ["a", "b"] in [[s.move for s in other.plan] for other in answer.alternatives[1:]]
    assert answer.stop_reason is StopReason.BUDGET


def root_progress(tree: OneTree) -> float:
    """The progress of seat 0 over all games, as summed at the root's edges."""
    return float(tree._counts["progress"][ROOT : ROOT + len(tree.edges), 0].sum())


def test_cut_off_rollouts_take_the_heuristic_and_progress_counts() -> None:
    """Cut off after no more than one decision beyond the tree, progress tells how deep the tree is."""
    tree = searched(first_view(TOY), 10, cutoff=1, progress_weight=1.0, c=10.0)
    assert 2 / 6 <= root_progress(tree) / 10 < 5 / 6
    assert root_progress(searched(first_view(TOY), 50, progress_weight=1.0)) == 50
    assert root_progress(searched(first_view(TOY), 50, progress_weight=0.0)) == 0
