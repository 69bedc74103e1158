"""The records: the fixed rules of one set-up, and the state of one game."""

from typing import Annotated

import numpy as np

from engine.record import I8, I16, U8, U64, Grid, Row, Rows, caster, dtype_of

MAX_KINDS = 32
MAX_SEATS = 5
TRIBE = 64  # 10 to start with, then at most 16 hired, 16 dug and 14 won
PILE = 152  # every card of the box in one pile
LOOK = 64
CONTESTED = 14
LAST_QUIET_ROUND = 2  # rounds 1 and 2 have no skirmish
LAST_ROUND = 16  # two rounds without a skirmish, then one for each contested card
LEDGER = 224  # beyond it the oldest entry is forgotten, which only makes that seat's record less committed
UNITS = 4
PURSE = 16  # food or med above 15 buys nothing more
DEPTH = 4
QUESTIONS = 9
HIDDEN = 255


class Rules:
    seats: I16
    kinds: I16
    skip_forced: U8  # 1: a decision with one legal move is played inside `apply`
    margin: I16  # lead in fight that wins a skirmish
    people_break_ties: U8
    peek: U8  # 1: the initiator sees the top contested card from round 3
    used_to_front: U8
    forfeits_fight: U8
    reserve_responds: U8
    refunds: U8
    reshuffle_played: U8
    once_per_round: U8
    trash_public: U8
    chosen_order: U8
    spare_tools: U8
    zero_actions: U8
    units_n: I16
    own: Annotated[Grid, np.int8, MAX_KINDS, 4]  # value by kind and act; -1: none
    adds: Annotated[Grid, np.int8, MAX_KINDS, 4]  # 0: none
    med: Annotated[Row, np.int8, MAX_KINDS]
    people: Annotated[Row, np.int8, MAX_KINDS]
    price_food: Annotated[Row, np.int8, MAX_KINDS]
    price_med: Annotated[Row, np.int8, MAX_KINDS]
    price_mix: Annotated[Row, np.int8, MAX_KINDS]
    unit_of: Annotated[Row, np.int8, MAX_KINDS]  # special unit number by kind; -1: none
    unit_kind: Annotated[Row, np.uint8, UNITS]
    unit_targets: Annotated[Row, np.uint64, UNITS]  # kinds it can hit
    able: Annotated[Row, np.uint64, 4]  # kinds with an own value for the act
    strong: Annotated[Row, np.uint64, 4]  # the same, above 0
    helpers: Annotated[Row, np.uint64, 4]  # members who only improve others
    gear: Annotated[Row, np.uint64, 4]  # tools that improve it
    members: U64
    tools: U64
    medicines: U64
    contested_kinds: U64
    mixes: U64  # kinds with a mixed price
    for_food: Annotated[Row, np.uint64, PURSE]  # stacks whose food price is met by so much food
    for_med: Annotated[Row, np.uint64, PURSE]
    for_mix: Annotated[Row, np.uint64, PURSE]
    start: Annotated[Row, np.uint8, MAX_KINDS]
    market: Annotated[Row, np.uint8, MAX_KINDS]
    junkyard: Annotated[Row, np.uint8, MAX_KINDS]
    contested: Annotated[Row, np.uint8, MAX_KINDS]
    total: Annotated[Row, np.uint8, MAX_KINDS]  # copies in play
    prospect: Annotated[Row, np.float32, MAX_KINDS]  # people at the end for each round to come
    prior: Annotated[Grid, np.uint8, QUESTIONS, 64]  # weights of a random player's answers, at least 1


