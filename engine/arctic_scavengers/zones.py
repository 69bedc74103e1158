"""Cards moving between zones, and what the table sees of it."""

import numpy as np

from engine.arctic_scavengers.state import (
    LEDGER,
    MAX_KINDS,
    WAY_IN,
    WAY_LOST,
    WAY_OUT,
    Player,
    Rules,
    State,
)
from engine.bits import has, lowest, only, rest
from engine.jit import rule
from engine.record import wide
from engine.rng import below, following, scaled


@rule
def gain(me: Player, k: int) -> None:
    """A card comes to the hand."""
    me.hand[k] += 1
    me.hand_n += 1
    me.hand_set |= only(k)


@rule
def lose(me: Player, k: int) -> None:
    """A card leaves the hand."""
    me.hand[k] -= 1
    me.hand_n -= 1
    if me.hand[k] == 0:
        me.hand_set &= ~only(k)


@rule
def discard(me: Player, k: int) -> None:
    """A card goes on the discard pile unseen."""
    me.discard[me.discard_n] = k
    me.discard_n += 1


@rule
def discard_openly(me: Player, k: int) -> None:
    """A card goes on the discard pile for all to see."""
    me.discard[me.discard_n] = k
    me.discard_n += 1
    me.openly[k] += 1


@rule
def hold(s: State, me: Player, k: int) -> None:
    """A card everybody has seen comes back to the hand."""
    gain(me, k)
    if s.quiet == 0:
        me.held[k] += 1


@rule
def let_go(s: State, me: Player, k: int) -> None:
    """A card leaves the hand for all to see."""
    lose(me, k)
    if s.quiet == 0 and me.held[k] > 0:
        me.held[k] -= 1


@rule
def hide(s: State, me: Player, k: int) -> None:
    """A card leaves the hand unseen: it may have been any of those known to be there."""
    lose(me, k)
    if s.quiet == 0:
        for i in range(MAX_KINDS):
            if me.held[i] > 0:
                me.held[i] -= 1


@rule
def identify(r: Rules, s: State, me: Player, k: int, shown: int) -> None:
    """`shown` copies lie open besides those whose place is known: beyond the record, won or dug (contract 13.5)."""
    if s.quiet:
        return
    located = wide(me.openly[k]) + me.front[k] + me.held[k] + shown
    while me.owned[k] < located:
        me.owned[k] += 1
        if has(r.contested_kinds, k) and me.named_won < me.won_before:
            me.named_won += 1
        else:
            me.named_dug += 1


@rule
def reshuffle(s: State, me: Player) -> None:
    """The discard pile becomes the deck; the order is drawn when cards are."""
    for i in range(wide(me.discard_n)):
        me.deck[i] = me.discard[i]
    me.deck_n = me.discard_n
    me.deck_fixed = 0
    me.discard_n = 0
    if s.quiet == 0:
        close_cycle(me)


@rule
def close_cycle(me: Player) -> None:
    """What the record keeps of a discard pile that becomes a deck."""
    for k in range(MAX_KINDS):
        seen = wide(me.openly[k]) + me.held[k]
        if me.trashed_now > 0 or seen > me.sure[k]:
            me.sure[k] = seen
        me.openly[k] = 0
    me.left = 0
    me.trashed_now = 0
    me.won_before = me.won
    me.cycle += 1


@rule
def locate_rest(s: State, me: Player, p: int) -> None:
    """Between two decks a tribe lies in hand and discard pile: what is not known to lie there is known to be in hand.

    All but as many copies as were trashed unseen, or lie on the discard pile unseen though they came openly.
    """
    unsure = wide(me.dug) + me.won - me.named_dug - me.named_won + me.left - me.hand_n - me.discard_n
    for k in range(MAX_KINDS):
        unsure += wide(me.owned[k]) - me.front[k]
        if p == s.actor:
            unsure -= s.play[k]
    unsure = max(0, unsure)
    for k in range(MAX_KINDS):
        sure = wide(me.owned[k]) - me.openly[k] - me.front[k] - unsure
        if p == s.actor:
            sure -= s.play[k]
        if sure > me.held[k]:
            me.held[k] = sure


@rule
def draw(s: State, p: int, n: int) -> None:
    """Draws up to `n` cards, reshuffling in the middle; stops when deck and discard are empty (5.3).

    What changes with each card is kept in variables, which are faster than a memory that anything may have changed.
    """
    me = s.players[p]
    x, cards, size = s.rng, me.hand_set, wide(me.deck_n)
    for _ in range(n):
        if size == 0:
            if me.discard_n == 0:
                break
            if s.quiet == 0:
                locate_rest(s, me, p)
            reshuffle(s, me)
            size = wide(me.deck_n)
        at = size - 1
        if me.deck_fixed > 0:
            me.deck_fixed -= 1
        else:
            x = following(x)
            at = scaled(x, size)
        size -= 1
        k = wide(me.deck[at])
        me.deck[at] = me.deck[size]
        me.hand[k] += 1
        me.hand_n += 1
        cards |= only(k)
    s.rng, me.hand_set, me.deck_n = x, cards, size


@rule
def enter(s: State, k: int) -> None:
    """A card is laid on the junkyard; the caller shuffles."""
    s.junk[s.junk_n] = k
    s.junk_n += 1


@rule
def remember(me: Player, k: int, now: int) -> None:
    """The seat knows one more copy in the junkyard; the oldest moment counts, which excludes least."""
    if me.known[k] == 0:
        me.since[k] = now
    me.known[k] += 1


