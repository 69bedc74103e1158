"""What cards and actions are worth to the hand-written player, in hundredths of a person at the end of the game."""

from typing import Any

import numpy as np

from engine.arctic_scavengers.cards import Act
from engine.arctic_scavengers.state import LAST_ROUND, MAX_KINDS, PURSE, Player, Rules, State
from engine.arctic_scavengers.values import sum_of, total
from engine.bits import lowest, only, rest
from engine.jit import rule
from engine.record import wide

QUIET_ROUNDS = 2  # rounds 1 and 2 have no skirmish
MAX_SETS = 1024  # sets of cards looked at for one action

# Hundredths of a person at the end of the game; the figures were tuned in games of this player against itself.
PERSON = 100
USE = 1  # of a point of power, for each round to come
STAKE = 255  # of a contested card nobody has seen
SWING = 170  # percent: what the winner of a contested card gets is denied to others
DIGGING = 5  # of a dig without end, for each round to come
DIG_HALF = 2  # cards that make half of that

DRAW_POWER = 2  # points of power of a drawn card
MED_POWER = 5  # of a med
UNIT_POWER = 3  # of the verb of a special unit

LEVEL = 30  # percent: chance of winning the skirmish at equal fight
SLOPE = 20  # percent more for each point of fight
HELD = 60  # percent of the hand a rival is taken to keep while his turn is to come


@rule
def whole(n: Any) -> int:
    """A narrow number or a member of an enumeration as int64, for which the rest is compiled."""
    return wide(n)


# ---- what cards are worth


@rule
def power(r: Rules, k: int) -> int:
    """How much a card does for its owner each time it is drawn."""
    n = DRAW_POWER * max(whole(r.own[k, Act.DRAW]), 0) + MED_POWER * whole(r.med[k])
    for act in range(1, 4):
        n += max(0, max(whole(r.own[k, act]), whole(r.adds[k, act])))
    if r.unit_of[k] >= 0:
        n += UNIT_POWER
    return n


@rule
def worth(r: Rules, s: State, k: int) -> int:
    """What owning one more copy is worth."""
    return PERSON * whole(r.people[k]) + USE * power(r, k) * (LAST_ROUND - whole(s.round_no))


@rule
def is_weak(r: Rules, k: int) -> bool:
    """True for cards that do nothing alone or for others: junk and refugees."""
    if r.people[k] > 1 or r.med[k] > 0 or r.unit_of[k] >= 0:
        return False
    for act in range(4):
        if r.own[k, act] > 0 or r.adds[k, act] > 0:
            return False
    return True


# ---- what an action brings


@rule
def best_hire(r: Rules, s: State, food: int, med: int) -> int:
    """The stack most worth hiring from with so much food and med, -1 if none can be paid."""
    both = min(food + med, PURSE - 1)
    m = s.market_set & ((r.for_food[min(food, PURSE - 1)] & r.for_med[min(med, PURSE - 1)]) | r.for_mix[both])
    best = -1
    most = -1
    while m:
        k = lowest(m)
        m = rest(m)
        value = worth(r, s, k)
        if value > most:
            most = value
            best = k
    return best


@rule
def hire_value(r: Rules, s: State, food: int, med: int) -> int:
    k = best_hire(r, s, food, med)
    return worth(r, s, k) if k >= 0 else 0


@rule
def med_in_hand(r: Rules, me: Player) -> int:
    return sum_of(me.hand_set & r.medicines, me.hand, r.med)


@rule
def dig_value(r: Rules, s: State, n: int) -> int:
    """What looking at `n` cards is worth, less and less for each."""
    n = min(n, whole(s.junk_n) + s.bottom_n)
    left = LAST_ROUND - whole(s.round_no)
    return DIGGING * left * n // (n + DIG_HALF)


@rule
def stake(r: Rules, s: State, me: int) -> int:
    """What the contested card of this round is worth."""
    value = STAKE
    if s.contested_seen >> me & 1:
        value = worth(r, s, whole(s.contested[whole(s.contested_n) - 1]))
    return value * SWING // 100


@rule
def tenths_of_fight(r: Rules, you: Player) -> int:
    """Ten times the mean fight of a card of this tribe, by the public record."""
    n = 0
    fights = 0
    for k in range(whole(r.kinds)):
        n += whole(you.owned[k])
        fights += whole(you.owned[k]) * max(0, max(whole(r.own[k, Act.FIGHT]), whole(r.adds[k, Act.FIGHT])))
    return 10 * fights // max(n, 1)


@rule
def strongest_rival(r: Rules, s: State, me: int) -> int:
    """Ten times the fight the strongest rival is likely to bring."""
    most = 0
    for q in range(whole(s.seats)):
        if q == me:
            continue
        you = s.players[q]
        n = whole(you.hand_n) * tenths_of_fight(r, you)
        if not you.done:
            n = n * HELD // 100
        most = max(most, n)
    return most


