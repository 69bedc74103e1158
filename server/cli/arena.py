"""Which bot is better: contests between bots on this machine."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

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
    from bots.arena import Contest, Result
    from bots.arena.standing import Interval, Standing

EXIT_LOST, EXIT_INTERRUPTED = 1, 130
RUN = "emptychair arena run --entrant ismcts@500 --entrant greedy --deals 50 --out results.jsonl"


@click.group(epilog=example("emptychair arena show results.jsonl"))
def arena() -> None:
    """Let bots play each other. On the same deals, so that one sees which is better."""


@arena.command(epilog=example(RUN))
@click.option(
    "--game", default="arctic_scavengers", show_default=True, help="A game by name, or package.module:object."
)
@click.option("--seats", type=int, help="Seats at the table; the fewest the game allows if not given.")
@click.option("--module", "modules", multiple=True, help="A module of the game; may be repeated.")
@click.option(
    "--rule", "rules", multiple=True, callback=settings, metavar="NAME=VALUE", help="A house rule; may be repeated."
)
@click.option(
    "--entrant",
    "entrants",
    multiple=True,
    metavar="ENTRANT",
    help="bot[@iterations][:name=value,...], or @MSms for a budget in time; at least two. Where they are fewer than "
    "the seats, the last one takes those left over.",
)
@click.option("--deals", default=50, show_default=True, help="Deals for each set of entrants, played at every seat.")
@click.option("--seed", default=0, show_default=True, help="Decides the deals and every search (0..2^64-1).")
@click.option("--workers", default=0, help="Games at a time; 0 (default): one a core.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the results to this new file.")
@as_json
def run(out: Path | None, workers: int, as_json: bool, **asked: Any) -> None:
    """Play a round robin; the results are JSON lines."""
    contest, processes = _read_contest(asked, workers)
    with _written_to(out) as file:
        games = _play(contest, processes, file)
    if out:
        show_json({"file": str(out), "games": games}) if as_json else show(
            f"{games} games: emptychair arena show {out}"
        )


def _read_contest(asked: dict[str, Any], workers: int) -> "tuple[Contest, int]":
    """The contest and the number of its workers; raises `InvalidInput` with everything that is wrong."""
    import engine
    from bots.arena import contest_of
    from engine.faults import Reader
    from server.config import cores
    from server.order import both
    from server.warm import ready

    def a_number_of_workers() -> int:
        reader = Reader({"workers": workers})
        number = reader.integer("workers", 0, 0, 256)
        reader.done()
        return number or cores()

    game = engine.load(engine.admit(asked.pop("game")))

    def contest() -> "Contest":
        return contest_of(game, **asked)

    ready(game.name, say)
    return both(contest, a_number_of_workers)


@contextmanager
def _written_to(out: Path | None) -> Iterator[IO[str]]:
    """A new file, or standard output; what is written to it is there at once."""
    from engine.faults import Fault, InvalidInput

    if out is None:
        yield sys.stdout
        return
    try:
        file = out.open("x", encoding="utf-8")
    except OSError as error:
        raise InvalidInput([Fault(str(out), str(error), "the name of a new file")]) from error
    with file:
        yield file


def _play(contest: "Contest", workers: int, file: IO[str]) -> int:
    """Plays and writes, and says how much; Ctrl-C and a lost worker end the program, and what was written stays."""
    import gc

    from bots.arena.results import line_of
    from bots.arena.running import WorkerLost

    gc.freeze()  # what is loaded now stays
    gc.enable()
    played = 0
    try:
        file.write(line_of(contest) + "\n")
        for games in _told(contest, workers):
            file.write("".join(line_of(game) + "\n" for game in games))
            file.flush()
            played += len(games)
    except KeyboardInterrupt:
        _end("stopped: the games so far are kept", EXIT_INTERRUPTED)
    except WorkerLost as error:
        _end(f"{error}: the games so far are kept", EXIT_LOST)
    return played


def _end(reason: str, code: int) -> None:
    say(reason)
    click.get_current_context().exit(code)


def _told(contest: "Contest", workers: int) -> "Iterator[list[Result]]":
    """The games as they are played, with a bar on standard error where that is a terminal."""
    from contextlib import closing

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from bots.arena import run as play
    from bots.arena.pairing import games as games_of

    console = Console(stderr=True)
    columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with (
        Progress(*columns, console=console, disable=not console.is_terminal) as progress,
        closing(play(contest, workers)) as played,
    ):
        bar = progress.add_task("", total=games_of(contest))
        for games in played:
            yield games
            progress.advance(bar, len(games))


@arena.command("show", epilog=example("emptychair arena show results.jsonl --json"))
@click.argument("file", type=a_file)
@own_games
@as_json
def show_results(file: Path, as_json: bool) -> None:
    """Tell how each entrant fared in the results in FILE, and what it used."""
    _show_standings(*_read(file), as_json)


def _read(file: Path) -> "tuple[Contest, list[Result]]":
    from bots.arena import results

    return results.read(read_text(file).splitlines())


def _show_standings(contest: "Contest", results: "Sequence[Result]", as_json: bool) -> None:
    from bots.arena.standing import standings

    found = standings(contest, results)
    if as_json:
        head = {"game": contest.game, "seats": contest.seats, "deals": contest.deals, "games": len(results)}
        show_json(head | {"standings": [_plain(standing) for standing in found]})
        return
    show(f"{contest.game}, {contest.seats} seats, seed {contest.seed}: {len(results)} games")
    headings = ("entrant", "games", "share", "95 %", "rating", *(found[0].faults))
    show_table(headings, map(_row, found))
    for noun in ("actions", "cards"):
        _show_used(noun, found)


def _plain(standing: "Standing") -> dict[str, Any]:
    share = standing.share._asdict()
    return standing._asdict() | {"share": share}


def _row(standing: "Standing") -> list[str]:
    share, faults = standing.share, map(str, standing.faults.values())
    return [
        standing.entrant,
        str(standing.games),
        f"{share.mean:.3f}",
        _range(share),
        f"{standing.rating:+.0f}",
        *faults,
    ]


def _range(share: "Interval") -> str:
    return f"{share.low:.3f} to {share.high:.3f}"


def _show_used(noun: str, standings: "Iterable[Standing]") -> None:
    """A table of uses in a game: a row a word, a column an entrant."""
    columns = {standing.entrant: getattr(standing, noun) for standing in standings}
    words = sorted({word for used in columns.values() for word in used})
    rows = ([word, *(f"{used.get(word, 0):.2f}" for used in columns.values())] for word in words)
    if words:
        show_table((f"{noun} in a game", *columns), rows)


@arena.command(epilog=example("emptychair arena compare results.jsonl ismcts@500 greedy"))
@click.argument("file", type=a_file)
@click.argument("a")
@click.argument("b")
@click.option("--elo1", default=20.0, show_default=True, help="How much better A would have to be, in Elo points.")
@own_games
@as_json
def compare(file: Path, a: str, b: str, elo1: float, as_json: bool) -> None:
    """Tell whether entrant A is better than B, by the results in FILE."""
    from bots.arena.entrant import read_entrant
    from bots.arena.standing import compare as compared

    contest, results = _read(file)
    names = [read_entrant(text).text for text in (a, b)]
    found = compared(contest, results, names[0], names[1], elo1)
    if as_json:
        show_json({"a": names[0], "b": names[1], "elo1": elo1} | found._asdict() | {"share": found.share._asdict()})
        return
    show(f"{names[0]} won {found.share.mean:.3f} ({_range(found.share)}) of the points of the two,")
    show(f"in {found.games} games on {found.deals} deals; an even share is 0.5")
    show(f"better by {elo1:g} Elo points: {found.verdict} (log likelihood ratio {found.llr:+.2f})")
