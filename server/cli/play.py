"""A game at the terminal: people against bots, in plain text."""

import io
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from server.cli.terminal import example, own_games, read_text, say, settings, show

if TYPE_CHECKING:
    from bots import Budget
    from engine.faults import InvalidInput
    from engine.game import Game, Setup
    from engine.replay import Replay
    from server.cli.chairs import Chairs
    from server.cli.table import Table

EXIT_MISPLAYED, EXIT_INTERRUPTED = 1, 130
OPPONENT_HELP = (
    "A level, or a bot as in `arena run --entrant`: ismcts@2000:c=0.5, package.module:Class; repeated: one for each "
    "free seat."
)


class Begun(NamedTuple):
    """A game to be played, from its first deal or from where it was left."""

    setup: "Setup"
    seed: int
    chairs: "Chairs"
    kept: "Replay | None" = None


@click.command(epilog=example("emptychair play kuhn_poker --opponent casual --save game.jsonl"))
@click.argument("name", metavar="[GAME]", required=False)
@own_games
@click.option("--seats", type=int, help="Number of seats; the least the game allows if not given.")
@click.option("--seat", "people", type=int, multiple=True, help="A person's seat (default 0); may be repeated.")
@click.option("--opponent", "opponents", multiple=True, help=OPPONENT_HELP)
@click.option("--module", "modules", multiple=True, help="A module to play with; may be repeated.")
@click.option(
    "--rule", "rules", multiple=True, metavar="SWITCH=VALUE", callback=settings, help="A house rule; may be repeated."
)
@click.option("--seed", type=int, help="Seed of the deal and of the bots (0..2^64-1); drawn if not given.")
@click.option("--hint-ms", type=int, default=1000, help="How long a hint may think (1..600,000 ms; default 1,000).")
@click.option("--lang", "language", default="en", help="Language of the words: en (default) or ja.")
@click.option("--save", type=click.Path(path_type=Path), help="Keep the game in this new file, after every move.")
@click.option(
    "--resume", type=click.Path(path_type=Path), help="Go on with a game that was kept; GAME may be left out."
)
def play(name: str | None, save: Path | None, resume: Path | None, language: str, hint_ms: int, **asked: Any) -> None:
    """Play GAME against bots, or with several people at one terminal."""
    from server.cli.saves import Saves
    from server.cli.table import Table
    from server.order import both, read_language

    def begin() -> Begun:
        return _resumed(resume, name, asked) if resume else _new(name or "", asked)

    if not (resume or name):
        raise click.UsageError("Missing argument 'GAME' or option '--resume FILE'.")
    saves = Saves(save, resume)
    (language, hint), (_, begun) = both(
        lambda: both(lambda: read_language(language), lambda: _hint(hint_ms)), lambda: both(saves.check, begin)
    )
    table = Table(begun.setup, begun.seed, begun.chairs, language)
    if begun.kept:
        table.catch_up(begun.kept)
    table.saves = saves
    _run(table, hint)


def _run(table: "Table", hint: "Budget") -> None:
    """Plays to the end, or until the person leaves; what was played is kept either way."""
    from server.cli.chairs import Misplayed
    from server.cli.screen import Left, Screen

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")  # rather than end at bytes that are no text
    screen, code = Screen(table, hint), 0
    try:
        table.keep()
        screen.open()
        while not table.state.over:
            screen.ask() if table.state.to_move in table.watches else table.answer()
            table.keep()
        screen.end()
        return
    except Left:
        show("")
    except KeyboardInterrupt:
        show("")
        code = EXIT_INTERRUPTED
    except Misplayed as error:
        say(str(error))
        code = EXIT_MISPLAYED
    screen.left()
    click.get_current_context().exit(code)


def _hint(time_ms: int) -> "Budget":
    from bots import Budget
    from engine.faults import InvalidInput

    try:
        return Budget(time_ms=time_ms)
    except InvalidInput as error:
        raise InvalidInput(fault._replace(path="hint_ms") for fault in error.faults) from error


def _fault(path: str, found: str, expected: str) -> "InvalidInput":
    from engine.faults import Fault, InvalidInput

    return InvalidInput([Fault(path, found, expected)])


def _new(name: str, asked: Mapping[str, Any]) -> Begun:
    """A game about to begin; raises `InvalidInput` with everything that is wrong about it."""
    import engine
    from server.cli.chairs import OPPONENT, read_opponents, read_people, seated
    from server.order import both
    from server.warm import ready

    name = engine.admit(name)
    ready(name, say)
    game = engine.load(name)
    seats = asked["seats"] or game.min_seats
    most = seats if game.min_seats <= seats <= game.max_seats else game.max_seats
    free = len(set(range(most)).difference(asked["people"] or (0,)))
    (setup, seed), (people, opponents) = both(
        lambda: both(lambda: _setup(game, asked), lambda: _seed(asked["seed"])),
        lambda: both(
            lambda: read_people(asked["people"] or (0,), most),
            lambda: read_opponents(asked["opponents"] or [OPPONENT] * min(free, 1)),
        ),
    )
    return Begun(setup, seed, seated(people, opponents, setup.seats))


def _setup(game: "Game", asked: Mapping[str, Any]) -> "Setup":
    from engine.game import checked_seats
    from server.order import both

    seats, _ = both(
        lambda: checked_seats(game, asked["seats"]),
        lambda: game.setup(None, asked["modules"], asked["rules"]),
    )
    return game.setup(seats, asked["modules"], asked["rules"])


def _seed(given: int | None) -> int:
    """The seed asked for, or one that is drawn."""
    import secrets

    from engine.faults import Reader
    from engine.game import MAX_SEED

    reader = Reader({"seed": given})
    seed = reader.integer("seed", secrets.randbits(64), 0, MAX_SEED)
    reader.done()
    return seed


def _resumed(file: Path, name: str | None, asked: Mapping[str, Any]) -> Begun:
    """The game in a file, with those who play it; the moves are looked at when it is caught up with."""
    from engine import replay
    from server.cli.chairs import read_opponents, read_people, seated
    from server.cli.table import read_header
    from server.warm import ready

    if any(asked[option] for option in ("people", "modules", "rules")) or (asked["seats"], asked["seed"]) != (
        None,
        None,
    ):
        raise _fault("resume", "options of a new game beside it", "at most --opponent, --lang, --hint-ms and --save")
    lines = read_text(file).splitlines()
    kept = replay.read(lines)
    if name not in (None, kept.game):
        raise _fault("game", kept.game, f"{name}, as it was asked for")
    ready(kept.game, say)
    setup = kept.setup()
    if kept.rules_hash != setup.rules_hash:
        raise _fault("rules_hash", *_other_rules(kept.rules_hash, setup.rules_hash))
    people, opponents = read_header(lines)
    typed = asked["opponents"]
    path = "opponent" if typed else "opponents"
    bots = read_opponents(typed or opponents, path, typed=bool(typed))
    return Begun(setup, kept.seed, seated(read_people(people, setup.seats, "people"), bots, setup.seats, path), kept)


def _other_rules(kept: str, here: str) -> tuple[str, str]:
    """What was found in place of the hash of the rules played here, and what was expected."""
    if not kept:
        return "nothing", f"{here}: only a game that says under which rules it was begun can be gone on with"
    return kept, f"{here}, the rules played here: this game was begun under others"
