"""Games between bots."""

import pytest

import engine
from bots import Answer, Bot, Budget, Request, make
from bots.match import compare, play_game
from engine.game import State, View
from tests.bots.toy import GAME as TOY

LEDUC, KUHN = engine.load("leduc_poker").setup(), engine.load("kuhn_poker").setup()
QUICK = Request(Budget(iterations=200))


def test_a_game_is_played_again_from_its_moves() -> None:
    match = play_game(LEDUC, [make("ismcts"), make("random")], 7, [QUICK, QUICK])
    state: State = LEDUC.new(7)
    for played in match.moves:
        assert state.to_move == played.seat
        state.play(state.game.parse(state, played.text))
    assert tuple(state.returns()) == match.returns
    assert match == play_game(LEDUC, [make("ismcts"), make("random")], 7, [QUICK, QUICK])


def test_forced_moves_are_not_in_the_record() -> None:
    match = play_game(TOY.setup(), [make("greedy"), make("greedy")], 3, [QUICK, QUICK])
    assert [m.seat for m in match.moves][:5] == [0] * 5
    assert all(not m.forced for m in match.moves)


class Spy(Bot):
    """Notes whether the other seat's card could be seen."""

    name = "spy"
    hidden: list[bool] = []

    def recommend(self, view: View, request: Request | None = None) -> Answer:
        self.hidden.append(isinstance(view, View) and view.data[0].card[1 - view.seat] == 0 and view.data[0].rng == 0)
        return make("random").recommend(view, request)

    think = None  # type: ignore[assignment]


def test_bots_are_given_views_only() -> None:
    play_game(LEDUC, [Spy(), Spy()], 1, [QUICK, QUICK])
    assert Spy.hidden
    assert all(Spy.hidden)


def test_a_bot_is_worth_half_against_itself() -> None:
    found = compare(KUHN, make("greedy"), make("greedy"), 50, 1, (QUICK, QUICK))
    assert (found.share, found.low, found.high, found.games) == (0.5, 0.5, 0.5, 100)


@pytest.mark.parametrize("setup", [KUHN, LEDUC], ids=lambda s: s.game.name)
def test_searching_beats_random_moves(setup: engine.game.Setup) -> None:
    found = compare(setup, make("ismcts"), make("random"), 150, 1, (QUICK, QUICK))
    assert found.low > 0.5
