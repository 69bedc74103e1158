"""GameService with games that their host keeps: begun, played, observed; and what it says of itself."""

import asyncio
import random
from itertools import chain
from typing import Any

import pytest
from emptychair.v1 import game_pb2

import engine
from bots.bot import step_of
from engine.faults import MAX_FAULTS
from engine.game import ENGINE_VERSION
from server import codec
from tests.server.asking import KUHN, refused
from tests.server.conftest import Client, Running

SEED = 0x5EED_0123_4567_89AB


async def begun(client: Client, name: str = "kuhn_poker", **fields: Any) -> game_pb2.NewGameResponse:
    return await client.games.NewGame(game_pb2.NewGameRequest(game=name, **fields))


async def applied(client: Client, sealed: bytes, *moves: str, **fields: Any) -> game_pb2.ApplyMovesResponse:
    return await client.games.ApplyMoves(game_pb2.ApplyMovesRequest(sealed=sealed, moves=moves, **fields))


async def observed(client: Client, sealed: bytes, tokens: list[str]) -> list[game_pb2.ObserveResponse]:
    """What each seat knows."""
    return [
        await client.games.Observe(
            game_pb2.ObserveRequest(sealed=sealed, seat=seat, seat_token=token, request_id="same")
        )
        for seat, token in enumerate(tokens)
    ]


async def test_a_new_game_is_dealt_from_its_seed(client: Client) -> None:
    reply = await begun(client, "arctic_scavengers", seats=3, seed=SEED, request_id="n")
    state = engine.load("arctic_scavengers").setup(3).new(SEED)
    assert (reply.request_id, len(set(reply.seat_tokens)), reply.status.to_move) == ("n", 3, state.to_move)
    for seat, seen in enumerate(await observed(client, reply.sealed, list(reply.seat_tokens))):
        assert seen.observation == codec.write_observation(state.view(seat).to_json())


async def test_after_its_moves_every_seat_learns_how_a_skirmish_ended(client: Client) -> None:
    reply = await begun(client, "arctic_scavengers", seats=2, seed=SEED)
    after = await applied(client, reply.sealed, *["end"] * 6)
    state, _ = engine.load("arctic_scavengers").setup(2).new(SEED).play_texts(["end"] * 6)
    wanted = state.to_json()["last_skirmish"]
    for seen in await observed(client, after.sealed, list(reply.seat_tokens)):
        assert codec.read_observation(seen.observation)["last_skirmish"] == wanted


async def test_no_seed_given_each_game_is_another(client: Client) -> None:
    games = [await begun(client, "arctic_scavengers") for _ in range(3)]
    assert len({(await observed(client, g.sealed, g.seat_tokens[:1]))[0].SerializeToString() for g in games}) == 3


async def test_fewest_seats_and_options_by_default(client: Client) -> None:
    game = engine.load("arctic_scavengers")
    switch, values = next((name, v) for name, v in game.switches.items() if len(v) > 1)
    plain = await begun(client, game.name)
    other = await begun(client, game.name, options={"rules": {switch: values[1]}})
    for reply, value in ((plain, values[0]), (other, values[1])):
        seen = (await observed(client, reply.sealed, reply.seat_tokens[:1]))[0]
        form = codec.read_observation(seen.observation)
        assert len(reply.seat_tokens) == game.min_seats
        assert form.get("options", {}).get("rules", {}).get(switch, values[0]) == value


async def test_a_retry_gets_the_same_game_and_other_content_does_not(client: Client) -> None:
    first, retry = [await begun(client, request_id="g1") for _ in range(2)]
    assert retry == first
    other = await begun(client, request_id="g1", seed=1)
    assert other.seat_tokens != first.seat_tokens
    one, two = await asyncio.gather(*(begun(client, request_id="g2") for _ in range(2)))
    assert one == two


async def test_without_an_id_two_games_of_one_seed_have_other_tokens(client: Client) -> None:
    one, two = [await begun(client, seed=3) for _ in range(2)]
    assert set(one.seat_tokens).isdisjoint(two.seat_tokens)
    assert one.sealed != two.sealed


