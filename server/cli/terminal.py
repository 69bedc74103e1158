"""What commands share: reading files, telling faults, printing tables or JSON."""

import gc
import io
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
EXIT_UNPRINTED = 1
EXIT_INVALID = 2
PIPE_WIDTH = 200  # columns of a table where there is no terminal

AS_JSON = "emptychair.as_json"  # in the meta of the context: what is wrong is told as JSON, too


def _note(context: click.Context, option: click.Parameter, asked: bool) -> bool:
    context.meta[AS_JSON] = asked
    return asked


as_json = click.option("--json", "as_json", is_flag=True, callback=_note, help="Print JSON for programs.")
a_file = click.Path(path_type=Path, allow_dash=True)


def _admit(context: click.Context, option: click.Parameter, paths: Sequence[str]) -> None:
    """Imports the games that the person at the terminal names by path."""
    if paths:
        import engine

        for path in paths:
            engine.admit(path)


own_games = click.option(
    "--game",
    multiple=True,
    expose_value=False,
    callback=_admit,
    metavar="PATH",
    help="Chooses no game: lets files name the one at package.module:object, which is imported; may be repeated.",
)


def _tell_version(context: click.Context, option: click.Parameter, asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        from engine.game import ENGINE_VERSION

        show(f"emptychair {version('emptychair')}, engine {ENGINE_VERSION}")
        context.exit()


VERSION = click.Option(
    ["--version"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_tell_version,
    help="Tell the versions of the package and of the engine.",
)


def settings(context: click.Context, option: click.Parameter, texts: Sequence[str]) -> dict[str, Any]:
    """Values by name, each given as NAME=VALUE: a number, true or false, or else a word."""
    values = dict[str, Any]()
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise click.BadParameter(f"{text!r} is not of the form NAME=VALUE.", context, option)
        try:
            values[name] = json.loads(value)
        except (ValueError, RecursionError):
            values[name] = value
    return values


class Commands(click.Group):
    """The commands; what is wrong with an input is told as the service tells it, with exit code 2."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")  # rather than end at a character it has no code for
        try:
            return super().main(*args, **kwargs)
        except OSError as error:  # printing failed; at the closed end of a pipe click stops without a word
            _give_up(error)

    def invoke(self, context: click.Context) -> Any:
        try:
            with _uncollected():
                return super().invoke(context)
        except ValueError as error:
            _tell(error, context.meta.get(AS_JSON, False))
            context.exit(EXIT_INVALID)

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted(self.commands)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without garbage collection: it would take an eighth of a short command's time and find next to nothing."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _give_up(error: OSError) -> None:
    """Says why it cannot go on; what is left to be written is not tried again when the process ends."""
    with suppress(OSError):
        say(f"cannot go on: {(error.strerror or str(error)).lower()}")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with suppress(OSError):
            os.dup2(nowhere, stream.fileno())
    sys.exit(EXIT_UNPRINTED)


def example(line: str) -> str:
    """The end of a command's help."""
    return f"\b\nExample:\n  {line}"


def say(text: str) -> None:
    """Tells the person at the terminal, apart from results."""
    click.echo(harmless(text), err=True)


def show(text: str) -> None:
    """Prints a result."""
    click.echo(harmless(text))


def harmless(text: str) -> str:
    """The text with what would command a terminal, and may come out of a file, written out."""
    return CONTROLS.sub(lambda found: repr(found.group())[1:-1], text)


def show_json(value: object) -> None:
    """Prints a result for programs: one value a line, its fields in order, so that equal results are equal texts."""
    show(json.dumps(value, sort_keys=True))


def show_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Prints rows under headings; plain columns where there is no terminal."""
    from rich.console import Console
    from rich.table import Table

    table = Table(*headings, box=None, header_style="bold", pad_edge=False)
    for row in rows:
        table.add_row(*map(harmless, row))
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = PIPE_WIDTH
    with console.capture() as printed:
        console.print(table)
    click.echo(printed.get(), nl=False)


def read_text(path: Path) -> str:
    """What is in a file, or on standard input for "-"; raises `InvalidInput` where that is no text."""
    from engine.faults import InvalidInput
    from engine.plain import read_file

    if str(path) == "-":
        return sys.stdin.buffer.read().decode(errors="backslashreplace")
    try:
        return read_file(path)
    except InvalidInput as error:
        raise InvalidInput(fault._replace(path=str(path)) for fault in error.faults) from error


def _tell(error: ValueError, as_json: bool) -> None:
    """Tells what is wrong, a fault a line, and for programs as JSON besides; raises every other error again."""
    from bots.advice import BotFailed
    from engine.faults import Fault, InvalidInput, NotNow

    match error:
        case InvalidInput():
            faults, lines = error.faults, [str(fault) for fault in error.faults]
        case NotNow():
            faults, lines = (Fault("", str(error), ""),), [str(error)]
        case BotFailed():
            faults, lines = (error.fault,), [str(error.fault), *filter(None, [error.cause])]
        case _:
            raise error
    if as_json:
        show_json({"valid": False, "faults": [fault._asdict() for fault in faults]})
    for line in lines:
        say(line)
