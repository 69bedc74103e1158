"""What follows from a form where it is silent, and what in it contradicts itself (docs/contract.md 12)."""

from collections import Counter

from engine.arctic_scavengers.asking import Ask
from engine.arctic_scavengers.cards import Act
from engine.arctic_scavengers.draft import LAST_ROUND, LEFT_OUT, Crossing, Draft, Pile, Tribe
from engine.arctic_scavengers.flow import HAND, LAST_QUIET_ROUND
from engine.arctic_scavengers.names import PHASES, usual_witnesses
from engine.arctic_scavengers.state import CONTESTED, TRIBE, WAY_IN, WAY_LOST, WAY_OUT
from engine.faults import Reader

FIRST_SKIRMISH = LAST_QUIET_ROUND + 1
GAINS = 3  # cards a tribe can win in a round: one hired, one dug, one contested
BUILDING = (Ask.COMMIT, Ask.REACT, Ask.KEEP, Ask.RETURN)


def settle(d: Draft) -> None:
    """Fills in everything that was left out; faults are noted in the draft."""
    settle_round(d)
    settle_question(d)
    settle_turn(d)
    settle_pending(d)
    settle_records(d)
    for tribe in d.tribes:
        settle_tribe(d, tribe)
    settle_market(d)


# ---- the moment


def settle_round(d: Draft) -> None:
    """The round and the contested pile, of which one card goes each round from the third on."""
    gone = len(d.wins) + sum(entry.way == WAY_LOST for entry in d.ledger)
    fights = d.phase in ("skirmish", "over") or d.question in (Ask.SLOT, Ask.HIT) or bool(d.forces)
    if d.round_no == LEFT_OUT:
        if d.contested_n >= 0:
            d.round_no = min(LAST_ROUND, FIRST_SKIRMISH + CONTESTED - d.contested_n)
        elif d.phase == "over":
            d.round_no = LAST_ROUND
        else:
            d.round_no = FIRST_SKIRMISH + gone if fights or gone else 1
        d.assume(f"round = {d.round_no}")
    left = min(CONTESTED, CONTESTED + FIRST_SKIRMISH - d.round_no) if d.phase != "over" else 0
    if d.contested_n not in (LEFT_OUT, left):
        d.contested.fault("count", d.contested_n, f"{left} in round {d.round_no}")
    if d.contested_n == LEFT_OUT:
        d.assume(f"contested.count = {left}")
    d.contested_n = left
    if gone > CONTESTED - left:
        name = "wins" if d.wins else "ledger"
        d.top.fault(name, f"{gone} contested cards won or lost", f"at most {CONTESTED - left} in round {d.round_no}")
    if d.contested_top >= 0 and left == 0:
        d.contested.fault("top", d.ids[d.contested_top], "nothing: the pile is empty")


def settle_question(d: Draft) -> None:
    """Phase and question, each from the other."""
    if d.question is not None and d.phase and PHASES[d.question] != d.phase:
        d.pending.fault("question", d.question.name.lower(), f"a question of the phase {d.phase}")
        d.question = None
    if not d.phase:
        d.phase = "skirmish" if d.forces else "gathering"
        d.phase = PHASES[d.question] if d.question is not None else d.phase
    if d.phase == "skirmish" and d.round_no < FIRST_SKIRMISH:
        d.top.fault("phase", d.phase, f"no skirmish before round {FIRST_SKIRMISH}")
    if d.phase == "over" and d.round_no != LAST_ROUND:
        d.top.fault("phase", d.phase, f"round {LAST_ROUND} at the end of the game")
    d.is_hidden = d.phase == "reaction" and d.question is None and not d.is_world and d.to_move != d.seat
    if d.question is None and d.phase != "over":
        d.question = guessed_question(d)
    d.shown_forces = d.phase in ("skirmish", "over")


def guessed_question(d: Draft) -> Ask:
    """The question that fits what else is noted."""
    if d.phase == "reaction":
        return Ask.REACT
    if d.phase == "skirmish":
        return Ask.HIT if d.target >= 0 else Ask.SLOT
    if d.card_hired >= 0:
        return Ask.PAY
    if d.shown:
        return Ask.KEEP
    if d.act == LEFT_OUT:
        return Ask.ACTION
    return Ask.TRASH if d.act == Act.TRASH else Ask.COMMIT


