"""A settled form becomes a record: copies counted, fields filled, legal moves worked out by the rules."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from engine.arctic_scavengers.draft import BYTE, LEFT_OUT, Draft, Pile, Tribe
from engine.arctic_scavengers.holdings import contested, played, trashed
from engine.arctic_scavengers.names import ACTIONS, in_sight, members, present, told_by_ledger
from engine.arctic_scavengers.resuming import fill_decision
from engine.arctic_scavengers.settling import FIRST_SKIRMISH
from engine.arctic_scavengers.skirmish import fight, people_in_force, winner
from engine.arctic_scavengers.state import CONTESTED, HIDDEN, STATE, TRIBE, WAY_LOST
from engine.arctic_scavengers.zones import draw, peek
from engine.faults import Reader
from engine.game import MAX_SEED
from engine.record import Array, zeros
from engine.rng import below, seeded

PEEKS = "only the initiator sees it, from round 3 on, with three seats or more"  # 5.4, 11.2
GENERATOR = "0x"  # a seed written so is the generator's word itself


# ---- copies


def count_copies(d: Draft) -> Counter[int]:
    """The copies whose place is told, checked against the copies there are."""
    placed: Counter[int] = Counter()

    def place(form: Reader, name: str, cards: Iterable[int] | Counter[int]) -> None:
        added = Counter(k for k in cards if k >= 0) if not isinstance(cards, Counter) else cards
        placed.update(added)
        for k, n in sorted(added.items()):
            if n and placed[k] > d.copies[k]:
                form.fault(name, f"{placed[k]} {d.ids[k]} in all", f"at most {d.copies[k]}")
                placed[k] = d.copies[k]
        out = claimed + contested(d, placed)
        if out > gone and not d.contested_kinds.isdisjoint(added):
            form.fault(name, f"{out} contested cards in all", f"at most {gone}, those that left the pile")

    gone, claimed = CONTESTED - d.contested_n, hidden_contested(d)
    for t in d.tribes:
        place(t.form, "hand", t.hand or [])
        place(t.form, "deck", t.deck.counts() if t.deck else [])
        place(t.form, "discard", t.discard or [])
        place(t.form, "seen_hand", Counter() if t.is_open else t.held)
        place(t.form, "seen_discard", Counter() if t.is_open else t.openly)
        place(t.form, "in_front", t.front)
    place(d.pending, "committed", d.committed)
    place(d.pending, "shown", d.shown)
    place(d.junkyard, "known_bottom", [] if d.is_world else d.bottom)
    place(d.junkyard, "cards", d.junk.counts() if d.junk else [])
    gone, claimed = CONTESTED, 0  # those of the pile, too
    place(d.contested, "top", [d.contested_top])
    place(d.contested, "cards", d.contested_cards.counts() if d.contested_cards else [])
    for k, n in sorted(d.stacks.items()):
        place(d.top, f"market.{d.ids[k]}", Counter({k: n}))
    return placed


def hidden_contested(d: Draft) -> int:
    """Contested cards that rivals have for certain where nobody sees them."""
    n = 0
    for t in d.tribes:
        located = t.held + t.openly + Counter(t.front) + played(d, t) + Counter(t.hand or [])
        trashed_unseen = len(trashed(d, t.seat)) + t.missing
        if not t.is_open:
            n += max(0, contested(d, (t.owned or Counter()) - located) + t.won_unknown - trashed_unseen)
    return n


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
    """The record of a draft that has no faults so far, as its seat knows it; further faults are noted in the draft."""
    data = zeros(STATE)
    s: Any = data[0]
    fill_last_skirmish(d, s)
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
    for t in d.tribes:
        fill_known(d, t, s)
    fill_spent(d, s)
    if d.question is not None and not d.faults:
        fill_decision(d, s)
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
    s.play_set, s.play_n = present(s.play), d.played_n
    for t in d.tribes:
        if t.seat == s.actor and not s.shown:
            s.used = sum(1 << act for act, word in ACTIONS.items() if word in t.used)
            s.food = t.food
        elif t.used or t.food:
            d.warnings.append(f"{t.form.path}: used_actions and food are not used, it is not this seat's turn")


def fill_table(d: Draft, s: Any) -> None:
    """Market, contested pile, junkyard, and the cards looked at."""
    for k, n in d.stacks.items():
        s.market[k] = n
    s.market_set = present(s.market)
    s.contested_n = d.contested_n
    initiator_saw = 1 << d.initiator if d.r.peek and d.round_no >= FIRST_SKIRMISH and d.contested_n else 0
    if not d.contested.has("top_seen_by"):
        d.top_seen = initiator_saw
        if not d.is_world and d.contested_top == LEFT_OUT and d.initiator == d.seat and initiator_saw:
            d.warnings.append("contested.top: the initiator has seen it, but it is not given")
            d.top_seen = 0
    if d.top_seen & ~initiator_saw:
        d.contested.fault("top_seen_by", members(d.top_seen & ~initiator_saw), PEEKS)
    if d.contested_top >= 0:
        if not initiator_saw >> d.seat & 1:
            d.contested.fault("top", d.ids[d.contested_top], f"nothing: {PEEKS}")
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
            d.junkyard.fault(f"bottom_seen_by[{i}]", members(seen), expected)
            continue
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
    me.hand_set = present(me.hand)
    if t.deck:
        me.deck_fixed = fill_pile(me.deck, t.deck)
    me.discard[: len(t.discard or [])] = sorted(t.discard or [])
    me.dug, me.named_dug, me.named_won = t.dug, t.named_dug, t.named_won
    wins = [entry for entry in d.wins if entry.seat == t.seat]
    me.won, me.won_before = len(wins), sum(entry.cycle < t.cycle for entry in wins)
    me.left, me.cycle, me.trashed_now, me.done = t.left, t.cycle, t.trashed_now, t.done
    owned = t.owned or Counter[int]()
    told = ((me.owned, owned), (me.held, t.held), (me.openly, t.openly), (me.sure, t.sure), (me.since, t.since))
    for row, counts in told:
        for k, n in counts.items():
            row[k] = n
    for u, hits in enumerate(units(d)):
        me.responses[u] = t.responses.get(hits, 0)


def units(d: Draft) -> list[str]:
    """The special units' verbs, by number."""
    return [d.kinds[int(k)].hits for k in d.r.unit_kind[: int(d.r.units_n)]]


