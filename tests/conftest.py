"""What every test shares."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

import engine
from bots.cluster import connected

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # started in the background: processes that tests start hear it
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("project", deadline=None, print_blob=True)  # a first call may compile
settings.load_profile("project")


@pytest.fixture(autouse=True)
def paths(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The registered games, after a test what they were before it: commands run in this process may admit some."""
    registered = dict(engine.GAMES.paths)
    monkeypatch.setitem(engine.GAMES.__dict__, "paths", registered)
    return registered


@pytest.fixture(scope="session")
def ray_cluster() -> Iterator[str]:
    """The address of a Ray that this process is part of: one start for all tests, with room for what they leave."""
    with connected("local", 6):
        import ray

        yield ray.get_runtime_context().gcs_address
