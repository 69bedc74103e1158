"""Advice on a position from a file."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import click

from server.cli.terminal import (
    a_file,
    as_json,
    example,
    own_games,
    read_text,
    say,
    settings,
    show,
    show_json,
    show_table,
)

if TYPE_CHECKING:
    from bots.bot import Answer, Estimate
    from engine.game import View

SHORT = 60  # characters of the one assumption that is told
FORCED = {"en": " (forced)", "ja": "(自動)"}
SPENT = {
    "en": "{iterations:,} iterations in {elapsed_ms:,.0f} ms, seed {seed}",
    "ja": "模擬対局{iterations:,}回、{elapsed_ms:,.0f}ミリ秒、シード{seed}",
}
ASSUMED = {
    "en": "assumed {n} things, such as {one}; see --check",
    "ja": "{n}件を仮定しました(例:{one})。詳しくは --check で",
}
ASSUMED_ONE = {"en": "assumed {one}; see --check", "ja": "{one} と仮定しました。詳しくは --check で"}
HEADINGS = {
    "en": ("plan begins with", "plan's games", "plan's {}", "and goes on with"),
    "ja": ("計画の最初の手", "計画の対局数", "計画の{}", "計画の続き"),
}
WORTH = {"en": ("result", "win chance"), "ja": ("結果", "勝率")}
THEN = {"en": "; ", "ja": "、"}  # between the moves of a plan
REST = 80  # columns for the rest of a plan
PARAM_HELP = "A parameter of the bot, as `emptychair bots` lists them; may be repeated."
ROUGHLY = {"en": "about {}", "ja": "約{}"}


@click.command(epilog=example("emptychair hint examples/positions/arctic_scavengers/minimal.json --iterations 5000"))
@click.argument("file", type=a_file, required=False)
@click.option("--template", metavar="GAME", help="Print an observation of GAME to start from.")
@click.option("--check", is_flag=True, help="Only say whether FILE is valid, and what was assumed.")
@own_games
@click.option("--bot", help="A bot by name, or package.module:Class.")
@click.option("--param", "parameters", metavar="NAME=VALUE", multiple=True, callback=settings, help=PARAM_HELP)
@click.option("--level", help="A strength by name; not with --bot or --param.")
@click.option("--iterations", type=int, help="Search for this many iterations (1..1,000,000,000).")
@click.option("--time-ms", type=int, help="Search for this long (1..600,000 ms; default 1,000).")
@click.option("--seed", type=int, help="Seed of the search (0..2^64-1); drawn if not given.")
@click.option(
    "--only", "only_moves", metavar="MOVE", multiple=True, help="Search only this first move; may be repeated."
)
@click.option(
    "--avoid", "avoid_moves", metavar="MOVE", multiple=True, help="Leave this first move out; may be repeated."
)
@click.option(
    "--evaluate", "evaluate_moves", metavar="MOVE", multiple=True, help="Rate this first move, too; may be repeated."
)
@click.option("--alternatives", "max_alternatives", type=int, help="Tell at most so many plans (0..512; default 5).")
@click.option("--parallelism", type=int, help="Split the search into so many trees (1..256; default 1).")
@click.option("--lang", "language", help="Language of the words: en (default) or ja.")
@as_json
def hint(file: Path | None, template: str | None, check: bool, as_json: bool, **asked: Any) -> None:
    """Recommend what to play. FILE holds an observation ("-": standard input)."""
    if template and file:
        raise click.UsageError("FILE and '--template GAME' do not go together.")
    if template:
        _show_template(template)
    elif file is None:
        raise click.UsageError("Missing argument 'FILE' or option '--template GAME'.")
    elif check:
        _show_notes(_read(file), as_json)
    else:
        _show_answer(*_recommend(file, asked), asked["language"] or "en", as_json)


def _show_template(name: str) -> None:
    import json

    import engine

    show(json.dumps(engine.load(name).template(), indent=2))


def _read(file: Path) -> "View":
    from server.order import read_view
    from server.warm import ready

    observation = _read_object(file)
    ready(observation.get("game"), say)
    return read_view(observation)


def _read_object(file: Path) -> dict[str, Any]:
    """The JSON object in a file; raises `InvalidInput` for anything else."""
    from engine.faults import Fault, InvalidInput, shown
    from engine.kinds import Kind, read_as
    from engine.plain import from_json

    value = read_as(Kind.POSITION, read_text(file), from_json)
    if not isinstance(value, dict):
        raise InvalidInput([Fault("", shown(value), "an object")])
    return value


def _recommend(file: Path, asked: dict[str, Any]) -> "tuple[View, Answer]":
    from bots import advise
    from server.order import asked_seat, both, read_order

    budget = {name: asked.pop(name) for name in ("iterations", "time_ms")}
    order, view = both(lambda: read_order(asked | {"budget": budget}, trusted=True), lambda: _read(file))
    return view, advise(order.bot, asked_seat(view), order.request)


def _show_notes(view: "View", as_json: bool) -> None:
    notes = view.notes._asdict()
    if as_json:
        show_json({"valid": True} | notes)
        return
    show("valid")
    for kind, lines in notes.items():
        for line in lines:
            show(f"{kind.removesuffix('s')}: {line}")


def _show_answer(view: "View", answer: "Answer", language: str, as_json: bool) -> None:
    from server import codec

    if as_json:
        show_json(codec.read_json(codec.write_answer(answer)))
        return
    for step in answer.plan:
        show(f"{step.move:<24} {step.words}{FORCED[language] if step.forced else ''}")
    show(answer.explanation)
    _show_alternatives(view, answer, language)
    show(SPENT[language].format(iterations=answer.iterations, elapsed_ms=answer.elapsed_ms, seed=answer.seed))
    if answer.assumptions:
        show(_assumed(answer.assumptions, language))
    for line in answer.warnings:
        say(f"warning: {line}")


def _show_alternatives(view: "View", answer: "Answer", language: str) -> None:
    """The plans considered, with what each is worth to the seat."""
    from bots.words import is_won_or_lost

    rows = []
    for other in answer.alternatives:
        worth = _worth(view, other.win_chance[view.seat], other.visits, language)
        rest = THEN[language].join(step.words for step in other.plan[1:])
        rows.append((other.plan[0].words, f"{other.visits:,}", worth, _fitted(rest, REST)))
    if rows:
        worth = WORTH[language][is_won_or_lost(view.game)]
        show_table([heading.format(worth) for heading in HEADINGS[language]], rows)


def _fitted(text: str, columns: int) -> str:
    """A text that takes at most so many columns of a terminal, its end left out if need be."""
    from rich.text import Text

    fitted = Text(text)
    fitted.truncate(columns, overflow="ellipsis")
    return fitted.plain


def _worth(view: "View", estimate: "Estimate", games: int, language: str) -> str:
    """A mean with its standard error, or without where the games are too few to tell that."""
    from bots.words import ENOUGH, rate, spread

    mean = rate(view.game, estimate.mean)
    return (
        f"{mean} ± {spread(view.game, estimate.standard_error)}" if games >= ENOUGH else ROUGHLY[language].format(mean)
    )


def _assumed(assumptions: Sequence[str], language: str) -> str:
    """How much was assumed, and the longest of it."""
    one = shorten(max(assumptions, key=len), SHORT, placeholder=" …")
    form = ASSUMED if len(assumptions) > 1 else ASSUMED_ONE
    return form[language].format(n=len(assumptions), one=one)
