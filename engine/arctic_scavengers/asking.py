"""The stack of pending decisions: who is asked what; a nested question lies on top."""

from enum import IntEnum

from engine.arctic_scavengers.state import State
from engine.jit import rule
from engine.record import wide


class Ask(IntEnum):
    """The questions of the game."""

    ACTION = 0  # the next action, or the end of the turn
    COMMIT = 1  # one more card, or go
    REACT = 2  # a special unit against the committed cards, or pass
    KEEP = 3  # one card of a dig, or none
    RETURN = 4  # the next card to put under the junkyard
    PAY = 5  # one more medicine
    TRASH = 6  # one more card, or go
    SLOT = 7  # a target, a rival to aim at, or the end of the slot
    HIT = 8  # a target among the cards of the rival aimed at


class Say(IntEnum):
    """Answers that are not a kind of card."""

    STOP = 32  # go, pass, keep none
    DRAW = 33
    DIG = 34
    HUNT = 35
    TRASH = 36
    END = 37
    AIM = 40  # + seat
    SPENT = 48  # + special unit: a copy that has acted already


@rule
def ask(s: State, question: int, p: int) -> None:
    """Puts a question to a seat; the answer comes before anything below goes on."""
    s.question[s.depth] = question
    s.asked[s.depth] = p
    s.depth += 1


@rule
def back_to(s: State, depth: int) -> None:
    """Drops all questions above the first `depth`."""
    s.depth = depth


@rule
def asked(s: State) -> int:
    """Whose answer is awaited; -1 when the game is over."""
    if s.depth == 0:
        return -1
    return wide(s.asked[s.depth - 1])


@rule
def question(s: State) -> int:
    """The question on top; only while the game is on."""
    return wide(s.question[s.depth - 1])
