"""Compiled code that is kept: broken files are replaced, not suffered."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def started(cache: Path) -> list[str]:
    """What a start that needs the verbs of `engine.verbs` says on standard error."""
    env = {"EMPTYCHAIR_CACHE": str(cache), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-c", "import engine.verbs"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100, env=env)
    return done.stderr.splitlines()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cache = tmp_path_factory.mktemp("compiled")
    assert started(cache) == []
    return cache


@pytest.mark.parametrize(
    ("files", "kept"),
    [("*.nbi", 0), ("*.nbc", 0), ("*.nbi", 0.5), ("*.nbc", 0.5)],
    ids=["empty index", "empty code", "half an index", "half the code"],
)
def test_broken_files_are_compiled_again(compiled: Path, tmp_path: Path, files: str, kept: float) -> None:
    cache = tmp_path / "cache"
    shutil.copytree(compiled, cache)
    for file in cache.rglob(files):
        content = file.read_bytes()
        file.write_bytes(content[: int(len(content) * kept)])
    (line,) = started(cache)
    assert line.startswith(f"compiled code in {cache}")
    assert line.endswith("compiling again")
    assert started(cache) == []