@rule
def shuffle_junkyard(s: State) -> None:
    """Order is forgotten, membership is not (22)."""
    for i in range(wide(s.bottom_n)):
        k = wide(s.bottom[i])
        enter(s, k)
        seen = np.uint64(s.bottom_seen[i]) if s.quiet == 0 else np.uint64(0)
        while seen:
            remember(s.players[lowest(seen)], k, wide(s.ledger_n))
            seen = rest(seen)
    s.bottom_n = 0
    s.junk_fixed = 0


@rule
def take_junk(s: State, i: int) -> None:
    """The top card of the junkyard becomes card `i` of the look."""
    if s.junk_n > 0:
        top = wide(s.junk_n) - 1
        at = top
        if s.junk_fixed > 0:
            s.junk_fixed -= 1
        else:
            at = below(s, top + 1)
        s.look[i] = s.junk[at]
        s.look_seen[i] = 0
        s.junk[at] = s.junk[top]
        s.junk_n = top
        return
    s.look[i] = s.bottom[0]
    s.look_seen[i] = s.bottom_seen[0]
    s.bottom_n -= 1
    for j in range(wide(s.bottom_n)):
        s.bottom[j] = s.bottom[j + 1]
        s.bottom_seen[j] = s.bottom_seen[j + 1]


@rule
def put_under(s: State, k: int, seen: int) -> None:
    """A card goes under the junkyard, known to the seats in `seen`."""
    s.bottom[s.bottom_n] = k
    s.bottom_seen[s.bottom_n] = seen
    s.bottom_n += 1


@rule
def write_down(s: State, way: int, p: int, k: int, seen: int) -> None:
    """A card crossed the edge of the junkyard face down."""
    if s.quiet:
        return
    if s.ledger_n == LEDGER:
        forget_oldest(s)
    i = wide(s.ledger_n)
    s.ledger_way[i] = way * 8 + p
    s.ledger_cycle[i] = 0 if way == WAY_LOST else s.players[p].cycle
    s.ledger_kind[i] = k
    s.ledger_seen[i] = seen
    s.ledger_n += 1


@rule
def forget_oldest(s: State) -> None:
    """Makes room in a full ledger; who saw the card enter goes on knowing that it did."""
    seen = np.uint64(s.ledger_seen[0]) if s.ledger_way[0] >> 3 != WAY_OUT else np.uint64(0)
    while seen:
        remember(s.players[lowest(seen)], wide(s.ledger_kind[0]), wide(0))
        seen = rest(seen)
    s.ledger_n -= 1
    for i in range(wide(s.ledger_n)):
        s.ledger_way[i] = s.ledger_way[i + 1]
        s.ledger_cycle[i] = s.ledger_cycle[i + 1]
        s.ledger_kind[i] = s.ledger_kind[i + 1]
        s.ledger_seen[i] = s.ledger_seen[i + 1]
    for p in range(wide(s.seats)):
        me = s.players[p]
        for k in range(MAX_KINDS):
            if me.since[k] > 0:
                me.since[k] -= 1


@rule
def trash(r: Rules, s: State, p: int, k: int) -> None:
    """A card from the hand is laid on the junkyard, face down unless the switch says otherwise (6.6)."""
    enter(s, k)
    me = s.players[p]
    if r.trash_public:
        identify(r, s, me, k, wide(1))
        me.owned[k] -= 1
        write_down(s, wide(WAY_IN), p, k, (1 << r.seats) - 1)
    else:
        me.trashed_now += 1
        write_down(s, wide(WAY_IN), p, k, 1 << p)


@rule
def keep_dug(s: State, p: int, k: int) -> None:
    """The card kept from a dig; where others knew the cards looked at, they now know only that most stayed."""
    for i in range(wide(s.look_n)):
        others = np.uint64(s.look_seen[i]) & ~only(p)
        s.look_seen[i] = s.look_seen[i] & (1 << p)
        while others:
            remember(s.players[lowest(others)], wide(s.look[i]), wide(s.ledger_n))
            others = rest(others)
    write_down(s, wide(WAY_OUT), p, k, 1 << p)
    discard(s.players[p], k)
    s.players[p].dug += 1


@rule
def peek(s: State, p: int) -> None:
    """The seat looks at the top contested card, which so gets its place (5.4)."""
    if s.contested_fixed == 0:
        top = wide(s.contested_n) - 1
        at = below(s, top + 1)
        k = s.contested[at]
        s.contested[at] = s.contested[top]
        s.contested[top] = k
        s.contested_fixed = 1
    s.contested_seen |= 1 << p


@rule
def take_contested(s: State) -> int:
    """The top contested card leaves its pile."""
    top = wide(s.contested_n) - 1
    at = top
    if s.contested_fixed > 0:
        s.contested_fixed -= 1
    else:
        at = below(s, top + 1)
    k = wide(s.contested[at])
    s.contested[at] = s.contested[top]
    s.contested_n = top
    s.contested_seen = 0
    return k


@rule
def win_contested(s: State, p: int) -> None:
    """The winner takes the top contested card without showing it (9.4)."""
    seen = wide(s.contested_seen) | (1 << p)
    k = take_contested(s)
    i = wide(s.wins_n)
    s.win_kind[i] = k
    s.win_seat[i] = p
    s.win_cycle[i] = s.players[p].cycle
    s.win_seen[i] = seen
    s.wins_n += 1
    discard(s.players[p], k)
    s.players[p].won += 1


@rule
def lose_contested(s: State) -> None:
    """Deadlock: the top contested card goes unseen into the junkyard, which is shuffled (9.3)."""
    seen = wide(s.contested_seen)
    k = take_contested(s)
    write_down(s, wide(WAY_LOST), wide(0), k, seen)
    enter(s, k)
    shuffle_junkyard(s)
