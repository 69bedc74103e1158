"""The games behave as their kept fingerprints say; a commit that changes one says so (`make fingerprint`)."""

from pathlib import Path

import pytest

import engine
from server.bench import behaviour, run
from server.bench.behaviour import GAMES, KEPT, every_size, fingerprint, kept

FEW = 4


@pytest.mark.parametrize("name", engine.GAMES.ours)
def test_the_game_behaves_as_it_is_written_down(name: str) -> None:
    assert fingerprint(every_size(engine.load(name))) == kept()[name]


def test_every_game_has_a_fingerprint_and_no_other() -> None:
    assert kept().keys() == engine.GAMES.ours.keys()


def test_another_rule_is_another_fingerprint() -> None:
    game = engine.load("arctic_scavengers")
    usual, changed = game.setup(3), game.setup(3, (), {"spare_tools": True})
    assert fingerprint([usual], FEW) == fingerprint([usual], FEW) != fingerprint([changed], FEW)


def test_bench_tells_whether_it_is_the_kept_one(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = {name: f"{name}-{GAMES}" for name in engine.GAMES.ours}
    monkeypatch.setattr(behaviour, "fingerprint", lambda setups: f"{setups[0].game.name}-{GAMES}")
    monkeypatch.setattr(behaviour, "kept", lambda: shown | {"kuhn_poker": "another"})
    rows = {row["figure"]: row for row in run(["fingerprint_kuhn_poker"])}
    assert {name: row["holds"] for name, row in rows.items()} == {
        "fingerprint_arctic_scavengers": True,
        "fingerprint_kuhn_poker": False,
        "fingerprint_leduc_poker": True,
    }
    told = rows["fingerprint_kuhn_poker"]
    assert (told["value"], told["goal"], told["samples"]) == ("kuhn_poker-200", "another", GAMES)


def test_the_file_is_written_as_it_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    known, anew = kept(), tmp_path / "fingerprints.json"
    monkeypatch.setattr(behaviour, "fingerprint", lambda setups: known[setups[0].game.name])
    monkeypatch.setattr(behaviour, "KEPT", anew)
    behaviour.write()
    assert anew.read_text() == KEPT.read_text()