@rule
def skirmish_value(r: Rules, value: int, rival: int, prize: int) -> int:
    """What a force of this fight may win, against ten times the fight of the strongest rival."""
    if value == 0:
        return 0
    lead = 10 * (value - whole(r.margin) + 1) - rival
    chance = min(100, max(0, LEVEL + SLOPE * lead // 10))
    return prize * chance // 100


# ---- choosing a set of cards for an action


@rule
def kinds_of(counts: Any, among: Any) -> Any:
    """The kinds of which there is a card."""
    kinds = np.uint64(0)
    m = among
    while m:
        k = lowest(m)
        m = rest(m)
        if counts[k] > 0:
            kinds |= only(k)
    return kinds


@rule
def rest_value(r: Rules, s: State, p: int, act: int, kinds: Any, counts: Any, rival: int, prize: int) -> int:
    """What the cards that are kept are good for."""
    spent = s.players[p].spent
    best = 0
    if s.round_no > QUIET_ROUNDS:
        fight, _ = total(r, kinds, counts, spent, whole(Act.FIGHT))
        best = skirmish_value(r, fight, rival, prize)
    if act == Act.HUNT and not s.used >> Act.DIG & 1:
        found, _ = total(r, kinds, counts, spent, whole(Act.DIG))
        best = max(best, dig_value(r, s, found))
    return best


@rule
def next_set(usable: Any, chosen: Any, left: Any) -> bool:
    """The next set of the usable cards, counting up; false after the last."""
    m = usable
    while m:
        k = lowest(m)
        m = rest(m)
        if left[k] > 0:
            chosen[k] += 1
            left[k] -= 1
            return True
        left[k] = chosen[k]
        chosen[k] = 0
    return False


@rule
def set_value(r: Rules, act: int, kinds: Any, chosen: Any, spent: Any) -> int:
    """The value of a set for an act; 0 if it may not be committed."""
    value, carriers = total(r, kinds, chosen, spent, act)
    tools = 0
    m = kinds & r.tools
    while m:
        k = lowest(m)
        m = rest(m)
        tools += chosen[k]
    return value if tools <= carriers else 0


@rule
def gain_of(r: Rules, s: State, act: int, value: int, med: int) -> int:
    """What an act of this value brings."""
    if act == Act.HUNT:
        return hire_value(r, s, value, med)
    return dig_value(r, s, value)


@rule
def plan_set(r: Rules, s: State, p: int, act: int, pool: Any, left: Any, best: Any) -> int:
    """Writes the best set of the cards for an act, and returns how much better it is than none at all."""
    rival = strongest_rival(r, s, p)
    prize = stake(r, s, p)
    med = med_in_hand(r, s.players[p])
    usable = pool & (r.able[act] | r.helpers[act] | r.gear[act])
    kept = rest_value(r, s, p, act, pool, left, rival, prize)  # no set leaves more
    none = kept
    if act == Act.HUNT:
        none += hire_value(r, s, whole(s.food), med)
    most = none
    chosen = np.zeros(MAX_KINDS, np.uint8)
    for _ in range(MAX_SETS):
        if not next_set(usable, chosen, left):
            break
        value = set_value(r, act, kinds_of(chosen, usable), chosen, s.players[p].spent)
        if value == 0:
            continue
        score = gain_of(r, s, act, value, med)
        if score + kept <= most:
            continue
        score += rest_value(r, s, p, act, kinds_of(left, pool), left, rival, prize)
        if score > most:
            most = score
            for k in range(whole(r.kinds)):
                best[k] = chosen[k]
    return most - none


@rule
def plan_draw(r: Rules, pool: Any, counts: Any, best: Any) -> int:
    """Writes all cards that draw by themselves; how many they draw."""
    value = 0
    m = pool & r.strong[Act.DRAW]
    while m:
        k = lowest(m)
        m = rest(m)
        best[k] = counts[k]
        value += whole(counts[k]) * r.own[k, Act.DRAW]
    return value


@rule
def plan(r: Rules, s: State, p: int, act: int, best: Any) -> int:
    """Writes the best set for an act of the cards in hand and committed; how much it gains."""
    pool = s.players[p].hand_set | s.play_set
    counts = np.zeros(MAX_KINDS, np.uint8)
    for k in range(whole(r.kinds)):
        counts[k] = whole(s.players[p].hand[k]) + s.play[k]
        best[k] = 0
    if act == Act.DRAW:
        return plan_draw(r, pool, counts, best)
    return plan_set(r, s, p, act, pool, counts, best)
