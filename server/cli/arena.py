"""Which bot is better: contests between bots, on this machine or on a cluster."""

import shlex
import signal
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

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
    from bots.arena.reading import Run
    from bots.arena.standing import Comparison, Interval, Standing

MAX_PROCESSES, MAX_CPUS = 256, 10_000  # that may be asked for, here and on a cluster
EXIT_LOST, EXIT_SIGNALLED = 1, 128  # plus the number of the signal
RUN = "emptychair arena run --entrant ismcts@500 --entrant greedy --deals 50 --out results.jsonl"


class Stopped(KeyboardInterrupt):
    """A signal asks the process to end; its number is the argument."""


class Played(NamedTuple):
    """How far a run went."""

    games: int
    stopped: str = ""  # why it ended early, if it did
    code: int = 0  # of the process


@click.group(epilog=example("emptychair arena show results.jsonl"))
def arena() -> None:
    """Let bots play each other. On the same deals, so that one sees which is better."""


@arena.command(epilog=example(RUN))
@click.option(
    "--game",
    default="arctic_scavengers",
    show_default=True,
    help="The game to play: a name, or package.module:object, which is imported.",
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
    help="bot[@iterations][:name=value,...], or @MSms for a budget in time, or a level; at least two. Where they are "
    "fewer than the seats, the last one takes those left over.",
)
@click.option("--deals", default=50, show_default=True, help="Deals for each set of entrants, played at every seat.")
@click.option("--seed", default=0, show_default=True, help="Decides the deals and every search (0..2^64-1).")
@click.option(
    "--workers",
    default=0,
    help="Processes that play, a game at a time each; 0 (default): one a core. With --ray: the most CPUs of the "
    "cluster that play at a time; 0 (default): all.",
)
@click.option(
    "--ray",
    metavar="ADDRESS",
    help="Play on a Ray cluster: local starts one that ends with the run, auto joins the one that runs on this "
    "machine, host:port the one there, of which this machine must be a node.",
)
@click.option("--out", type=a_file, help="Write the results to this new file; - (default): to standard output.")
@as_json
def run(out: Path | None, workers: int, ray: str | None, as_json: bool, **asked: Any) -> None:
    """Play a round robin; the results are JSON lines."""
    out = None if str(out) == "-" else out
    own = ["--game", asked["game"]] if ":" in asked["game"] else []
    contest, number = _read_contest(asked, workers, ray)
    with _written_to(out) as file:
        played = _play(contest, number, ray, file)
    if played.stopped:
        _end(played)
    if out:
        shown = shlex.join(["emptychair", "arena", "show", str(out), *own])
        show_json({"file": str(out), "games": played.games}) if as_json else show(f"{played.games} games: {shown}")


def _read_contest(asked: dict[str, Any], workers: int, ray: str | None) -> "tuple[Contest, int]":
    """The contest and the number of its workers; raises `InvalidInput` with everything that is wrong."""
    import engine
    from bots.arena import contest_of
    from engine.faults import Reader
    from server.order import both
    from server.warm import ready

    def a_number_of_workers() -> int:
        reader = Reader({"workers": workers})
        number = reader.integer("workers", 0, 0, MAX_PROCESSES if ray is None else MAX_CPUS)
        reader.done()
        return number

    game = engine.load(engine.admit(asked.pop("game")))

    def contest() -> "Contest":
        return contest_of(game, **asked)

    ready(game.name, say)
    return both(contest, a_number_of_workers)


@contextmanager
def _written_to(out: Path | None) -> Iterator[IO[str]]:
    """A new file, or standard output; no file without a game is left, so that the same command may follow."""
    from engine.faults import Fault, InvalidInput

    if out is None:
        yield sys.stdout
        return
    try:
        file = out.open("x", encoding="utf-8")
    except OSError as error:
        raise InvalidInput([Fault("out", repr(str(out)), _expected_of(out, error))]) from error
    try:
        with file:
            yield file
    finally:
        if _is_gameless(out):
            out.unlink()


def _expected_of(out: Path, error: OSError) -> str:
    """What the name of a file for results ought to be, where it cannot be made."""
    match error:
        case FileExistsError():
            return "the name of a new file" + ("; this one holds no game: delete it first" if _is_gameless(out) else "")
        case FileNotFoundError() | NotADirectoryError():
            return "a file in a folder that exists"
    return f"a file that can be written ({(error.strerror or str(error)).lower()})"


def _is_gameless(out: Path) -> bool:
    """True for a file with a header at most, as a run leaves that was ended at once."""
    if not out.is_file():
        return False
    with out.open("rb") as file:
        return len(list(islice(file, 2))) < 2


