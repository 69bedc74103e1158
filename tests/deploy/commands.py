"""Command lines of containers, read by the programs' own parsers."""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

import click
from ray.scripts.scripts import cli as ray

import engine
from bots.arena import contest_of
from server.cli import main
from server.config import Settings, read_settings
from tests.deploy.dockerfile import told

PROGRAMS: dict[str, click.Group] = {"emptychair": main, "ray": ray}
CONTEST = ("seats", "modules", "rules", "entrants", "deals", "seed")  # the options that make one
CALL = re.compile(rf"^(?:exec |until )?((?:{'|'.join(PROGRAMS)}) [^;&>\n]*?)(?: 2?>.*|; .*)?$", re.MULTILINE)


def lines(entry: Sequence[str], words: Sequence[str]) -> Iterator[list[str]]:
    """The command lines of ours and of Ray's that a container runs; those in a shell's script, too."""
    program, *rest = [*(entry or told("ENTRYPOINT").words), *words]
    if program == "bash":
        yield from map(shlex.split, CALL.findall(re.sub(r"\\\n", " ", rest[-1])))
    else:
        yield [program, *rest]


def parsed(line: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """The command of a line and the values of its options; raises `click.UsageError` for what it does not know."""
    program, *words = line
    name, command = program, PROGRAMS[program]
    while isinstance(command, click.Group):
        name, command, words = command.resolve_command(click.Context(command), words)
    return name, command.make_context(name, words).params


def settings_of(line: Sequence[str]) -> Settings | None:
    """The settings of a line that serves; raises `InvalidInput` for those out of range."""
    name, options = parsed(line)
    if line[0] != "emptychair" or name != "serve":
        return None
    known = {field.name for field in fields(Settings)}
    return read_settings(None, {name: value for name, value in options.items() if name in known and value != ()})


def faults(line: Sequence[str]) -> Iterator[str]:
    """What is wrong with a command line."""
    try:
        settings_of(line)
        name, options = parsed(line)
        if name == "run":
            contest_of(engine.load(options["game"]), **{option: options[option] for option in CONTEST})
    except (click.UsageError, ValueError) as error:
        yield f"{' '.join(line[:3])}: {error}"
