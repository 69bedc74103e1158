"""Every case of the check files in tests/vectors/arctic_scavengers."""

from pathlib import Path

import pytest

from engine import check

FOLDER = Path(__file__).parents[1] / "vectors" / "arctic_scavengers"
CASES = {
    f"{path.stem}: {case.name}": case
    for path in sorted(FOLDER.glob("*.toml"))
    for case in check.read(check.parsed(path))
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    assert not check.run(CASES[name]).differences


def test_no_two_cases_have_one_name() -> None:
    names = [case.name for path in sorted(FOLDER.glob("*.toml")) for case in check.read(check.parsed(path))]
    assert len(names) == len(set(names))
