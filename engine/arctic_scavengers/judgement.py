"""Rough judgement: how good a tribe stands, and which moves a random player should prefer."""

from typing import Any

import numpy as np

from engine.arctic_scavengers.asking import question
from engine.arctic_scavengers.flow import play_quietly
from engine.arctic_scavengers.greedy import choose
from engine.arctic_scavengers.skirmish import score
from engine.arctic_scavengers.state import Rules, State
from engine.bits import count, lowest, rest
from engine.jit import rule
from engine.record import wide
from engine.rng import MULTIPLIER, following, scaled

SPREAD = 20.0  # people; 2.5 times the standard deviation of the lead after a weighted random game
# People that make a chance e times larger: fitted to weighted random games of 2 to 4 seats.
EVEN_AT_END = 1.0
EVEN_EACH_ROUND = 0.45
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
def write_heuristic(r: Rules, s: State, out: Any) -> None:
    """Chances that add up to 1, by the standing of the tribes and the rounds to come."""
    scale = EVEN_AT_END + EVEN_EACH_ROUND * s.contested_n
    best = 0
    for p in range(wide(s.seats)):
        best = max(best, score(r, s, p))
    total = np.float64(0)
    for p in range(wide(s.seats)):
        out[p] = np.float32(np.exp((score(r, s, p) - best) / scale))
        total += out[p]
    for p in range(wide(s.seats)):
        out[p] = np.float32(out[p] / total)


@rule
def play_uniform(r: Rules, s: State, x: Any) -> int:
    """One legal move, each as likely as any other."""
    m = s.legal
    for _ in range(scaled(x, count(m))):
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
def play_one(r: Rules, s: State, x: Any, policy: int) -> int:
    """One move of a rollout: uniform, weighted by the prior, or of the hand-written player with slips."""
    if policy == 0:
        return play_uniform(r, s, x)
    if policy == 1 or scaled(x, wide(SLIP_EVERY)) == 0:
        return play_weighted(r, s, x * MULTIPLIER)
    return choose(r, s)


@rule
def playout(r: Rules, s: State, seed: Any, policy: int, limit: int) -> int:
    """Plays on to the end or for `limit` decisions; returns how many were played."""
    played = 0
    x = seed
    s.quiet = 1
    while s.depth > 0 and played < limit:
        x = following(x)
        play_quietly(r, s, play_one(r, s, x, policy))
        played += 1
    return played
