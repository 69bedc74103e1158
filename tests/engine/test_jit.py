"""Compiled code: broken files of what is kept are replaced; rules are compiled in verbs and nowhere else."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.jit import PLAIN, Rule, hot_rule, rule

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
