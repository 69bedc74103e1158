"""The examples of the README and of CONTRIBUTING run as they stand, with warnings as errors."""

import doctest
import json
import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import engine
from engine import replay
from engine.verbs import Verbs
from server.config import Settings

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
    (desk / "words.json").write_text("a position")
    cases: list[tuple[tuple[str | Path, ...], str]] = [
        ((), "HOST:PORT"),
        ((POSITION, "127.0.0.1:1"), "failed to connect"),
        (("none.json", "127.0.0.1:1"), "none.json: "),
        (("words.json", "127.0.0.1:1"), "words.json: "),
    ]
    for given, told in cases:
        done = subprocess.run([sys.executable, CLIENT, *given], cwd=desk, capture_output=True, text=True, timeout=100)
        assert done.returncode == 1
        assert told in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_the_client_tells_of_misspelled_fields_and_unknown_games(desk: Path) -> None:
    position = json.loads(POSITION.read_text())
    code = f"""
import json, subprocess, sys
for i, position in enumerate({[position | {"ledgr": 6}, position | {"game": "chess"}, position | {"seat": 7}]!r}):
    open(f"{{i}}.json", "w").write(json.dumps(position))
    done = subprocess.run([sys.executable, {str(CLIENT)!r}, f"{{i}}.json", sys.argv[1]], capture_output=True, text=True)
    print(done.returncode, (done.stdout + done.stderr).splitlines()[-1])
"""
    told = run(ROOT / ".ci" / "with-server", sys.executable, "-c", code, cwd=desk).splitlines()
    assert told[0] == "0 ledgr: not used; did you mean ledger?"
    assert told[1].startswith("1 game: found 'chess', expected one of arctic_scavengers, ")
    assert told[2].startswith("1 seat: found 7, expected a whole number from 0 to ")


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


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_every_link_leads_somewhere() -> None:
    pages = [*PAGES, *(ROOT / "docs").glob("*.md")]
    found = [(page, *link) for page in pages for link in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", page.read_text())]
    links = [link for link in found if not link[1].startswith("https://")]
    wrong = [link for link in links if not (link[0].parent / link[1]).exists()]
    wrong += [link for link in links if link[2] and link[2] not in anchors(link[0].parent / link[1])]
    assert wrong == []
    assert all(anchor for page, target, anchor in links if page in PAGES and "section" in target)


def rows(page: str, *headings: str) -> list[list[str]]:
    """The cells of the table with these headings."""
    table = (ROOT / page).read_text().partition(f"| {' | '.join(headings)} |\n")[2].partition("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[1:]]


def test_every_setting_is_in_the_table_with_its_default() -> None:
    table = rows("README.md", "setting", "default", "meaning")
    told = [(name.strip("`"), default.strip("`")) for name, default, _ in table]
    assert told == [(f.name, json.dumps(f.default)) for f in fields(Settings)]


def test_figures_that_miss_their_goal_are_said_to_miss_it() -> None:
    for figure, _, goal, measured in rows("README.md", "figure", "meaning", "goal", "measured"):
        wanted, found = (float(cell.split()[0].rstrip(",")) for cell in (goal, measured))
        missed = found < wanted if "times" in goal else found > wanted
        assert measured.endswith(", missed") == missed, figure


def test_the_steps_to_a_new_game_name_every_verb() -> None:
    steps = (ROOT / "CONTRIBUTING.md").read_text().partition("## Add a game")[2].partition("\n## ")[0]
    named = {word for group in re.findall(r"`([a-z_,\s]+)`", steps) for word in re.split(r",\s+", group)}
    assert set(Verbs._fields) <= named
