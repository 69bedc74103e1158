"""Sealed games: what opens them, what does not, what they tell; positions taken from them."""

import random
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import grpc
import pytest
from emptychair.v1 import game_pb2, opponent_pb2

import engine
from engine.faults import InvalidInput, NotNow
from engine.game import State
from server import codec, seal
from server.config import Settings, read_settings
from server.seal import HEADER, KEYS_VARIABLE, NAME, STEP, SealedGame, Sealer, read_sealer
from tests.server.asking import refused
from tests.server.conftest import Client, Running

OLD, NEW = "0a1b2c3d" * 8, "f1e2d3c4" * 8
KUHN = engine.load("kuhn_poker")
NAMES = engine.names()
REGIONS = {
    "format": [0],
    "name of the key": range(1, 1 + NAME),
    "nonce": range(1 + NAME, HEADER),
    "what is encrypted": range(HEADER, HEADER + STEP, 7),
    "tag": range(HEADER + STEP, HEADER + STEP + 16),
}


def sealer(*keys: str) -> Sealer:
    return Sealer(map(bytes.fromhex, keys))


def a_game(name: str = "kuhn_poker", seed: int = 3) -> SealedGame:
    return SealedGame.new(engine.load(name).setup(), seed)


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    return tmp_path / "keys"


def paths(error: pytest.ExceptionInfo[InvalidInput]) -> list[str]:
    return [fault.path for fault in error.value.faults]


@pytest.mark.parametrize("name", NAMES)
def test_another_process_with_the_key_opens_what_was_sealed(name: str) -> None:
    game = a_game(name)
    opened = sealer(OLD).open(sealer(OLD).seal(game))
    assert opened.state.tobytes() == game.state.tobytes()
    assert opened.state.setup.rules_hash == game.state.setup.rules_hash
    assert [opened.token(seat) for seat in range(2)] == [game.token(seat) for seat in range(2)]
    opened.state.play(opened.state.moves()[0])  # it is a copy that can be played on


def test_options_and_seats_are_kept() -> None:
    game = engine.load("arctic_scavengers")
    setup = game.setup(4, rules={name: values[-1] for name, values in game.switches.items()})
    opened = sealer(OLD).open(sealer(OLD).seal(SealedGame.new(setup, 1)))
    assert opened.state.setup.options == setup.options
    assert opened.state.setup.seats == 4


@pytest.mark.parametrize("region", REGIONS)
def test_a_change_anywhere_is_noticed(region: str) -> None:
    sealed = sealer(OLD).seal(a_game())
    assert len(sealed) == HEADER + STEP + 16
    for at in REGIONS[region]:
        changed = sealed[:at] + bytes([sealed[at] ^ 1 << at % 8]) + sealed[at + 1 :]
        with pytest.raises(InvalidInput) as error:
            sealer(OLD).open(changed)
        assert paths(error) == ["sealed"]


@pytest.mark.parametrize("length", [0, 1, NAME, HEADER, HEADER + 15, HEADER + 16, HEADER + 17, HEADER + STEP + 15])
def test_what_is_cut_short_or_too_long_is_noticed(length: int) -> None:
    sealed = sealer(OLD).seal(a_game())
    for changed in (sealed[:length], sealed + sealed[:length] + b"x"):
        with pytest.raises(InvalidInput) as error:
            sealer(OLD).open(changed)
        assert paths(error) == ["sealed"]


def test_parts_of_two_games_do_not_fit_together() -> None:
    one, other = (sealer(OLD).seal(a_game(seed=seed)) for seed in (1, 2))
    with pytest.raises(InvalidInput):
        sealer(OLD).open(one[:HEADER] + other[HEADER:])


def test_of_two_keys_the_first_seals_and_both_open_until_one_is_taken_away() -> None:
    game = a_game()
    before = sealer(OLD).seal(game)
    rotated = sealer(NEW, OLD)
    after = rotated.seal(rotated.open(before))
    assert sealer(NEW).open(after).state.tobytes() == game.state.tobytes()
    for keys, sealed in ((NEW, before), (OLD, after)):
        with pytest.raises(InvalidInput, match=r"sealed with key [0-9a-f]{16}, expected one of") as error:
            sealer(keys).open(sealed)
        assert paths(error) == ["sealed"]


def test_the_bytes_tell_nothing() -> None:
    game = a_game("arctic_scavengers", seed=0x5EED5EED5EED5EED)
    one, other = (sealer(OLD).seal(game) for _ in range(2))
    words = [card["id"] for card in engine.load("arctic_scavengers").cards()]  # type: ignore[attr-defined]
    words += [*game.state.setup.options, game.state.game.name, game.state.setup.rules_hash]
    for sealed in (one, other):
        assert not [word for word in words if word.encode() in sealed]
        assert game.secret not in sealed
        assert int(game.state.data[0].rng).to_bytes(8, "little") not in sealed
    equal = sum(a == b for a, b in zip(one[HEADER:], other[HEADER:], strict=True))
    assert equal < len(one) / 32  # an eighth of what two texts under one key stream would share


