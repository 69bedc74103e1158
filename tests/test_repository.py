"""The repository keeps its own rules: locks, layers, sizes, reading orders, a wheel that works."""

import ast
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LAYERS = ("engine", "bots", "server")  # lowest first
FOLDERS = (*LAYERS, "tests", "examples")
SOURCES = sorted(
    path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*.py") if "_pb2" not in path.name
)
PACKAGES = sorted(path.parent for path in SOURCES if path.name == "__init__.py" and path.parts[0] in LAYERS)
LOCKS = ("requirements.lock", "tests/requirements.lock")
PIN = re.compile(r"([a-z0-9-]+)==([\w.]+)( ; [^\\]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+")


def tree(source: Path) -> ast.Module:
    return ast.parse((ROOT / source).read_text())


def pins(lock: str) -> dict[str, str]:
    return {name: version for name, version, *_ in PIN.findall((ROOT / lock).read_text())}


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Standard output of a command that must succeed."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_pins_with_hashes_and_nothing_else(lock: str) -> None:
    assert PIN.sub("", (ROOT / lock).read_text()).strip() == ""


def test_the_default_lock_agrees_with_that_of_the_tests() -> None:
    assert pins(LOCKS[0]).items() <= pins(LOCKS[1]).items()


def test_the_locks_meet_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = chain.from_iterable(project["optional-dependencies"].values())
    for lock, requirements in zip(LOCKS, (project["dependencies"], extras), strict=True):
        for requirement in map(Requirement, requirements):
            name = canonicalize_name(requirement.name)
            assert name == "emptychair" or requirement.specifier.contains(pins(lock)[name]), requirement


@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_a_file_stays_within_the_house_style(source: Path) -> None:
    assert len((ROOT / source).read_text().splitlines()) <= 500
    long = [
        f"{node.name} (line {node.lineno})"
        for node in ast.walk(tree(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno - node.lineno >= 50
    ]
    assert long == []


@pytest.mark.parametrize("source", [p for p in SOURCES if p.parts[0] in LAYERS], ids=str)
def test_a_layer_imports_nothing_above_it(source: Path) -> None:
    above = LAYERS[LAYERS.index(source.parts[0]) + 1 :]
    imported = set()
    for node in ast.walk(tree(source)):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").split(".")[0])
    assert imported.isdisjoint(above)


@pytest.mark.parametrize("package", PACKAGES, ids=str)
def test_a_package_docstring_names_its_files(package: Path) -> None:
    docs = [ast.get_docstring(tree(p / "__init__.py")) or "" for p in (package, package.parent) if p in PACKAGES]
    files = {source.stem for source in SOURCES if source.parent == package} - {"__init__", "__main__"}
    folders = {inner.name for inner in PACKAGES if inner.parent == package}
    assert {name for name in files | folders if not re.search(rf"\b{name}\b", "\n".join(docs))} == set()


@pytest.mark.parametrize("package", PACKAGES, ids=str)
def test_a_package_lists_what_it_imports_first(package: Path) -> None:
    listed = (ast.get_docstring(tree(package / "__init__.py")) or "").partition("Reading order")[2]
    heads = [re.split(r"\s{2,}|/", line.strip())[0] for line in listed.splitlines()]
    rank = {name: i for i, head in enumerate(heads) for name in re.findall(r"\w+", head)}
    name = ".".join(package.parts)
    late = [
        f"{source.stem} imports {other}"
        for source in SOURCES
        if source.parent == package and source.stem in rank
        for node in tree(source).body
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{name}.")
        for other in [
            alias.name if node.module == name else (node.module or "")[len(name) + 1 :].split(".")[0]
            for alias in node.names
        ]
        if rank.get(other, -1) > rank[source.stem]
    ]
    assert late == []


def test_print_is_for_the_command_line() -> None:
    printing = [
        str(source)
        for source in SOURCES
        if not source.is_relative_to("server/cli") and source.parts[0] != "examples"
        for node in ast.walk(tree(source))
        if isinstance(node, ast.Name) and node.id == "print"
    ]
    assert printing == []


def without_ray(*words: str) -> "subprocess.CompletedProcess[str]":
    """The command line where Ray is not installed."""
    code = f"import sys; sys.modules['ray'] = None; from server.cli import main; main({list(words)})"
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)


def test_ray_is_not_needed_by_default() -> None:
    position = "examples/positions/arctic_scavengers/minimal.json"
    assert without_ray("hint", position, "--iterations", "50").returncode == 0
    measured = without_ray("bench", "--json", "--quick", "--only", "recommend_over_budget_ms_p50")  # of a server
    assert measured.returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ("serve", "--ray", "local", "--game", "kuhn_poker"),
        ("arena", "run", "--ray", "local", "--game", "kuhn_poker", "--entrant", "random", "--entrant", "greedy"),
        ("bench", "--quick", "--only", "ray_vs_embedded"),
        ("bench", "--quick", "--only", "ray_kill_answers"),
        ("bench", "--quick", "--only", "ray_node_loss"),
    ],
)
def test_what_needs_ray_says_how_to_get_it(words: tuple[str, ...]) -> None:
    refused = without_ray(*words)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "expected the extra ray" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    return next(folder.glob("emptychair-*.whl"))


def test_the_wheel_holds_the_four_packages_alone(wheel: Path) -> None:
    top = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {name for name in top if not name.endswith(".dist-info")} == {*LAYERS, "emptychair"}


def test_the_wheel_works_outside_the_tree(wheel: Path, tmp_path: Path) -> None:
    """The dependencies are lent by this environment through a path file, so that nothing is fetched."""
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel)
    site = next((tmp_path / "venv" / "lib").glob("python*/site-packages"))
    lent = {path for path in sys.path if path.endswith("site-packages")}
    (site / "lent.pth").write_text("\n".join(sorted(lent)))
    code = "import engine, bots, server, emptychair; print(engine.__file__, emptychair.__file__)"
    assert run(python, "-c", code, cwd=tmp_path).count(str(site)) == 2
    assert "arctic_scavengers" in run(tmp_path / "venv" / "bin" / "emptychair", "games", cwd=tmp_path)
