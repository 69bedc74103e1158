"""Gathering: one turn a seat, action by action (rules 4 to 8)."""

from typing import Any

import numpy as np

from engine.arctic_scavengers.asking import Ask, Say, ask, back_to
from engine.arctic_scavengers.cards import Act
from engine.arctic_scavengers.state import LOOK, MAX_KINDS, PURSE, Rules, State
from engine.arctic_scavengers.values import below_last, sum_of, total, unit_against
from engine.arctic_scavengers.zones import (
    discard_openly,
    draw,
    hide,
    hold,
    identify,
    keep_dug,
    let_go,
    put_under,
    shuffle_junkyard,
    take_junk,
    trash,
)
from engine.bits import from_on, has, lowest, only, rest
from engine.jit import hot_rule, rule
from engine.record import wide

# ---- the turn


@rule
def begin_turn(r: Rules, s: State) -> None:
    """The actor starts gathering."""
    s.depth = 0
    ask(s, Ask.ACTION, s.actor)
    offer_actions(r, s)


@rule
def offer_actions(r: Rules, s: State) -> None:
    """Back at the choice of the next action; actions that could change nothing are left out."""
    hand = s.players[s.actor].hand_set
    back_to(s, 1)
    legal = only(Say.END)
    for act in range(3):
        if s.used >> act & 1:
            continue
        able = hand & r.able[act]
        helped = able != 0 and hand & (r.helpers[act] | r.gear[act]) != 0
        if hand & r.strong[act] or helped or (r.zero_actions and able):
            legal |= only(Say.DRAW + act)
    if not s.used >> Act.HIRE & 1:
        legal |= affordable(r, s)
    if hand and not s.used >> Act.TRASH & 1:
        legal |= only(Say.TRASH)
    s.legal = legal


@rule
def affordable(r: Rules, s: State) -> Any:
    """The stacks this turn's food and the medicine in hand can pay."""
    me = s.players[s.actor]
    med = sum_of(me.hand_set & r.medicines, me.hand, r.med)
    food = min(wide(s.food), PURSE - 1)
    both = min(food + med, PURSE - 1)
    med = min(med, PURSE - 1)
    return s.market_set & ((r.for_food[food] & r.for_med[med]) | r.for_mix[both])


@hot_rule
def take_action(r: Rules, s: State, move: int) -> None:
    """An answer to ACTION that goes on with the turn."""
    if move < MAX_KINDS:
        start_hire(r, s, move)
        return
    s.last = 0
    s.play_n = 0
    s.carriers = 0
    s.gear_n = 0
    s.value = 0
    if move == Say.TRASH:
        s.act = Act.TRASH
        ask(s, Ask.TRASH, s.actor)
        offer_trash(s)
    else:
        s.act = move - Say.DRAW
        ask(s, Ask.COMMIT, s.actor)
        offer_cards(r, s)


# ---- committing cards


@hot_rule
def offer_cards(r: Rules, s: State) -> None:
    """Cards that may still join the action, in rising order so that a set is offered once (7, 28)."""
    act = wide(s.act)
    hand = s.players[s.actor].hand_set & from_on(wide(s.last))
    able = hand & r.able[act]
    legal = able
    if s.carriers > 0:
        legal |= hand & r.helpers[act]
        if s.gear_n < s.carriers or r.spare_tools:
            legal |= hand & r.gear[act]
    if s.value > 0 or r.zero_actions:
        if s.carriers > 0:
            legal |= only(Say.STOP)
    elif not hand & (r.helpers[act] | r.gear[act]):
        # without help, a 0 may only be committed while something above 0 can still follow
        legal &= r.strong[act] | below_last(able & r.strong[act])
    s.legal = legal


@hot_rule
def commit(r: Rules, s: State, k: int) -> None:
    """One card is laid open before the actor."""
    me = s.players[s.actor]
    let_go(s, me, k)
    lay_down(s, k)
    identify(r, s, me, k, wide(s.play[k]))
    own = wide(r.own[k, s.act])
    if own >= 0:
        s.carriers += 1
        s.value += own
    else:
        s.value += r.adds[k, s.act]
        if has(r.tools, k):
            s.gear_n += 1
            if s.gear_n > s.carriers:
                revalue(r, s)
    offer_cards(r, s)


@rule
def lay_down(s: State, k: int) -> None:
    """A card from the hand is one of those being played."""
    s.play[k] += 1
    s.play_set |= only(k)
    s.play_n += 1
    s.last = k


@rule
def revalue(r: Rules, s: State) -> None:
    """The value of the committed cards after a change, tools re-paired (8.4)."""
    value, carriers = total(r, s.play_set, s.play, s.players[s.actor].spent, wide(s.act))
    s.value = value
    s.carriers = carriers