def settle_turn(d: Draft) -> None:
    """Who acts, who is asked, and who has had his turn."""
    n = d.seats
    over = [tribe.seat for tribe in d.tribes if tribe.reserve >= 0]
    turns = max(0, d.slot) if d.phase == "skirmish" else len(over)
    d.actor = d.asked = d.to_move
    if d.phase == "over":
        d.asked = LEFT_OUT
        d.actor = d.initiator = max(0, d.initiator)
        d.turns = n
        return
    if d.phase == "reaction":
        d.asked = LEFT_OUT if d.is_hidden else d.to_move if d.to_move >= 0 else d.seat
        d.actor = d.asker
        if d.asker == LEFT_OUT and d.initiator == LEFT_OUT:
            d.actor = (d.asked + 1) % n
            d.assume(f"pending.asker = {d.actor}")
        if d.asked == LEFT_OUT and d.is_world:
            d.top.fault("to_move", None, "the seat that may respond")
    elif d.to_move == LEFT_OUT:
        own = d.seat if d.initiator == LEFT_OUT or not d.is_world else (d.initiator + turns) % n
        d.actor = d.asked = max(0, own)
        d.assume(f"to_move = {d.actor}")
    if d.actor == LEFT_OUT:
        d.actor = (max(0, d.initiator) + turns) % n
    if d.phase == "reaction" and d.asked == d.actor:
        d.top.fault("to_move", d.asked, "another seat than the acting one")
    if d.initiator == LEFT_OUT:
        d.initiator = (d.actor - turns) % n
        d.assume(f"initiator = {d.initiator}")
    d.turns = (d.actor - d.initiator) % n
    if d.phase == "skirmish" and d.slot not in (LEFT_OUT, d.turns):
        d.skirmish.fault("slot", d.slot, f"{d.turns}, as seat {d.initiator} began and seat {d.actor} is asked")


def settle_pending(d: Draft) -> None:
    """The action being built, as far as the question has one."""
    form, r = d.pending, d.r
    if d.question in (Ask.KEEP, Ask.RETURN) and d.act == LEFT_OUT:
        d.act = Act.DIG
    if d.question in BUILDING:
        if d.act not in (Act.DRAW, Act.DIG, Act.HUNT) or (d.question in (Ask.KEEP, Ask.RETURN) and d.act != Act.DIG):
            found = Act(d.act).name.lower() if d.act >= 0 else None
            form.fault("action", found, "dig" if d.question in (Ask.KEEP, Ask.RETURN) else "draw, dig or hunt")
            return
        fitting = int(r.able[d.act]) | int(r.helpers[d.act]) | int(r.gear[d.act])
        for i, k in enumerate(d.committed):
            if not fitting >> k & 1:
                form.fault(f"committed[{i}]", d.ids[k], f"a card that can {Act(d.act).name.lower()}")
    elif d.question != Ask.TRASH and d.committed:
        d.warnings.append("pending.committed: not used")
        d.committed = []
    if d.committed_n not in (LEFT_OUT, len(d.committed)) and not (d.question == Ask.TRASH and not d.committed):
        form.fault("committed_count", d.committed_n, f"{len(d.committed)}, the cards listed")
    d.played_n = len(d.committed) or (max(0, d.committed_n) if d.question == Ask.TRASH else 0)
    settle_look(d)
    if d.question == Ask.PAY and d.card_hired == LEFT_OUT:
        form.fault("card", form.raw("card"), "the card to be hired")
    if d.question == Ask.HIT and d.target in (LEFT_OUT, d.actor):
        form.fault("target", form.raw("target"), "the seat aimed at")


def settle_look(d: Draft) -> None:
    """The cards looked at in a dig."""
    form = d.pending
    if d.question not in (Ask.KEEP, Ask.RETURN):
        if d.shown:
            d.warnings.append("pending.shown: not used")
        d.shown, d.shown_n, d.shown_seen = [], 0, []
        return
    if d.shown_n not in (LEFT_OUT, len(d.shown)) and d.shown:
        form.fault("shown_count", d.shown_n, f"{len(d.shown)}, the cards listed")
    d.shown_n = len(d.shown) or max(0, d.shown_n)
    if d.shown_n == 0 or ((d.is_world or d.asked == d.seat) and not d.shown):
        form.fault("shown", form.raw("shown"), "the cards looked at")
    if len(d.shown_seen) > d.shown_n:
        form.fault("shown_seen_by", f"{len(d.shown_seen)} entries", f"at most {d.shown_n}")
    d.shown_seen = (d.shown_seen + [0] * d.shown_n)[: d.shown_n]


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
    if entry.seen == LEFT_OUT:
        entry.seen = usual_witnesses(entry.way, entry.seat, d.seat, told)
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
    settle_discard(d, t)
    if t.front and not d.r.used_to_front:
        t.form.fault("in_front", t.form.raw("in_front"), "nothing: used cards are discarded after the action")
    start = Counter({k: int(n) for k, n in enumerate(d.r.start) if n})
    t.start = start
    if t.is_open:
        settle_own_deck(d, t)
    settle_owned(d, t)
    settle_unknown(d, t)
    settle_sizes(d, t)
    if t.trashed_now == LEFT_OUT:
        t.trashed_now = sum(entry.cycle == t.cycle for entry in trashed(d, t.seat))


def played(d: Draft, t: Tribe) -> Counter[int]:
    """The cards a tribe has just committed."""
    return Counter(d.committed) if t.seat == d.actor else Counter()


