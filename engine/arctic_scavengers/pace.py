"""What there has been time for: no more hires, digs, draws and answers than turns and cards allow (contract 4, 12).

More than rounds and turns allow is refused. What only the count of five cards a round gives away is warned of: a person
who notes too little can still be advised.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from engine.arctic_scavengers.asking import Ask
from engine.arctic_scavengers.cards import Act
from engine.arctic_scavengers.draft import Crossing, Draft, Tribe
from engine.arctic_scavengers.flow import HAND
from engine.arctic_scavengers.holdings import crossings, openly_trashed, trashed
from engine.arctic_scavengers.names import WAYS
from engine.arctic_scavengers.state import WAY_IN, WAY_OUT
from engine.faults import Fault, Reader

UNDATED = 1  # the cycle of a tribe whose record has no dates
SECOND = 2  # the round before which no deck was shuffled
TWICE = 2  # a card used before the own draw may come back by it


@dataclass(frozen=True)
class Turns:
    """How often a seat can have done each action so far."""

    hire: int
    dig: int
    draw: int
    trash: int


def doubt(d: Draft, form: Reader, name: str, found: str, expected: str) -> None:
    """Warns of what cannot have come about."""
    d.warnings.append(str(Fault(form.at(name), found, expected)))


def check_pace(d: Draft) -> None:
    """Refuses what no turn could have given; called once every tribe is settled."""
    check_spent(d)
    if d.is_world:
        return  # a world may be set up for the sake of what follows
    for t in d.tribes:
        turns = turns_of(d, t)
        check_hand(d, t)
        check_piles(d, t)
        check_ledger(d, t, turns)
        check_gains(d, t, turns)
        check_prices(d, t, turns)
        check_food(d, t)
        check_responses(d, t)
        reshuffles = max(UNDATED, d.round_no - 1 + turns.draw)
        if t.form.has("cycle") and t.cycle > reshuffles:
            t.form.fault("cycle", t.cycle, f"at most {reshuffles}, one a round and one a draw")


def turns_of(d: Draft, t: Tribe) -> Turns:
    """One of each action a round, in the turns that are over and in this one as far as it is noted."""

    def times(act: Act) -> int:
        now = t.seat == d.actor and act.name.lower() in t.used
        now |= t.seat == d.actor and act == Act.DIG and d.question == Ask.RETURN
        return d.round_no - 1 + int(t.done or now)

    return Turns(times(Act.HIRE), times(Act.DIG), times(Act.DRAW), times(Act.TRASH))


def check_spent(d: Draft) -> None:
    """A special unit acts in its owner's slot, not before."""
    for q, form in d.forces.items():
        if d.phase == "skirmish" and form.has("spent") and (q - d.initiator) % d.seats > d.turns:
            form.fault("spent", form.raw("spent"), f"nothing: seat {q} has not had its slot")


def acts(d: Draft, t: Tribe) -> list[str]:
    """The actions a seat has done in the turn it is having."""
    return t.used if t.seat == d.actor and not t.done else []


def takers(d: Draft, t: Tribe) -> list[str]:
    """Of these, the ones besides the draw whose cards have left the hand and are no longer committed."""
    dug_with = d.question in (Ask.KEEP, Ask.RETURN) and d.committed
    return [act for act in acts(d, t) if act != "draw" and not (act == "dig" and dug_with)]


def in_hand(d: Draft, t: Tribe) -> int:
    """Cards in hand, and those committed out of it."""
    return t.hand_n + (d.played_n if t.seat == d.actor else 0)


def paid(d: Draft, t: Tribe) -> int:
    """Medicines paid so far for a hire that is not done."""
    return len(d.paid) if d.question == Ask.PAY and t.seat == d.actor else 0


def laid_out(d: Draft, t: Tribe) -> int:
    """Cards that are not in the deck."""
    return in_hand(d, t) + t.discard_n + len(t.front)


def record(d: Draft, t: Tribe) -> Counter[int]:
    """All cards a tribe is known to have or to have had."""
    return ((t.owned or Counter()) | t.cards) + openly_trashed(d, t.seat)


def may_have_kept(d: Draft, t: Tribe) -> bool:
    """True if a card kept from a dig in this turn may lie on the discard pile."""
    done = "dig" in acts(d, t) and d.question != Ask.KEEP
    return done or (d.question == Ask.RETURN and t.seat == d.actor)


