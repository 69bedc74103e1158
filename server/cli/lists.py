"""What there is: games and bots."""

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from server.cli.terminal import as_json, example, show, show_json, show_table

if TYPE_CHECKING:
    from engine.game import Game


SETTING = "Set them by `hint --param NAME=VALUE`, or in a request by `parameters`.\n"
TIMES = (
    "A level is so many iterations, whatever time they take: in Arctic Scavengers a thousand take 0.1 to 0.5 seconds."
    "\nA search for which neither a level nor a budget is given takes one second: often longer than that of a level."
)
CHEATS = " In arenas only."


@click.command(epilog=example("emptychair games arctic_scavengers"))
@click.argument("name", required=False)
@as_json
def games(name: str | None, as_json: bool) -> None:
    """List the games, or what is in one. Of the game NAME: its seats, modules, house rules and cards."""
    _compile_nothing()
    import engine

    if name is not None:
        _show_game(name, as_json)
        return
    listed = engine.available()
    if as_json:
        show_json({"games": list(map(_facts, listed))})
        return
    rows = ((game.name, ", ".join(game.titles.values()), _seats(game)) for game in listed)
    show_table(("game", "title", "seats"), rows)


def _compile_nothing() -> None:
    """Has the rules read as plain Python: nobody plays here, and nobody would wait for the compiler to see a list."""
    if "numba" not in sys.modules:
        os.environ["NUMBA_DISABLE_JIT"] = "1"


def _facts(game: "Game") -> dict[str, Any]:
    titles = dict(game.titles)
    return {"game": game.name, "titles": titles, "min_seats": game.min_seats, "max_seats": game.max_seats}


def _show_game(name: str, as_json: bool) -> None:
    import engine
    from server.games import cards_of

    game = engine.load(name)
    switches = {switch: list(values) for switch, values in game.switches.items()}
    cards = cards_of(game)
    if as_json:
        described = {switch: dict(sentences) for switch, sentences in game.switch_descriptions.items()}
        options = {"modules": list(game.modules), "switches": switches, "switch_descriptions": described}
        show_json(_facts(game) | options | {"cards": cards})
        return
    show(f"{game.name}: {', '.join(game.titles.values())}; {_seats(game)} seats")
    show("modules: " + (", ".join(game.modules) or "none"))
    _show_switches(game)
    if cards:
        show_table(("card", "name", ""), ((card["id"], card["name"], card["name_ja"]) for card in cards))


def _seats(game: "Game") -> str:
    low, high = game.min_seats, game.max_seats
    return str(low) if low == high else f"{low} to {high}"


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
    show_table(
        ("bot", ""), ((bot["name"], bot["description"] + CHEATS * bot.get("cheats", False)) for bot in listed["bots"])
    )
    rows = ((bot["name"], *_parameter(p)) for bot in listed["bots"] for p in bot.get("parameters", []))
    show_table(("bot", "parameter", "default", "allowed", "meaning"), rows)
    show(SETTING)
    show_table(
        ("level", "bot", "iterations", ""),
        ((lv["name"], lv["bot"], str(lv["budget"]["iterations"]), lv["description"]) for lv in listed["levels"]),
    )
    show(TIMES)


def _parameter(parameter: dict[str, Any]) -> tuple[str, str, str, str]:
    """Name, default, what is allowed, what it means."""
    allowed = ", ".join(map(str, parameter.get("allowed", []))) or f"{parameter['low']} to {parameter['high']}"
    return parameter["name"], str(parameter["default_value"]), allowed, parameter.get("description", "")
