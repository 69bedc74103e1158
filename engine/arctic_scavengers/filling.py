"""A settled form becomes a record: copies counted, fields filled, legal moves worked out by the rules."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from engine.arctic_scavengers.accounts import account
from engine.arctic_scavengers.asking import Ask, Say, ask
from engine.arctic_scavengers.cards import Act
from engine.arctic_scavengers.draft import LEFT_OUT, Draft, Pile, Tribe
from engine.arctic_scavengers.names import ACTIONS
from engine.arctic_scavengers.scratch import BAG, SCRATCH, TASKS
from engine.arctic_scavengers.settling import BUILDING, FIRST_SKIRMISH
from engine.arctic_scavengers.skirmish import aim, offer_slot
from engine.arctic_scavengers.state import HIDDEN, STATE, WAY_LOST
from engine.arctic_scavengers.turn import (
    offer_actions,
    offer_cards,
    offer_payment,
    offer_return,
    offer_trash,
    responses,
    revalue,
)
from engine.arctic_scavengers.view import blank
from engine.arctic_scavengers.zones import draw, peek
from engine.faults import Reader
from engine.game import MAX_SEED
from engine.record import Array, zeros
from engine.rng import below, seeded

GENERATOR = "0x"  # a seed written so is the generator's word itself


# ---- copies


def count_copies(d: Draft) -> Counter[int]:
    """The copies whose place is told, checked against the copies there are."""
    placed: Counter[int] = Counter()

    def place(form: Reader, name: str, cards: Iterable[int] | Counter[int]) -> None:
        added = Counter(k for k in cards if k >= 0) if not isinstance(cards, Counter) else cards
        placed.update(added)
        for k, n in sorted(added.items()):
            if n and placed[k] > d.r.total[k]:
                form.fault(name, f"{placed[k]} {d.ids[k]} in all", f"at most {d.r.total[k]}")
                placed[k] = int(d.r.total[k])

    for t in d.tribes:
        place(t.form, "hand", t.hand or [])
        place(t.form, "deck", t.deck.counts() if t.deck else [])
        place(t.form, "discard", t.discard or [])
        place(t.form, "seen_discard", Counter() if t.is_open else t.openly)
        place(t.form, "in_front", t.front)
    place(d.pending, "committed", d.committed)
    place(d.pending, "shown", d.shown)
    place(d.contested, "top", [d.contested_top])
    place(d.contested, "cards", d.contested_cards.counts() if d.contested_cards else [])
    place(d.junkyard, "known_bottom", [] if d.is_world else d.bottom)
    place(d.junkyard, "cards", d.junk.counts() if d.junk else [])
    for k, n in sorted(d.stacks.items()):
        place(d.top, f"market.{d.ids[k]}", Counter({k: n}))
    return placed


def count_junkyard(d: Draft) -> None:
    """The size of the junkyard follows from everything else."""
    sizes = sum(t.hand_n + t.deck_n + t.discard_n + len(t.front) for t in d.tribes) + d.played_n
    left = int(d.r.total.sum()) - sum(d.stacks.values()) - d.contested_n - sizes - d.shown_n
    count = max(len(d.bottom), left)
    if d.junk_count not in (LEFT_OUT, left):
        d.junkyard.fault("count", d.junk_count, f"{left}, the cards that are nowhere else")
    elif left < len(d.bottom):
        d.junkyard.fault("known_bottom", f"{len(d.bottom)} cards", f"at most {max(0, left)}")
    if d.junk_count == LEFT_OUT:
        d.assume(f"junkyard.count = {left}")
    d.junk_count = count


def settle_piles(d: Draft, placed: Counter[int], s: Any) -> None:
    """Contested pile and junkyard of a world, where they are left out: whatever is nowhere else."""
    rest = Counter({k: int(n) for k, n in enumerate(d.r.total)}) - placed
    if d.contested_cards is None:
        pool = Counter({k: n for k, n in rest.items() if d.r.contested[k]})
        lost = Counter(entry.card for entry in d.ledger if entry.way == WAY_LOST)
        cards = list((pool - lost).elements()) or []
        spare = list((pool & lost).elements())
        while len(cards) > d.contested_n:
            cards.pop(below(s, len(cards)))
        cards += spare[: d.contested_n - len(cards)]
        d.contested_cards = Pile(bag=Counter(cards))
        rest -= Counter(cards)
    size = d.contested_cards.counts().total()
    if size != d.contested_n:
        d.contested.fault("cards", f"{size} cards", f"{d.contested_n} in round {d.round_no}")
    if d.junk is None:
        d.junk = Pile(bag=Counter() if d.junk_count == 0 else rest.copy())
        rest -= d.junk.bag
    if rest:
        names = ", ".join(f"{n} {d.ids[k]}" for k, n in sorted(rest.items()))
        d.junkyard.fault("cards", f"a world without {names}", "every card somewhere")
    size = d.junk.counts().total()
    if d.junk_count not in (LEFT_OUT, size):
        d.junkyard.fault("count", d.junk_count, f"{size}, the cards that are nowhere else")
    d.junk_count = size


# ---- the record


def fill(d: Draft) -> Array:
    """The record of a draft that has no faults so far; further faults are noted in it."""
    data = zeros(STATE)
    s: Any = data[0]
    placed = count_copies(d)
    if d.is_world:
        s.rng = read_seed(d)
        settle_piles(d, placed, s)
    else:
        count_junkyard(d)
    if d.faults:
        return data
    fill_moment(d, s)
    fill_table(d, s)
    fill_record(d, s)
    for t in d.tribes:
        fill_tribe(d, t, s.players[t.seat])
    for t in d.tribes:
        if d.is_world and t.hand is None:
            draw(s, t.seat, t.hand_n)
    for p in range(d.seats if d.is_world else 0):
        if d.top_seen >> p & 1:
            peek(s, p)
    fill_known(d, s)
    fill_spent(d, s)
    if d.question is not None and not d.faults:
        fill_decision(d, s)
    if not d.is_world and not d.faults:
        blank(s, d.seat)
    return data


def read_seed(d: Draft) -> np.uint64:
    """The generator's word: from a seed, or as a world was written with it."""
    value = d.top.raw("seed")
    number = 0 if value is None else value
    if isinstance(value, str):
        try:
            number = int(value, 16 if value.startswith(GENERATOR) else 10)
        except ValueError:
            number = -1
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MAX_SEED:
        d.top.fault("seed", value, f"a whole number from 0 to {MAX_SEED}, or one written by to_json")
        number = 0
    if isinstance(value, str) and value.startswith(GENERATOR) and number:
        return np.uint64(number)
    return np.uint64(seeded(np.uint64(number)))


