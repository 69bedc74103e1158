"""What tribes hold and what the record says of them, where a form is silent or contradicts itself."""

from collections import Counter

from engine.arctic_scavengers.asking import Ask
from engine.arctic_scavengers.draft import LEFT_OUT, Crossing, Draft, Pile, Tribe
from engine.arctic_scavengers.flow import HAND
from engine.arctic_scavengers.names import usual_witnesses
from engine.arctic_scavengers.state import CONTESTED, LAST_ROUND, LEDGER, TRIBE, WAY_IN, WAY_LOST, WAY_OUT

GAINS = 3  # cards a tribe can win in a round: one hired, one dug, one contested


# ---- the record


def settle_records(d: Draft) -> None:
    """Ledger and wins: when, and who saw the card."""
    entries = [entry for entry in d.ledger + d.wins if entry.way != WAY_LOST]
    undated = {entry.seat for entry in entries if entry.cycle == LEFT_OUT}
    for tribe in d.tribes:
        if tribe.cycle == LEFT_OUT:
            tribe.cycle = int(tribe.seat in undated)  # old enough to be anywhere: the least committed reading
            if tribe.cycle:
                d.assume(f"{tribe.form.at('cycle')} = 1")
    for entry in d.ledger + d.wins:
        settle_entry(d, entry)
    named = Counter([d.contested_top]) if d.contested_top >= 0 else Counter[int]()
    for entry in d.wins + [e for e in d.ledger if e.way == WAY_LOST]:
        named[entry.card] += 1
        if entry.card >= 0 and named[entry.card] > d.r.total[entry.card]:
            entry.form.fault("card", d.ids[entry.card], f"at most {d.r.total[entry.card]} of them")


def settle_entry(d: Draft, entry: Crossing) -> None:
    cycle = d.tribes[entry.seat].cycle
    if entry.way == WAY_LOST:
        entry.cycle = 0
    elif entry.cycle == LEFT_OUT:
        entry.cycle = max(0, cycle - 1)
    elif entry.cycle > cycle:
        entry.form.fault("cycle", entry.cycle, f"at most {cycle}, the reshuffles of seat {entry.seat} so far")
    told = entry.card >= 0
    everybody = (1 << d.seats) - 1
    is_public = entry.way == WAY_IN and d.r.trash_public
    if entry.seen == LEFT_OUT:
        entry.seen = everybody if is_public else usual_witnesses(entry.way, entry.seat, d.seat, told)
    elif is_public and entry.seen != everybody:
        entry.form.fault("seen_by", entry.form.raw("seen_by"), "all seats, as cards are trashed for all to see")
    sees = d.is_world or entry.seen >> d.seat & 1
    if sees and not told and not entry.form.raw("card"):
        entry.form.fault("card", None, "the card, which is known")
    if told and not sees:
        entry.form.fault("seen_by", entry.form.raw("seen_by"), f"seat {d.seat} among them, as the card is given")


def crossings(d: Draft, q: int) -> list[Crossing]:
    """Cards that came to a tribe unseen: dug, then won."""
    dug = [entry for entry in d.ledger if entry.way == WAY_OUT and entry.seat == q]
    return dug + [entry for entry in d.wins if entry.seat == q]


def trashed(d: Draft, q: int) -> list[Crossing]:
    """Cards that left a tribe unseen."""
    return [e for e in d.ledger if e.way == WAY_IN and e.seat == q and not d.r.trash_public]


# ---- the tribes


def settle_tribe(d: Draft, t: Tribe) -> None:
    """One tribe: its cards, then the public record of it."""
    t.is_open = d.is_world or t.seat == d.seat
    settle_hand(d, t)
    settle_reserve(d, t)
    settle_seen_hand(d, t)
    settle_used(d, t)
    settle_discard(d, t)
    if t.front and not d.r.used_to_front:
        t.form.fault("in_front", t.form.raw("in_front"), "nothing: used cards are discarded after the action")
    start = Counter({k: int(n) for k, n in enumerate(d.r.start) if n})
    t.start = start
    if t.is_open:
        settle_own_deck(d, t)
        t.cards = Counter(t.hand or []) + Counter(t.discard or []) + Counter(t.front) + played(d, t)
        t.cards += t.deck.counts() if t.deck else Counter()
        t.cards += Counter(entry.card for entry in trashed(d, t.seat) if entry.card >= 0)
    settle_owned(d, t)
    settle_unknown(d, t)
    settle_sizes(d, t)
    settle_wins(d, t)
    listed = sum(entry.cycle == t.cycle for entry in trashed(d, t.seat))
    if t.trashed_now == LEFT_OUT:
        t.trashed_now = listed
    elif not listed <= t.trashed_now <= listed + t.missing:
        expected = f"{listed} to {listed + t.missing}, as the ledger and the size of the tribe say"
        t.form.fault("trashed_this_cycle", t.trashed_now, expected)


