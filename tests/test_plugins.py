"""Games and bots from outside: the example package, installed and by path, as somebody else would use it."""

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import engine
from engine import registry
from engine.faults import InvalidInput
from engine.registry import Registry

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "examples" / "plugins" / "boast"
COMMAND = "from server.cli import main; main()"
INSTALL = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index")
GAME, BOT = "emptychair_boast.game:GAME", "emptychair_boast.bot:Sceptic"


def run(*words: str | Path, on_path: Path, typed: str = "", fails: bool = False) -> str:
    """What Python prints, with a folder on its path before those of this process."""
    path = os.pathsep.join(map(str, (on_path, ROOT, *sys.path)))
    done = subprocess.run(
        [sys.executable, *words],
        cwd=on_path,
        env=os.environ | {"PYTHONPATH": path},
        input=typed,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert (done.returncode == 0) != fails, done.stdout + done.stderr
    return done.stderr if fails else done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the package is installed to, with what an environment adds to it."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([*INSTALL, "--target", folder, PACKAGE], check=True, timeout=110)
    return folder


def command(*words: str | Path, on_path: Path, **given: Any) -> str:
    return run("-W", "error", "-c", COMMAND, *words, on_path=on_path, **given)


def test_an_installed_package_is_known_by_its_names(installed: Path) -> None:
    listed = [game["game"] for game in json.loads(command("games", "--json", on_path=installed))["games"]]
    assert listed == sorted(["boast", *engine.GAMES.ours])
    assert "ほら吹き" in command("games", "boast", on_path=installed)
    bots = {bot["name"]: bot for bot in json.loads(command("bots", "--json", on_path=installed))["bots"]}
    assert [parameter["name"] for parameter in bots["sceptic"]["parameters"]] == ["trusts"]


def test_its_game_and_its_bot_play_together_with_ours(installed: Path, tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    file.write_text(command("hint", "--template", "boast", on_path=installed))
    command("warmup", "boast", on_path=installed)
    ours = json.loads(command("hint", file, "--iterations", "200", "--json", on_path=installed))
    assert ours["plan"][0]["move"] in ("modest", "boast")
    theirs = json.loads(command("hint", file, "--bot", "sceptic", "--json", on_path=installed))
    assert theirs["plan"][0]["move"] == "boast"
    told = command("play", "boast", "--opponent", "sceptic", "--seed", "1", on_path=installed, typed="boast\n")
    assert "seat 1: played doubt" in told


def test_nothing_need_be_installed_to_use_a_path(tmp_path: Path) -> None:
    assert "boast" not in command("games", on_path=PACKAGE).split()
    file = tmp_path / "position.json"
    file.write_text(command("hint", "--template", GAME, on_path=PACKAGE))
    hint = ("hint", file, "--bot", BOT, "--json")
    assert json.loads(command(*hint, "--game", GAME, on_path=PACKAGE))["plan"][0]["move"] == "boast"
    assert "game: found 'boast'" in command(*hint, on_path=PACKAGE, fails=True)
    assert "ほら吹き" in command("play", GAME, "--lang", "ja", "--opponent", BOT, on_path=PACKAGE)


@pytest.mark.timeout(300)
def test_the_package_passes_its_own_tests_and_the_contract_suite(installed: Path) -> None:
    folder = PACKAGE / "tests"
    told = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", ROOT / "pyproject.toml", folder, on_path=installed)
    assert " passed" in told


def offered(monkeypatch: pytest.MonkeyPatch, *points: tuple[str, str]) -> Registry:
    """A registry of games as it is where packages offer these."""
    made = [EntryPoint(name, value, "some.games") for name, value in points]
    monkeypatch.setattr(registry, "entry_points", lambda group: made if group == "some.games" else [])
    return Registry("game", {"kuhn_poker": "engine.small.kuhn_poker:GAME"}, "some.games")


def test_two_packages_may_give_one_name_to_one_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    same = offered(monkeypatch, ("chess", "a:GAME"), ("chess", "a:GAME"), ("kuhn_poker", "c:GAME"))
    assert same.paths == {"chess": "a:GAME", "kuhn_poker": "engine.small.kuhn_poker:GAME"}


def test_a_game_is_offered_under_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engine.GAMES.paths, "chess", "tests.bots.toy:GAME")
    with pytest.raises(InvalidInput, match="'chess', expected toy, the game's own name"):
        engine.load("chess")
