"""Compiled code: broken files of what is kept are replaced, and what nobody may write is used as it is; rules are
compiled in verbs and nowhere else.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.jit import PLAIN, Rule, _made, hot_rule, rule
from tests.nobody import AS_NOBODY, read_only

PATHS = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
POSITIONS = Path(__file__).parents[2] / "examples" / "positions" / "arctic_scavengers"


@rule
def twice(x: np.uint64) -> np.uint64:
    return x * np.uint64(2)


@hot_rule
def four_times(x: np.uint64) -> np.uint64:
    return twice(twice(x))


def compiled_rules() -> int:
    """How many versions of rules have been compiled in this process."""
    modules = [module for name, module in sys.modules.items() if name.startswith("engine")]
    rules = {id(r): r for module in modules for r in vars(module).values() if isinstance(r, Rule)}
    return sum(len(r.signatures) for r in rules.values())


def test_a_rule_called_from_python_wraps_around_and_is_not_compiled() -> None:
    assert four_times(np.uint64(2**63 + 3)) == 12
    assert PLAIN or (isinstance(twice, Rule) and twice.signatures == four_times.signatures == [])


def test_reading_and_writing_positions_compiles_nothing() -> None:
    game = engine.load("arctic_scavengers")
    assert game.verbs
    before = compiled_rules()
    for path in POSITIONS.iterdir():
        game.view_from_json(json.loads(path.read_text(encoding="utf-8"))).to_json()
    assert compiled_rules() == before


def started(cache: Path, *user: str, **switches: str) -> list[str]:
    """What a start that needs the verbs of `engine.verbs` says on standard error."""
    env = {"EMPTYCHAIR_CACHE": str(cache), "NUMBA_DISABLE_JIT": "0", "HOME": "/nonexistent", **PATHS, **switches}
    command = [*user, sys.executable, "-c", "import engine.verbs"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100, env=env)
    return done.stderr.splitlines()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cache = tmp_path_factory.mktemp("compiled")
    assert started(cache) == []
    return cache


def cut(share: float) -> Callable[[bytes], bytes]:
    """Keeps the beginning of a file."""
    return lambda content: content[: int(len(content) * share)]


def flipped(at: int, bit: int) -> Callable[[bytes], bytes]:
    """Turns one bit of a file over."""
    return lambda content: content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1 :]


@pytest.mark.parametrize(
    ("files", "damage"),
    [
        ("*.nbi", cut(0)),
        ("*.nbc", cut(0)),
        ("*.nbi", cut(0.5)),
        ("*.nbc", cut(0.5)),
        ("*.nbi", flipped(1, 7)),  # ValueError: a protocol of pickle that does not exist
        ("*.nbc", flipped(1, 7)),
    ],
    ids=["empty index", "empty code", "half an index", "half the code", "a bit of an index", "a bit of code"],
)
def test_broken_files_are_compiled_again(
    compiled: Path, tmp_path: Path, files: str, damage: Callable[[bytes], bytes]
) -> None:
    cache = tmp_path / "cache"
    shutil.copytree(compiled, cache)
    for file in cache.rglob(files):
        file.write_bytes(damage(file.read_bytes()))
    (line,) = started(cache)
    assert line.startswith(f"compiled code in {cache}")
    assert line.endswith("compiling again")
    assert started(cache) == []


def test_what_is_kept_is_used_where_nobody_may_write(compiled: Path, tmp_path: Path) -> None:
    shutil.copytree(compiled, tmp_path / "cache")
    with read_only(tmp_path):
        assert started(tmp_path / "cache", *AS_NOBODY) == []  # what it could not load it could not save


def test_where_nothing_can_be_kept_it_is_compiled_and_said(tmp_path: Path) -> None:
    with read_only(tmp_path):
        (line,) = started(tmp_path / "cache", *AS_NOBODY)
    assert line.startswith(f"compiled code cannot be kept in {tmp_path}/cache")
    assert line.endswith("permission denied")


def test_broken_files_that_nobody_may_replace_are_left(compiled: Path, tmp_path: Path) -> None:
    shutil.copytree(compiled, tmp_path / "cache")
    for file in tmp_path.rglob("*.nbc"):
        file.write_bytes(b"")
    with read_only(tmp_path):
        lines = started(tmp_path / "cache", *AS_NOBODY)
    assert lines
    assert all(line.endswith("compiling again") for line in lines)


@pytest.mark.parametrize("switch", ["NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"])
def test_another_processor_has_a_folder_of_its_own(compiled: Path, tmp_path: Path, switch: str) -> None:
    """Numba would find nothing for it there; and that it is warm would be said of code it cannot use."""
    shutil.copytree(compiled, tmp_path / "cache")
    before = {folder.name for folder in (tmp_path / "cache").iterdir()}
    assert started(tmp_path / "cache", **{switch: "generic" if switch.endswith("NAME") else ""}) == []
    after = {folder.name for folder in (tmp_path / "cache").iterdir()}
    assert len(after - before) == 1


@pytest.mark.parametrize("error", [TypeError, ImportError, AttributeError, MemoryError, UnicodeError])
def test_whatever_loading_raises_it_is_made_anew(tmp_path: Path, error: type[Exception]) -> None:
    tries = iter([error("damaged"), None])

    def compiler(function: Callable[[], int]) -> Callable[[], int]:
        if failure := next(tries):
            raise failure
        return function

    (tmp_path / "kept").mkdir()
    assert _made(compiler, compiler, lambda: 7, tmp_path / "kept")() == 7
    assert not (tmp_path / "kept").exists()


def test_a_fault_of_the_function_itself_comes_from_the_second_try(tmp_path: Path) -> None:
    faults = iter([TypeError("first"), TypeError("second")])

    def compiler(_: Callable[[], int]) -> Callable[[], int]:
        raise next(faults)

    with pytest.raises(TypeError, match="second"):
        _made(compiler, compiler, lambda: 7, tmp_path)