def fill_moment(d: Draft, s: Any) -> None:
    s.seats, s.round_no, s.initiator, s.actor, s.turns = d.seats, d.round_no, d.initiator, d.actor, d.turns
    s.first = (d.initiator - max(0, d.round_no - FIRST_SKIRMISH)) % d.seats
    s.shown = d.shown_forces
    for k in d.committed:
        s.play[k] += 1
    s.play_set, s.play_n = mask(s.play), d.played_n
    for t in d.tribes:
        if t.seat == s.actor and not s.shown:
            s.used = sum(1 << act for act, word in ACTIONS.items() if word in t.used)
            s.food = t.food
        elif t.used or t.food:
            d.warnings.append(f"{t.form.path}: used_actions and food are not used, it is not this seat's turn")


def mask_of(cards: Iterable[int]) -> int:
    return sum(1 << k for k in set(cards))


def mask(row: Any) -> np.uint64:
    """The kinds of a row of counts, as bits."""
    return np.uint64(sum(1 << k for k, n in enumerate(row) if n))


def fill_table(d: Draft, s: Any) -> None:
    """Market, contested pile, junkyard, and the cards looked at."""
    for k, n in d.stacks.items():
        s.market[k] = n
    s.market_set = mask(s.market)
    s.contested_n = d.contested_n
    initiator_saw = 1 << d.initiator if d.r.peek and d.round_no >= FIRST_SKIRMISH and d.contested_n else 0
    if not d.contested.has("top_seen_by"):
        d.top_seen = initiator_saw
        if not d.is_world and d.contested_top == LEFT_OUT and d.initiator == d.seat and initiator_saw:
            d.warnings.append("contested.top: the initiator has seen it, but it is not given")
            d.top_seen = 0
    if d.contested_top >= 0:
        d.top_seen |= 1 << d.seat
        s.contested[d.contested_n - 1] = d.contested_top
    elif d.top_seen >> max(0, d.seat) & 1 and not d.is_world:
        d.contested.fault("top", None, f"the card that seat {d.seat} has seen")
    if d.contested_cards:
        s.contested_fixed = fill_pile(s.contested, d.contested_cards)
    s.contested_seen = 0 if d.is_world else d.top_seen
    s.bottom_n, s.junk_n = len(d.bottom), d.junk_count - len(d.bottom)
    if d.junk:
        s.junk_fixed = fill_pile(s.junk, d.junk)
    fill_bottom(d, s)
    s.look_n = d.shown_n
    s.look[: len(d.shown)] = d.shown
    s.look_seen[: d.shown_n] = d.shown_seen


def fill_pile(row: Any, pile: Pile) -> int:
    """Lays a pile into a row, its top at the end; returns how many cards are fixed on top."""
    cards = sorted(pile.bag.elements()) + pile.top[::-1]
    row[: len(cards)] = cards
    return len(pile.top)


def fill_bottom(d: Draft, s: Any) -> None:
    """The returned cards under the junkyard."""
    if len(d.bottom_seen) not in (0, len(d.bottom)):
        d.junkyard.fault("bottom_seen_by", f"{len(d.bottom_seen)} entries", f"{len(d.bottom)}, one a card")
        return
    for i, k in enumerate(d.bottom):
        known = k >= 0 and not d.is_world
        seen = d.bottom_seen[i] if d.bottom_seen else int(known) << max(0, d.seat)
        if not d.is_world and bool(seen >> d.seat & 1) != known:
            expected = f"seat {d.seat} among them just where it knows the card"
            d.junkyard.fault(f"bottom_seen_by[{i}]", seen, expected)
        s.bottom[i] = k if k >= 0 else HIDDEN
        s.bottom_seen[i] = seen


