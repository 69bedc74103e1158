"""The README's examples run as they stand, with warnings as errors."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
CLIENT = ROOT / "examples" / "clients" / "python" / "hint.py"
README = (ROOT / "README.md").read_text()
PROGRAMS = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
SESSIONS = re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)  # and what it prints, if that is shown
LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder of one's own in which the README's paths lead to the examples."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return tmp_path


def run(*command: str | Path, cwd: Path) -> str:
    env = os.environ | {"PYTHONWARNINGS": "error", "PATH": f"{BIN}:{os.environ['PATH']}", "BIN": str(BIN)}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("program", [program for program in PROGRAMS if program != CLIENT.read_text()])
def test_a_program_runs_as_printed(program: str, desk: Path) -> None:
    assert run(sys.executable, "-c", program, cwd=desk).strip()


def test_the_client_is_the_one_among_the_examples_and_runs(desk: Path) -> None:
    assert CLIENT.read_text() in PROGRAMS
    assert run(ROOT / ".ci" / "with-server", sys.executable, CLIENT, cwd=desk).strip()


@pytest.mark.parametrize("session", SESSIONS)
def test_a_session_runs_as_printed(session: str, desk: Path) -> None:
    for command, shown in COMMAND.findall(session):
        printed = run("bash", "-c", command, cwd=desk)
        assert not shown or doctest.OutputChecker().check_output(shown, printed, LENIENT), printed


def test_every_link_leads_somewhere() -> None:
    pages = [ROOT / name for name in ("README.md", "CONTRIBUTING.md")]
    links = [link for page in pages for link in re.findall(r"\]\(([^)]+)\)", page.read_text())]
    assert [link for link in links if not (ROOT / link).exists()] == []
