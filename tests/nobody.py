"""Processes of a user who owns nothing, whoever runs the tests."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534
READ_ALL = "+dac_read_search"  # root's interpreter may lie where others cannot read; there is no writing with it

AS_NOBODY: tuple[str, ...] = ()  # put before a command
if os.geteuid() == 0:
    AS_NOBODY = (
        *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"),
        *(f"--inh-caps={READ_ALL}", f"--ambient-caps={READ_ALL}"),
    )


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Closes a folder and all in it against writing; what was found there must be there at the end, and no more."""
    found = sorted(folder.rglob("*"))
    _close(folder, found)
    try:
        yield
        assert sorted(folder.rglob("*")) == found
    finally:
        for path in (folder, *found):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode | 0o200)


def _close(folder: Path, found: list[Path]) -> None:
    for path in (*found, folder):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & 0o111 | 0o444)