def fill_known(d: Draft, t: Tribe, s: Any) -> None:
    """What a seat has seen in the junkyard: cards that lie there, are looked at, or were dug by others since."""
    form, name = (t.form, "knowledge.junkyard") if d.is_world else (d.junkyard, "looked_at")
    if t.seat == d.seat and not d.is_world:
        name = "looked_at" if d.looked_at else "known"
        told = np.maximum(0, told_by_ledger(s, t.seat) - in_sight(s, t.seat))
        t.known = d.looked_at or Counter({k: max(0, n - int(told[k])) for k, n in d.known.items()})
    most = d.junk_count + d.shown_n + sum(other.dug for other in d.tribes if other is not t)
    if t.known.total() > most:
        form.fault(name, f"{t.known.total()} cards", f"at most {most}, those there and those dug by others")
    for k, at in sorted(t.since.items()):
        if at > len(d.ledger):
            path = f"knowledge.junkyard_since.{d.ids[k]}" if d.is_world else f"known_since.{d.ids[k]}"
            form.fault(path, at, f"at most {len(d.ledger)}, the entries of the ledger")
    for k, n in sorted(t.known.items()):
        s.players[t.seat].known[k] = n
        if n > d.r.total[k]:
            form.fault(f"{name}.{d.ids[k]}", n, f"at most {d.r.total[k]}, the copies there are")


def fill_spent(d: Draft, s: Any) -> None:
    """Special units that have acted in this skirmish."""
    for q, form in d.forces.items():
        form.raw("fight"), form.raw("people"), form.raw("cards")  # told, not read
        fill_acted(d, form, s.players[q])


def fill_acted(d: Draft, form: Reader, me: Any) -> None:
    """Special units of a force that have acted."""
    kinds = [int(k) for k in d.r.unit_kind[: int(d.r.units_n)]]
    for k, n in d.map(form, "spent").items():
        if k not in kinds or n > me.hand[k]:
            form.fault(f"spent.{d.ids[k]}", n, "special units of that force")
        else:
            me.spent[kinds.index(k)] = n


# ---- the last skirmish


def fill_last_skirmish(d: Draft, s: Any) -> None:
    """The last comparison; what is told of its end must follow from its cards."""
    faults = len(d.faults)
    if not d.top.has("last_skirmish"):
        return
    if d.round_no <= FIRST_SKIRMISH:
        d.top.fault("last_skirmish", d.top.raw("last_skirmish"), f"nothing before round {FIRST_SKIRMISH + 1}")
        return
    if len(d.last_forces) < d.seats:
        d.last_skirmish.fault("forces", f"{len(d.last_forces)} forces", f"{d.seats}, one a seat")
        return
    table: Any = zeros(STATE)[0]  # as it was then
    table.seats = d.seats
    placed: Counter[int] = Counter()
    for q, form in sorted(d.last_forces.items()):
        fill_force(d, form, table.players[q], placed)
        if d.phase == "over":
            check_still_there(d, form, q, table.players[q])
    if len(d.faults) == faults:
        check_outcome(d, table)
        s.outcome = winner(d.r, table) + 2
        for me, then in zip(s.players, table.players, strict=True):
            me.fought, me.acted = then.hand, then.spent


def fill_force(d: Draft, form: Reader, me: Any, placed: Counter[int]) -> None:
    """The cards of one force; `placed` counts those of all."""
    cards = Counter(d.cards(form, "cards", most=TRIBE))
    placed.update(cards)
    for k, n in sorted(cards.items()):
        me.hand[k] = n
        if placed[k] > d.copies[k]:
            form.fault("cards", f"{placed[k]} {d.ids[k]} in all", f"at most {d.copies[k]}")
    me.hand_set = present(me.hand)
    fill_acted(d, form, me)


def check_still_there(d: Draft, form: Reader, q: int, then: Any) -> None:
    """At the end of the game the cards compared are still in the hands."""
    hand = d.tribes[q].hand
    if hand is not None and Counter(hand) != Counter(dict(enumerate(then.hand))):
        form.fault("cards", form.raw("cards"), f"those of {d.tribes[q].form.at('hand')}")


def check_outcome(d: Draft, table: Any) -> None:
    """Fight, people and winner, where they are told."""
    for q, form in sorted(d.last_forces.items()):
        worths = {"fight": fight(d.r, table, q), "people": people_in_force(d.r, table, q)}
        for name, worth in worths.items():
            if form.integer(name, worth, 0, BYTE) != worth:
                form.fault(name, form.raw(name), f"{worth}, as its cards say")
    best = winner(d.r, table)
    if d.last_winner not in (LEFT_OUT, best):
        d.last_skirmish.fault("winner", d.last_winner, f"{best}" if best >= 0 else "nothing: a deadlock")
