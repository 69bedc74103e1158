"""docs/scaling.md says what its tool says, and the tool agrees with what was measured."""

from dataclasses import asdict
from pathlib import Path
from statistics import median

import pytest

from server.bench.scaling import inputs, tables
from server.bench.scaling.inputs import EMBEDDED, QUIET, RAY, Measured
from server.bench.scaling.measure import WORKERS, cases
from server.bench.scaling.sizes import MOST_WORKERS, SIZES, Mix, mishaps, size, strained, timed
from server.bench.scaling.validation import Compared, compared
from server.config import Settings

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / tables.DOCUMENT
POOLS = (EMBEDDED, RAY)
OFF, USUALLY_OFF = 0.2, 0.08  # of any point; of the middle one of a pool
OFF_LOCKED = 0.5  # of a point where the front and the searches of one process wait for Python's lock
MANY, SHORT_MS = 4, 100  # clients that keep them at it, with searches that are shorter than that
LEAST = 0.8  # share of the loads that must be there: others may have kept some from being measured


@pytest.fixture(scope="module")
def measured() -> Measured:
    return inputs.read(ROOT / inputs.FILE)


@pytest.fixture(scope="module")
def pairs(measured: Measured) -> list[Compared]:
    return list(compared(measured))


def allowed(pair: Compared) -> float:
    case = pair.point.case
    short = case.time_ms is None or case.time_ms < SHORT_MS
    return OFF_LOCKED if case.pool == EMBEDDED and short and case.clients >= MANY else OFF


def test_the_tables_are_those_that_the_tool_makes(measured: Measured) -> None:
    text = DOCUMENT.read_text()
    assert set(tables.TABLES) == {place[2] for place in tables.PLACE.finditer(text)}
    assert tables.filled(text, measured, Mix()) == text


def test_it_is_said_where_it_was_measured(measured: Measured) -> None:
    assert set(measured.machine) == {"processor", "cores", "python", "load_before", "others"}
    assert f"| {measured.machine['processor']} | {measured.machine['cores']} |" in DOCUMENT.read_text()


@pytest.mark.parametrize("pool", POOLS)
def test_nearly_every_load_is_there_once(measured: Measured, pool: str) -> None:
    there = [point.case for point in measured.points if point.case.pool == pool]
    loads = [case for workers in WORKERS for case in cases(pool, workers)]
    assert len(set(there) & set(loads)) >= LEAST * len(loads)
    assert len(set(there)) == len(there)
    assert {(case.workers, bool(case.iterations)) for case in there} == {(1, False), (1, True), (2, False), (2, True)}


def test_nothing_is_of_a_busy_machine(measured: Measured) -> None:
    assert float(measured.machine["others"]) <= QUIET
    assert [point for point in measured.points if point.others > QUIET] == []


def test_every_point_is_on_the_curve(pairs: list[Compared]) -> None:
    far = {
        tuple(asdict(pair.point.case).values()): (pair.throughput_error, pair.p50_error)
        for pair in pairs
        if max(abs(pair.throughput_error), abs(pair.p50_error)) > allowed(pair)
    }
    assert far == {}


@pytest.mark.parametrize("pool", POOLS)
def test_half_of_the_points_are_nearer(pairs: list[Compared], pool: str) -> None:
    ours = [pair for pair in pairs if pair.point.case.pool == pool]
    assert median(abs(pair.throughput_error) for pair in ours) <= USUALLY_OFF
    assert median(abs(pair.p50_error) for pair in ours) <= USUALLY_OFF


def test_more_games_need_more_of_everything(measured: Measured) -> None:
    sizes = [size(measured, Mix(), timed(Mix()), games) for games in SIZES]
    for kind in ("fronts", "workers", "clusters", "machines"):
        counts = [getattr(each, kind) for each in sizes]
        assert counts == sorted(counts)
    assert max(each.workers / max(each.clusters, 1) for each in sizes) <= Mix().cluster_workers


def test_a_front_has_as_many_workers_as_can_be_set() -> None:
    assert Settings(workers=Mix().most_workers).workers == MOST_WORKERS
    with pytest.raises(ValueError, match="workers"):
        Settings(workers=Mix().most_workers + 1)


def test_what_is_sized_holds_at_its_load_and_breaks_beyond(measured: Measured) -> None:
    broken = {step.load: step.breaks for step in strained(measured, Mix(), timed(Mix()))}
    assert broken[0.5] == broken[1.0] == ()
    assert "weaker" in broken[1.5]
    assert "refused" in broken[2.0]


def test_what_is_lost_is_replaced_while_one_looks(measured: Measured) -> None:
    for _, plan in mishaps(measured, Mix(), timed(Mix())):
        assert all(change.at_s + plan.replace_s < plan.settle_s + plan.seconds for change in plan.changes[:1])
        assert plan.seconds > plan.grow_s


def test_a_file_is_read_as_it_was_written(measured: Measured, tmp_path: Path) -> None:
    inputs.write(measured, tmp_path / "scaling.json")
    assert inputs.read(tmp_path / "scaling.json") == measured
