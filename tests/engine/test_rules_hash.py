"""What a rules hash tells apart."""

import engine
from engine.game import Game


def test_no_two_games_or_options_share_a_hash() -> None:
    setups = [game.setup(seats) for game in map(engine.load, engine.names()) for seats in seats_of(game)]
    game = engine.load("arctic_scavengers")
    setups += [game.setup(rules={switch: values[-1]}) for switch, values in game.switches.items() if values[1:]]
    assert len({setup.rules_hash for setup in setups}) == len(setups)


def seats_of(game: Game) -> range:
    return range(game.min_seats, game.max_seats + 1)
