"""What cards together are worth for an act, and which unit hits which card (rules 7, 8)."""

from typing import Any

import numpy as np

from engine.arctic_scavengers.state import Player, Rules
from engine.bits import from_on, has, highest, lowest, rest
from engine.jit import rule
from engine.record import wide
from engine.rng import mixed


@rule
def total(r: Rules, kinds: Any, counts: Any, spent: Any, act: int) -> tuple[int, int]:
    """Value of these cards for an act with the best pairing of tools, and how many can carry (7)."""
    carriers = 0
    value = 0
    threes = 0
    twos = 0
    ones = 0
    m = kinds
    while m:
        k = lowest(m)
        m = rest(m)
        n = wide(counts[k])
        if r.unit_of[k] >= 0 and r.forfeits_fight:
            n -= wide(spent[r.unit_of[k]])
        own = wide(r.own[k, act])
        if own >= 0:
            carriers += n
            value += own * n
            continue
        add = wide(r.adds[k, act])
        if not has(r.tools, k):
            value += add * n
        elif add == 3:
            threes += n
        elif add == 2:
            twos += n
        else:
            ones += n * add
    if carriers == 0:
        return 0, 0
    free = carriers
    held = min(free, threes)
    value += 3 * held
    free -= held
    held = min(free, twos)
    value += 2 * held
    free -= held
    return value + min(free, ones), carriers


@rule
def sum_of(kinds: Any, counts: Any, numbers: Any) -> int:
    """One number by kind, added up over all copies of these kinds."""
    n = 0
    m = kinds
    while m:
        k = lowest(m)
        m = rest(m)
        n += wide(counts[k]) * numbers[k]
    return n


@rule
def below_last(kinds: Any) -> Any:
    """The set of all kinds below the highest of these."""
    return ~from_on(highest(kinds)) if kinds else np.uint64(0)


@rule
def unit_against(r: Rules, k: int) -> int:
    """The special unit that hits cards of this kind."""
    for u in range(wide(r.units_n)):
        if has(r.unit_targets[u], k):
            return u
    return -1


@rule
def cards_word(me: Player) -> Any:
    """A word for the cards in a hand."""
    word = np.uint64(0)
    m = me.hand_set
    while m:
        k = lowest(m)
        m = rest(m)
        word = word * np.uint64(0x9E3779B97F4A7C15) + np.uint64(32 * wide(me.hand[k]) + k)
    return mixed(word, me.hand_set)