@rule
def clear_play(r: Rules, s: State, to_hand: int) -> None:
    """The cards being played go back to the hand, or to the discard pile (or in front) for all to see."""
    me = s.players[s.actor]
    m = s.play_set
    while m:
        k = lowest(m)
        m = rest(m)
        for _ in range(s.play[k]):
            if to_hand:
                hold(s, me, k)
            elif r.used_to_front:
                me.front[k] += 1
            else:
                discard_openly(me, k)
        s.play[k] = 0
    s.play_set = np.uint64(0)
    s.play_n = 0


# ---- responses


@rule
def open_window(r: Rules, s: State) -> None:
    """The cards are committed: the others may respond, clockwise from the actor (8.1)."""
    s.passes = 0
    ask(s, Ask.REACT, s.actor)
    next_response(r, s)


@rule
def next_response(r: Rules, s: State) -> None:
    """Asks the next seat that can respond, or closes the window; who cannot, passes unseen."""
    here = s.depth - 1
    while s.passes < s.seats - 1:
        q = (wide(s.asked[here]) + 1) % s.seats
        if q == s.actor:
            q = (q + 1) % s.seats
        s.asked[here] = q
        hits = responses(r, s, q)
        if hits:
            s.legal = hits | only(Say.STOP)
            return
        s.passes += 1
    resolve(r, s)


@rule
def responses(r: Rules, s: State, q: int) -> Any:
    """The committed kinds that seat `q` could hit now."""
    you = s.players[q]
    hits = np.uint64(0)
    if you.done and not r.reserve_responds:
        return hits
    for u in range(wide(r.units_n)):
        if you.hand[r.unit_kind[u]] > 0 and not (r.once_per_round and you.responses[u] > 0):
            hits |= s.play_set & r.unit_targets[u]
    return hits


@rule
def respond(r: Rules, s: State, q: int, k: int) -> None:
    """Seat `q` hits a committed card; unit and target go to their owners' discard piles (8.2, 8.3)."""
    u = unit_against(r, k)
    unit = wide(r.unit_kind[u])
    you, me = s.players[q], s.players[s.actor]
    let_go(s, you, unit)
    identify(r, s, you, unit, wide(1))
    discard_openly(you, unit)
    you.responses[u] += 1
    s.play[k] -= 1
    s.play_n -= 1
    if s.play[k] == 0:
        s.play_set &= ~only(k)
    discard_openly(me, k)
    if has(r.tools, k):
        s.gear_n -= 1
    s.passes = 0
    revalue(r, s)
    if s.carriers > 0:
        next_response(r, s)
    else:
        fail(r, s)


@rule
def fail(r: Rules, s: State) -> None:
    """No card is left that can act: by default the rest returns and the action is not used up (8.4)."""
    if not r.refunds:
        s.used |= 1 << s.act
    clear_play(r, s, wide(r.refunds))
    offer_actions(r, s)


# ---- what actions do


@rule
def resolve(r: Rules, s: State) -> None:
    """Nobody responds any more: the action happens."""
    p = wide(s.actor)
    s.used |= 1 << s.act
    back_to(s, 1)
    if s.act == Act.DIG:
        dig(r, s, p)
        return
    if s.act == Act.HUNT:
        s.food += s.value
    else:
        if r.reshuffle_played:
            clear_play(r, s, wide(0))
        draw(s, p, wide(s.value))
    finish(r, s)


@rule
def finish(r: Rules, s: State) -> None:
    """The used cards are discarded after the action (6.1), and the turn goes on."""
    clear_play(r, s, wide(0))
    offer_actions(r, s)


@rule
def dig(r: Rules, s: State, p: int) -> None:
    """Looks at cards from the top of the junkyard (6.2)."""
    s.look_n = min(min(wide(s.value), wide(s.junk_n) + s.bottom_n), LOOK)
    if s.look_n == 0:
        finish(r, s)
        return
    me = s.players[p]
    legal = only(Say.STOP)
    for i in range(wide(s.look_n)):
        take_junk(s, i)
        k = wide(s.look[i])
        legal |= only(k)
        if me.known[k] > 0 and not s.look_seen[i] >> p & 1:
            me.known[k] -= 1
    ask(s, Ask.KEEP, p)
    s.legal = legal


