"""Packages that are installed only where they are asked for."""

from collections.abc import Iterator
from contextlib import contextmanager

from engine.faults import Fault, InvalidInput


@contextmanager
def extra(name: str, asked: str) -> Iterator[None]:
    """What is imported in here belongs to an extra; raises `InvalidInput` where it is missing.

    The fault bears the name of what was asked for.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        command = f".venv/bin/pip install -e '.[{name}]'"
        expected = f"the extra {name}: {command} in the project's folder"
        raise InvalidInput([Fault(asked, f"no {str(error.name).partition('.')[0]}", expected)]) from error
