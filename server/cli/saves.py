"""The file that a game at the terminal is kept in."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.faults import Fault, InvalidInput


class Saves:
    """Where a game is kept: in a new file, or in one that it was read from or wrote itself; no other is replaced."""

    def __init__(self, save: Path | None = None, resume: Path | None = None) -> None:
        self.file = save or resume
        self._option = "save" if save else "resume"
        self._own = {_target(resume)} if resume else set[Path]()

    def check(self) -> None:
        """Raises `InvalidInput` where the game cannot be kept because of what is there."""
        if self.file is not None:
            with self._telling(self.file):
                self._check(self.file)

    def _check(self, file: Path) -> None:
        if str(file) == "-":
            raise self._fault("-", "the name of a file")
        if file.exists() and not file.is_file():
            raise self._fault(f"{file}, which is no regular file", "a new file")
        if file.exists() and _target(file) not in self._own:
            raise self._fault(f"{file}, which exists", "a new file, or this game's own")

    def keep(self, text: str) -> None:
        """Writes the game to its file, if there is one, whole or not at all."""
        if self.file is None:
            return
        with self._telling(self.file):
            self._check(self.file)
            target = _target(self.file)
            _write(target, text)
            self._own.add(target)

    def move(self, file: Path, text: str) -> None:
        """Writes the game to another file, and keeps it there from now on; if that fails, where it was."""
        former = self.file, self._option
        self.file, self._option = file, "save"
        try:
            self.keep(text)
        except InvalidInput:
            self.file, self._option = former
            raise

    @contextmanager
    def _telling(self, file: Path) -> Iterator[None]:
        """Says what the system has against a file."""
        try:
            yield
        except InvalidInput:
            raise
        except (OSError, ValueError) as error:  # such as a name with a zero in it
            reason = (getattr(error, "strerror", None) or str(error)).lower()
            raise self._fault(str(file), f"a file that can be written ({reason})") from error

    def _fault(self, found: str, expected: str) -> InvalidInput:
        return InvalidInput([Fault(self._option, found, expected)])


def _target(file: Path) -> Path:
    """The file itself, where this is a link to it."""
    return Path(os.path.realpath(file))


def _write(target: Path, text: str) -> None:
    """Puts a text in the place of a file in one go; a new one is claimed first, so that none is overlooked."""
    is_new = not target.exists()
    if is_new:
        target.touch(exist_ok=False)
    try:
        with TemporaryDirectory(dir=target.parent, prefix=".saving-") as folder:
            unfinished = Path(folder, "game")
            unfinished.write_text(text, encoding="utf-8")
            shutil.copymode(target, unfinished)
            unfinished.replace(target)
    except BaseException:
        if is_new:
            target.unlink(missing_ok=True)
        raise