def played(d: Draft, t: Tribe) -> Counter[int]:
    """The cards a tribe has just committed."""
    return Counter(d.committed) if t.seat == d.actor else Counter()


def settle_hand(d: Draft, t: Tribe) -> None:
    """The hand, which the skirmish shows to all."""
    force = d.forces.get(t.seat)
    if force is not None and force.has("cards"):
        cards = d.cards(force, "cards", most=TRIBE)
        if t.hand is not None and Counter(cards) != Counter(t.hand):
            force.fault("cards", force.raw("cards"), "the hand of that seat")
        t.hand = cards if t.hand is None else t.hand
    if t.hand is not None and not (t.is_open or d.shown_forces):
        d.warnings.append(f"{t.form.at('hand')}: only the number is used, the seat's hand is hidden")
        t.hand_n = len(t.hand) if t.hand_n == LEFT_OUT else t.hand_n
        t.hand = None
    if t.hand is None and (t.is_open or d.shown_forces):
        empty = t.hand_n == 0 or (force is not None and t.hand_n == LEFT_OUT)
        if empty:
            t.hand = []
        elif not d.is_world:
            t.form.fault("hand", t.form.raw("hand"), "the cards in this hand (hand_count 0 says it is empty)")
            t.hand = []
            return
    if t.hand is not None:
        if t.hand_n not in (LEFT_OUT, len(t.hand)):
            t.form.fault("hand_count", t.hand_n, f"{len(t.hand)}, the cards listed")
        t.hand_n = len(t.hand)
    elif t.hand_n == LEFT_OUT:
        gone = played(d, t).total() + sum(t.responses.values())
        t.hand_n = t.reserve if t.reserve >= 0 else max(0, HAND - gone)
        d.assume(f"{t.form.at('hand_count')} = {t.hand_n}")


def settle_reserve(d: Draft, t: Tribe) -> None:
    """A turn that is over has left a reserve, and only that."""
    t.done = d.shown_forces or (t.seat - d.initiator) % d.seats < d.turns
    if t.reserve == LEFT_OUT:
        if t.done and not d.shown_forces:
            d.assume(f"{t.form.at('reserve')} = {t.hand_n}")
    elif not t.done:
        t.form.fault("reserve", t.reserve, f"nothing: the turn of seat {t.seat} is not over")
    elif t.reserve != t.hand_n and not (d.shown_forces and t.reserve > t.hand_n):
        t.form.fault("reserve", t.reserve, f"{t.hand_n}, the cards in hand")


def settle_seen_hand(d: Draft, t: Tribe) -> None:
    """Cards that the table knows to be in a hand while hands are hidden."""
    if not t.held:
        return
    if d.shown_forces:
        t.form.fault("seen_hand", t.form.raw("seen_hand"), "nothing: the hands lie open")
    elif t.held.total() > t.hand_n or (t.hand is not None and t.held - Counter(t.hand)):
        t.form.fault("seen_hand", t.form.raw("seen_hand"), "cards of that hand")


def settle_used(d: Draft, t: Tribe) -> None:
    """The actions of this turn; food comes from its hunt alone."""
    if t.seat != d.actor or d.shown_forces:
        return
    if t.food and t.used and "hunt" not in t.used:
        t.form.fault("food", t.food, "0, as there was no hunt in this turn")
    elif t.food and not t.used:
        t.used = ["hunt"]
        d.assume(f"{t.form.at('used_actions')} = hunt")
    elif t.form.raw("used_actions") is None and not d.pending.raw("question"):
        d.assume(f"{t.form.at('used_actions')} = none")


def settle_discard(d: Draft, t: Tribe) -> None:
    """The discard pile, and what of it is public."""
    form = t.form
    new = sum(entry.cycle == t.cycle for entry in crossings(d, t.seat))
    if t.discard is not None and not t.is_open:
        d.warnings.append(f"{form.at('discard')}: read as seen_discard")
        t.openly = t.openly or Counter(t.discard)
        t.discard_n = max(t.discard_n, len(t.discard))
        t.discard = None
    known = t.openly.total() + new + max(0, t.left)
    if t.is_open:
        if form.raw("discard") is None and t.discard_n == LEFT_OUT and not d.is_world:
            d.assume(f"{form.at('discard')} = empty")
        t.discard = t.discard or []
        if t.discard_n not in (LEFT_OUT, len(t.discard)):
            form.fault("discard_count", t.discard_n, f"{len(t.discard)}, the cards listed")
        t.discard_n = len(t.discard)
        if t.openly - Counter(t.discard):
            form.fault("seen_discard", form.raw("seen_discard"), "cards of that discard pile")
    elif t.discard_n == LEFT_OUT:
        t.discard_n = known
        if known:
            d.assume(f"{form.at('discard_count')} = {known}")
    if known > t.discard_n:
        form.fault("discard_count", t.discard_n, f"at least {known}: the cards seen, left, dug and won since")
    if t.left == LEFT_OUT:
        t.left = max(0, t.discard_n - known) if d.is_world else 0


