"""The image: its locks, its commands carried out without a container engine, its server as nobody on a disk that is
read-only. `EMPTYCHAIR_SOAK=1` installs what the locks list; else the packages are those of this environment.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

import engine
from engine import jit
from server.warm import warm
from tests.deploy.dockerfile import DOCKERFILE, ROOT, Image, instructions, told
from tests.deploy.environment import is_read
from tests.nobody import AS_NOBODY, read_only
from tests.test_repository import PIN, pins

SOAK = os.environ.get("EMPTYCHAIR_SOAK") == "1"
KINDS = ("front", "ray")
LOCKS = [f"deploy/{name}.lock" for name in ("build", *KINDS)]
PORT = told("EXPOSE").text
POSITION = ROOT / "examples" / "positions" / "arctic_scavengers" / "minimal.json"
CLIENT = ROOT / "examples" / "clients" / "python" / "hint.py"


class Running(NamedTuple):
    """A server that was started as the image starts it."""

    address: str
    process: subprocess.Popen[str]
    variables: Mapping[str, str]

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """A command in the same environment, as the same user."""
        words = [*AS_NOBODY, *map(str, command)]
        return subprocess.run(words, capture_output=True, text=True, timeout=100, env=self.variables, check=False)

    def is_healthy(self) -> bool:
        """What the image's own health check says."""
        words = [word.replace(f"127.0.0.1:{PORT}", self.address) for word in told("HEALTHCHECK").words]
        return self.run(*words).returncode == 0


@contextmanager
def started(variables: Mapping[str, str]) -> Iterator[Running]:
    """The entry command as nobody, without a home, on a free port."""
    words = [*told("ENTRYPOINT").words, *told("CMD").words, "--json", "--drain-notice-ms=0"]
    words = [word.replace(f"0.0.0.0:{PORT}", "127.0.0.1:0") for word in words]
    variables = {**variables, "HOME": "/nonexistent"}
    process = subprocess.Popen(
        [*AS_NOBODY, *words], env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/"
    )
    assert process.stdout
    assert process.stderr
    try:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        (address,) = json.loads(line)["listening"]
        yield Running(address, process, variables)
    finally:
        process.kill()
        process.communicate()


def serves(running: Running) -> None:
    """Asks for a hint and for its health, then ends it as `docker stop` does."""
    assert running.is_healthy()
    hint = running.run("python", CLIENT, POSITION, running.address)
    assert hint.returncode == 0, hint.stderr
    assert "simulated games" in hint.stdout
    running.process.send_signal(signal.SIGTERM)
    _, said = running.process.communicate(timeout=30)
    assert running.process.returncode == 0
    assert "compil" not in said
    assert not running.is_healthy()


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_of_the_image_holds_pins_of_the_tests_and_nothing_else(lock: str) -> None:
    assert PIN.sub("", (ROOT / lock).read_text()).strip() == ""
    tested = pins("tests/requirements.lock")
    assert {name: tested.get(name, version) for name, version in pins(lock).items()} == pins(lock)


def test_what_the_package_needs_is_in_every_image() -> None:
    default, build = pins("requirements.lock"), pins("deploy/build.lock")
    needed = {name for name in default if name not in build or name in pins("deploy/front.lock")}
    assert needed <= set(pins("deploy/front.lock")) <= set(pins("deploy/ray.lock"))
    assert "ray" in pins("deploy/ray.lock")
    assert "ray" not in pins("deploy/front.lock")


def test_the_image_runs_as_a_user_without_a_name() -> None:
    words = [instruction.word for instruction in instructions(DOCKERFILE.read_text())]
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", told("USER").text)
    assert "USER" in words[words.index("HEALTHCHECK") - 2 :]


def test_every_variable_of_the_image_is_one_that_somebody_reads() -> None:
    texts = [instruction.text for instruction in instructions(DOCKERFILE.read_text()) if instruction.word == "ENV"]
    assert [word for text in texts for word in shlex.split(text) if not is_read(word.partition("=")[0])] == []


def test_what_is_copied_is_sent_to_the_engine() -> None:
    sent = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text().splitlines()
    for instruction in instructions(DOCKERFILE.read_text()):
        if instruction.word == "COPY" and not instruction.text.startswith("--from"):
            for source in instruction.text.split()[:-1]:
                assert f"!{source}" in sent or source.endswith(".lock"), source


def test_the_server_starts_as_nobody_where_nothing_can_be_written(tmp_path: Path) -> None:
    warm([game.name for game in engine.available()], lambda _: None)
    shutil.copytree(jit.cache_root(), tmp_path / "cache")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    variables = {**os.environ, "PATH": path, "EMPTYCHAIR_CACHE": str(tmp_path / "cache")}
    with read_only(tmp_path), started(variables) as running:
        serves(running)


def _mib(folder: Path) -> float:
    """What a folder weighs."""
    return sum(path.lstat().st_size for path in folder.rglob("*")) / 2**20


if SOAK:

    @pytest.mark.timeout(1800)
    @pytest.mark.parametrize(("kind", "cpu"), [("front", "host"), ("ray", "generic")])
    def test_the_image_is_built_and_serves(kind: str, cpu: str, tmp_path: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", tmp_path / "python"], check=True, timeout=100)
        image = Image(tmp_path / "image", tmp_path / "python", {"KIND": kind, "CPU": cpu})
        image.build()
        assert len(image.commands) == sum(i.word == "RUN" for i in instructions(DOCKERFILE.read_text()))
        assert image.environment.get("NUMBA_CPU_NAME") == {"host": None, "generic": "generic"}[cpu]
        with read_only(tmp_path), started(image.variables) as running:
            serves(running)
            sizes = {name: _mib(image.place(name)) for name in ("/packages", "/opt/emptychair")}
        assert sizes["/packages"] < {"front": 400, "ray": 800}[kind], sizes
        assert sizes["/opt/emptychair"] < 30
