"""Advice on a position from a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from server.cli.terminal import a_file, as_json, example, read_object, say, show, show_json, show_table

if TYPE_CHECKING:
    from bots.bot import Answer
    from engine.game import View


@click.command(epilog=example("emptychair hint examples/positions/arctic_scavengers/minimal.json --iterations 5000"))
@click.argument("file", type=a_file, required=False)
@click.option("--template", metavar="GAME", help="Print an observation of GAME to start from.")
@click.option("--check", is_flag=True, help="Only say whether FILE is valid, and what was assumed.")
@click.option("--bot", help="A bot by name, or package.module:Class.")
@click.option("--level", help="A strength by name; not with --bot.")
@click.option("--iterations", type=int, help="Search for this many iterations (1..1,000,000,000).")
@click.option("--time-ms", type=int, help="Search for this long (1..600,000 ms; default 1,000).")
@click.option("--seed", type=int, help="Seed of the search (0..2^64-1); drawn if not given.")
@click.option("--lang", "language", help="Language of the words: en (default) or ja.")
@as_json
def hint(file: Path | None, template: str | None, check: bool, as_json: bool, **asked: Any) -> None:
    """Recommend what to play, from an observation in FILE ("-": standard input)."""
    if template:
        _show_template(template)
    elif file is None:
        raise click.UsageError("Missing argument 'FILE' or option '--template GAME'.")
    elif check:
        _show_notes(_read(file), as_json)
    else:
        _show_answer(*_recommend(file, asked), as_json)


def _show_template(name: str) -> None:
    import json

    import engine

    show(json.dumps(engine.load(name).template(), indent=2))


def _read(file: Path) -> "View":
    from server.order import read_view
    from server.warm import ready

    observation = read_object(file)
    ready(observation.get("game"), say)
    return read_view(observation, trusted=True)


def _recommend(file: Path, asked: dict[str, Any]) -> "tuple[View, Answer]":
    from server.order import asked_seat, both, read_order

    budget = {name: asked.pop(name) for name in ("iterations", "time_ms")}
    order, view = both(lambda: read_order(asked | {"budget": budget}, trusted=True), lambda: _read(file))
    return view, order.bot.recommend(asked_seat(view), order.request)


def _show_notes(view: "View", as_json: bool) -> None:
    notes = view.notes._asdict()
    if as_json:
        show_json({"valid": True} | notes)
        return
    show("valid")
    for kind, lines in notes.items():
        for line in lines:
            show(f"{kind.removesuffix('s')}: {line}")


def _show_answer(view: "View", answer: "Answer", as_json: bool) -> None:
    from server import codec

    if as_json:
        show_json(codec.read_json(codec.write_answer(answer)))
        return
    for step in answer.plan:
        show(f"{step.move:<24} {step.words}")
    show(answer.explanation)
    _show_alternatives(answer, view.seat)
    show(f"{answer.iterations:,} iterations in {answer.elapsed_ms:,.0f} ms, seed {answer.seed}")
    for line in answer.warnings:
        say(f"warning: {line}")


def _show_alternatives(answer: "Answer", seat: int) -> None:
    """The plans considered, with what each is worth to the seat."""
    rows = []
    for other in answer.alternatives:
        chance = other.win_chance[seat]
        plan = ", ".join(step.move for step in other.plan)
        rows.append((plan, str(other.visits), f"{chance.mean:.3f} ± {chance.standard_error:.3f}"))
    if rows:
        show_table(("plan", "tried", "win chance"), rows)