def test_the_length_does_not_tell_the_cards() -> None:
    lengths = {len(sealer(OLD).seal(a_game("arctic_scavengers", seed))) for seed in range(50)}
    assert len(lengths) == 1


def test_two_games_of_one_seed_have_different_tokens() -> None:
    one, other = a_game(seed=5), a_game(seed=5)
    assert one.state.tobytes() == other.state.tobytes()
    assert len({game.token(seat) for game in (one, other) for seat in range(2)}) == 4


def other_rules(state: State) -> State:
    """The same position under rules that differ."""
    rules = state.setup.rules.copy()
    rules[0].seats += 1
    return State(replace(state.setup, rules=rules), state.data)


def longer(state: State) -> State:
    return State(state.setup, state.data.repeat(2))


@pytest.mark.parametrize(("change", "told"), [(other_rules, "rules_hash"), (longer, "a record of 28 bytes")])
def test_a_game_of_other_rules_is_refused_with_the_reason(change: Callable[[State], State], told: str) -> None:
    game = a_game()
    with pytest.raises(NotNow, match=told):
        sealer(OLD).open(sealer(OLD).seal(game._replace(state=change(game.state))))


@pytest.mark.parametrize(
    ("attribute", "value", "told"),
    [("name", "no_such_game", "no_such_game"), ("min_seats", 3, "whole number from 3")],
)
def test_a_game_that_is_no_more_is_refused_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, attribute: str, value: object, told: str
) -> None:
    game = a_game()
    with monkeypatch.context() as before:
        if attribute == "name":
            before.setattr(type(KUHN), attribute, value)
        sealed = sealer(OLD).seal(game)
    if attribute != "name":
        monkeypatch.setattr(type(KUHN), attribute, value)
    with pytest.raises(NotNow, match=told):
        sealer(OLD).open(sealed)


def test_a_game_of_another_version_is_refused_with_both(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        before.setattr(seal, "ENGINE_VERSION", "0.0.9")
        sealed = sealer(OLD).seal(a_game())
    with pytest.raises(NotNow, match=r"engine_version 0\.0\.9, here 0\.1\.0"):
        sealer(OLD).open(sealed)


def test_keys_come_from_the_file_before_the_environment(key_file: Path) -> None:
    key_file.write_text(f"{NEW}\n{OLD.upper()}\n\n")
    settings = read_settings(None, {"seal_key_file": str(key_file)})
    assert read_sealer(settings, {KEYS_VARIABLE: OLD}).key_names == sealer(NEW, OLD).key_names
    assert read_sealer(Settings(), {KEYS_VARIABLE: f" {OLD}\n{NEW}"}).key_names == sealer(OLD, NEW).key_names


def test_without_keys_one_is_drawn_and_the_log_says_so(caplog: pytest.LogCaptureFixture) -> None:
    one, other = (read_sealer(Settings(), {KEYS_VARIABLE: text}) for text in ("", " \n"))
    assert one.key_names != other.key_names
    assert caplog.text.count(f"neither seal_key_file nor {KEYS_VARIABLE} is set") == 2


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (f"{NEW}\n{OLD[1:]}", "[1]"),
        (OLD + "0", "[0]"),
        ("z" + OLD[1:], "[0]"),
        (f"key={OLD}", "[0]"),
        ("٣" * 64, "[0]"),
        (OLD[:32] + " " + OLD[32:], "[0]"),
    ],
    ids=["short", "long", "no digit", "assignment", "other digits", "in two"],
)
def test_a_bad_key_is_named_by_its_place_and_not_told(key_file: Path, text: str, path: str) -> None:
    key_file.write_text(text, encoding="utf-8")
    for settings, environment, name in (
        (Settings(seal_key_file=str(key_file)), {}, "seal_key_file"),
        (Settings(), {KEYS_VARIABLE: text}, KEYS_VARIABLE),
    ):
        with pytest.raises(InvalidInput) as error:
            read_sealer(settings, environment)
        assert paths(error)[0] == name + path
        assert not any(text[at : at + 8] in str(error.value) for at in range(len(text) - 8))


@pytest.mark.parametrize("content", [b"", b" \n", b"\xff" * 64, None], ids=["empty", "blank", "no text", "absent"])
def test_a_file_without_keys_is_refused(key_file: Path, content: bytes | None) -> None:
    if content is not None:
        key_file.write_bytes(content)
    with pytest.raises(InvalidInput) as error:
        read_sealer(Settings(seal_key_file=str(key_file)), {})
    assert paths(error)[0].startswith("seal_key_file")


def test_a_key_file_that_is_not_there_is_told_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"seal_key_file: found .*nokeys: no such file or directory, expected"):
        read_sealer(Settings(seal_key_file=str(tmp_path / "nokeys")), {})


def test_a_key_file_that_others_may_read_is_warned_of(key_file: Path, caplog: pytest.LogCaptureFixture) -> None:
    key_file.write_text(OLD)
    for mode, warned in ((0o600, False), (0o640, True), (0o604, True)):
        caplog.clear()
        key_file.chmod(mode)
        read_sealer(Settings(seal_key_file=str(key_file)), {})
        assert (f"{key_file} is open to others" in caplog.text) == warned
        assert OLD not in caplog.text


