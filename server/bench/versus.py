"""The figures against OpenSpiel: both sides in this process, on one core, by CPU time."""

from collections.abc import Iterator
from functools import partial
from itertools import count

import numpy as np

import engine
from bots.bot import Budget, Request
from bots.calls import addresses
from bots.descent import SEEDED
from bots.ismcts import Ismcts, IsmctsParams
from bots.one_tree import OneTree
from engine.arctic_scavengers.state import HEAD_BYTES, PLAYER_BYTES
from engine.game import Setup, View
from engine.record import address_of, zeros
from server.bench import loops, peers
from server.bench.figures import Row, row
from server.bench.positions import at_round, knowing_views
from server.bench.timing import NS, Effort, Measure, Work, rates

SEATS = 2
GAMES = 200  # in one piece of work
BATCHES = 10
VIEWS = 24
WORLDS = 20 * VIEWS  # in one piece of work
POOL, COPIES = 16, 100_000
CHIPS = {"kuhn_poker": 2.0, "leduc_poker": 10.0}  # exploration; on the scale of [0, 1]:
SCALED = {"kuhn_poker": 0.5, "leduc_poker": 0.385}
DEALT = {"kuhn_poker": (0, 1), "leduc_poker": (1, 2)}  # the lower card to seat 0, as in our template
HEARTS_C = 2.0


def arctic() -> Setup:
    return engine.load("arctic_scavengers").setup(SEATS)


def games(setup: Setup, weighted: int) -> Work:
    """Whole games by chance; the units are decisions."""
    dtype, seeds = setup.game.state_dtype, count(1)
    blank, state, playout = zeros(dtype), zeros(dtype), addresses(setup.game.verbs).playout

    def play() -> int:
        at = (setup.rules_address, address_of(blank), address_of(state))
        seed = np.uint64(next(seeds) * GAMES)
        return int(loops.play_games(playout, *at, dtype.itemsize, seed, GAMES, weighted))

    return play


def length(setup: Setup, weighted: int) -> float:
    """Decisions of a game, on average over two thousand."""
    play = games(setup, weighted)
    return sum(play() for _ in range(BATCHES)) / (BATCHES * GAMES)


def as_decisions(effort: Effort) -> Iterator[Row]:
    setup, hearts = arctic(), peers.random_play("hearts")
    ours, peer, prior = rates(effort, games(setup, 0), hearts, games(setup, 1))
    yield row("as_decisions_vs_openspiel", ours, effort.samples, peer)
    yield row("as_decisions_per_game", length(setup, 0), BATCHES * GAMES)
    yield row("as_games", ours / length(setup, 0), effort.samples)
    yield row("as_games_prior", prior / length(setup, 1), effort.samples)
    yield row("hearts_games", peer / (hearts() / peers.GAMES), effort.samples)


class MeasuredTree(OneTree):
    """A tree that tells how deep it is searched."""

    @property
    def mean_depth(self) -> float:
        """Moves from the root to the end of the tree, on average over the iterations."""
        return float(self._edges["visits"].sum()) / self.done


def search(bot: Ismcts, view: View, iterations: int) -> Work:
    """Whole answers of the bot; the units are iterations."""
    seeds = count(1)

    def think() -> int:
        return bot.recommend(view, Request(Budget(iterations=iterations), seed=next(seeds))).iterations

    return think


def depth(bot: Ismcts, view: View, iterations: int) -> float:
    """Mean depth of a search."""
    settings = bot.settings(view.game, bot.params.observer) | {"word": SEEDED}
    tree = MeasuredTree(view, settings, len(view.moves()), iterations, iterations)
    tree.bite(iterations)
    return tree.mean_depth


