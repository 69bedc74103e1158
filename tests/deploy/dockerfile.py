"""A Dockerfile carried out without a container engine: its commands run here, in a folder that stands for the image."""

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "deploy" / "Dockerfile"
PLACES = ("/usr/local", "/opt/emptychair", "/packages", "/source", "/wheel")  # of the image, that commands write to
PLACE = re.compile(rf"(?<![\w.])({'|'.join(PLACES)})\b")
VARIABLE = re.compile(r"\$\{(\w+)\}")


class Instruction(NamedTuple):
    """A line of a Dockerfile."""

    word: str  # FROM, RUN, ...
    text: str

    @property
    def words(self) -> list[str]:
        """The words of the JSON form, which no shell reads."""
        found: list[str] = json.loads(self.text[self.text.index("[") :])
        return found


def instructions(text: str) -> Iterator[Instruction]:
    """The instructions of a Dockerfile in their order, its lines put together."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for line in re.sub(r"\\\n", " ", lines).splitlines():
        if line:
            yield Instruction(*line.split(maxsplit=1))


def told(word: str) -> Instruction:
    """The last instruction of this kind: the one that holds in the image."""
    return [found for found in instructions(DOCKERFILE.read_text()) if found.word == word][-1]


class Image:
    """What a Dockerfile makes, in a folder of its own; `python` is the environment that stands for the base."""

    def __init__(self, folder: Path, python: Path, arguments: Mapping[str, str]) -> None:
        self._folder = folder
        self._python = python
        self._given = arguments
        self._arguments = dict[str, str]()
        self._stages = dict[str, dict[str, str]]()  # the environment that each sets
        self._at = folder  # where commands run
        self.environment = dict[str, str]()
        self.commands = list[str]()  # that were run

    def build(self) -> None:
        """Carries out every instruction that does something."""
        for instruction in instructions(DOCKERFILE.read_text()):
            step = getattr(self, f"_{instruction.word.lower()}", None)
            if step:
                step(VARIABLE.sub(lambda name: self._arguments[name[1]], instruction.text))

    @property
    def variables(self) -> dict[str, str]:
        """What a process of the image has for its environment; the rest of it says where packages come from here."""
        path = f"{self._python}/bin:{os.environ['PATH']}"
        outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return outside | self.environment | {"PATH": path}

    def at(self, text: str) -> str:
        """A text with places of the image replaced by those that stand for them."""
        return PLACE.sub(lambda place: str(self.place(place[1])), text)

    def place(self, path: str) -> Path:
        """Where a place of the image lies here."""
        return self._python if path == "/usr/local" else self._folder / path.lstrip("/")

    def _arg(self, text: str) -> None:
        name, _, value = text.partition("=")
        self._arguments[name] = self._given.get(name, value)

    def _from(self, text: str) -> None:
        base, _, name = text.partition(" AS ")
        self.environment = dict(self._stages.get(base, {}))
        self._at = self._folder
        self._stages[name] = self.environment

    def _env(self, text: str) -> None:
        self.environment.update(self.at(word).split("=", 1) for word in shlex.split(text))

    def _workdir(self, text: str) -> None:
        self._at = self.place(text)
        self._at.mkdir(parents=True, exist_ok=True)

    def _copy(self, text: str) -> None:
        *sources, target = text.split()
        if sources[0].startswith("--from="):
            if sources[1] != target:  # else it is there already: all stages are one folder here
                shutil.copytree(self.at(sources[1]), self.at(target), dirs_exist_ok=True, symlinks=True)
            return
        for source in sources:
            _copied(ROOT / source, self._at / (Path(source).name if target == "./" else target))

    def _run(self, text: str) -> None:
        self.commands.append(text)
        done = subprocess.run(
            ["sh", "-ec", self.at(text)],
            cwd=self._at,
            env=self.variables,
            capture_output=True,
            text=True,
            timeout=900,
        )
        assert done.returncode == 0, f"{text}\n{done.stderr[-2000:]}"


def _copied(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copyfile(source, target)