def hand_field(t: Tribe) -> str:
    """The field that tells the size of a hand."""
    told = [name for name in ("hand_count", "reserve") if t.form.raw(name) is not None]
    return "hand" if t.hand is not None else (told or ["hand_count"])[0]


def pile_field(t: Tribe, name: str) -> str:
    """The field that tells the size of the deck or the discard pile."""
    return name if t.is_open and t.form.raw(f"{name}_count") is None else f"{name}_count"


def lies_open(d: Draft, t: Tribe) -> bool:
    """True before a turn, and in it as long as all cards used lie on the discard pile, in front or committed."""
    unnoted_dig = d.question in (Ask.KEEP, Ask.RETURN) and not d.committed and t.seat == d.actor
    return not t.done and not unnoted_dig and not {"draw", "trash"} & set(acts(d, t))


def used_lie_open(t: Tribe) -> bool:
    """True if it is noted where used cards lie: nothing at all says that nobody looked."""
    return bool(t.discard_n or t.front)


def most_in_hand(d: Draft, t: Tribe) -> int:
    """Five cards, what a draw can add to them, less one at least for each response and each action."""
    done = takers(d, t)
    used = sum(act != "hire" or "hunt" not in done for act in done) + sum(t.responses.values())
    return HAND + (extra_drawn(d, t) if t.done or "draw" in acts(d, t) else 0) - used


def most_drawn(d: Draft) -> int:
    """The most that one card can draw."""
    return max(1, int(d.r.own[:, Act.DRAW].max()), int(d.r.adds[:, Act.DRAW].max()))


def extra_drawn(d: Draft, t: Tribe) -> int:
    """How many cards more a hand can have after a draw."""
    worth = np.maximum(d.r.own[:, Act.DRAW], d.r.adds[:, Act.DRAW]).astype(int) - 1
    if not t.is_open or t.done or "trash" in t.used:
        return HAND * int(worth.max())
    best = sorted((int(worth[k]) for k in record(d, t).elements()), reverse=True)[:HAND]
    return sum(n for n in best if n > 0)


def check_hand(d: Draft, t: Tribe) -> None:
    """Five cards a round, and what one draw adds; they leave the hand by actions, responses and hits alone."""
    name, size = hand_field(t), in_hand(d, t) + paid(d, t)
    most, least = most_in_hand(d, t), least_in_hand(d, t)
    drew = t.done or "draw" in acts(d, t)
    if size > most:
        expected = f"at most {max(0, most)}" + ("" if drew else ", as there was no draw in this turn")
        if size > HAND * (most_drawn(d) if drew else 1):
            t.form.fault(name, f"{size} cards", expected)
        else:
            doubt(d, t.form, name, f"{size} cards", expected)
    elif size < least:
        why = "used_actions tells of nothing that took one" if t.seat == d.actor else "its turn is to come"
        doubt(d, t.form, name, f"{size} cards", f"at least {least}: {why}")
    elif lies_open(d, t):
        check_laid_out(d, t)


def least_in_hand(d: Draft, t: Tribe) -> int:
    """What is left of five cards where no action took any, though special units may have."""
    drew = "draw" in acts(d, t)
    others = d.tribes if t.seat == d.actor else [t]
    lost = sum(units_of(d, other) for other in others) + sum(unnoted(d, k) for k in unit_kinds(d))
    failed = lost > 0 and not d.r.refunds
    if t.done or takers(d, t) or (drew and (t.deck_n == 0 or failed or not draws_replace(d))):
        return 0
    return min(HAND, laid_out(d, t) + t.deck_n - may_have_kept(d, t)) - lost


def draws_replace(d: Draft) -> bool:
    """True if every card that can be used for a draw brings at least one card."""
    return all(int(n) != 0 for n in d.r.own[: len(d.kinds), Act.DRAW]) and not int(d.r.gear[Act.DRAW])


def unit_kinds(d: Draft) -> list[int]:
    """The special units."""
    return [k for k, card in enumerate(d.kinds) if card.hits]


def units_of(d: Draft, t: Tribe) -> int:
    """Special units a tribe is known to have or to have had."""
    return sum(record(d, t)[k] for k in unit_kinds(d))


def unnoted(d: Draft, k: int) -> int:
    """Cards that have left a stack and are in no record."""
    return max(0, int(d.r.market[k]) - d.stacks.get(k, 0) - sum((record(d, t) - t.start)[k] for t in d.tribes))


