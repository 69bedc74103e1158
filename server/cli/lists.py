"""What there is: games and bots."""

import json
from typing import TYPE_CHECKING, Any

import click

from server.cli.terminal import as_json, example, show, show_json, show_table

if TYPE_CHECKING:
    from engine.game import Game


SETTING = "Set them by `hint --param NAME=VALUE`, or in a request by `parameters`.\n"
TIMES = (
    "A level is so many iterations, whatever time they take: in Arctic Scavengers a thousand take 0.1 to 0.5 seconds."
    "\nWithout a level or a budget a search takes one second, which may be more than that."
)


@click.command(epilog=example("emptychair games arctic_scavengers"))
@click.argument("name", required=False)
@as_json
def games(name: str | None, as_json: bool) -> None:
    """List the games, or what is in one. Of the game NAME: its seats, modules, house rules and cards."""
    import engine

    if name is None:
        show_json({"games": engine.names()}) if as_json else show("\n".join(engine.names()))
        return
    _show_game(name, as_json)


def _show_game(name: str, as_json: bool) -> None:
    import engine
    from server.games import cards_of

    game = engine.load(name)
    facts = {"game": game.name, "titles": dict(game.titles), "min_seats": game.min_seats, "max_seats": game.max_seats}
    switches = {switch: list(values) for switch, values in game.switches.items()}
    cards = cards_of(game)
    if as_json:
        described = {switch: dict(sentences) for switch, sentences in game.switch_descriptions.items()}
        options = {"modules": list(game.modules), "switches": switches, "switch_descriptions": described}
        show_json(facts | options | {"cards": cards})
        return
    show(f"{game.name}: {', '.join(game.titles.values())}; {_seats(game)}")
    show("modules: " + (", ".join(game.modules) or "none"))
    _show_switches(game)
    if cards:
        show_table(("card", "name", ""), ((card["id"], card["name"], card["name_ja"]) for card in cards))


def _seats(game: "Game") -> str:
    low, high = game.min_seats, game.max_seats
    return f"{low} seats" if low == high else f"{low} to {high} seats"


def _show_switches(game: "Game") -> None:
    """Each house rule with its values and what it decides, in both languages."""
    if game.switches:
        show("house rules, the default first:")
    for switch, values in game.switches.items():
        allowed = " | ".join(value if isinstance(value, str) else json.dumps(value) for value in values)
        show(f"  {switch} = {allowed}")
        for sentence in game.switch_descriptions.get(switch, {}).values():
            show(f"      {sentence}")


@click.command(epilog=example("emptychair bots --json"))
@as_json
def bots(as_json: bool) -> None:
    """List the bots with their parameters, and the levels."""
    from server import codec
    from server.opponent import bot_list

    listed = codec.read_json(bot_list())
    if as_json:
        show_json(listed)
        return
    show_table(("bot", ""), ((bot["name"], bot["description"]) for bot in listed["bots"]))
    rows = ((bot["name"], *_parameter(p)) for bot in listed["bots"] for p in bot.get("parameters", []))
    show_table(("bot", "parameter", "default", "allowed"), rows)
    show(SETTING)
    show_table(
        ("level", "bot", "iterations", ""),
        ((lv["name"], lv["bot"], str(lv["budget"]["iterations"]), lv["description"]) for lv in listed["levels"]),
    )
    show(TIMES)


def _parameter(parameter: dict[str, Any]) -> tuple[str, str, str]:
    """Name, default, what is allowed."""
    words = ", ".join(map(str, parameter.get("allowed", [])))
    return parameter["name"], str(parameter["default_value"]), words or f"{parameter['low']} to {parameter['high']}"
