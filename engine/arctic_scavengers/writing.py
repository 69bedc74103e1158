"""A position as JSON: the world with nothing hidden, or what one seat knows of it (docs/contract.md 12)."""

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from engine.arctic_scavengers.asking import Ask
from engine.arctic_scavengers.cards import Act, Card
from engine.arctic_scavengers.names import (
    ACTIONS,
    PHASES,
    QUESTIONS,
    WAYS,
    known_in_junkyard,
    members,
    present,
    usual_witnesses,
)
from engine.arctic_scavengers.rules import SWITCHES
from engine.arctic_scavengers.state import WAY_LOST, WAY_OUT
from engine.arctic_scavengers.values import sum_of, total
from engine.game import Setup

Json = dict[str, Any]
BUILDING = (Ask.COMMIT, Ask.REACT, Ask.KEEP, Ask.RETURN)
WORLD = -1  # the observer from whom nothing is hidden


class Writer:
    """Writes one position for one observer."""

    def __init__(self, setup: Setup, kinds: Sequence[Card], s: Any, seat: int = WORLD) -> None:
        self.setup = setup
        self.r: Any = setup.rules[0]
        self.ids = [card.id for card in kinds]
        self.units = [(card.id, card.hits) for card in kinds if card.hits]
        self.s = s
        self.seat = seat
        self.is_world = seat == WORLD
        depth = int(s.depth)
        self.question = Ask(int(s.question[depth - 1])) if depth else None
        self.asked = int(s.asked[depth - 1]) if depth else -1

    def document(self) -> Json:
        """The whole form."""
        s = self.s
        form: Json = {"game": self.setup.game.name} | self.options() | {"seats": int(s.seats)}
        form |= {} if self.is_world else {"seat": self.seat}
        form |= {"round": int(s.round_no), "initiator": int(s.initiator), "phase": PHASES[self.question]}
        form |= {"to_move": self.asked} if self.asked >= 0 else {}
        form["market"] = {self.ids[k]: int(s.market[k]) for k in range(len(self.ids)) if self.r.market[k] > 0}
        form |= {"junkyard": self.junkyard(), "contested": self.contested()}
        form["players"] = [self.player(q) for q in range(int(s.seats))]
        form |= given(skirmish=self.skirmish(), last_skirmish=self.last_skirmish(), pending=self.pending())
        form |= given(ledger=self.ledger(), wins=self.wins())
        return form | ({"seed": f"0x{int(s.rng):016x}"} if self.is_world else {})

    def options(self) -> Json:
        chosen = self.setup.options
        rules = {name: value for name, value in chosen["rules"].items() if value != SWITCHES[name][0]}
        options = given(modules=list(chosen["modules"]), rules=rules)
        return given(options=options)

    def sees(self, mask: int) -> bool:
        """True when the observer is among the seats of the mask."""
        return self.is_world or bool(int(mask) >> self.seat & 1)

    # ---- cards

    def counts(self, row: Any) -> dict[str, int]:
        """A row of counts by kind as a map."""
        return {self.ids[k]: int(n) for k, n in enumerate(row) if n}

    def spread(self, row: Any) -> list[str]:
        """A row of counts by kind as a list of cards."""
        return [self.ids[k] for k, n in enumerate(row) for _ in range(int(n))]

    def cards(self, row: Iterable[int]) -> list[str]:
        return [self.ids[int(k)] for k in row]

    def pile(self, row: Any, n: int, fixed: int, bottom: Sequence[str] = ()) -> Any:
        """A pile: a plain list when its whole order is fixed."""
        top = self.cards(row[n - fixed : n][::-1])
        if fixed == n and not bottom:
            return top
        bag = np.bincount(np.asarray(row[: n - fixed], np.int64), minlength=len(self.ids))
        return given(top=top, bag=self.counts(bag), bottom=list(bottom))

    # ---- the table

    def junkyard(self) -> Json:
        s = self.s
        n = int(s.bottom_n)
        seen = [int(m) for m in s.bottom_seen[:n]]
        shown = [self.ids[int(k)] if self.sees(m) else None for k, m in zip(s.bottom[:n], seen, strict=True)]
        form: Json = {"count": int(s.junk_n) + n}
        if self.is_world:
            form |= {"cards": self.pile(s.junk, int(s.junk_n), int(s.junk_fixed), [str(k) for k in shown])}
        else:
            known = self.counts(known_in_junkyard(s, self.seat))
            form |= given(known_bottom=shown if any(shown) else [], known=known)
            form |= self.knowledge(self.seat, "looked_at", "known_since")
        return form | given(bottom_seen_by=[{"seats": members(m)} for m in seen])

    def knowledge(self, q: int, looked_at: str, since: str) -> Json:
        """What a seat has seen in the junkyard by looking, before its last shuffle."""
        me = self.s.players[q]
        return given(**{looked_at: self.counts(me.known), since: self.counts(me.since)})

    def contested(self) -> Json:
        s = self.s
        n = int(s.contested_n)
        form: Json = {"count": n}
        if self.is_world:
            form["cards"] = self.pile(s.contested, n, int(s.contested_fixed))
        elif self.sees(s.contested_seen):
            form["top"] = self.ids[int(s.contested[n - 1])]
        return form | given(top_seen_by=members(s.contested_seen))

    def ledger(self) -> list[Json]:
        s = self.s
        return [
            self.crossing(int(s.ledger_way[i]), int(s.ledger_cycle[i]), int(s.ledger_kind[i]), int(s.ledger_seen[i]))
            for i in range(int(s.ledger_n))
        ]

    def crossing(self, way: int, cycle: int, k: int, seen: int) -> Json:
        """A card that crossed the edge of the junkyard."""
        form: Json = {} if way >> 3 == WAY_LOST else {"seat": way & 7}
        form["way"] = WAYS[way >> 3]
        form |= self.named(k, seen)
        form |= {} if way >> 3 == WAY_LOST else {"cycle": cycle}
        return form | self.witnesses(way >> 3, way & 7, seen)

    def named(self, k: int, seen: int) -> Json:
        """The card of an entry, where the observer knows it; a dealt world leaves cards open that lie elsewhere."""
        return {"card": self.ids[k]} if self.sees(seen) and k < len(self.ids) else {}

    def witnesses(self, way: int, q: int, seen: int) -> Json:
        usual = usual_witnesses(way, q, self.seat, self.sees(seen))
        return {} if seen == usual else {"seen_by": members(seen)}

    def wins(self) -> list[Json]:
        s = self.s
        entries = []
        for i in range(int(s.wins_n)):
            seen = int(s.win_seen[i])
            q = int(s.win_seat[i])
            form = {"seat": q} | self.named(int(s.win_kind[i]), seen) | {"cycle": int(s.win_cycle[i])}
            entries.append(form | self.witnesses(WAY_OUT, q, seen))
        return entries

    # ---- the seats

    def player(self, q: int) -> Json:
        """One tribe: its cards, its public record, its turn."""
        me = self.s.players[q]
        own = self.is_world or q == self.seat
        form: Json = {"seat": q, "hand_count": int(me.hand_n)}
        form |= given(hand=self.spread(me.hand) if own or self.s.shown else [])
        form["deck_count"] = int(me.deck_n)
        if self.is_world:
            form |= given(deck=self.pile(me.deck, int(me.deck_n), int(me.deck_fixed)))
        elif own:
            form |= given(deck=self.cards(sorted(me.deck[: int(me.deck_n)])))
        form["discard_count"] = int(me.discard_n)
        form |= given(discard=self.cards(sorted(me.discard[: int(me.discard_n)])) if own else [])
        form |= given(in_front=self.spread(me.front)) | self.record(me) | self.turn(q, me)
        return form | (given(knowledge=self.knowledge(q, "junkyard", "junkyard_since")) if self.is_world else {})

    def record(self, me: Any) -> Json:
        """What the table knows of a tribe."""
        won_unknown = int(me.won) - int(me.named_won)
        unknown = int(me.dug) - int(me.named_dug) + won_unknown
        form: Json = {"owned": self.counts(me.owned) or {self.ids[0]: 0}}  # an empty map would mean left out
        if me.dug or me.won:
            form |= {"owned_unknown": unknown, "won_unknown": won_unknown, "dug": int(me.dug)}
        form |= given(seen_hand=self.counts(me.held), seen_discard=self.counts(me.openly), sure=self.counts(me.sure))
        form |= {"left_face_down": int(me.left)} if me.discard_n else {}
        return form | {"cycle": int(me.cycle)} | given(trashed_this_cycle=int(me.trashed_now))

    def turn(self, q: int, me: Any) -> Json:
        """What a tribe has done this round."""
        s = self.s
        form: Json = {}
        if q == s.actor:
            used = [ACTIONS[act] for act in Act if act in ACTIONS and int(s.used) >> act & 1]
            form |= given(used_actions=used, food=int(s.food))
        form |= {"reserve": int(me.hand_n)} if me.done else {}
        return form | given(
            responses={hits: int(me.responses[u]) for u, (_, hits) in enumerate(self.units) if me.responses[u]}
        )

    # ---- the moment

    def skirmish(self) -> Json:
        s = self.s
        if not s.shown:
            return {}
        forces = [self.force(q, me.hand, me.spent) for q, me in enumerate(s.players[: int(s.seats)])]
        return {"forces": forces, "slot": int(s.turns)}

    def last_skirmish(self) -> Json:
        """The last comparison; without a winner it was a deadlock."""
        s = self.s
        if not s.outcome:
            return {}
        forces = [self.force(q, me.fought, me.acted) for q, me in enumerate(s.players[: int(s.seats)])]
        return {"forces": forces} | ({"winner": int(s.outcome) - 2} if s.outcome > 1 else {})

    def force(self, q: int, cards: Any, acted: Any) -> Json:
        """The cards of a seat in a skirmish, what they are worth, and its special units that have acted."""
        kinds = present(cards)
        spent = {name: int(acted[u]) for u, (name, _) in enumerate(self.units) if acted[u]}
        form: Json = {"seat": q, "cards": self.spread(cards)} | given(spent=spent)
        form["fight"] = int(total(self.r, kinds, cards, acted, int(Act.FIGHT))[0])
        return form | {"people": int(sum_of(kinds, cards, self.r.people))}

    def pending(self) -> Json:
        """The decision being made; to others a response window shows neither question nor asker."""
        s, question = self.s, self.question
        if question is None:
            return {}
        form: Json = {}
        if question != Ask.REACT or self.asked >= 0:
            form["question"] = QUESTIONS[question]
        if question == Ask.REACT and self.asked >= 0:
            form |= {"asker": int(s.actor)} | given(passes=int(s.passes))
        if question in BUILDING:
            form |= self.building()
        if question in (Ask.KEEP, Ask.RETURN):
            form |= self.look()
        if question == Ask.TRASH:
            form |= {"action": "trash"} | given(committed=self.spread(s.play), committed_count=int(s.play_n))
        if question == Ask.PAY:
            paid = self.paid()
            form |= {"action": "hire", "card": self.ids[int(s.buy)], "need": int(s.need)} | given(paid=paid)
        return form | ({"target": int(s.aim)} if question == Ask.HIT else {})

    def building(self) -> Json:
        s = self.s
        form: Json = {"action": ACTIONS[Act(int(s.act))]} | given(committed=self.spread(s.play))
        return form | {"value": int(s.value)}

    def look(self) -> Json:
        """The cards looked at in a dig; to others their number."""
        s = self.s
        n = int(s.look_n)
        if not self.is_world and self.asked != self.seat:
            return {"shown_count": n}
        seen = [int(m) for m in s.look_seen[:n]]
        return {"shown": self.cards(s.look[:n])} | given(
            shown_seen_by=[{"seats": members(m)} for m in seen] if any(seen) else []
        )

    def paid(self) -> list[str]:
        """The medicines paid so far, as their sum, their number and the last of them tell."""
        s, r = self.s, self.r
        k, last = int(s.buy), int(s.pills_only)
        price = max(0, int(r.price_mix[k]) - int(s.food)) if int(r.mixes) >> k & 1 else int(r.price_med[k])
        kinds = [kind for kind in range(last + 1) if int(r.medicines) >> kind & 1]
        for paid in combinations_with_replacement(kinds, int(s.play_n)):
            if max(paid, default=0) == last and sum(int(r.med[kind]) for kind in paid) == price - int(s.need):
                return self.cards(paid)
        return []


def given(**fields: Any) -> Json:
    """The fields that are not empty or 0."""
    return {name: value for name, value in fields.items() if value}