# ---- deck and discard pile


def check_laid_out(d: Draft, t: Tribe) -> None:
    """Used cards lie on the discard pile or in front, and so does a card just hired."""
    hired = "hire" in acts(d, t)
    least = min(HAND, laid_out(d, t) + t.deck_n - hired) + hired
    if used_lie_open(t) and laid_out(d, t) < least:
        hand, gone = in_hand(d, t), least - in_hand(d, t) - len(t.front)
        found = f"{t.discard_n} cards beside {hand} in hand"
        doubt(d, t.form, pile_field(t, "discard"), found, f"at least {gone}, those used in this turn")


def check_piles(d: Draft, t: Tribe) -> None:
    """What five cards a round leave of a deck."""
    if d.round_no == 1:
        check_first_deck(d, t)
    elif lies_open(d, t):
        check_old_discards(d, t)


def check_first_deck(d: Draft, t: Tribe) -> None:
    """In round 1 the deck is what the deal and one draw have left; no starting hand draws it empty."""
    full = t.start.total() - HAND
    best = sorted((int(d.r.own[k, Act.DRAW]) for k in t.start.elements()), reverse=True)[:HAND]
    drew = "draw" in acts(d, t)
    least, most = full - (sum(n for n in best if n > 0) if drew or t.done else 0), full - drew
    if not least <= t.deck_n <= most:
        size = f"{least} to {most}" if least < most else f"{most}"
        doubt(d, t.form, pile_field(t, "deck"), f"{t.deck_n} cards", f"{size} in round 1")


def check_old_discards(d: Draft, t: Tribe) -> None:
    """The discards of earlier rounds: all or nothing in round 2, and not a single one where nothing was trashed."""
    kept = may_have_kept(d, t)
    old = laid_out(d, t) - HAND - ("hire" in acts(d, t))
    name = pile_field(t, "discard")
    if d.round_no == SECOND and t.deck_n > 0 and old > kept:
        expected = "a discard pile or a deck without cards of round 1, as five were drawn and the rest not shuffled"
        doubt(d, t.form, name, f"{t.discard_n} cards beside a deck of {t.deck_n}", expected)
    elif old == 1 and not kept and never_trashed(d, t) and not d.r.reshuffle_played:
        expected = "none or more than one from earlier rounds, as nothing was trashed"
        doubt(d, t.form, name, f"{t.discard_n} cards", expected)


def never_trashed(d: Draft, t: Tribe) -> bool:
    """True if all that came to a tribe is still there."""
    return not (ins(d, t) or t.missing or t.start - record(d, t))


def ins(d: Draft, t: Tribe) -> list[Crossing]:
    """The entries of the ledger for cards a tribe has trashed."""
    return [entry for entry in d.ledger if entry.way == WAY_IN and entry.seat == t.seat]


def check_ledger(d: Draft, t: Tribe, turns: Turns) -> None:
    """One dig a turn; trashing takes a turn."""
    left = {WAY_OUT: turns.dig, WAY_IN: len(d.ledger) if turns.trash else 0}
    for entry in d.ledger:
        if entry.seat == t.seat and entry.way in left:
            left[entry.way] -= 1
            if left[entry.way] < 0:
                expected = f"at most {turns.dig} digs" if entry.way == WAY_OUT else "no card trashed"
                entry.form.fault("way", WAYS[entry.way], f"{expected} of seat {t.seat} by now")
    if t.missing and not turns.trash:
        name = "deck_count" if t.form.raw("deck_count") is not None else "owned"
        t.form.fault(name, f"{t.missing} cards fewer than came", f"all of them: seat {t.seat} has trashed none by now")


def check_gains(d: Draft, t: Tribe, turns: Turns) -> None:
    """What a tribe has beyond its starting deck was hired, dug or won."""
    gained = (t.owned or Counter()) + openly_trashed(d, t.seat) - t.start
    dug = sum(n for k, n in gained.items() if not d.r.market[k] and not d.r.contested[k])
    hired = sum(n for k, n in gained.items() if d.r.market[k])
    name = "owned" if t.form.has("owned") else "hand"
    if dug > turns.dig:
        t.form.fault(name, f"{dug} cards of the junkyard", f"at most {turns.dig} dug by now")
    elif hired + dug > turns.hire + turns.dig:
        t.form.fault(
            name, f"{hired} cards of the market", f"at most {turns.hire} hired and {turns.dig - dug} dug by now"
        )
    if t.dug > turns.dig and len(crossings(d, t.seat)) < t.dug:
        name = "dug" if t.form.raw("dug") is not None else "owned_unknown"
        t.form.fault(name, f"{t.dug} cards dug", f"at most {turns.dig} by now")


