"""Files of cases and of games."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from server.cli.terminal import a_file, as_json, example, own_games, read_text, say, show, show_json

if TYPE_CHECKING:
    from engine.check import Outcome
    from engine.game import Played, State
    from engine.replay import Replay


@click.command(epilog=example("emptychair check tests/vectors/arctic_scavengers/*.toml"))
@click.argument("files", type=a_file, nargs=-1, required=True, metavar="FILE...")
@own_games
@as_json
@click.pass_context
def check(context: click.Context, files: tuple[Path, ...], as_json: bool) -> None:
    """Run cases against the rules. FILE... hold them; exit code 1 when one does not hold."""
    results = [(file, outcome) for file in files for outcome in _outcomes(file)]
    for file, outcome in results:
        _show_outcome(file, outcome, as_json)
    failed = sum(bool(outcome.differences) for _, outcome in results)
    if not as_json:
        show(f"{len(results)} cases, {failed} failed")
    context.exit(1 if failed else 0)


def _outcomes(file: Path) -> "list[Outcome]":
    from engine import check as checker
    from engine.faults import InvalidInput
    from server.warm import ready

    try:
        form = checker.parsed(file)
        ready(form.get("game"), say)
        return [checker.run(case) for case in checker.read(form)]
    except InvalidInput as error:
        raise InvalidInput(f._replace(path=f"{file}: {f.path}".rstrip(": ")) for f in error.faults) from error


def _show_outcome(file: Path, outcome: "Outcome", as_json: bool) -> None:
    if as_json:
        holds = not outcome.differences
        show_json({"file": str(file), "case": outcome.name, "holds": holds, "differences": outcome.differences})
        return
    if outcome.differences:
        show(f"{file}: {outcome.name}")
    for line in outcome.differences:
        show(f"    {line}")


@click.command(epilog=example("emptychair replay game.jsonl"))
@click.argument("file", type=a_file)
@own_games
@click.option("--lang", "language", default="en", help="Language of the words: en (default) or ja.")
@as_json
def replay(file: Path, language: str, as_json: bool) -> None:
    """Play the game in FILE again and tell it move by move."""
    from engine import replay as replays
    from server.order import read_language
    from server.warm import ready

    game = replays.read(read_text(file).splitlines())
    ready(game.game, say)
    for warning in game.warnings():
        say(f"warning: {warning}")
    for line in _told(game, read_language(language)):
        show_json(line) if as_json else show(_in_words(line))


def _told(game: "Replay", language: str) -> Iterator[dict[str, Any]]:
    """Each decision, then the results if the game came to its end."""
    steps = game.states()
    state, _ = next(steps)
    before = state.clone()
    for state, played in steps:
        yield from (_move(before, move, language) for move in played)
        before = state.clone()
    if state.over:
        yield {"returns": state.returns()}


def _move(before: "State", played: "Played", language: str) -> dict[str, Any]:
    """One move as told; only the first of those played together was possible in the state before."""
    words = played.text
    if not played.forced:
        move = before.game.parse(before, played.text)
        words = before.game.move_words(before.setup, before.data, move.id, language)
    return {"seat": played.seat, "move": played.text, "words": words, "forced": played.forced}


def _in_words(line: dict[str, Any]) -> str:
    if "returns" in line:
        return "results: " + ", ".join(f"seat {seat}: {value:g}" for seat, value in enumerate(line["returns"]))
    return f"seat {line['seat']}  {line['move']:<24} {line['words']}{' (forced)' if line['forced'] else ''}"
