"""The guided fuzzer drives every target, and what breaks one is found, kept, and breaks it again."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.seeds import ROOT
from tests.fuzz.targets import TARGETS

RUNS, SEEDS = 100, 30
PLANTED = """
import sys
from pathlib import Path
from tests.fuzz import guided
from tests.fuzz.targets import Target

def breaks(data):
    assert data.count(b"x") < 3
    return True

guided.FOUND = Path(sys.argv.pop(1))
guided.TARGETS["planted"] = Target(breaks, lambda: [b"x"], lambda data, random: data + b"x")
guided.main()
"""


def guided(
    *arguments: str | Path, code: str = "from tests.fuzz.guided import main; main()"
) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.timeout(600)
def test_every_target_is_driven_and_none_breaks() -> None:
    done = guided("--runs", str(RUNS), "--seeds", str(SEEDS), "--seed", "1")
    lines = done.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines] == list(TARGETS)
    assert [line for line in lines if "nothing found" not in line] == []
    assert min(int(line.split()[1]) for line in lines) >= RUNS
    assert done.returncode == 0, done.stderr


@pytest.mark.timeout(300)
def test_what_breaks_a_target_is_kept_and_breaks_it_again(tmp_path: Path) -> None:
    done = guided(tmp_path, "planted", "--seconds", "60", code=PLANTED)
    assert done.returncode == 1
    assert "planted" in done.stdout
    assert "broken: see" in done.stdout
    [crash] = (tmp_path / "planted").glob("crash-*")
    again = guided(tmp_path, "planted", "--again", crash, code=PLANTED)
    assert "AssertionError" in again.stderr
