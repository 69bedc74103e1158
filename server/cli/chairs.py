"""Who sits at a table: people, and bots by the texts they were asked for with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import bots
from bots import Bot, Request
from bots.advice import told
from bots.arena.entrant import Entrant, read_entrant
from bots.levels import LEVELS
from engine.faults import Fault, InvalidInput, meant, shown
from engine.game import Move, State
from server.order import Order, read_order

OPPONENT = "strong"  # who sits on the free seats, if nobody says


class Opponent(NamedTuple):
    """A bot at the table."""

    text: str  # as it was asked for
    order: Order
    outside: bool  # its code lies at a path, which no file may name


class Chairs(NamedTuple):
    """Who sits where."""

    people: tuple[int, ...]  # at least one
    opponents: Mapping[int, Opponent]  # by seat


class Misplayed(Exception):
    """A bot crashed, or wants to play what is not legal."""


def read_people(seats: Sequence[int], most: int, path: str = "seat") -> tuple[int, ...]:
    """The seats of people, of `most` seats; raises `InvalidInput` with each that there is not."""
    wrong = [seat for seat in seats if seat not in range(most)]
    faults = [Fault(path, shown(seat), f"a whole number from 0 to {most - 1}") for seat in wrong]
    if not seats:
        faults.append(Fault(path, "nobody", "the seat of one person at least"))
    if faults:
        raise InvalidInput(faults)
    return tuple(sorted(set(seats)))


def read_opponents(texts: Sequence[str], path: str = "opponent", typed: bool = True) -> list[Opponent]:
    """The bots of these texts: levels, or entrants as in an arena; raises `InvalidInput` with every fault found.

    Only what is typed on this machine may name code to import.
    """
    faults, opponents = list[Fault](), list[Opponent]()
    for i, text in enumerate(texts):
        try:
            opponents.append(_read_opponent(text, typed))
        except InvalidInput as error:
            here = path if len(texts) == 1 else f"{path}[{i}]"
            faults += (fault._replace(path=f"{here}.{fault.path}".rstrip(".")) for fault in error.faults)
    if faults:
        raise InvalidInput(faults)
    return opponents


def seated(people: tuple[int, ...], opponents: Sequence[Opponent], seats: int, path: str = "opponent") -> Chairs:
    """Everybody at the table; one opponent alone takes every free seat."""
    free = [seat for seat in range(seats) if seat not in people]
    if len(opponents) != len(free) and not (free and len(opponents) == 1):
        expected = f"one, or one for each of {len(free)} free seats" if free else "none: people take every seat"
        raise InvalidInput([Fault(path, f"{len(opponents)} of them", expected)])
    each = opponents if len(opponents) == len(free) else [*opponents] * len(free)
    return Chairs(people, dict(zip(free, each, strict=True)))


def chosen(opponent: Opponent, state: State, seed: int) -> Move:
    """What a bot plays, who is given the view of the seat to move; raises `Misplayed`."""
    seat = state.to_move
    who = f"seat {seat} ({opponent.text})"
    bot, request = opponent.order
    view, request = state.view(seat), replace(request, seed=seed)
    try:
        text = bot.recommend(view, request).plan[0].move
    except (Exception, SystemExit) as error:  # whatever code of others does, the person is told
        raise Misplayed(f"{who} crashed: {' '.join(told(error).split())}") from error
    move = next((move for move in state.moves() if move.text == text), None)
    if move is None:
        raise Misplayed(f"{who} wants to play {shown(text)}, which is not legal here")
    return move


def _read_opponent(text: str, typed: bool) -> Opponent:
    if text in LEVELS:
        return Opponent(text, read_order({"level": text}), outside=False)
    try:
        entrant = read_entrant(text)
    except InvalidInput as error:
        if error.faults[0].path:  # of a part of it
            raise
        raise _unknown(text, typed) from error
    outside = ":" in entrant.bot
    if not (typed if outside else entrant.bot in bots.names()):
        raise _unknown(text, typed)
    return Opponent(text, Order(_made(entrant), Request(entrant.budget)), outside)


def _unknown(text: str, typed: bool) -> InvalidInput:
    """What there is, and how a bot of one's own is asked for."""
    names = list(_names())
    own = "package.module:Class" if typed else "one of your own, which only the option --opponent may name"
    expected = f"a level ({', '.join(LEVELS)}), a bot ({', '.join(names)}), as in ismcts@2000:c=0.5, or {own}"
    return InvalidInput([Fault("", shown(text), expected + meant(text, [*LEVELS, *names]))])


def _names() -> Iterator[str]:
    """The bots that may play with people."""
    for name, kind in bots.BOTS.available(lambda name: (name, bots.find(name))):
        if not kind.cheats:
            yield name


def _made(entrant: Entrant) -> Bot:
    """The bot itself; raises `InvalidInput` for one that cannot be made."""
    try:
        if bots.find(entrant.bot).cheats:
            raise InvalidInput([Fault("", shown(entrant.bot), "a bot that sees no more than its seat")])
        return entrant.make()
    except InvalidInput as error:
        raise InvalidInput(fault._replace(path=_renamed(fault.path)) for fault in error.faults) from error


def _renamed(path: str) -> str:
    return "" if path == "bot" else path.replace("params.", "parameters.", 1)
