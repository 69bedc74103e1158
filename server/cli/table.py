"""A game going on at the terminal: what is played, taken back and kept."""

import json
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from engine import GAMES
from engine.faults import Reader
from engine.game import Move, Played, Setup, State
from engine.registry import Registry
from engine.replay import Replay, record
from engine.rng import one_way
from server.cli.chairs import Chairs, chosen
from server.cli.saves import Saves
from server.cli.watching import Watch

WORLDS = 100  # that a step is tried in before it may be taken back


class Before(NamedTuple):
    """The table as it was before a step of an action."""

    state: State
    watches: dict[int, Watch]
    played: int
    step: Move


class Table:
    """A game with those who play it."""

    def __init__(self, setup: Setup, seed: int, chairs: Chairs, language: str) -> None:
        self.seed, self.chairs, self.language = seed, chairs, language
        self.state = setup.new(seed)
        self.played: list[Played] = []
        self.watches = {seat: Watch(self.state, seat, language) for seat in chairs.people}
        self.steps: list[Before] = []  # of the action that a person is putting together
        self.saves = Saves()

    def play(self, move: Move) -> None:
        """Plays a move and the forced ones after it, one by one, before the eyes of all people."""
        seat = self.state.to_move
        before = Before(self.state.clone(), {q: w.clone() for q, w in self.watches.items()}, len(self.played), move)
        number, forced, state = move.id, False, self.state
        while True:
            mover, text = state.to_move, state.game.move_text(state.setup, state.data, number)
            fields = state.game.move_fields(state.setup, state.data, number)
            state.step(number)
            self.played.append(Played(mover, text, forced))
            for watch in self.watches.values():
                watch.see(state, mover, number, fields)
            following = state.legal()
            if len(following) != 1:
                break
            number, forced = following[0], True
        self._note(seat, before)

    def _note(self, seat: int, before: Before) -> None:
        """Remembers a step of an action that goes on; once others have acted, there is no way back."""
        alone = all(played.seat == seat for played in self.played[before.played :])
        if alone and seat in self.watches and self.state.to_move == seat and self.watches[seat].building:
            self.steps.append(before)
        else:
            self.steps.clear()

    def take_back(self) -> bool:
        """Undoes the last step of the action that is being put together, unless it told anything new."""
        if not self.steps or not _told_nothing(self.steps[-1], self.state):
            return False
        before = self.steps.pop()
        self.state, self.watches = before.state, before.watches
        del self.played[before.played :]
        return True

    def answer(self) -> None:
        """The bot to move plays; its seed follows from the game's. Raises `Misplayed`."""
        decisions = sum(not played.forced for played in self.played)
        seed = one_way(self.seed, decisions)
        self.play(chosen(self.chairs.opponents[self.state.to_move], self.state, seed))

    def catch_up(self, kept: Replay) -> None:
        """Plays the moves of a kept game; raises `InvalidInput` at the first that does not fit."""
        for _ in kept.states():
            pass
        for turn in kept.turns:
            self.play(self.state.game.parse(self.state, turn.move))
            for watch in self.watches.values():
                watch.told()

    # ---- the file

    def keep(self) -> None:
        """Writes the game to its file, if there is one."""
        self.saves.keep(self._text())

    def keep_in(self, file: Path) -> None:
        """Writes the game to another file, and keeps it there from now on."""
        self.saves.move(file, self._text())

    def _text(self) -> str:
        """A replay, with who sits where in its header."""
        header, *turns = record(self.state.setup, self.seed, self.played).lines()
        sitting = {"people": self.chairs.people, "opponents": [bot.text for bot in self.chairs.opponents.values()]}
        lines = [json.dumps(json.loads(header) | sitting, ensure_ascii=False), *turns]
        return "".join(f"{line}\n" for line in lines)

    def going_on(self) -> str:
        """The command that goes on with the game from its file, as a shell takes it."""
        return shlex.join(["emptychair", "play", "--resume", str(self.saves.file), *self._retold()])

    def _retold(self) -> Iterator[str]:
        """What the file cannot say: code at paths, and the language."""
        name, opponents = self.state.game.name, self.chairs.opponents.values()
        if name not in Registry(GAMES.noun, GAMES.ours, GAMES.group).paths:  # neither ours nor from a package
            yield from ("--game", GAMES.paths[name])
        if any(opponent.outside for opponent in opponents):
            for text in [opponent.text for opponent in opponents]:
                yield from ("--opponent", text)
        if self.language != "en":
            yield from ("--lang", self.language)


def read_header(lines: Sequence[str]) -> tuple[list[int], list[str]]:
    """Who sat where: the seats of people, and the opponents in the order of theirs."""
    header = Reader(json.loads(next(line for line in lines if line.strip())))
    people, opponents = header.raw("people"), header.raw("opponents") or []
    for name, value, kind, noun in (("people", people, int, "seats"), ("opponents", opponents, str, "names")):
        if not isinstance(value, list) or not all(type(entry) is kind for entry in value):
            header.fault(name, value, f"a list of {noun}, as `emptychair play` writes it")
    header.done()
    return people, opponents


def _told_nothing(before: Before, after: State) -> bool:
    """Whether the seat has seen what it would have seen in every other world that it could have been in."""
    known = before.state.view(before.state.to_move)
    seen = after.view(known.seat).tobytes()
    return all(_seen_after(known.world(seed), before.step, known.seat) == seen for seed in range(WORLDS))


def _seen_after(world: State, move: Move, seat: int) -> bytes:
    world.play(move)
    return world.view(seat).tobytes()
