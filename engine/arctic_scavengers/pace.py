"""What there has been time for: no more hires, digs, draws and answers than turns and cards allow (contract 4, 12)."""

from collections import Counter
from dataclasses import dataclass

from engine.arctic_scavengers.asking import Ask
from engine.arctic_scavengers.cards import Act
from engine.arctic_scavengers.draft import Draft, Tribe
from engine.arctic_scavengers.flow import HAND
from engine.arctic_scavengers.holdings import crossings, openly_trashed
from engine.arctic_scavengers.names import WAYS
from engine.arctic_scavengers.state import WAY_IN, WAY_OUT

UNDATED = 1  # the cycle of a tribe whose record has no dates
TWICE = 2  # a card used before the own draw may come back by it


@dataclass(frozen=True)
class Turns:
    """How often a seat can have done each action so far."""

    hire: int
    dig: int
    draw: int
    trash: int


def check_pace(d: Draft) -> None:
    """Refuses what no turn could have given; called once every tribe is settled."""
    check_spent(d)
    if d.is_world:
        return  # a world may be set up for the sake of what follows
    for t in d.tribes:
        turns = turns_of(d, t)
        check_hand(d, t)
        check_ledger(d, t, turns)
        check_gains(d, t, turns)
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


def check_hand(d: Draft, t: Tribe) -> None:
    """Five cards a round, and what one draw adds."""
    drew = t.done or (t.seat == d.actor and "draw" in t.used)
    most = HAND * max(1, int(d.r.own[:, Act.DRAW].max()), int(d.r.adds[:, Act.DRAW].max())) if drew else HAND
    size = t.hand_n + (d.played_n if t.seat == d.actor else 0)
    told = [name for name in ("hand_count", "reserve") if t.form.raw(name) is not None]
    if size > most and (told or t.hand is not None):
        expected = f"at most {most}" + ("" if drew else ", as there was no draw in this turn")
        t.form.fault("hand" if t.hand is not None else told[0], f"{size} cards", expected)


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
    """No hunt brings more than the whole tribe could."""
    if t.food and t.seat == d.actor and t.is_open:
        cards = t.cards | (t.owned or Counter())
        own = [int(d.r.own[k, Act.HUNT]) for k in cards.elements() if d.r.own[k, Act.HUNT] >= 0]
        gear = sorted((int(d.r.adds[k, Act.HUNT]) for k in cards.elements() if int(d.r.tools) >> k & 1), reverse=True)
        adds = [int(d.r.adds[k, Act.HUNT]) for k in cards.elements() if not int(d.r.tools) >> k & 1]
        most = sum(own) + sum(gear[: len(own)]) + sum(adds)
        if t.food > most:
            t.form.fault("food", t.food, f"at most {most}, what the whole tribe could hunt")


def check_responses(d: Draft, t: Tribe) -> None:
    """A response shows the unit that gave it, which may come back to the hand once in a round."""
    cards = ((t.owned or Counter()) | t.cards) + openly_trashed(d, t.seat)
    for verb, n in t.responses.items():
        most = TWICE * sum(cards[k] for k, card in enumerate(d.kinds) if card.hits == verb)
        if n > most:
            t.form.fault(f"responses.{verb}", n, f"at most {most}, by the special units of that tribe")