class Player:
    hand_n: U8
    deck_n: U8
    deck_fixed: U8  # cards on top whose order is fixed (a test's door; shuffles are drawn lazily)
    discard_n: U8
    left: U8  # cards put on the discard pile unseen at the end of rounds 1 and 2, since the last reshuffle
    cycle: U8  # reshuffles so far
    trashed_now: U8  # cards trashed unseen since the last reshuffle
    dug: U8  # cards kept from digs
    won: U8  # contested cards won
    won_before: U8  # of these, before the last reshuffle
    named_dug: U8  # dug cards that were identified since by being shown
    named_won: U8  # the same of won cards
    done: U8  # turn over in this gathering phase
    responses: Annotated[Row, np.uint8, UNITS]  # special units used as responses this round
    hand_set: U64
    hand: Annotated[Row, np.uint8, MAX_KINDS]
    front: Annotated[Row, np.uint8, MAX_KINDS]  # used cards that stay until the round ends
    deck: Annotated[Row, np.uint8, TRIBE]
    discard: Annotated[Row, np.uint8, TRIBE]
    spent: Annotated[Row, np.uint8, UNITS]  # special units that acted in this skirmish
    owned: Annotated[Row, np.uint8, MAX_KINDS]  # public: copies known to have come and not known to have left
    openly: Annotated[Row, np.uint8, MAX_KINDS]  # public: copies known to lie in the discard pile
    held: Annotated[Row, np.uint8, MAX_KINDS]  # public: copies known to be in the hand, in a phase of gathering
    sure: Annotated[Row, np.uint8, MAX_KINDS]  # public: copies seen together at the last reshuffle
    known: Annotated[Row, np.uint8, MAX_KINDS]  # private: seen in the junkyard before its last shuffle
    since: Annotated[Row, np.uint8, MAX_KINDS]  # private: length of the ledger at that time
    fought: Annotated[Row, np.uint8, MAX_KINDS]  # public: the force at the last comparison
    acted: Annotated[Row, np.uint8, UNITS]  # public: special units of it that had acted


class State:
    rng: U64
    legal: U64
    play_set: U64
    market_set: U64
    food: I16
    value: I16  # of the committed cards
    seats: I8
    depth: I8  # frames on the stack of pending decisions; 0: game over
    asked: Annotated[Row, np.int8, DEPTH]
    question: Annotated[Row, np.uint8, DEPTH]
    round_no: I8
    first: I8  # initiator of round 1
    initiator: I8
    actor: I8  # whose gathering turn or skirmish slot
    turns: I8  # turns or slots over in this phase
    used: U8  # acts done in this turn, as bits
    act: I8
    last: I8  # kind added last: cards are added in rising order
    carriers: I16  # committed cards with an own value
    gear_n: I16  # committed tools
    play_n: I16  # cards committed; while paying, the medicines paid
    passes: I8
    need: I16
    buy: I8
    pills_only: I8  # kind from which on a payment goes on; medicines are paid in rising order
    aim: I8
    shown: U8  # 1: the forces of the skirmish lie open
    outcome: U8  # of the last comparison: 0 none known, 1 a deadlock, or the seat that won + 2
    event: U64  # what everybody saw of the last move; 0: nothing
    whisper: U64  # what the mover alone saw of it; 0: nothing
    quiet: U8  # 1: a rollout, from which nobody deals: the public record is not kept
    play: Annotated[Row, np.uint8, MAX_KINDS]
    market: Annotated[Row, np.uint8, MAX_KINDS]
    contested_n: U8
    contested_fixed: U8
    contested_seen: U8  # seats that know the top card, as bits
    contested: Annotated[Row, np.uint8, CONTESTED]
    wins_n: U8
    win_kind: Annotated[Row, np.uint8, CONTESTED]
    win_seat: Annotated[Row, np.uint8, CONTESTED]
    win_cycle: Annotated[Row, np.uint8, CONTESTED]
    win_seen: Annotated[Row, np.uint8, CONTESTED]
    junk_n: U8
    junk_fixed: U8
    bottom_n: U8
    look_n: U8
    junk: Annotated[Row, np.uint8, PILE]  # the shuffled part; the top is the end
    bottom: Annotated[Row, np.uint8, PILE]  # returned cards below it; the undermost is the end
    bottom_seen: Annotated[Row, np.uint8, PILE]  # seats that know the card there, as bits
    look: Annotated[Row, np.uint8, LOOK]
    look_seen: Annotated[Row, np.uint8, LOOK]  # seats that knew the card before this look
    ledger_n: U8
    ledger_way: Annotated[Row, np.uint8, LEDGER]  # seat + 8 * way
    ledger_cycle: Annotated[Row, np.uint8, LEDGER]
    ledger_kind: Annotated[Row, np.uint8, LEDGER]
    ledger_seen: Annotated[Row, np.uint8, LEDGER]
    players: Annotated[Rows[Player], Player, MAX_SEATS]  # last, so that a clone copies the seats in play


RULES, STATE = dtype_of(Rules), dtype_of(State)
rules_at, state_at = caster(RULES), caster(STATE)
PLAYER_BYTES = dtype_of(Player).itemsize
HEAD_BYTES = STATE.itemsize - MAX_SEATS * PLAYER_BYTES

WAY_IN, WAY_OUT, WAY_LOST = 0, 1, 2  # trashed; kept from a dig; contested card of a deadlock
