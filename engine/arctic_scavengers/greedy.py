"""A sound hand-written player: the yardstick. Scores are hundredths of a person at the end of the game."""

from typing import Any

import numpy as np

from engine.arctic_scavengers.asking import Ask, Say, asked, question
from engine.arctic_scavengers.cards import Act
from engine.arctic_scavengers.skirmish import fight, ready, winner
from engine.arctic_scavengers.state import MAX_KINDS, PURSE, Player, Rules, State
from engine.arctic_scavengers.values import total
from engine.bits import has, lowest, only, rest
from engine.jit import rule
from engine.record import wide

LAST_ROUND = 16
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
THIN_UNTIL = 6  # last round in which weak people are trashed
REACT_LOSS = 3  # value an action must lose to be worth a response


@rule
def whole(n: Any) -> int:
    """A narrow number or a member of an enumeration as int64, for which the rest is compiled."""
    return wide(n)


@rule
def choose(r: Rules, s: State) -> int:
    """The move of the seat asked, judged from its view alone."""
    q = question(s)
    if q == Ask.ACTION:
        return choose_action(r, s)
    if q == Ask.COMMIT:
        return choose_commit(r, s)
    if q == Ask.REACT:
        return choose_response(r, s)
    if q == Ask.KEEP:
        return choose_keep(r, s)
    if q == Ask.PAY:
        return choose_payment(r, s)
    if q == Ask.TRASH:
        return choose_trash(r, s)
    if q == Ask.RETURN:
        return lowest(s.legal)
    return choose_hit(r, s)


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
    n = 0
    m = me.hand_set & r.medicines
    while m:
        k = lowest(m)
        m = rest(m)
        n += whole(me.hand[k]) * r.med[k]
    return n


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
def skirmish_value(r: Rules, s: State, value: int, rival: int, prize: int) -> int:
    """What a force of this fight may win, against ten times the fight of the strongest rival."""
    if s.round_no <= QUIET_ROUNDS or value == 0:
        return 0
    lead = 10 * (value - whole(r.margin) + 1) - rival
    chance = min(100, max(0, LEVEL + SLOPE * lead // 10))
    return prize * chance // 100


# ---- choosing a set of cards for an action


@rule
def value_of(r: Rules, s: State, me: int, counts: Any, act: int) -> int:
    """The value of these cards for an act."""
    kinds = np.uint64(0)
    for k in range(whole(r.kinds)):
        if counts[k] > 0:
            kinds |= only(k)
    value, _ = total(r, kinds, counts, s.players[me].spent, act)
    return value


@rule
def rest_value(r: Rules, s: State, me: int, act: int, counts: Any, rival: int, prize: int) -> int:
    """What the cards that are kept are good for."""
    best = skirmish_value(r, s, value_of(r, s, me, counts, whole(Act.FIGHT)), rival, prize)
    if act == Act.HUNT and not s.used >> Act.DIG & 1:
        best = max(best, dig_value(r, s, value_of(r, s, me, counts, whole(Act.DIG))))
    return best


@rule
def usable(r: Rules, k: int, act: int) -> bool:
    """True when a card can join an act."""
    return has(r.able[act] | r.helpers[act] | r.gear[act], k)


@rule
def next_set(r: Rules, pool: Any, chosen: Any, act: int) -> bool:
    """The next set of cards of the pool for an act, counting up; false after the last."""
    for k in range(whole(r.kinds)):
        if pool[k] > 0 and usable(r, k, act):
            if chosen[k] < pool[k]:
                chosen[k] += 1
                return True
            chosen[k] = 0
    return False


@rule
def set_value(r: Rules, s: State, act: int, kinds: Any, chosen: Any, spent: Any) -> int:
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
def plan(r: Rules, s: State, p: int, act: int, pool: Any, best: Any) -> int:
    """Writes the best set of the pool for an act, and returns how much better it is than none at all."""
    rival = strongest_rival(r, s, p)
    prize = stake(r, s, p)
    med = med_in_hand(r, s.players[p])
    chosen = np.zeros(MAX_KINDS, np.uint8)
    left = pool.copy()
    none = rest_value(r, s, p, act, pool, rival, prize)
    if act == Act.HUNT:
        none += hire_value(r, s, whole(s.food), med)
    most = none
    for _ in range(MAX_SETS):
        if not next_set(r, pool, chosen, act):
            break
        kinds = np.uint64(0)
        for k in range(whole(r.kinds)):
            left[k] = pool[k] - chosen[k]
            if chosen[k] > 0:
                kinds |= only(k)
        value = set_value(r, s, act, kinds, chosen, s.players[p].spent)
        if value == 0:
            continue
        score = gain_of(r, s, act, value, med) + rest_value(r, s, p, act, left, rival, prize)
        if score > most:
            most = score
            for k in range(whole(r.kinds)):
                best[k] = chosen[k]
    return most - none


@rule
def plan_draw(r: Rules, pool: Any, best: Any) -> int:
    """Writes all cards that draw by themselves; how many they draw."""
    value = 0
    for k in range(whole(r.kinds)):
        if pool[k] > 0 and r.own[k, Act.DRAW] > 0:
            best[k] = pool[k]
            value += whole(pool[k]) * r.own[k, Act.DRAW]
    return value


@rule
def plan_act(r: Rules, s: State, p: int, act: int, best: Any) -> int:
    """Writes the best set for an act of the cards in hand and committed; how much it gains."""
    pool = np.zeros(MAX_KINDS, np.uint8)
    for k in range(whole(r.kinds)):
        pool[k] = whole(s.players[p].hand[k]) + s.play[k]
        best[k] = 0
    if act == Act.DRAW:
        return plan_draw(r, pool, best)
    return plan(r, s, p, act, pool, best)


# ---- the turn


@rule
def choose_action(r: Rules, s: State) -> int:
    """Draws, hunts, hires, digs, trashes: whatever gains, in this order."""
    p = asked(s)
    best = np.zeros(MAX_KINDS, np.uint8)
    if has(s.legal, Say.DRAW) and plan_act(r, s, p, whole(Act.DRAW), best) > 0:
        return whole(Say.DRAW)
    if has(s.legal, Say.HUNT) and not s.used >> Act.HIRE & 1 and plan_act(r, s, p, whole(Act.HUNT), best) > 0:
        return whole(Say.HUNT)
    if not s.used >> Act.HIRE & 1:
        k = best_hire(r, s, whole(s.food), med_in_hand(r, s.players[p]))
        if k >= 0:
            return k
    if has(s.legal, Say.DIG) and plan_act(r, s, p, whole(Act.DIG), best) > 0:
        return whole(Say.DIG)
    if has(s.legal, Say.TRASH) and worst_card(r, s, s.players[p].hand_set) >= 0:
        return whole(Say.TRASH)
    return whole(Say.END)


@rule
def choose_commit(r: Rules, s: State) -> int:
    """The next card of the best set, or go."""
    best = np.zeros(MAX_KINDS, np.uint8)
    plan_act(r, s, asked(s), whole(s.act), best)
    for k in range(whole(r.kinds)):
        if best[k] > s.play[k] and has(s.legal, k):
            return k
    return whole(Say.STOP) if has(s.legal, Say.STOP) else lowest(s.legal)


@rule
def worst_card(r: Rules, s: State, kinds: Any) -> int:
    """The next card to trash of these, -1 if none is worth trashing: junk at any time, weak people early."""
    m = kinds
    while m:
        k = lowest(m)
        m = rest(m)
        if is_weak(r, k) and (r.people[k] == 0 or s.round_no <= THIN_UNTIL):
            return k
    return -1


@rule
def choose_trash(r: Rules, s: State) -> int:
    """Everything worth trashing, then go."""
    k = worst_card(r, s, s.legal & ~only(Say.STOP))
    if k >= 0:
        return k
    return whole(Say.STOP) if has(s.legal, Say.STOP) else lowest(s.legal)


@rule
def choose_keep(r: Rules, s: State) -> int:
    """The card of the dig most worth owning, none if that is worth nothing."""
    best = whole(Say.STOP)
    most = 0
    m = s.legal & ~only(Say.STOP)
    while m:
        k = lowest(m)
        m = rest(m)
        value = worth(r, s, k)
        if is_weak(r, k) and s.round_no <= THIN_UNTIL:
            value = 0
        if value > most:
            most = value
            best = k
    return best


@rule
def choose_payment(r: Rules, s: State) -> int:
    """The largest medicine that wastes nothing, else the smallest."""
    best = lowest(s.legal)
    m = s.legal
    while m:
        k = lowest(m)
        m = rest(m)
        med, so_far = whole(r.med[k]), whole(r.med[best])
        need = whole(s.need)
        if (so_far > need and med < so_far) or so_far < med <= need:
            best = k
    return best


# ---- special units


@rule
def choose_response(r: Rules, s: State) -> int:
    """Hits the card whose loss hurts the action most, if it hurts enough."""
    counts = np.zeros(MAX_KINDS, np.uint8)
    for k in range(whole(r.kinds)):
        counts[k] = s.play[k]
    act = whole(s.act)
    now = value_of(r, s, whole(s.actor), counts, act)
    best = whole(Say.STOP)
    most = REACT_LOSS - 1
    m = s.legal & ~only(Say.STOP)
    while m:
        k = lowest(m)
        m = rest(m)
        counts[k] -= 1
        loss = now - value_of(r, s, whole(s.actor), counts, act)
        counts[k] += 1
        if loss > most:
            most = loss
            best = k
    return best


@rule
def threats(r: Rules, s: State, p: int) -> int:
    """How many special units of rivals have not acted."""
    n = 0
    for q in range(whole(s.seats)):
        for u in range(whole(r.units_n)):
            if q != p:
                n += whole(s.players[q].hand[r.unit_kind[u]]) - s.players[q].spent[u]
    return n


@rule
def lead(r: Rules, s: State, p: int) -> int:
    """How the skirmish stands for a seat: winning safely comes first, then nobody winning, then the margin of fight."""
    w = winner(r, s)
    if w == p:
        return 1000 - threats(r, s, p)
    most = 0
    for q in range(whole(s.seats)):
        if q != p:
            most = max(most, fight(r, s, q))
    return (200 if w < 0 else 0) + fight(r, s, p) - most


@rule
def lead_after(r: Rules, s: State, p: int, q: int, k: int, u: int) -> int:
    """The same once unit `u` has hit card `k` of seat `q`."""
    me, you = s.players[p], s.players[q]
    me.spent[u] += 1
    you.hand[k] -= 1
    if you.hand[k] == 0:
        you.hand_set &= ~only(k)
    value = lead(r, s, p)
    you.hand[k] += 1
    you.hand_set |= only(k)
    me.spent[u] -= 1
    return value


@rule
def best_target(r: Rules, s: State, p: int, q: int) -> tuple[int, int]:
    """The card of seat `q` to hit, and how the skirmish stands then; -1 if there is none."""
    best = -1
    most = -1000
    for u in range(whole(r.units_n)):
        if not ready(r, s, u):
            continue
        m = s.players[q].hand_set & r.unit_targets[u]
        while m:
            k = lowest(m)
            m = rest(m)
            value = lead_after(r, s, p, q, k, u)
            if value > most:
                most = value
                best = k
    return best, most


@rule
def with_copies(r: Rules, s: State, k: int) -> int:
    """The move that hits this card, a fresh copy first."""
    if has(s.legal, k):
        return k
    return whole(Say.SPENT) + whole(r.unit_of[k])


@rule
def choose_hit(r: Rules, s: State) -> int:
    """In the own slot: hits while that betters the result of the skirmish."""
    p = asked(s)
    if question(s) == Ask.HIT:
        k, _ = best_target(r, s, p, whole(s.aim))
        return with_copies(r, s, k)
    best = whole(Say.END)
    most = lead(r, s, p)
    for q in range(whole(s.seats)):
        if q == p or (s.aim >= 0 and q != s.aim):
            continue
        k, value = best_target(r, s, p, q)
        if value > most:
            most = value
            best = with_copies(r, s, k) if s.aim >= 0 else whole(Say.AIM) + q
    return best
