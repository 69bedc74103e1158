"""The decision a form stands at: the questions pending, and the legal answers as the rules give them."""

from collections import Counter
from typing import Any

import numpy as np

from engine.arctic_scavengers.asking import Ask, Say, ask
from engine.arctic_scavengers.cards import Act
from engine.arctic_scavengers.draft import LEFT_OUT, Draft
from engine.arctic_scavengers.names import ACTIONS
from engine.arctic_scavengers.settling import BUILDING, OPENED
from engine.arctic_scavengers.skirmish import aim, offer_slot
from engine.arctic_scavengers.turn import (
    offer_actions,
    offer_cards,
    offer_payment,
    offer_return,
    offer_trash,
    responses,
    revalue,
)


def fill_decision(d: Draft, s: Any) -> None:
    """The stack of questions, and the legal answers as the rules give them."""
    assert d.question is not None
    mine = d.is_world or d.asked == d.seat
    opened = OPENED.get(d.question)
    if d.question in BUILDING:
        fill_building(d, s)
    elif opened is not None and int(s.used) >> opened & 1:
        d.pending.fault("question", d.question.name.lower(), "a question of an action not used yet in this turn")
    if d.question in (Ask.SLOT, Ask.HIT):
        fill_slot(d, s)
    else:
        fill_frames(d, s)
        if d.question == Ask.PAY:
            fill_payment(d, s)
        if mine and not d.faults:
            offer(d, s)
    if mine and not d.faults and int(s.legal) == 0:
        d.pending.fault("question", d.question.name.lower(), "a question that this seat can answer")


def fill_frames(d: Draft, s: Any) -> None:
    """Questions below the one on top wait for it."""
    ask(s, int(Ask.ACTION), d.actor)
    if d.question == Ask.REACT:
        ask(s, int(Ask.COMMIT), d.actor)
    if d.question != Ask.ACTION:
        assert d.question is not None
        ask(s, int(d.question), d.asked if d.question == Ask.REACT else d.actor)
    if d.question == Ask.TRASH:
        s.act = Act.TRASH
    if d.question in (Ask.COMMIT, Ask.TRASH) and d.committed:
        s.last = max(d.committed)
    s.passes = d.passes if d.question == Ask.REACT else 0


def fill_building(d: Draft, s: Any) -> None:
    """The action being built, with its value."""
    s.act = d.act
    if d.question in (Ask.KEEP, Ask.RETURN):
        s.used |= 1 << Act.DIG
    elif int(s.used) >> d.act & 1:
        d.pending.fault("action", ACTIONS[Act(d.act)], "an action not used yet in this turn")
    revalue(d.r, s)
    s.gear_n = sum(int(d.r.tools) >> k & 1 for k in d.committed)
    if d.value not in (LEFT_OUT, int(s.value)):
        d.pending.fault("value", d.value, f"{int(s.value)}, as the committed cards say")
    if d.question in (Ask.KEEP, Ask.RETURN):
        check_look(d, s)
    else:
        check_committed(d, s)


def check_look(d: Draft, s: Any) -> None:
    """As many cards as the value of the dig says, unless the junkyard was shorter."""
    n = int(s.value)
    if not d.committed:
        return
    if d.shown_n > n:
        d.pending.fault("shown", f"{d.shown_n} cards", f"at most {n}, the value of the dig")
    elif d.question == Ask.KEEP and d.shown_n < n and d.junk_count > 0:
        d.pending.fault("shown", f"{d.shown_n} cards", f"{n}, the value of the dig, as the junkyard is not empty")


def check_committed(d: Draft, s: Any) -> None:
    """What may lie committed: only a hit leaves tools without a carrier, or a value of 0."""
    r, is_open = d.r, d.question == Ask.REACT
    hit = is_open and any(t.responses for t in d.tribes if t.seat != d.actor)
    found = d.pending.raw("committed")
    if int(s.carriers) == 0 and (d.committed or is_open):
        d.pending.fault("committed", found, f"a card that can {Act(d.act).name.lower()} by itself among them")
    elif int(s.gear_n) > int(s.carriers) and not (r.spare_tools or hit):
        d.pending.fault("committed", found, "at most one tool for each card that can hold one")
    elif is_open and int(s.value) == 0 and not (r.zero_actions or hit):
        d.pending.fault("committed", found, "cards worth more than 0")


def fill_slot(d: Draft, s: Any) -> None:
    """A slot of the skirmish; whom it could aim at lies open to all."""
    if not offer_slot(d.r, s):
        d.pending.fault("question", "slot", "a seat whose special units can hit something")
    elif d.question == Ask.HIT:
        if not int(s.legal) >> int(Say.AIM + d.target) & 1:
            d.pending.fault("target", d.target, "a rival aimed at among several")
        else:
            aim(d.r, s, d.target)


def offer(d: Draft, s: Any) -> None:
    """The legal answers."""
    match d.question:
        case Ask.ACTION:
            offer_actions(d.r, s)
        case Ask.COMMIT:
            offer_cards(d.r, s)
        case Ask.TRASH:
            offer_trash(s)
        case Ask.RETURN:
            offer_return(s)
        case Ask.KEEP:
            s.legal = np.uint64(1 << Say.STOP | sum(1 << k for k in set(d.shown)))
        case Ask.REACT:
            hits: Any = responses(d.r, s, d.asked)
            s.legal = np.uint64(int(hits) | 1 << Say.STOP) if hits else np.uint64(0)
        case _:
            offer_payment(d.r, s)


def fill_payment(d: Draft, s: Any) -> None:
    """What is still to pay for the card to be hired."""
    k, r = d.card_hired, d.r
    price = int(r.price_mix[k]) - int(s.food) if int(r.mixes) >> k & 1 else int(r.price_med[k])
    need = price - sum(int(r.med[m]) for m in d.paid)
    if d.need not in (LEFT_OUT, need):
        d.pending.fault("need", d.need, f"{need}, the price less what is paid")
    if need < 1 or s.market[k] == 0 or (s.food < r.price_food[k] and not int(r.mixes) >> k & 1):
        d.pending.fault("card", d.ids[k], "a card on the market that this food and some medicine can pay")
    check_paid(d, s)
    s.buy, s.need, s.pills_only, s.play_n = k, max(1, need), max(d.paid, default=0), len(d.paid)


def check_paid(d: Draft, s: Any) -> None:
    """Medicine paid lies open: on the discard pile, or in front."""
    t = d.tribes[d.actor]
    there = Counter(t.front) if d.r.used_to_front else t.openly | Counter(t.discard or [])
    if Counter(d.paid) - there:
        place = "in_front" if d.r.used_to_front else "discard"
        d.pending.fault("paid", d.pending.raw("paid"), f"cards that lie in {t.form.at(place)}")