def settle_own_deck(d: Draft, t: Tribe) -> None:
    """A deck whose cards are known: what is left of the tribe, unless it is given."""
    form = t.form
    if t.deck is None and t.deck_n == 0:
        t.deck = Pile()
    if t.deck is None:
        seen = Counter(t.hand or []) + Counter(t.discard or []) + Counter(t.front) + played(d, t)
        told = tribe_cards(d, t)
        t.deck = Pile(bag=told - seen)
        if t.deck_n == LEFT_OUT and t.owned is None and not d.is_world:
            t.deck.bag += medicine_for(d, (told | seen) - t.start)
        size = t.deck.counts().total()
        if t.deck_n not in (LEFT_OUT, size):
            form.fault("deck_count", t.deck_n, f"{size}, the rest of the tribe; list the cards in `deck` otherwise")
        elif t.deck_n == LEFT_OUT and not d.is_world:
            cards = ", ".join(sorted(d.ids[k] for k in t.deck.counts().elements()))
            d.assume(f"{form.at('deck')} = {cards or 'empty'}")
    size = t.deck.counts().total()
    if t.deck_n not in (LEFT_OUT, size) and form.has("deck"):
        form.fault("deck_count", t.deck_n, f"{size}, the cards listed")
    t.deck_n = size
    if t.hand is None and t.hand_n > size:
        form.fault("hand_count", t.hand_n, f"at most {size}, the cards there are")


def tribe_cards(d: Draft, t: Tribe) -> Counter[int]:
    """The cards the form gives to a tribe, wherever they lie."""
    cards = Counter(t.start if t.owned is None else t.owned)
    spare = cards - t.start
    for entry in crossings(d, t.seat):
        if spare[entry.card] > 0:
            spare[entry.card] -= 1
        elif entry.card >= 0:
            cards[entry.card] += 1
    return cards - Counter(entry.card for entry in trashed(d, t.seat) if entry.card >= 0)


def openly_trashed(d: Draft, q: int) -> Counter[int]:
    """Cards that left a tribe for all to see (switch trash_public)."""
    entries = [e for e in d.ledger if e.way == WAY_IN and e.seat == q and e.card >= 0]
    return Counter(e.card for e in entries) if d.r.trash_public else Counter()


def listing(d: Draft, cards: Counter[int]) -> str:
    """Cards in a line, with their numbers."""
    return ", ".join(f"{n} {d.ids[k]}" for k, n in sorted(cards.items()))


def settle_owned(d: Draft, t: Tribe) -> None:
    """The public record of what came to a tribe."""
    located = t.held + t.openly + Counter(t.front)
    if d.question != Ask.TRASH:
        located += played(d, t)
    if d.shown_forces:
        located += Counter(t.hand or [])
    if t.owned is not None:
        if short := located - t.owned:
            least = listing(d, Counter({k: t.owned[k] + n for k, n in short.items()}))
            t.form.fault("owned", t.form.raw("owned"), f"at least the cards that lie open: {least}")
    elif t.is_open:
        cards = t.cards
        came = Counter(entry.card for entry in crossings(d, t.seat) if entry.card >= 0)
        t.owned = (cards - came) | located
        t.hidden = (cards - t.owned).total() + (came - cards - openly_trashed(d, t.seat)).total()
    else:
        t.owned = (t.start - openly_trashed(d, t.seat)) | located
        less = ", less the cards trashed openly" if openly_trashed(d, t.seat) & t.start else ""
        paid = medicine_for(d, t.owned - t.start)
        t.owned += paid
        more = " and the cards seen" if located - t.start else ""
        more += f", with {listing(d, paid)} to pay for them" if paid else ""
        d.assume(f"{t.form.at('owned')} = the starting deck{less}{more}")
    for k, n in t.owned.items():
        if n > d.r.total[k]:
            t.form.fault(f"owned.{d.ids[k]}", n, f"at most {d.r.total[k]}, the copies there are")


