"""What one seat sees happen while others play."""

from collections.abc import Mapping
from copy import copy, deepcopy
from typing import Any

from engine.game import State
from server.cli.happening import OPEN_MOVES, Deed, Happening, Line, OpenMove
from server.cli.telling import NOBODY, Teller


class Watch:
    """What one seat sees happen, sentence by sentence, from one position on.

    Reactions of others are told when they are over and as far as the seat sees them, so that nobody learns who
    could have responded (docs/contract.md 8).
    """

    def __init__(self, state: State, seat: int, language: str, is_onlooker: bool = False) -> None:
        view = state.view(seat)
        self.seat = seat
        self.teller = Teller(view, language, is_onlooker)
        self._told = self._form = view.to_json()  # the view of which all is told, and the newest
        self._subject = self._to_move = view.to_move
        self._deed: Deed | None = None
        self._moves: list[OpenMove] = []
        self._lines: list[Line] = []
        if self.building:
            self._go_on(self._form)

    def clone(self) -> "Watch":
        """The same watch, which from here on may see other things."""
        twin = copy(self)
        twin._deed, twin._moves, twin._lines = deepcopy(self._deed), list(self._moves), list(self._lines)
        return twin

    def see(self, state: State, mover: int, move: int, fields: Mapping[str, Any]) -> None:
        """Takes in a move just played, forced or not; nothing where it leaves the seat none the wiser.

        `fields` is the move taken apart, as it was before it was played.
        """
        if fields["action"] in OPEN_MOVES:
            self._moves.append(OpenMove(mover, fields))
        verbs, rules = state.game.verbs, state.setup.rules_address
        if not int(verbs.seen(rules, state.address, self.seat, mover, move, 0)):
            return
        if self._form is self._told:
            self._subject = self._to_move
        view, former = state.view(self.seat), self._form
        self._form, self._to_move = view.to_json(), view.to_move
        if self.building:
            self._go_on(former)
        else:
            self._close()
            self._deed = None

    def told(self) -> list[str]:
        """What happened since this was last asked; the seat's own action once it is finished."""
        return [line.text for line in self.lines()]

    def lines(self) -> list[Line]:
        """The same with what each sentence is about."""
        if self._subject != self.seat or not self.building:
            self._close()
        lines, self._lines = self._lines, []
        return lines

    @property
    def building(self) -> bool:
        """Whether an action is being put together, whose steps are told in one sentence."""
        return "action" in (self._form.get("pending") or {})

    def _go_on(self, former: Mapping[str, Any]) -> None:
        """Takes in what is pending; it began after `former`, if nothing was pending yet."""
        pending = self._form["pending"]
        if self._deed is None:
            self._deed = Deed(pending.get("asker", self._form.get("to_move", NOBODY)), former)
        self._deed.take_in(pending)

    def _close(self) -> None:
        """Tells what happened so far."""
        if self._form is self._told:
            return
        happening = Happening(self.teller, self._told, self._form, self._subject, self._deed, tuple(self._moves))
        self._lines += happening.lines()
        self._told, self._moves = self._form, []
        if self._deed:
            self._deed.told = dict(self._deed.parts)