def _play(contest: "Contest", workers: int, ray: str | None, file: IO[str]) -> Played:
    """Plays and writes, each line to be read at once; a signal or a lost worker ends it, and what is written stays."""
    import gc

    from bots.arena.results import line_of
    from bots.arena.running import WorkerLost

    gc.freeze()  # what is loaded now stays
    gc.enable()
    played = 0
    try:
        with _stoppable(), _joined(ray, workers), closing(_told(contest, workers, ray)) as told:
            print(line_of(contest), file=file, flush=True)
            for games in told:
                print("\n".join(map(line_of, games)), file=file, flush=True)
                played += len(games)
    except Stopped as signalled:
        return Played(played, "stopped", EXIT_SIGNALLED + signalled.args[0])
    except WorkerLost as error:
        return Played(played, str(error), EXIT_LOST)
    except BrokenPipeError:
        say("stopped: nobody reads the results any more")
        raise
    return Played(played)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Turns SIGINT and SIGTERM into `Stopped`; the second ends the process at once, and what is ignored stays so."""
    former = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def stop(number: int, frame: object) -> None:
        for each in former:
            signal.signal(each, signal.SIG_DFL)
        raise Stopped(number)

    for number, handler in former.items():
        if handler != signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _end(played: Played) -> None:
    """Ends the program early."""
    say(f"{played.stopped}: " + ("the games so far are kept" if played.games else "no game was played"))
    click.get_current_context().exit(played.code)


def _joined(ray: str | None, workers: int) -> AbstractContextManager[None]:
    """The cluster at an address, if any."""
    from bots.cluster import connected

    return connected(ray, workers) if ray is not None else nullcontext()


def _told(contest: "Contest", workers: int, ray: str | None) -> "Generator[list[Result], None, None]":
    """The games as they are played, with a bar on standard error where that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from bots.arena import run as play
    from bots.arena import spread
    from bots.arena.pairing import games as games_of
    from server.config import cores

    console = Console(stderr=True)
    columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with (
        Progress(*columns, console=console, disable=not console.is_terminal) as progress,
        closing(play(contest, workers or cores()) if ray is None else spread(contest, ray, workers)) as played,
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
    _show_standings(_read(file), as_json)


def _read(file: Path) -> "Run":
    from bots.arena import reading

    run = reading.read(read_text(file))
    for warning in run.warnings:
        say(f"warning: {warning}")
    return run


def _show_standings(run: "Run", as_json: bool) -> None:
    from bots.arena import pairing
    from bots.arena.standing import even_share, standings

    contest, results = run.contest, run.results
    found, even, planned = standings(contest, results), even_share(contest, results), pairing.games(contest)
    if as_json:
        counts = {"deals": len({result.deal for result in results}), "games": len(results)}
        head = {"game": contest.game, "seats": contest.seats, "even_share": even} | counts
        head["planned"] = {"deals": contest.deals, "games": planned}
        show_json(head | {"standings": [_plain(standing) for standing in found]})
        return
    show(f"{contest.game}, {contest.seats} seats, seed {contest.seed}: {len(results)} of {planned} games")
    show(f"an even share is {even:.3f}")
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
    from bots.arena.standing import compare as compared
    from server.order import both

    run = _read(file)
    names = both(lambda: _entrant("a", a), lambda: _entrant("b", b))
    found = compared(run.contest, run.results, *names, elo1)
    if as_json:
        show_json({"a": names[0], "b": names[1], "elo1": elo1} | found._asdict() | {"share": found.share._asdict()})
    else:
        _show_comparison(names, found, elo1)


def _entrant(path: str, text: str) -> str:
    """The name of an entrant in results."""
    from bots.arena.entrant import read_entrant
    from engine.faults import InvalidInput

    try:
        return read_entrant(text).text
    except InvalidInput as error:
        raise InvalidInput(fault._replace(path=f"{path}.{fault.path}".rstrip(".")) for fault in error.faults) from error


def _show_comparison(names: Sequence[str], found: "Comparison", elo1: float) -> None:
    (a, b), share = names, found.share
    played = f"{found.games} games on {found.deals} deals"
    show(f"{a} won {share.mean:.3f} ({_range(share)}) of the points of the two, in {played}")
    show(f"an even share is 0.500: {_lead(a, b, share)}")
    verdict = {"accepted": "is better", "rejected": "is not better", "open": "may or may not be better"}[found.verdict]
    ratio = f"log likelihood ratio {found.llr:+.2f}, open from {-found.bound:.2f} to {found.bound:+.2f}"
    show(f"{found.verdict}: {a} {verdict} by {elo1:g} Elo points ({ratio});")
    show("this test is for small differences: where the share lies far from even, go by its interval")


def _lead(a: str, b: str, share: "Interval") -> str:
    """Which of two is better, as far as the interval tells."""
    if share.low > 0.5:
        return f"{a} is better"
    return f"{b} is better" if share.high < 0.5 else "either may be better"