async def test_all_faults_of_a_new_game_at_once(client: Client) -> None:
    options = {"modules": ["no_module"], "rules": {"no_switch": 1}}
    error = await refused(begun(client, "arctic_scavengers", seats=9, options=options, seed=SEED))
    assert sorted(error.paths) == ["options.modules[0]", "options.rules.no_switch", "seats"]
    assert str(SEED) not in error.message + str(error.trailers)


async def test_a_game_from_the_first_move_to_the_last(client: Client) -> None:
    new = await begun(client, seed=3)
    state = engine.load("kuhn_poker").setup().new(3)
    for move, to_move in (("pass", 1), ("bet", 0)):
        new = game_pb2.NewGameResponse(
            sealed=(reply := await applied(client, new.sealed, move)).sealed, seat_tokens=new.seat_tokens
        )
        assert (reply.status.to_move, list(reply.status.returns)) == (to_move, [])
        state.play(state.game.parse(state, move))
    reply = await applied(client, new.sealed, "bet", request_id="last")
    state.play(state.game.parse(state, "bet"))
    assert reply.request_id == "last"
    assert not reply.status.HasField("to_move")
    assert list(reply.status.returns) == state.returns()
    seen = await observed(client, reply.sealed, list(new.seat_tokens))  # the tokens are good for the whole game
    assert [s.observation.kuhn_poker.moves for s in seen] == [["pass", "bet", "bet"]] * 2


@pytest.mark.parametrize("seats", [2, 5])
async def test_what_happened_is_told_with_forced_moves_and_in_words(client: Client, seats: int) -> None:
    new = await begun(client, "arctic_scavengers", seats=seats, seed=SEED)
    state, generator = engine.load("arctic_scavengers").setup(seats).new(SEED), random.Random(seats)
    expected, asked, forced = [], [], 0
    while not state.over:
        move = generator.choice(state.moves())
        before, played = state.clone(), state.play(move)
        for p in played:
            step = step_of(before, before.game.parse(before, p.text).id, "ja", p.forced)
            expected.append((p.seat, step.move, step.words, codec.write_struct(step.fields), p.forced))
            before.step(before.game.parse(before, p.text).id)
        asked.append(move.text)
        forced += len(played) - 1
    reply = await applied(client, new.sealed, *asked, language="ja")
    assert [(p.seat, p.text, p.words, p.fields, p.forced) for p in reply.played] == expected
    assert forced > 0
    assert list(reply.status.returns) == state.returns()
    written_out = await applied(client, new.sealed, *(move.text for move in reply.played))
    tokens = list(new.seat_tokens)
    assert await observed(client, written_out.sealed, tokens) == await observed(client, reply.sealed, tokens)


async def test_a_list_is_played_whole_or_not_at_all(client: Client) -> None:
    new = await begun(client, seed=3)
    error = await refused(applied(client, new.sealed, "pass", "fold", language="xx"))
    assert error.paths == ["language"]
    error = await refused(applied(client, new.sealed, "pass", "fold"))
    assert error.paths == ["moves[1]"]
    assert (await applied(client, new.sealed, "bet")).played[0].text == "bet"  # nothing was played before


async def test_every_fault_of_a_list_of_moves_at_once(client: Client) -> None:
    error = await refused(applied(client, b"x" * 64, language="xx"))
    assert sorted(error.paths) == ["language", "moves", "sealed"]


async def test_an_input_that_is_never_valid_is_told_before_a_game_that_is_over(client: Client) -> None:
    new = await begun(client)
    over = await applied(client, new.sealed, "pass", "pass")
    assert (await refused(applied(client, over.sealed, "pass", language="xx"))).paths == ["language"]


