"""Working memory for dealing what a seat does not know."""

from typing import Annotated, Protocol

import numpy as np

from engine.arctic_scavengers.state import CONTESTED, LEDGER, MAX_KINDS, MAX_SEATS, PILE, State
from engine.jit import rule
from engine.record import I16, U8, U64, Grid, Row, caster, dtype_of, wide
from engine.rng import below

TASKS = LEDGER + PILE
BAG = 2 * PILE
SECRET = 254  # a trashed card that had been dug or won unseen
SKIPPED = 253  # an entry whose card is accounted for elsewhere
OPEN = 252  # an unidentified card still to be dealt


class Weights(Protocol):
    """A run of floats."""

    def __getitem__(self, i: int) -> float: ...
    def __setitem__(self, i: int, value: float) -> None: ...


class Scratch:
    """Working memory of one deal. "Rival" is any seat but the one that deals."""

    claims: Annotated[Grid, np.int16, MAX_SEATS, MAX_KINDS]  # a rival's cards whose place is unknown
    located: Annotated[Grid, np.int16, MAX_SEATS, MAX_KINDS]  # a rival's cards that lie open
    taken: Annotated[Grid, np.int16, MAX_SEATS, MAX_KINDS]  # claims chosen as trashed
    free: Annotated[Row, np.int16, MAX_KINDS]  # copies nobody claims; negative: some claims must be wrong
    sighted: Annotated[Row, np.int16, MAX_KINDS]  # copies the seat sees in the junkyard now
    kept: Annotated[Row, np.int16, MAX_KINDS]  # copies the seat dug itself
    kept_at: Annotated[Row, np.int16, MAX_KINDS]  # ledger index of the last of them
    listed: Annotated[Row, np.int16, MAX_KINDS]  # copies the seat knows to have entered the junkyard
    paired: Annotated[Row, np.int16, MAX_KINDS]  # of a contested kind: of these, copies the seat saw there afterwards
    strays: Annotated[Row, np.int16, MAX_KINDS]  # copies seen there, or dug, that the seat did not see come in
    met: U64  # the contested kinds of which there are any; only of these are the two before counted
    losses: I16  # deadlocks whose card the seat did not see
    twin_odds: Annotated[float, np.float64]  # that a stray's twin is hidden, against its having come of a deadlock
    secret_odds: Annotated[float, np.float64]  # the same for a card won and trashed unseen
    exits: Annotated[Row, np.int16, MAX_KINDS]  # contested copies the seat knows to be out of the pile, or its top
    dug_up: Annotated[Row, np.int16, MAX_SEATS]  # contested cards that a rival showed and had not won
    twin: Annotated[Weights, np.float32, MAX_KINDS]  # of a copy that came to the junkyard and was met again
    release: Annotated[Weights, np.float32, MAX_KINDS]  # of a copy looked at in the junkyard that was dug and shown
    released: Annotated[Row, np.int16, MAX_KINDS]  # such copies
    picked: Annotated[Row, np.int16, MAX_KINDS]  # copies chosen as trashed, over all rivals
    dropped: Annotated[Row, np.int16, MAX_KINDS]  # copies that entered the junkyard and are in sight now
    weight: Annotated[Weights, np.float32, MAX_KINDS]  # of the kinds one task may have trashed
    cover_weight: Annotated[Weights, np.float32, MAX_KINDS]  # of cards that an unidentified one has replaced since
    cover: Annotated[Grid, np.int16, MAX_SEATS, MAX_KINDS]  # unidentified cards that must be of this kind
    covers: Annotated[Row, np.int16, MAX_SEATS]  # their number
    known: Annotated[Row, np.int16, MAX_KINDS]  # copies the seat saw in the junkyard and that may be there still
    likely: Annotated[float, np.float64]  # weight of the choice made, against the way it was made
    trashed: Annotated[Row, np.int16, MAX_SEATS]  # cards trashed unseen
    dug: Annotated[Row, np.int16, MAX_SEATS]  # dug cards not identified
    won: Annotated[Row, np.int16, MAX_SEATS]  # won cards not identified
    named_dug: Annotated[Row, np.int16, MAX_SEATS]  # dug cards identified since
    old_outs: Annotated[Row, np.int16, MAX_SEATS]  # dug before the last reshuffle
    old_wins: Annotated[Row, np.int16, MAX_SEATS]  # won before it, as far as the seat did not see them
    old_dug: Annotated[Row, np.int16, MAX_SEATS]  # dug before it and not identified
    outs_left: Annotated[Row, np.int16, MAX_SEATS]  # of these, not yet reached by the replay
    old_won: Annotated[Row, np.int16, MAX_SEATS]  # won before it and not identified
    ghosts: Annotated[Row, np.int16, MAX_SEATS]  # won cards that were trashed and are in sight now
    secrets: Annotated[Row, np.int16, MAX_SEATS]  # unidentified cards already chosen as trashed
    relaxed: U8  # 1: what was seen in a tribe later no longer protects cards from having been trashed
    tasks: I16
    task_seat: Annotated[Row, np.int16, TASKS]
    task_at: Annotated[Row, np.int16, TASKS]  # ledger index; -1 where an observation implies a trash unlisted
    task_cycle: Annotated[Row, np.int16, TASKS]
    task_card: Annotated[Row, np.uint8, TASKS]
    entry: Annotated[Row, np.uint8, LEDGER]  # card of each ledger entry; SKIPPED where none is needed
    gone: Annotated[Row, np.uint8, LEDGER]  # a dug card that was trashed later
    win: Annotated[Row, np.uint8, CONTESTED]
    win_gone: Annotated[Row, np.uint8, CONTESTED]
    bag_n: I16
    bag: Annotated[Row, np.uint8, BAG]
    pool_n: I16
    pool: Annotated[Row, np.uint8, BAG]


SCRATCH = dtype_of(Scratch)
scratch_at = caster(SCRATCH)


@rule
def push(c: Scratch, k: int) -> None:
    """A card goes into the bag."""
    c.bag[c.bag_n] = k
    c.bag_n += 1


@rule
def pull(s: State, c: Scratch) -> int:
    """A random card leaves the bag."""
    n = wide(c.bag_n)
    j = below(s, n)
    k = wide(c.bag[j])
    c.bag[j] = c.bag[n - 1]
    c.bag_n = n - 1
    return k


@rule
def push_pool(c: Scratch, k: int) -> None:
    """A card goes into the pool."""
    c.pool[c.pool_n] = k
    c.pool_n += 1


@rule
def pull_pool(s: State, c: Scratch) -> int:
    """A random card leaves the pool."""
    n = wide(c.pool_n)
    j = below(s, n)
    k = wide(c.pool[j])
    c.pool[j] = c.pool[n - 1]
    c.pool_n = n - 1
    return k


@rule
def take_kind(c: Scratch, k: int) -> bool:
    """A card of this kind leaves the bag; false if there is none."""
    for i in range(wide(c.bag_n)):
        if c.bag[i] == k:
            c.bag_n -= 1
            c.bag[i] = c.bag[c.bag_n]
            return True
    return False