@pytest.mark.parametrize("given", [{"seal_key_file": [OLD]}, {"seal_key": OLD}, {"seal_key_file": OLD}])
def test_a_key_in_the_place_of_the_file_is_not_told(given: dict[str, object]) -> None:
    with pytest.raises(InvalidInput) as error:
        read_sealer(read_settings(None, given), {})
    assert paths(error) == list(given)
    assert OLD[:8] not in str(error.value)


async def begun(client: Client, name: str = "kuhn_poker", **fields: Any) -> game_pb2.NewGameResponse:
    return await client.games.NewGame(game_pb2.NewGameRequest(game=name, **fields))


async def observed(client: Client, sealed: bytes, seat: int, token: str) -> game_pb2.ObserveResponse:
    return await client.games.Observe(game_pb2.ObserveRequest(sealed=sealed, seat=seat, seat_token=token))


async def test_a_game_goes_on_under_another_key(running: Running, key_file: Path) -> None:
    def server(*keys: str) -> AbstractAsyncContextManager[Client]:
        key_file.write_text("\n".join(keys))
        return running(seal_key_file=str(key_file))

    async with server(OLD) as client:
        new = await begun(client, seed=1)
        before = await observed(client, new.sealed, 1, new.seat_tokens[1])
    async with server(NEW, OLD) as client:
        assert (await observed(client, new.sealed, 1, new.seat_tokens[1])).observation == before.observation
        moved = await client.games.ApplyMoves(game_pb2.ApplyMovesRequest(sealed=new.sealed, moves=["bet"]))
    async with server(NEW) as client:
        after = await observed(client, moved.sealed, 1, new.seat_tokens[1])
        assert after.observation.kuhn_poker.moves == ["bet"]
        assert after.observation.kuhn_poker.players == before.observation.kuhn_poker.players
        error = await refused(observed(client, new.sealed, 1, new.seat_tokens[1]))
    assert (error.code, error.paths) == (grpc.StatusCode.INVALID_ARGUMENT, ["sealed"])


async def test_random_bytes_are_no_game(client: Client) -> None:
    generator = random.Random(9)
    for size in (64 << 10, 1000, 37, 10):
        request = game_pb2.ApplyMovesRequest(sealed=generator.randbytes(size), moves=["pass"])
        error = await refused(client.games.ApplyMoves(request))
        assert (error.code, error.paths) == (grpc.StatusCode.INVALID_ARGUMENT, ["sealed"])


def timeless(reply: opponent_pb2.RecommendResponse) -> bytes:
    """The advice without what may differ: how long it took, and what was assumed."""
    advice = reply.recommendation
    advice.elapsed_ms = advice.queue_ms = 0
    advice.ClearField("assumptions")
    return advice.SerializeToString(deterministic=True)


def games_of(name: str, seed: int) -> Iterator[SealedGame]:
    """The positions of one random game after another."""
    generator, game = random.Random(seed), engine.load(name)
    while True:
        seats = generator.randint(game.min_seats, game.max_seats)
        sealed = SealedGame.new(game.setup(seats), generator.getrandbits(64))
        while not sealed.state.over:
            yield sealed
            sealed.state.play(generator.choice(sealed.state.moves()))


@pytest.mark.parametrize(("name", "stride"), [("arctic_scavengers", 37), ("kuhn_poker", 1), ("leduc_poker", 1)])
async def test_a_sealed_game_gets_the_answers_of_its_movers_observation(
    running: Running, key_file: Path, name: str, stride: int
) -> None:
    key_file.write_text(OLD)
    async with running(seal_key_file=str(key_file)) as client:
        for game in islice(games_of(name, 7), 0, 12 * stride, stride):
            sealed, seat = sealer(OLD).seal(game), game.state.to_move
            observation = (await observed(client, sealed, seat, game.token(seat))).observation
            asked: dict[str, Any] = {"seed": 4, "budget": {"iterations": 30}, "request_id": "q"}
            one, other = [
                await client.opponent.Recommend(opponent_pb2.RecommendRequest(**asked, **position))
                for position in ({"sealed": sealed}, {"observation": observation})
            ]
            assert timeless(one) == timeless(other)
            moves, others = [
                await client.games.ListMoves(game_pb2.ListMovesRequest(**position))
                for position in ({"sealed": sealed}, {"observation": observation})
            ]
            assert moves.moves == others.moves
            assert not moves.assumptions


@pytest.mark.parametrize("name", NAMES)
async def test_an_observation_that_came_over_the_wire_is_the_seats_view(
    running: Running, key_file: Path, name: str
) -> None:
    key_file.write_text(OLD)
    async with running(seal_key_file=str(key_file)) as client:
        for game in islice(games_of(name, 8), 0, 400, 20):
            sealed = sealer(OLD).seal(game)
            for seat in range(game.state.setup.seats):
                reply = await observed(client, sealed, seat, game.token(seat))
                view = game.state.game.view_from_json(codec.read_observation(reply.observation))
                assert view.tobytes() == game.state.view(seat).tobytes()