def medicine_for(d: Draft, gained: Counter[int]) -> Counter[int]:
    """The least medicine that must have been shown besides these cards, as it paid for the dearest of them."""
    need = max((int(d.r.price_med[k]) for k in gained), default=0)
    shown = sum(n * int(d.r.med[k]) for k, n in gained.items())
    fitting = [k for k in range(len(d.ids)) if int(d.r.medicines) >> k & 1 and shown + int(d.r.med[k]) >= need]
    return Counter(fitting[:1]) if need > shown else Counter()


def settle_unknown(d: Draft, t: Tribe) -> None:
    """How many of the cards dug and won unseen have not been identified."""
    assert t.owned is not None
    form, gained = t.form, t.owned + openly_trashed(d, t.seat) - t.start
    won = sum(entry.seat == t.seat for entry in d.wins)
    outs = len(crossings(d, t.seat)) - won
    extra_won = sum(n for k, n in gained.items() if d.r.contested[k])
    extra_dug = sum(n for k, n in gained.items() if not d.r.contested[k] and not d.r.market[k])
    free_won = won - min(won, extra_won)
    if t.unknown == LEFT_OUT:
        t.won_unknown = free_won if t.won_unknown == LEFT_OUT else t.won_unknown
        t.dug = outs if t.dug == LEFT_OUT else t.dug
        t.unknown = max(t.hidden, t.won_unknown + t.dug - min(t.dug, extra_dug))
    elif t.won_unknown == LEFT_OUT:
        t.won_unknown = min(t.unknown, free_won)
    t.dug = max(outs, t.unknown - t.won_unknown) if t.dug == LEFT_OUT else t.dug
    t.named_won, t.named_dug = won - t.won_unknown, t.dug - (t.unknown - t.won_unknown)
    if t.named_won < 0 or t.won_unknown > t.unknown:
        form.fault("won_unknown", t.won_unknown, f"at most {min(won, t.unknown)}")
    elif t.named_dug < 0:
        form.fault("owned_unknown", t.unknown, f"at most {won + t.dug}, the cards dug and won")
    elif t.named_won + t.named_dug > gained.total() and len(d.ledger) < LEDGER:
        name = "owned_unknown" if form.has("owned_unknown") else "won_unknown"
        least = won + t.dug - gained.total()
        form.fault(name, t.unknown, f"at least {least}: the other cards dug and won are in `owned`")
    if not outs <= t.dug <= d.round_no:
        name = "dug" if form.raw("dug") is not None else "owned_unknown" if form.raw("owned_unknown") else ""
        form.fault(name, f"{t.dug} cards dug", f"{outs} to {d.round_no}, as the ledger says and one a round")


def settle_sizes(d: Draft, t: Tribe) -> None:
    """A tribe may be smaller than its record (cards were trashed unseen), never larger."""
    assert t.owned is not None
    form = t.form
    most = t.owned.total() + t.unknown - len(trashed(d, t.seat))
    held = t.hand_n if t.hand is not None or not d.is_world else 0
    held += t.discard_n + len(t.front) + (d.played_n if t.seat == d.actor else 0)
    counted = t.deck_n != LEFT_OUT
    if not counted:
        t.deck_n = max(0, most - held)
        d.assume(f"{form.at('deck_count')} = {t.deck_n}")
    if held + t.deck_n > most:
        refuse_size(d, t, held, most, counted)
    t.missing = max(0, most - held - t.deck_n)
    room = TRIBE - GAINS * (LAST_ROUND + 1 - d.round_no)
    if held + t.deck_n > room:
        form.fault("", f"{held + t.deck_n} cards", f"at most {room} in round {d.round_no}")


def refuse_size(d: Draft, t: Tribe, held: int, most: int, counted: bool) -> None:
    """A tribe larger than its record: which field says so, and what `owned` must hold."""
    assert t.owned is not None
    form, size = t.form, held + t.deck_n
    absent = t.start - t.owned - openly_trashed(d, t.seat)
    if t.is_open:
        absent |= t.cards - t.owned
    if form.has("owned") and absent:
        expected = f"the whole tribe, at least {size} cards, starting cards included: add {listing(d, absent)}"
        form.fault("owned", form.raw("owned"), expected)
        t.owned += absent  # so that the market does not lack these cards
    elif t.is_open:
        name = "owned" if form.has("owned") else "owned_unknown"
        form.fault(name, f"a record of {most} cards", f"at least {size}, the cards of the tribe")
    elif counted:
        form.fault("deck_count", t.deck_n, f"at most {max(0, most - held)}, as owned and owned_unknown say")
    else:
        name = "hand_count" if form.raw("hand_count") is not None else "discard_count"
        form.fault(name, f"{held} cards in all", f"at most {most}, as owned and owned_unknown say")


