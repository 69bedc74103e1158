"""Rough judgement: how good a tribe stands, and which moves a random player should prefer."""

import math
from typing import Any

import numpy as np

from engine.arctic_scavengers.asking import Ask, question
from engine.arctic_scavengers.flow import step
from engine.arctic_scavengers.greedy import choose
from engine.arctic_scavengers.skirmish import score
from engine.arctic_scavengers.state import LAST_ROUND, MAX_KINDS, Rules, State
from engine.bits import count, lowest, rest
from engine.jit import rule
from engine.record import wide
from engine.rng import MULTIPLIER, following, scaled

SPREAD = 20.0  # people; 2.5 times the standard deviation of the lead after a weighted random game
# People that make a chance e times larger, fitted together with the prospects of cards.
EVEN_AT_END = 1.6
EVEN_EACH_ROUND = 0.233
UNROLLED = 4
SLIP_EVERY = 8  # moves of a rollout by the hand-written player, so that rollouts differ


@rule
def write_progress(r: Rules, s: State, out: Any) -> None:
    """0.5 for a tribe level with the best other one, 1 and 0 at a lead or a gap of SPREAD people."""
    for p in range(wide(s.seats)):
        best = 0
        for q in range(wide(s.seats)):
            if q != p:
                best = max(best, score(r, s, q))
        lead = 0.5 + (score(r, s, p) - best) / (2 * SPREAD)
        out[p] = np.float32(min(1.0, max(0.0, lead)))


@rule
def prospects(r: Rules, s: State, p: int) -> float:
    """What all cards of a tribe promise, for each round to come."""
    me = s.players[p]
    people = np.float64(0)
    for k in range(wide(r.kinds)):
        n = wide(me.hand[k]) + me.front[k] + (wide(s.play[k]) if p == s.actor else 0)
        people += n * r.prospect[k]
    for i in range(wide(me.deck_n)):
        people += r.prospect[me.deck[i]]
    for i in range(wide(me.discard_n)):
        people += r.prospect[me.discard[i]]
    return people


@rule
def write_heuristic(r: Rules, s: State, out: Any) -> None:
    """Chances that add up to 1, by the people of the tribes and the prospects of their cards."""
    left = LAST_ROUND - wide(s.round_no)
    scale = EVEN_AT_END + EVEN_EACH_ROUND * left
    most = -np.inf
    for p in range(wide(s.seats)):
        out[p] = np.float32((score(r, s, p) + left * prospects(r, s, p)) / scale)
        most = max(most, np.float64(out[p]))
    total = np.float64(0)
    for p in range(wide(s.seats)):
        out[p] = np.float32(math.exp(np.float64(out[p]) - most))
        total += out[p]
    for p in range(wide(s.seats)):
        out[p] = np.float32(out[p] / total)


@rule
def play_uniform(r: Rules, s: State, x: Any) -> int:
    """One legal move, each as likely as any other."""
    m = s.legal
    n = scaled(x, count(m))
    for i in range(UNROLLED):  # without a branch: which of a few moves it is cannot be foretold
        m &= m - np.uint64(n > i)
    for _ in range(n - UNROLLED):
        m = rest(m)
    return lowest(m)


@rule
def play_weighted(r: Rules, s: State, x: Any) -> int:
    """One legal move in proportion to its prior."""
    q = question(s)
    total: Any = wide(0)
    m = s.legal
    while m:
        total += wide(r.prior[q, lowest(m)])
        m = rest(m)
    at: Any = scaled(x, total)
    m = s.legal
    while True:
        k = lowest(m)
        at -= wide(r.prior[q, k])
        m = rest(m)
        if at < 0 or m == 0:
            return k


@rule
def play_greedily(r: Rules, s: State, x: Any, best: Any, planned: bool) -> tuple[int, bool]:
    """One move of the hand-written player, with slips; and whether `best` holds its plan for the next card."""
    if scaled(x, wide(SLIP_EVERY)) == 0:
        return play_weighted(r, s, x * MULTIPLIER), planned and question(s) != Ask.ACTION
    return choose(r, s, best, planned), True


@rule
def playout(r: Rules, s: State, seed: Any, policy: int, limit: int) -> int:
    """Plays on to the end, or for `limit` decisions and on to the end of the round; returns how many were played.

    Policies: 0 uniform, 1 weighted by the prior, 2 the hand-written player with slips.
    """
    best = np.zeros(MAX_KINDS, np.uint8)
    planned = False
    played = 0
    x = seed
    s.quiet = 1
    stop = LAST_ROUND + 1
    while s.depth > 0 and s.round_no < stop:
        move = lowest(s.legal)
        if rest(s.legal) != 0:
            if played == limit:
                stop = wide(s.round_no) + 1
            x = following(x)
            if policy == 0:
                move = play_uniform(r, s, x)
            elif policy == 1:
                move = play_weighted(r, s, x)
            else:
                move, planned = play_greedily(r, s, x, best, planned)
            played += 1
        step(r, s, move)
    return played