def fill_record(d: Draft, s: Any) -> None:
    """The ledger and the wins."""
    s.ledger_n, s.wins_n = len(d.ledger), len(d.wins)
    for i, entry in enumerate(d.ledger):
        s.ledger_way[i] = entry.way * 8 + entry.seat
        s.ledger_cycle[i], s.ledger_seen[i] = entry.cycle, entry.seen
        s.ledger_kind[i] = entry.card if entry.card >= 0 else HIDDEN
    for i, entry in enumerate(d.wins):
        s.win_seat[i], s.win_cycle[i], s.win_seen[i] = entry.seat, entry.cycle, entry.seen
        s.win_kind[i] = entry.card if entry.card >= 0 else HIDDEN


def fill_tribe(d: Draft, t: Tribe, me: Any) -> None:
    """One player."""
    me.hand_n, me.deck_n, me.discard_n = t.hand_n, t.deck_n, t.discard_n
    if t.hand is None and d.is_world:
        me.hand_n = 0  # drawn afterwards
    for row, cards in ((me.hand, t.hand or []), (me.front, t.front)):
        for k in cards:
            row[k] += 1
    me.hand_set = mask(me.hand)
    if t.deck:
        me.deck_fixed = fill_pile(me.deck, t.deck)
    me.discard[: len(t.discard or [])] = sorted(t.discard or [])
    me.dug, me.named_dug, me.named_won = t.dug, t.named_dug, t.named_won
    wins = [entry for entry in d.wins if entry.seat == t.seat]
    me.won, me.won_before = len(wins), sum(entry.cycle < t.cycle for entry in wins)
    me.left, me.cycle, me.trashed_now, me.done = t.left, t.cycle, t.trashed_now, t.done
    owned = t.owned or Counter[int]()
    for row, counts in ((me.owned, owned), (me.openly, t.openly), (me.sure, t.sure), (me.since, t.since)):
        for k, n in counts.items():
            row[k] = n
    for u, hits in enumerate(units(d)):
        me.responses[u] = t.responses.get(hits, 0)


def units(d: Draft) -> list[str]:
    """The special units' verbs, by number."""
    return [d.kinds[int(k)].hits for k in d.r.unit_kind[: int(d.r.units_n)]]


def fill_known(d: Draft, s: Any) -> None:
    """What a seat has seen in the junkyard."""
    for t in d.tribes:
        for k, n in t.known.items() if t.is_open else ():
            s.players[t.seat].known[k] = n


def fill_spent(d: Draft, s: Any) -> None:
    """Special units that have acted in this skirmish."""
    kinds = [int(k) for k in d.r.unit_kind[: int(d.r.units_n)]]
    for form in d.forces:
        q = d.seat_at(form, "seat")
        form.raw("fight"), form.raw("people"), form.raw("cards")  # told, not read
        for k, n in d.map(form, "spent").items():
            if k not in kinds or n > s.players[q].hand[k] or q < 0:
                form.fault(f"spent.{d.ids[k]}", n, "special units of that force")
            else:
                s.players[q].spent[kinds.index(k)] = n


# ---- the decision


def fill_decision(d: Draft, s: Any) -> None:
    """The stack of questions, and the legal answers as the rules give them."""
    assert d.question is not None
    mine = d.is_world or d.asked == d.seat
    if d.question in BUILDING:
        fill_building(d, s)
    if d.question in (Ask.SLOT, Ask.HIT):
        fill_slot(d, s)
    else:
        fill_frames(d, s)
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
    if d.question == Ask.KEEP and d.committed and d.shown_n > s.value:
        d.pending.fault("shown", f"{d.shown_n} cards", f"at most {int(s.value)}, the value of the dig")


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
            s.legal = np.uint64(1 << Say.STOP | mask_of(d.shown))
        case Ask.REACT:
            hits: Any = responses(d.r, s, d.asked)
            s.legal = np.uint64(int(hits) | 1 << Say.STOP) if hits else np.uint64(0)
        case _:
            fill_payment(d, s)
            if not d.faults:
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
    s.buy, s.need, s.pills_only = k, max(1, need), max(d.paid, default=0)


def check_room(d: Draft, data: Array) -> None:
    """Dealing the hidden cards of this view must stay within its working memory."""
    s: Any = data[0]
    scratch = zeros(SCRATCH)
    c: Any = scratch[0]
    account(d.r, s, d.seat, c)
    tasks = len(d.ledger) + sum(t.missing for t in d.tribes if t.seat != d.seat)
    known = int(s.players[d.seat].known.sum())
    bag = int(np.maximum(c.free, 0).sum()) + known + tasks
    if tasks > TASKS or bag > BAG:
        d.top.fault("", f"{bag} cards to deal", f"at most {BAG}: a possible position")
