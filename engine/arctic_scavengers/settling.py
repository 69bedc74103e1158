"""The moment a form shows: what follows where it is silent, what contradicts itself (docs/contract.md 12)."""

from engine.arctic_scavengers.asking import Ask
from engine.arctic_scavengers.cards import Act
from engine.arctic_scavengers.draft import LEFT_OUT, Draft
from engine.arctic_scavengers.holdings import check_wins, settle_market, settle_records, settle_tribe, tell_lost
from engine.arctic_scavengers.names import ACTIONS, PHASES, QUESTIONS
from engine.arctic_scavengers.pace import check_pace
from engine.arctic_scavengers.state import CONTESTED, LAST_QUIET_ROUND, LAST_ROUND, WAY_LOST

FIRST_SKIRMISH = LAST_QUIET_ROUND + 1
BUILDING = (Ask.COMMIT, Ask.REACT, Ask.KEEP, Ask.RETURN)
OPENED = {Ask.PAY: Act.HIRE, Ask.TRASH: Act.TRASH}  # questions that only one action asks
BUILT = ("action", "committed", "committed_count", "value")
LOOK_FIELDS = (*BUILT, "shown", "shown_count", "shown_seen_by")
FIELDS: dict[Ask | None, tuple[str, ...]] = {  # of `pending`, by question
    Ask.COMMIT: BUILT,
    Ask.REACT: (*BUILT, "asker", "passes"),
    Ask.KEEP: LOOK_FIELDS,
    Ask.RETURN: LOOK_FIELDS,
    Ask.PAY: ("action", "card", "need", "paid"),
    Ask.TRASH: ("action", "committed", "committed_count"),
    Ask.HIT: ("target",),
}
ALL_FIELDS = sorted({name for names in FIELDS.values() for name in names})


def settle(d: Draft) -> None:
    """Fills in everything that was left out; faults are noted in the draft."""
    settle_round(d)
    settle_question(d)
    settle_turn(d)
    settle_pending(d)
    settle_records(d)
    for tribe in d.tribes:
        settle_tribe(d, tribe)
    tell_lost(d)
    check_wins(d)
    settle_market(d)
    check_pace(d)


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
        d.assume(f"phase = {d.phase}")
    if d.phase == "skirmish" and d.round_no < FIRST_SKIRMISH:
        d.top.fault("phase", d.phase, f"no skirmish before round {FIRST_SKIRMISH}")
    if d.phase == "over" and d.round_no != LAST_ROUND:
        d.top.fault("phase", d.phase, f"round {LAST_ROUND} at the end of the game")
    d.is_hidden = d.phase == "reaction" and is_left_open(d)
    if d.question is None and d.phase != "over":
        d.question = guessed_question(d)
        if not d.is_hidden:
            d.assume(f"pending.question = {QUESTIONS[d.question]}")
    d.shown_forces = d.phase in ("skirmish", "over")
    if d.forces and not d.shown_forces:
        d.skirmish.fault("forces", d.skirmish.raw("forces"), f"nothing: hands are hidden in the phase {d.phase}")
    if d.slot != LEFT_OUT and not d.shown_forces:
        d.warnings.append("skirmish.slot: not used")


def is_left_open(d: Draft) -> bool:
    """True where a response of another seat is awaited: a view then tells the initiator, but nobody who is asked."""
    if d.is_world or d.question is not None or d.asker >= 0 or d.to_move == d.seat:
        return False
    return d.to_move >= 0 or d.initiator >= 0


def guessed_question(d: Draft) -> Ask:
    """The question that fits what else is noted."""
    if d.phase == "reaction":
        return Ask.REACT
    if d.phase == "skirmish":
        return Ask.HIT if d.target >= 0 else Ask.SLOT
    if d.card_hired >= 0 or d.act == Act.HIRE:
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
        if d.is_hidden:
            d.assume(f"to_move = another seat than {d.seat}, as neither to_move nor pending.question says otherwise")
        elif d.to_move == LEFT_OUT and not d.is_world:
            d.assume(f"to_move = {d.asked}")
        d.actor = d.asker
        if d.asker == LEFT_OUT and d.initiator == LEFT_OUT:
            d.actor = (max(d.asked, d.to_move) + 1) % n
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
    drop_unused(d)
    opened = OPENED.get(d.question) if d.question is not None else None
    if d.question in (Ask.KEEP, Ask.RETURN) and d.act == LEFT_OUT:
        d.act = Act.DIG
    if opened is not None and d.act not in (LEFT_OUT, opened):
        form.fault("action", ACTIONS[Act(d.act)], ACTIONS[opened])
    if d.question in BUILDING:
        if d.act not in (Act.DRAW, Act.DIG, Act.HUNT) or (d.question in (Ask.KEEP, Ask.RETURN) and d.act != Act.DIG):
            found = Act(d.act).name.lower() if d.act >= 0 else None
            form.fault("action", found, "dig" if d.question in (Ask.KEEP, Ask.RETURN) else "draw, dig or hunt")
            return
        fitting = int(r.able[d.act]) | int(r.helpers[d.act]) | int(r.gear[d.act])
        for i, k in enumerate(d.committed):
            if not fitting >> k & 1:
                form.fault(f"committed[{i}]", d.ids[k], f"a card that can {Act(d.act).name.lower()}")
    face_down = d.question == Ask.TRASH and not d.committed and not (d.is_world or d.asked == d.seat)
    if d.committed_n not in (LEFT_OUT, len(d.committed)) and not face_down:
        form.fault("committed_count", d.committed_n, f"{len(d.committed)}, the cards listed")
    d.played_n = len(d.committed) or (max(0, d.committed_n) if d.question == Ask.TRASH else 0)
    settle_look(d)
    if d.question == Ask.PAY and d.card_hired == LEFT_OUT:
        form.fault("card", form.raw("card"), "the card to be hired")
    if d.question == Ask.HIT and d.target in (LEFT_OUT, d.actor):
        form.fault("target", form.raw("target"), "the seat aimed at")


def drop_unused(d: Draft) -> None:
    """Fields that belong to another question."""
    fields = FIELDS.get(d.question, ())
    d.warnings += [f"pending.{name}: not used" for name in ALL_FIELDS if name not in fields and d.pending.has(name)]
    if "committed" not in fields:
        d.committed, d.committed_n = [], LEFT_OUT


def settle_look(d: Draft) -> None:
    """The cards looked at in a dig."""
    form = d.pending
    if d.question not in (Ask.KEEP, Ask.RETURN):
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
