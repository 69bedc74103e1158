"""docs/scaling.md says what its tool says, and the tool agrees with what was measured."""

from pathlib import Path
from statistics import median

import pytest

from server.bench.scaling import inputs, tables
from server.bench.scaling.inputs import Measured
from server.bench.scaling.sizes import SIZES, Mix, broken, size, steps, timed
from server.bench.scaling.validation import Compared, compared

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / tables.DOCUMENT
OFF, USUALLY_OFF = 0.25, 0.1  # of any point, of the middle one


@pytest.fixture(scope="module")
def measured() -> Measured:
    return inputs.read(ROOT / inputs.FILE)


@pytest.fixture(scope="module")
def pairs(measured: Measured) -> list[Compared]:
    return list(compared(measured))


def test_the_tables_are_those_that_the_tool_makes(measured: Measured) -> None:
    text = DOCUMENT.read_text()
    assert set(tables.TABLES) == {place[2] for place in tables.PLACE.finditer(text)}
    assert tables.filled(text, measured, Mix()) == text


def test_the_simulation_is_near_what_was_measured(pairs: list[Compared]) -> None:
    """What others took of the machine meanwhile can only have slowed the real service down."""
    for pair in pairs:
        told, made, left = pair.point.outcome, pair.simulated, max(0.0, 1 - 2 * pair.point.others)
        assert made.throughput * (1 - OFF) * left <= told.throughput <= made.throughput * (1 + OFF), pair
        assert made.p50_ms * (1 - OFF) <= told.p50_ms, pair
        assert told.p50_ms * left <= made.p50_ms * (1 + OFF), pair


def test_most_of_the_simulation_is_nearer(pairs: list[Compared]) -> None:
    assert median(max(0.0, abs(pair.throughput_error) - 2 * pair.point.others) for pair in pairs) <= USUALLY_OFF
    assert median(max(0.0, abs(pair.p50_error) - 2 * pair.point.others) for pair in pairs) <= USUALLY_OFF


def test_one_and_two_workers_are_measured_by_rising_load(pairs: list[Compared]) -> None:
    cases = {(p.point.case.workers, p.point.case.clients) for p in pairs}
    assert cases >= {(workers, clients) for workers in (1, 2) for clients in (1, 2, 4, 8, 16)}


def test_more_games_need_more_of_everything(measured: Measured) -> None:
    sizes = [size(measured, Mix(), timed(Mix()), games) for games in SIZES]
    for kind in ("fronts", "workers", "clusters", "machines"):
        counts = [getattr(each, kind) for each in sizes]
        assert counts == sorted(counts)
    assert max(each.workers / max(each.clusters, 1) for each in sizes) <= Mix().cluster_workers


def test_what_is_sized_holds_at_its_load_and_breaks_beyond(measured: Measured) -> None:
    step = broken(steps(measured, Mix(), timed(Mix())))
    assert step is not None
    assert step.load > 1.0


def test_a_file_is_read_as_it_was_written(measured: Measured, tmp_path: Path) -> None:
    inputs.write(measured, tmp_path / "scaling.json")
    assert inputs.read(tmp_path / "scaling.json") == measured
