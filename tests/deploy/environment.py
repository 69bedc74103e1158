"""Which variables of the environment somebody reads."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tests.deploy.dockerfile import ROOT

READERS = {"EMPTYCHAIR": ("engine", "bots", "server"), "NUMBA": ("numba.core",), "RAY": ("ray._private", "ray._common")}
OTHERS = ("HOME", "LOGNAME", "PYTHONUNBUFFERED")  # the system's and Python's own
BUILDING = "PIP_"  # read while the image is built


@cache
def _text(package: str) -> str:
    """All of a package's sources."""
    spec = find_spec(package)
    places = spec.submodule_search_locations if spec and spec.submodule_search_locations else [str(ROOT / package)]
    return "\n".join(path.read_text(errors="replace") for place in places for path in Path(place).rglob("*.py"))


def is_read(name: str) -> bool:
    """True for a variable that our code, Ray, Numba or the system knows by this name."""
    if name in OTHERS or name.startswith(BUILDING):
        return True
    reader, _, rest = name.partition("_")
    return any(f'"{name}"' in _text(package) for package in READERS.get(reader, ())) and bool(rest)
