"""The examples of the README and of CONTRIBUTING run as they stand, with warnings as errors."""

import doctest
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import engine
from engine import replay

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
CLIENT = ROOT / "examples" / "clients" / "python" / "hint.py"
POSITION = ROOT / "examples" / "positions" / "arctic_scavengers" / "minimal.json"
REPLAYS = sorted((ROOT / "examples" / "replays").glob("*.jsonl"))
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md")]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS = [block for page in PAGES for block in BLOCK.findall(page.read_text())]
PROGRAMS, SESSIONS, POSITIONS = ([text for kind, text in BLOCKS if kind == k] for k in ("python", "console", "json"))
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)  # and what it prints, if that is shown
LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder of one's own in which the README's paths lead to the examples and the rules' cases."""
    for name in ("examples", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def run(*command: str | Path, cwd: Path) -> str:
    env = os.environ | {"PYTHONWARNINGS": "error", "PATH": f"{BIN}:{os.environ['PATH']}", "BIN": str(BIN)}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("program", [program for program in PROGRAMS if program != CLIENT.read_text()])
def test_a_program_runs_as_printed(program: str, desk: Path) -> None:
    assert run(sys.executable, "-c", program, cwd=desk).strip()


def test_the_client_is_the_one_among_the_examples_and_runs(desk: Path) -> None:
    assert CLIENT.read_text() in PROGRAMS
    assert run(ROOT / ".ci" / "with-server", sys.executable, CLIENT, POSITION, cwd=desk).strip()


def test_the_client_says_in_a_line_what_is_wrong(desk: Path) -> None:
    for given, told in ((), "HOST:PORT"), ((POSITION, "127.0.0.1:1"), "failed to connect"):
        done = subprocess.run([sys.executable, CLIENT, *given], cwd=desk, capture_output=True, text=True, timeout=100)
        assert done.returncode == 1
        assert told in done.stderr
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("position", POSITIONS)
def test_a_position_is_valid_as_printed(position: str) -> None:
    value = json.loads(position)
    view = engine.load(value["game"]).view_from_json(value)
    assert not view.notes.warnings


@pytest.mark.parametrize("file", REPLAYS, ids=lambda file: file.name)
def test_a_replay_plays_to_its_end(file: Path) -> None:
    *_, (state, _) = replay.read(file.read_text().splitlines()).states()
    assert state.over


@pytest.mark.timeout(240)  # many commands, and the first may compile
@pytest.mark.parametrize("session", SESSIONS)
def test_a_session_runs_as_printed(session: str, desk: Path) -> None:
    for command, shown in COMMAND.findall(session):
        printed = run("bash", "-c", command, cwd=desk)
        assert not shown or doctest.OutputChecker().check_output(shown, printed, LENIENT), printed


def test_every_link_leads_somewhere() -> None:
    links = [link for page in PAGES for link in re.findall(r"\]\(([^)]+)\)", page.read_text())]
    assert [link for link in links if not (ROOT / link).exists()] == []