async def test_the_token_of_each_seat_opens_its_own_eyes_alone(client: Client) -> None:
    new = await begun(client, seed=3)
    seen = await observed(client, new.sealed, list(new.seat_tokens))
    hands = [s.observation.kuhn_poker.players[seat].hand for seat, s in enumerate(seen)]
    assert all(len(hand) == 1 for hand in hands)
    for seat, s in enumerate(seen):
        assert s.observation.kuhn_poker.players[1 - seat].hand == []
    for tokens in (new.seat_tokens[::-1], ["é" * 64] * 2, [(await begun(client, seed=3)).seat_tokens[0]] * 2):
        assert (await refused(observed(client, new.sealed, list(tokens)))).reason == "TOKEN_WRONG"


async def test_the_seed_is_in_no_reply_and_no_line_of_the_log(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    new = await begun(client, "arctic_scavengers", seed=SEED)
    rng = int(engine.load("arctic_scavengers").setup().new(SEED).data[0].rng)
    move = (await client.games.ListMoves(game_pb2.ListMovesRequest(sealed=new.sealed))).moves[0].text
    replies = [new, await applied(client, new.sealed, move), *await observed(client, new.sealed, new.seat_tokens[:1])]
    error = await refused(applied(client, new.sealed, "no such move"))
    told = " ".join(map(str, chain(replies, error))) + caplog.text
    for number in (SEED, rng):
        assert not [form for form in (str(number), f"{number:x}", f"{number:X}") if form in told]


async def validated(client: Client, form: dict[str, Any]) -> game_pb2.ValidateObservationResponse:
    message = codec.write_observation(form)
    return await client.games.ValidateObservation(game_pb2.ValidateObservationRequest(observation=message))


async def test_a_valid_observation_has_no_faults_whoever_is_to_move(client: Client) -> None:
    for seat in range(2):
        reply = await validated(
            client, {"game": "kuhn_poker", "seat": seat, "players": [{"seat": seat, "hand": ["king"]}]}
        )
        assert not reply.faults
        assert {line.partition(":")[0] for line in reply.assumptions} == {"seats"}


@pytest.mark.parametrize(
    ("form", "paths"),
    [
        (KUHN | {"seat": 9, "moves": ["jump"]}, ["moves[0]", "seat"]),
        ({"game": "chess"}, ["game"]),
        ({}, ["game"]),
    ],
)
async def test_faults_of_an_observation_are_a_reply(client: Client, form: dict[str, Any], paths: list[str]) -> None:
    reply = await validated(client, form)
    assert sorted(fault.path for fault in reply.faults) == paths
    assert all(fault.found and fault.expected for fault in reply.faults)
    assert not reply.assumptions


async def test_no_observation_at_all_is_a_fault_too(client: Client) -> None:
    reply = await client.games.ValidateObservation(game_pb2.ValidateObservationRequest())
    assert [fault.path for fault in reply.faults] == ["observation"]


async def test_very_many_faults_are_counted(client: Client) -> None:
    form = {"game": "arctic_scavengers", "seat": 0, "players": [{"seat": 0, "hand": ["no_such_card"] * 3000}]}
    assert len((await validated(client, form)).faults) == MAX_FAULTS


async def test_what_the_server_says_of_itself(running: Running) -> None:
    async with running(queue=7, workers=3, max_message_kib=100) as client:
        info = await client.games.GetServerInfo(game_pb2.GetServerInfoRequest(request_id="i"))
        sealed = (await begun(client)).sealed
    assert (info.request_id, info.engine_version) == ("i", ENGINE_VERSION)
    assert info.server_version.count(".") == 2
    assert dict(info.rules_hashes) == {name: engine.load(name).setup().rules_hash for name in engine.names()}
    assert (info.limits.queue, info.limits.workers, info.limits.max_message_bytes) == (7, 3, 100 << 10)
    assert (info.limits.max_iterations, info.limits.max_time_ms) == (10**9, 600_000)
    assert (info.limits.max_alternatives, info.limits.max_parallelism) == (512, 256)
    assert info.limits.min_report_interval_ms == 10
    assert list(info.seal_keys) == [sealed[1:9].hex()]
