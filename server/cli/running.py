"""What runs for longer: the service, compiling, the figures."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from server.cli.terminal import as_json, example, say, show, show_json, show_table

if TYPE_CHECKING:
    from server.config import Settings
    from server.front import Front


@click.command(epilog=example("emptychair serve --listen 127.0.0.1:50051 --reflection"))
@click.option("--config", type=click.Path(path_type=Path), help="TOML file of settings; options below win.")
@click.option("--listen", multiple=True, help="host:port, port 0 for a free one; may be given more than once.")
@click.option("--insecure", is_flag=True, default=None, help="Allow addresses that other machines can reach.")
@click.option("--reflection", is_flag=True, default=None, help="Describe the services to any caller.")
@click.option("--game", "games", multiple=True, help="Make only this game ready; may be repeated.")
@click.option("--ray", metavar="ADDRESS", help="Search on a Ray cluster: local, auto or host:port.")
@click.option("--workers", type=int, help="Searches at a time; 0 (default): one a core, with --ray one a CPU of it.")
@click.option("--max-workers", type=int, help="With --ray, while requests wait; 0 (default): no more than --workers.")
@click.option("--worker-idle-s", type=int, help="With --ray, until workers beyond --workers are let go (300 s).")
@click.option("--queue", type=int, help="Requests that may wait; more are refused (default 32).")
@click.option("--max-message-kib", type=int, help="Largest request (1..4,096 KiB; default 256).")
@click.option("--deadline-margin-ms", type=int, help="Kept between a search's end and the deadline (default 20 ms).")
@click.option("--max-connection-age-s", type=int, help="Until clients are told to connect anew; 0 (default): never.")
@click.option("--remembered-replies", type=int, help="Replies kept for retries with the same request id (default 256).")
@click.option("--seal-key-file", metavar="FILE", help="Keys of sealed games; if not given, EMPTYCHAIR_SEAL_KEYS.")
@click.option("--drain-notice-ms", type=int, help='From "not serving" to closed listeners (default 200 ms).')
@click.option("--drain-grace-ms", type=int, help="For running searches when the server stops (default 10,000 ms).")
@as_json
def serve(config: Path | None, as_json: bool, **given: Any) -> None:
    """Serve advice over gRPC until told to stop."""
    from server.config import read_settings

    _serve(read_settings(config, {name: value for name, value in given.items() if value != ()}), as_json)


def _serve(settings: "Settings", as_json: bool) -> None:
    import asyncio
    import gc
    import logging
    import signal

    from server import front, warm
    from server.workers import workers_for

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    signal.signal(signal.SIGTERM, _end)
    games = _admitted(settings.games)

    def make_ready() -> None:
        warm.warm(games, say)
        gc.freeze()  # what is loaded now stays: going through it again and again would hold answers up
        gc.enable()

    def started(running: "Front") -> None:
        if as_json:
            show_json({"listening": running.addresses})
        say("serving on " + ", ".join(running.addresses))

    with workers_for(settings, games, make_ready) as workers, asyncio.Runner(loop_factory=_loop_factory()) as runner:
        served = runner.run(front.serve(settings, workers, started))
    if not served:
        say("stopped: there were no workers any more")
        raise SystemExit(1)
    say("stopped")


def _end(number: int, frame: object) -> None:
    """Ends the process before it serves: the first of a container is never ended by a signal it does not handle.

    At once, as an exception could be lost in a callback of the compiler.
    """
    os._exit(128 + number)


def _admitted(games: Sequence[str]) -> list[str]:
    """The names of the games to make ready, all if none is given; raises `InvalidInput` for those nobody knows."""
    import engine
    from engine.faults import Fault, InvalidInput

    names, faults = list[str](), list[Fault]()
    for i, game in enumerate(games):
        try:
            names.append(engine.admit(game))
        except InvalidInput as error:
            faults += (fault._replace(path=f"games[{i}]") for fault in error.faults)
    if faults:
        raise InvalidInput(faults)
    return names or [game.name for game in engine.available()]


def _loop_factory() -> Any:
    """uvloop's where it is installed: it answers somewhat faster."""
    try:
        import uvloop  # an extra
    except ImportError:
        return None
    return uvloop.new_event_loop


@click.command(epilog=example("emptychair warmup arctic_scavengers"))
@click.argument("games", nargs=-1, metavar="[GAME...]")
@as_json
def warmup(games: tuple[str, ...], as_json: bool) -> None:
    """Compile the rules before they are needed. Those of GAME..., or of all games if none is named."""
    import time

    import engine
    from server.warm import warm

    for name in games or [game.name for game in engine.available()]:
        begun = time.monotonic()
        warm([name], say)
        seconds = round(time.monotonic() - begun, 3)
        show_json({"game": name, "seconds": seconds}) if as_json else show(f"{name}: ready after {seconds:.1f} s")


@click.command(epilog=example("emptychair bench --json --only kuhn_vs_openspiel"))
@click.option("--only", multiple=True, metavar="NAME", help="This figure and those beside it; may be repeated.")
@click.option("--quick", is_flag=True, help="See that it runs: the numbers mean little.")
@as_json
def bench(only: tuple[str, ...], quick: bool, as_json: bool) -> None:
    """Measure the figures that are promised. Each is told beside its peer and its goal."""
    from server.bench import run

    figures = run(only, quick)
    if as_json:
        for figure in figures:
            show_json(figure)
        return
    headings = ("figure", "value", "unit", "peer", "ratio", "goal", "holds")
    show_table(headings, ([_cell(figure.get(name)) for name in headings] for figure in figures))


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "NO"
        case float():
            return f"{value:,.4g}"
    return str(value)
