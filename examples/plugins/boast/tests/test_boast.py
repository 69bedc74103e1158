"""The rules of Boast, and what must hold in every game (tests/contract of the project)."""

import inspect
from collections.abc import Callable
from itertools import product

import pytest
from emptychair_boast.bot import Sceptic
from emptychair_boast.game import CARDS, GAME

import bots
import engine
from bots import Budget, Request
from tests.contract import games
from tests.contract import test_every_game as suite
from tests.contract.games import Kind

LAWS = [
    law
    for name, law in inspect.getmembers(suite, inspect.isfunction)
    if name.startswith("test_") and [*inspect.signature(law).parameters] == ["kind"]
]
DECK = set(range(1, CARDS + 1))


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game by its name, whether the package is installed or not, and its deck for the suite."""
    engine.admit("emptychair_boast.game:GAME")
    monkeypatch.setitem(games.SMALL_DECKS, GAME.name, DECK)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_what_holds_in_every_game(law: Callable[[Kind], None]) -> None:
    law(Kind(GAME.name, 2))


def result(cards: tuple[str, str], *moves: str) -> list[float]:
    world = {"game": GAME.name, "players": [{"hand": [card]} for card in cards]}
    return GAME.state_from_json(world).play_texts(moves)[0].returns()


@pytest.mark.parametrize(
    ("cards", "moves", "returns"),
    [
        (("two", "one"), ["modest"], [1, -1]),
        (("two", "five"), ["modest"], [-1, 1]),
        (("one", "five"), ["boast", "believe"], [1, -1]),
        (("one", "five"), ["boast", "doubt"], [-2, 2]),
        (("five", "four"), ["boast", "doubt"], [2, -2]),
    ],
)
def test_who_wins_what(cards: tuple[str, str], moves: list[str], returns: list[float]) -> None:
    assert result(cards, *moves) == returns


def test_the_sceptic_doubts_and_the_search_knows_better() -> None:
    observation = {"game": GAME.name, "seat": 1, "moves": ["boast"], "players": [{}, {"hand": ["one"]}]}
    view = GAME.view_from_json(observation)
    assert Sceptic().recommend(view).plan[0].move == "doubt"
    answer = bots.make("ismcts").recommend(view, Request(Budget(iterations=2000), seed=1))
    assert answer.plan[0].move == "believe"  # the one loses every showdown


def test_all_deals_are_dealt() -> None:
    setup = GAME.setup()
    dealt = {tuple(setup.new(seed).data[0].card.tolist()) for seed in range(500)}
    assert dealt == {(a, b) for a, b in product(DECK, DECK) if a != b}
