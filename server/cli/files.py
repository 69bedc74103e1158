"""Files of cases and of games."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from server.cli.terminal import a_file, as_json, example, own_games, read_text, say, show, show_json
from server.cli.wording import FORCED, RESULTS, SEAT

if TYPE_CHECKING:
    from engine.check import Outcome
    from engine.game import Played, State
    from engine.replay import Replay
    from server.cli.watching import Watch


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
    language = read_language(language)
    for line in _told(game, language):
        show_json(line) if as_json else show(_in_words(line, language))


def _told(game: "Replay", language: str) -> Iterator[dict[str, Any]]:
    """Each decision, what its seat saw come of it by chance or fight, and the results if the game came to its end."""
    from server.cli.watching import Watch

    steps = game.states()
    state, _ = next(steps)
    state = state.clone()
    watches = [Watch(state, seat, language, is_onlooker=True) for seat in range(state.setup.seats)]
    for _, played in steps:
        for move in played:
            yield _step(state, move, watches, language)
            yield from ({"told": text} for text in _come_of_it(watches, move.seat))
    if state.over:
        yield {"returns": state.returns()}


def _step(state: "State", played: "Played", watches: "Sequence[Watch]", language: str) -> dict[str, Any]:
    """Plays one move before the eyes of all seats; the move as told."""
    game, setup = state.game, state.setup
    move = game.parse(state, played.text).id
    words = game.move_words(setup, state.data, move, language)
    fields = game.move_fields(setup, state.data, move)
    state.step(move)
    for watch in watches:
        watch.see(state, played.seat, move, fields)
    return {"seat": played.seat, "move": played.text, "words": words, "forced": played.forced}


def _come_of_it(watches: "Sequence[Watch]", mover: int) -> Iterator[str]:
    """What each seat drew, and what the mover saw of skirmish and round."""
    for watch in sorted(watches, key=lambda watch: watch.seat != mover):
        abouts = ("draw", "hand", "skirmish", "round") if watch.seat == mover else ("draw", "hand")
        yield from (line.text for line in watch.lines() if line.about in abouts)


def _in_words(line: dict[str, Any], language: str) -> str:
    from engine.game import LANGUAGES

    if "told" in line:
        return f"    {line['told']}"
    seated = SEAT[LANGUAGES.index(language)].format
    if "returns" in line:
        results = ", ".join(f"{seated(seat)}: {value:g}" for seat, value in enumerate(line["returns"]))
        return f"{RESULTS[language]}: {results}"
    return f"{seated(line['seat'])}  {line['move']:<24} {line['words']}{FORCED[language] if line['forced'] else ''}"