def settle_hand(d: Draft, t: Tribe) -> None:
    """The hand, which the skirmish shows to all."""
    force = next((form for form in d.forces if form.raw("seat") == t.seat), None)
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
        t.hand_n = t.reserve if t.reserve >= 0 else HAND
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
        t.deck = Pile(bag=tribe_cards(d, t) - seen)
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


def settle_owned(d: Draft, t: Tribe) -> None:
    """The public record of what came to a tribe."""
    located = t.openly + Counter(t.front)
    if d.question != Ask.TRASH:
        located += played(d, t)
    if d.shown_forces:
        located += Counter(t.hand or [])
    if t.owned is not None:
        if short := located - t.owned:
            missing = ", ".join(f"{t.owned[k] + n} {d.ids[k]}" for k, n in sorted(short.items()))
            t.form.fault("owned", t.form.raw("owned"), f"at least the cards that lie open: {missing}")
    elif t.is_open:
        cards = Counter(t.hand or []) + Counter(t.discard or []) + Counter(t.front) + played(d, t)
        cards += t.deck.counts() if t.deck else Counter()
        cards += Counter(entry.card for entry in trashed(d, t.seat) if entry.card >= 0)
        t.owned = (cards - Counter(e.card for e in crossings(d, t.seat) if e.card >= 0)) | located
    else:
        t.owned = t.start | located
        d.assume(f"{t.form.at('owned')} = the starting deck" + (" and the cards seen" if located - t.start else ""))
    for k, n in t.owned.items():
        if n > d.r.total[k]:
            t.form.fault(f"owned.{d.ids[k]}", n, f"at most {d.r.total[k]}, the copies there are")


def settle_unknown(d: Draft, t: Tribe) -> None:
    """How many of the cards dug and won unseen have not been identified."""
    assert t.owned is not None
    form, gained = t.form, t.owned - t.start
    won = sum(entry.seat == t.seat for entry in d.wins)
    outs = len(crossings(d, t.seat)) - won
    extra_won = sum(n for k, n in gained.items() if d.r.contested[k])
    extra_dug = sum(n for k, n in gained.items() if not d.r.contested[k] and not d.r.market[k])
    free_won = won - min(won, extra_won)
    if t.unknown == LEFT_OUT:
        t.won_unknown = free_won if t.won_unknown == LEFT_OUT else t.won_unknown
        t.dug = outs if t.dug == LEFT_OUT else t.dug
        t.unknown = t.won_unknown + t.dug - min(t.dug, extra_dug)
    elif t.won_unknown == LEFT_OUT:
        t.won_unknown = min(t.unknown, free_won)
    t.dug = max(outs, t.unknown - t.won_unknown) if t.dug == LEFT_OUT else t.dug
    t.named_won, t.named_dug = won - t.won_unknown, t.dug - (t.unknown - t.won_unknown)
    if t.named_won < 0 or t.won_unknown > t.unknown:
        form.fault("won_unknown", t.won_unknown, f"at most {min(won, t.unknown)}")
    elif t.named_dug < 0:
        form.fault("owned_unknown", t.unknown, f"at most {won + t.dug}, the cards dug and won")
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
    if t.is_open:
        if held + t.deck_n > most and form.raw("owned") is not None:
            form.fault("owned", f"{most} cards", f"at least {held + t.deck_n}, the cards of the tribe")
    elif t.deck_n == LEFT_OUT:
        t.deck_n = max(0, most - held)
        d.assume(f"{form.at('deck_count')} = {t.deck_n}")
        if held > most:
            name = "hand_count" if form.raw("hand_count") is not None else "discard_count"
            form.fault(name, f"{held} cards in all", f"at most {most}, as owned and owned_unknown say")
    elif held + t.deck_n > most:
        form.fault("deck_count", t.deck_n, f"at most {max(0, most - held)}, as owned and owned_unknown say")
    t.missing = max(0, most - held - t.deck_n)
    room = TRIBE - GAINS * (LAST_ROUND + 1 - d.round_no)
    if held + t.deck_n > room:
        form.fault("", f"{held + t.deck_n} cards", f"at most {room} in round {d.round_no}")


def settle_market(d: Draft) -> None:
    """Stacks that are not named are full, less the cards that tribes are known to have bought."""
    full = d.r.market
    bought: Counter[int] = Counter()
    for t in d.tribes:
        bought += (t.owned or Counter()) - t.start
    d.stacks = {d.number[name]: n for name, n in d.market.items()}
    for k in range(len(d.ids)):
        if full[k] and k not in d.stacks:
            d.stacks[k] = max(0, int(full[k]) - bought[k])
            if bought[k]:
                d.assume(f"market.{d.ids[k]} = {d.stacks[k]}")
    if not d.market and not d.is_world:
        d.assume("market = full stacks" + (", less the cards bought" if any(bought[k] for k in d.stacks) else ""))


def unused(forms: list[Reader]) -> list[str]:
    """Fields that nobody asked for."""
    return [f"{path}: not used" for form in forms for path in form.unused()]
