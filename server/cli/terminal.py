"""What commands share: reading files, telling faults, printing tables or JSON."""

import gc
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

EXIT_INVALID = 2

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
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
    help="Let files name the game at package.module:object, which is imported; may be repeated.",
)


class Commands(click.Group):
    """The commands; what is wrong with an input is told as the service tells it, with exit code 2."""

    def invoke(self, context: click.Context) -> Any:
        try:
            with _uncollected():
                return super().invoke(context)
        except ValueError as error:
            for line in _lines(error):
                say(line)
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


def example(line: str) -> str:
    """The end of a command's help."""
    return f"\b\nExample:\n  {line}"


def say(text: str) -> None:
    """Tells the person at the terminal, apart from results."""
    click.echo(_printable(text), err=True)


def show(text: str) -> None:
    """Prints a result."""
    click.echo(_printable(text))


def show_json(value: object) -> None:
    """Prints a result for programs: one value a line."""
    click.echo(json.dumps(value))


def show_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Prints rows under headings; plain columns where there is no terminal."""
    from rich.console import Console
    from rich.table import Table

    table = Table(*headings, box=None, header_style="bold", pad_edge=False)
    for row in rows:
        table.add_row(*map(_printable, row))
    Console(width=None if sys.stdout.isatty() else 200, highlight=False, markup=False).print(table)


def read_text(path: Path, expected: str) -> str:
    """What is in a file, or on standard input for "-"; raises `InvalidInput` where that is no text."""
    from engine.faults import Fault, InvalidInput

    try:
        return sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InvalidInput([Fault(str(path), str(error), expected)]) from error


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file, or on standard input for "-"; raises `InvalidInput` for anything else."""
    from engine.faults import Fault, InvalidInput, shown
    from engine.plain import from_json

    value = from_json(read_text(path, "a JSON file"))
    if not isinstance(value, dict):
        raise InvalidInput([Fault("", shown(value), "an object")])
    return value


def _lines(error: ValueError) -> list[str]:
    """The faults of an invalid input, one a line; raises every other error again."""
    from engine.faults import InvalidInput, NotNow

    if isinstance(error, InvalidInput):
        return [str(fault) for fault in error.faults]
    if isinstance(error, NotNow):
        return [str(error)]
    raise error


def _printable(text: str) -> str:
    """Without the halves of characters that JSON may hold and no terminal takes."""
    return text.encode("utf-8", "backslashreplace").decode()