def as_ismcts(effort: Effort) -> Iterator[Row]:
    setup, n = arctic(), effort.iterations
    uniform, prior = (Ismcts(IsmctsParams(rollout=r, trust=0.0, c=0.7)) for r in ("uniform", "prior"))
    start, middle = at_round(setup, 1), at_round(setup, 8)
    hearts = peers.search(peers.first_decision("hearts"), HEARTS_C, n)
    works = [search(uniform, start, n), hearts, search(prior, start, n), search(Ismcts(), start, n)]
    ours, peer, weighted, usual, later = rates(effort, *works, search(uniform, middle, n))
    yield row("as_ismcts_vs_openspiel", ours, effort.samples, peer)
    yield row("as_ismcts_depth", depth(uniform, start, n), n)
    yield row("as_ismcts_prior", weighted, effort.samples)
    yield row("as_ismcts_default", usual, effort.samples)
    yield row("as_ismcts_round_8", later, effort.samples)
    yield row("as_ismcts_round_8_depth", depth(uniform, middle, n), n)


def worlds(setup: Setup) -> Work:
    """Worlds dealt from views of the middle of the game, as many from each."""
    game, views, seeds = setup.game, knowing_views(setup, VIEWS), count(1)
    known, seats = np.concatenate([v.data for v in views]), np.array([v.seat for v in views], np.int64)
    world, scratch = zeros(game.state_dtype), np.zeros(game.scratch_bytes, np.uint8)
    determinize = addresses(game.verbs).determinize

    def deal() -> int:
        given = (setup.rules_address, address_of(known), game.state_dtype.itemsize, seats)
        seed = np.uint64(next(seeds) * WORLDS)
        fitted = int(loops.deal_worlds(determinize, *given, address_of(world), address_of(scratch), seed, WORLDS))
        if fitted < WORLDS:
            raise AssertionError(f"{WORLDS - fitted} of {WORLDS} worlds did not fit the view of a real game")
        return WORLDS

    return deal


def as_determinize(effort: Effort) -> Iterator[Row]:
    ours, peer = rates(effort, worlds(arctic()), peers.resampling(peers.first_decision("euchre")))
    yield row("as_determinize_vs_openspiel", ours, effort.samples, peer)


def copies(setup: Setup) -> Work:
    """Clones of a state of the middle of the game."""
    source, pool = at_round(setup, 8).data, np.zeros(POOL, setup.game.state_dtype)

    def copy() -> int:
        loops.copy_states(address_of(source), address_of(pool), setup.game.state_dtype.itemsize, POOL, COPIES)
        return COPIES

    return copy


def as_clone(effort: Effort) -> Iterator[Row]:
    ours, peer, empty = rates(effort, copies(arctic()), peers.cloning(peers.first_decision("hearts")), peers.nothing)
    yield row("as_clone_vs_openspiel", NS / ours, effort.samples, NS / peer - NS / empty)
    yield row("as_state_bytes", HEAD_BYTES + SEATS * PLAYER_BYTES, 1)


def small(figure: str, name: str, effort: Effort) -> Iterator[Row]:
    """A poker game: the same first decision, the same exploration, on both sides."""
    game = engine.load(name)
    bot = Ismcts(IsmctsParams(rollout="uniform", trust=0.0, c=SCALED[name], progress_weight=0.0))
    view = game.view_from_json(game.template())
    ours = search(bot, view, effort.simulations)
    peer = peers.search(peers.dealt(name, *DEALT[name]), CHIPS[name], effort.simulations)
    found = rates(effort, ours, peer)
    yield row(figure, found[0], effort.samples, found[1])


MEASURES: dict[str, Measure] = {
    "as_decisions_vs_openspiel": as_decisions,
    "as_ismcts_vs_openspiel": as_ismcts,
    "as_determinize_vs_openspiel": as_determinize,
    "as_clone_vs_openspiel": as_clone,
    "leduc_vs_openspiel": partial(small, "leduc_vs_openspiel", "leduc_poker"),
    "kuhn_vs_openspiel": partial(small, "kuhn_vs_openspiel", "kuhn_poker"),
}