def settle_wins(d: Draft, t: Tribe) -> None:
    """Contested cards come from wins, or from a junkyard where a deadlock or a trash has put them."""
    gone = CONTESTED - d.contested_n
    claimed = contested(d, t.owned or Counter())
    if claimed > gone:
        t.form.fault("owned", f"{claimed} contested cards", f"at most {gone}, those that left the pile")
    won = sum(entry.seat == t.seat for entry in d.wins)
    outs = [entry for entry in d.ledger if entry.way == WAY_OUT and entry.seat == t.seat]
    dug = sum(entry.card < 0 or bool(d.r.contested[entry.card]) for entry in outs) + max(0, t.dug - len(outs))
    held = contested(d, t.cards)
    if won and held > won + dug and not d.is_world:  # a dealt world leaves open which identified cards were won
        d.top.fault("wins", f"{won} of seat {t.seat}", f"at least {held - dug}, as its tribe has {held} such cards")


def tell_lost(d: Draft) -> None:
    """Contested cards taken that are neither won, nor in a tribe, nor lost in the ledger: they lie in the junkyard."""
    if d.is_world:
        return
    placed = sum(entry.way == WAY_LOST for entry in d.ledger)
    for t in d.tribes:
        placed += max(sum(entry.seat == t.seat for entry in d.wins), contested(d, (t.owned or Counter()) | t.cards))
    lost = CONTESTED - d.contested_n - placed
    if lost > 0:
        listed = f"the {len(d.wins)} listed" if d.wins else "[]"
        counted = "1 contested card taken is" if lost == 1 else f"{lost} contested cards taken are"
        d.assume(f"wins = {listed} ({counted} counted as lost to the junkyard)")


def check_wins(d: Draft) -> None:
    """What the observer has besides the cards won was won by nobody noted, or trashed by who won it."""
    if d.is_world or not d.wins:
        return
    own = d.tribes[d.seat]
    won = Counter(entry.card for entry in d.wins if entry.seat == d.seat)
    now = own.cards - Counter(entry.card for entry in trashed(d, d.seat))
    out = contested(d, won | now)
    for t in d.tribes:
        ins = sum(entry.way == WAY_IN and entry.seat == t.seat for entry in d.ledger)
        if t is not own:
            out += max(0, sum(entry.seat == t.seat for entry in d.wins) - ins - t.missing)
    gone = CONTESTED - d.contested_n
    if out > gone:
        d.top.fault("wins", f"{out} contested cards won, or in the own tribe", f"at most {gone} in round {d.round_no}")


def contested(d: Draft, cards: Counter[int]) -> int:
    """How many of these cards are contested ones."""
    return sum(n for k, n in cards.items() if k in d.contested_kinds)


def settle_market(d: Draft) -> None:
    """Stacks that are not named are full, less the cards that tribes are known to have bought."""
    full = d.r.market
    bought: Counter[int] = Counter()
    for t in d.tribes:
        bought += (t.owned or Counter()) + openly_trashed(d, t.seat) - t.start
    d.stacks = {d.number[name]: n for name, n in d.market.items()}
    if not d.is_world:
        check_bought(d, bought)
    for k in range(len(d.ids)):
        if full[k] and k not in d.stacks:
            d.stacks[k] = max(0, int(full[k]) - bought[k])
            if bought[k]:
                d.assume(f"market.{d.ids[k]} = {d.stacks[k]}")
    if not d.market and not d.is_world:
        d.assume("market = full stacks" + (", less the cards bought" if any(bought[k] for k in d.stacks) else ""))


def check_bought(d: Draft, bought: Counter[int]) -> None:
    """Cards that left a named stack were bought by somebody: one a seat and round at most."""
    missing = {k: int(d.r.market[k]) - left - bought[k] for k, left in d.stacks.items()}
    turns = d.seats if d.shown_forces else d.turns + ("hire" in d.tribes[d.actor].used)
    hires = (d.round_no - 1) * d.seats + turns
    too_many = sum(max(0, n) for n in missing.values()) > hires
    for k, n in missing.items():
        name, cards = f"market.{d.ids[k]}", f"{n} card{'s' if n > 1 else ''} bought by nobody"
        if n > 0 and too_many:
            d.top.fault(name, cards, f"at most {hires} bought by now")
        elif n > 0:
            d.warnings.append(f"{name}: {cards}; note them in players[].owned")
