"""A bot for any game: it plays what it sees, and never trusts anybody."""

from collections.abc import Sequence
from dataclasses import dataclass

from bots.bot import Answer, Bot, Request, answer_of
from bots.params import Params, word
from engine.game import Move, View

WHY = {"en": "Nobody is to be trusted.", "ja": "誰も信用できません。"}


@dataclass(frozen=True)
class ScepticParams(Params):
    """How to play."""

    trusts: str = word("last", "first", description="Which of the legal moves it takes.")


class Sceptic(Bot):
    """Plays the last legal move, whatever it is; in Boast that is to boast and to doubt."""

    name = "sceptic"
    searches = False
    params_type = ScepticParams

    def think(self, view: View, moves: Sequence[Move], request: Request, started: float) -> Answer:
        admitted = [move for move in moves if request.admits(move.text)]
        assert isinstance(self.params, ScepticParams)
        return answer_of(view, request, admitted[-1 if self.params.trusts == "last" else 0], WHY[request.language])