@rule
def keep(r: Rules, s: State, move: int) -> None:
    """At most one looked-at card is kept unseen; the others go under the junkyard."""
    p = wide(s.actor)
    if move != Say.STOP:
        keep_dug(s, p, move)
        remove_from_look(s, move)
    if r.chosen_order and s.look_n > 0:
        back_to(s, 1)
        ask(s, Ask.RETURN, p)
        offer_return(s)
        return
    for i in range(wide(s.look_n)):
        put_under(s, wide(s.look[i]), wide(s.look_seen[i]) | (1 << p))
    s.look_n = 0
    finish(r, s)


@rule
def remove_from_look(s: State, k: int) -> int:
    """Takes the first card of this kind out of the look; returns who had known it."""
    at = 0
    while s.look[at] != k:
        at += 1
    seen = wide(s.look_seen[at])
    s.look_n -= 1
    for i in range(at, s.look_n):
        s.look[i] = s.look[i + 1]
        s.look_seen[i] = s.look_seen[i + 1]
    return seen


@rule
def offer_return(s: State) -> None:
    """Any card left of the look may go under the junkyard next."""
    legal = np.uint64(0)
    for i in range(wide(s.look_n)):
        legal |= only(wide(s.look[i]))
    s.legal = legal


@rule
def return_card(r: Rules, s: State, k: int) -> None:
    """The digger chooses the order of the cards put back; nobody else sees which is where."""
    p = wide(s.actor)
    others = np.uint64(remove_from_look(s, k)) & ~only(p)
    while others:
        you = s.players[lowest(others)]
        if you.known[k] == 0:
            you.since[k] = s.ledger_n
        you.known[k] += 1
        others = rest(others)
    put_under(s, k, 1 << p)
    if s.look_n > 0:
        offer_return(s)
    else:
        finish(r, s)


# ---- hiring and trashing


@rule
def start_hire(r: Rules, s: State, k: int) -> None:
    """A stack is chosen; what food does not pay of it, medicine must (6.5)."""
    s.buy = k
    s.pills_only = 0
    s.play_n = 0
    if has(r.mixes, k):
        s.need = max(0, wide(r.price_mix[k]) - s.food)
    else:
        s.need = r.price_med[k]
    ask(s, Ask.PAY, s.actor)
    offer_payment(r, s)


@rule
def offer_payment(r: Rules, s: State) -> None:
    """Medicines that can still complete the price, in rising order so that a mix is offered once."""
    if s.need <= 0:
        hire(s)
        offer_actions(r, s)
        return
    me = s.players[s.actor]
    legal = np.uint64(0)
    reach = 0
    m = me.hand_set & r.medicines & from_on(wide(s.pills_only))
    for k in range(MAX_KINDS - 1, -1, -1):
        if has(m, k):
            reach += wide(me.hand[k]) * r.med[k]
            if reach >= s.need:
                legal |= only(k)
    s.legal = legal


@rule
def pay(r: Rules, s: State, k: int) -> None:
    """One medicine is spent whole; what is too much is lost."""
    me = s.players[s.actor]
    let_go(s, me, k)
    identify(r, s, me, k, wide(1))
    if r.used_to_front:
        me.front[k] += 1
    else:
        discard_openly(me, k)
    s.need -= r.med[k]
    s.pills_only = k
    s.play_n += 1
    offer_payment(r, s)


@rule
def hire(s: State) -> None:
    """The top card of the stack goes to the own discard pile, seen by all."""
    k = wide(s.buy)
    me = s.players[s.actor]
    s.used |= 1 << Act.HIRE
    s.food = 0
    s.play_n = 0
    s.market[k] -= 1
    if s.market[k] == 0:
        s.market_set &= ~only(k)
    me.owned[k] += 1
    discard_openly(me, k)


@rule
def choose_to_trash(r: Rules, s: State, k: int) -> None:
    """One more hand card is chosen."""
    if r.trash_public:
        let_go(s, s.players[s.actor], k)
    else:
        hide(s, s.players[s.actor], k)
    lay_down(s, k)
    offer_trash(s)


@rule
def offer_trash(s: State) -> None:
    """Any hand card, in rising order; going needs at least one (6.6, 28)."""
    legal = s.players[s.actor].hand_set & from_on(wide(s.last))
    if s.play_n > 0:
        legal |= only(Say.STOP)
    s.legal = legal


@rule
def finish_trash(r: Rules, s: State) -> None:
    """All chosen cards go into the junkyard, then it is shuffled once."""
    p = wide(s.actor)
    m = s.play_set
    while m:
        k = lowest(m)
        m = rest(m)
        for _ in range(s.play[k]):
            trash(r, s, p, k)
        s.play[k] = 0
    s.play_set = np.uint64(0)
    s.play_n = 0
    shuffle_junkyard(s)
    s.used |= 1 << Act.TRASH
    offer_actions(r, s)