def check_food(d: Draft, t: Tribe) -> None:
    """No hunt brings more than the cards that can have been used for it."""
    done = acts(d, t)
    if not (t.food and t.seat == d.actor and t.is_open) or ({"draw", "trash"} <= set(done) and not trashed(d, t.seat)):
        return  # a hunter may have come back by the draw and be in the junkyard
    cards = t.cards | (t.owned or Counter())
    if lies_open(d, t) and used_lie_open(t):
        cards = Counter(t.discard) + Counter(t.front)
    used = 1 + most_in_hand(d, t) - in_hand(d, t) - paid(d, t)
    most = most_hunted(d, cards, used)
    limit = most_hunted(d, t.cards | (t.owned or Counter()), HAND * most_drawn(d))
    if t.food > limit:
        t.form.fault("food", t.food, f"at most {limit}, what the whole tribe could hunt")
    elif t.food > most:
        expected = f"at most {most}, what {used} of the cards that are not in hand could hunt"
        doubt(d, t.form, "food", str(t.food), expected)


def most_hunted(d: Draft, cards: Counter[int], n: int) -> int:
    """The best hunt of `n` of these cards."""
    own, adds, tools = d.r.own[:, Act.HUNT].astype(int), d.r.adds[:, Act.HUNT].astype(int), int(d.r.tools)
    able = sorted((int(own[k]) for k in cards.elements() if own[k] >= 0), reverse=True)
    gear = sorted((int(adds[k]) for k in cards.elements() if tools >> k & 1), reverse=True)
    help_ = [int(adds[k]) for k in cards.elements() if own[k] < 0 and not tools >> k & 1]
    best = 0
    for i in range(1, min(n, len(able)) + 1):
        best = max(best, sum(able[:i]) + sum(sorted(gear[:i] + help_, reverse=True)[: n - i]))
    return best


# ---- what was paid


def check_prices(d: Draft, t: Tribe, turns: Turns) -> None:
    """Medicine is paid for all to see, so the record of who paid has it."""
    if t.start - record(d, t):
        return  # cards went that no ledger tells of
    known = Counter(entry.card for entry in crossings(d, t.seat))
    shown = shown_med(d, t)
    for k, n in sorted((record(d, t) - t.start - known).items()):
        need = int(d.r.price_med[k])
        if need > shown and not (turns.dig and may_be_dug(d, t, k)):
            expected = f"{need} med among the cards of the tribe, as that was paid for it"
            doubt(d, t.form, place(t, k), f"{n} {d.ids[k]}", expected)


def shown_med(d: Draft, t: Tribe) -> int:
    """The med of all medicines a tribe is known to have or to have had."""
    return sum(n * int(d.r.med[k]) for k, n in record(d, t).items())


def may_be_dug(d: Draft, t: Tribe, k: int) -> bool:
    """Whether some other tribe can have hired this card and trashed it."""
    return unnoted(d, k) > 0 or any(other is not t and may_have_trashed(d, other, k) for other in d.tribes)


def may_have_trashed(d: Draft, t: Tribe, k: int) -> bool:
    """Whether a tribe can have hired this card and put it into the junkyard."""
    if t.start - record(d, t):
        return True
    hired = record(d, t)[k] > t.start[k] and shown_med(d, t) >= int(d.r.price_med[k])
    return hired and bool(ins(d, t) or t.missing)


def place(t: Tribe, k: int) -> str:
    """The field that gives this card to the tribe."""
    if t.form.has("owned"):
        return "owned"
    piles = {"hand": t.hand, "discard": t.discard, "in_front": t.front}
    return next((name for name, cards in piles.items() if k in (cards or ())), "deck" if t.is_open else "owned")


def check_responses(d: Draft, t: Tribe) -> None:
    """A response shows the unit that gave it, which may come back to the hand once in a round."""
    cards = record(d, t)
    for verb, n in t.responses.items():
        most = TWICE * sum(cards[k] for k, card in enumerate(d.kinds) if card.hits == verb)
        if n > most:
            t.form.fault(f"responses.{verb}", n, f"at most {most}, by the special units of that tribe")
