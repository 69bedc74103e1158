"""The Python client, both kinds: against the real server, and against a double for what no real one does on demand."""

import asyncio
import inspect
import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from emptychair.client import (
    AsyncClient,
    Busy,
    Client,
    Closed,
    Fault,
    InvalidInput,
    NotAllowed,
    NotNow,
    Refused,
    TimedOut,
    TooLarge,
    Unavailable,
    UnknownName,
)
from emptychair.client.calls import Methods
from emptychair.client.given import Given
from emptychair.client.positions import observation_message
from emptychair.v1 import opponent_pb2, opponent_pb2_grpc
from emptychair.v1.opponent_pb2 import Recommendation
from grpc_status import rpc_status

from engine import faults
from server import errors
from tests.server import conftest
from tests.server.asking import KUHN
from tests.server.conftest import Ask

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "clients" / "python" / "analysis.py"
POSITION = ROOT / "examples" / "positions" / "arctic_scavengers" / "minimal.json"
METHODS = [name for name in vars(Methods) if not name.startswith("_")]
AS_GIVEN = {"level": "casual", "seed": 5}

Context = grpc.aio.ServicerContext[Any, Any]


class Double(opponent_pb2_grpc.OpponentServiceServicer):
    """A service that does as it is told."""

    def __init__(self) -> None:
        self.address = ""
        self.refusals: list[Exception] = []  # one a call, before it answers
        self.asked: list[Any] = []  # requests
        self.seconds: list[float] = []  # that each call was given
        self.silence = 0.0  # seconds before an answer, and after the last of an analysis
        self.ended = asyncio.Event()  # an analysis has

    async def Recommend(self, request: Any, context: Context) -> opponent_pb2.RecommendResponse:
        await self._note(request, context)
        await asyncio.sleep(self.silence)
        return opponent_pb2.RecommendResponse(request_id=request.request_id, recommendation=advice(1))

    async def Analyze(self, request: Any, context: Context) -> AsyncIterator[opponent_pb2.AnalyzeResponse]:
        await self._note(request, context)
        context.add_done_callback(lambda _: self.ended.set())
        for i in (1, 2, 3):
            yield so_far(i)
        await asyncio.sleep(self.silence)

    async def _note(self, request: Any, context: Context) -> None:
        self.asked.append(request)
        self.seconds.append(context.time_remaining())
        if self.refusals:
            refused = errors.refusal(self.refusals.pop(0), "told")
            status = rpc_status.to_status(refused.status)
            await context.abort(status.code, status.details, (*status.trailing_metadata, *refused.trailers))


def advice(iterations: int) -> Recommendation:
    return Recommendation(plan=[opponent_pb2.Step(words="Pass")], iterations=iterations, explanation="Why not")


def so_far(iterations: int) -> opponent_pb2.AnalyzeResponse:
    """One of the answers of an analysis, of which the third is the last."""
    return opponent_pb2.AnalyzeResponse(recommendation=advice(iterations), final=iterations == 3)


@pytest.fixture
async def double() -> AsyncIterator[Double]:
    server, made = grpc.aio.server(), Double()
    opponent_pb2_grpc.add_OpponentServiceServicer_to_server(made, server)
    made.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    yield made
    await server.stop(0)


def test_it_needs_nothing_of_the_server() -> None:
    code = "import sys, emptychair.client; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert {"emptychair", "grpc"} <= set(done.stdout.split())
    assert {"engine", "bots", "server", "numba", "numpy"}.isdisjoint(done.stdout.split())


@pytest.mark.parametrize("made", [Client, AsyncClient])
def test_both_kinds_have_all_methods_as_described(made: type) -> None:
    assert [name for name in vars(made) if name in METHODS] == METHODS
    for name in METHODS:
        assert inspect.signature(getattr(made, name)) == inspect.signature(getattr(Methods, name))
        assert getattr(made, name).__doc__


# The real server


async def test_what_a_server_knows(ask: Ask, client: conftest.Client) -> None:
    address = client.front.addresses[0]
    assert "kuhn_poker" in [game.name for game in (await ask(address, "games", language="ja")).games]
    assert (await ask(address, "game", "kuhn_poker")).template.kuhn_poker.seat == KUHN["seat"]
    assert "ismcts" in [bot.name for bot in (await ask(address, "bots")).bots]
    assert "kuhn_poker" in (await ask(address, "server_info")).rules_hashes
    assert [move.text for move in (await ask(address, "moves", KUHN)).moves] == ["pass", "bet"]


async def test_one_position_in_every_form_gets_one_answer(ask: Ask, client: conftest.Client) -> None:
    address = client.front.addresses[0]
    begun = await ask(address, "new_game", "kuhn_poker", seats=2, options={"rules": {}}, seed=7)
    seen = (await ask(address, "observe", begun.sealed, 0, begun.seat_tokens[0])).observation
    form = {"game": "kuhn_poker", "seat": 0, "players": [{"hand": list(seen.kuhn_poker.players[0].hand)}]}
    answers = [await ask(address, "play", position, **AS_GIVEN) for position in (begun.sealed, seen, form)]
    assert len({(answer.plan[0].move, answer.iterations, answer.explanation) for answer in answers}) == 1
    assert answers[0].iterations == 100


async def test_a_whole_game(ask: Ask, client: conftest.Client) -> None:
    address = client.front.addresses[0]
    game = await ask(address, "new_game", "leduc_poker", seed=3)
    while game.status.HasField("to_move"):
        plan = (await ask(address, "play", game.sealed, bot="greedy")).plan
        game = await ask(address, "apply_moves", game.sealed, [step.move for step in plan], language="ja")
        assert all(move.words for move in game.played)
    assert sum(game.status.returns) == 0


async def test_an_analysis_ends_with_what_play_says(follow: Ask, ask: Ask, client: conftest.Client) -> None:
    address, asked = client.front.addresses[0], {"iterations": 3000, "seed": 5}
    seen, latest = await follow(address, KUHN, lambda _: False, report_interval_ms=10, **asked)
    played, final = await ask(address, "play", KUHN, **asked), latest.recommendation
    assert seen == sorted(seen)
    assert latest.final
    assert (final.iterations, final.plan, final.alternatives) == (3000, played.plan, played.alternatives)


async def test_faults_are_an_answer_of_validate_alone(ask: Ask, client: conftest.Client) -> None:
    address, wrong = client.front.addresses[0], KUHN | {"seat": 9, "moves": ["jump"]}
    told = [fault.path for fault in (await ask(address, "validate", wrong)).faults]
    with pytest.raises(InvalidInput) as caught:
        await ask(address, "moves", wrong)
    assert told == [fault.path for fault in caught.value.faults] == ["moves[0]", "seat"]
    expected = "a whole number from 0 to 1; seats count from 0"
    assert str(caught.value).splitlines()[1] == f"seat: found 9, expected {expected}"


async def test_what_no_message_can_hold_is_told_by_the_server(ask: Ask, client: conftest.Client) -> None:
    with pytest.raises(InvalidInput) as caught:
        await ask(client.front.addresses[0], "play", KUHN | {"seat": "first", "moves": 3})
    assert {fault.path for fault in caught.value.faults} == {"seat", "moves"}
    reply = await ask(client.front.addresses[0], "validate", KUHN | {"sheet": 1})
    assert "sheet" in " ".join(reply.warnings)


@pytest.mark.parametrize(
    ("error", "name", "given", "asked"),
    [
        (UnknownName, "game", "chess", {}),
        (UnknownName, "play", {"game": "chess"}, {}),
        (UnknownName, "play", KUHN, {"bot": "deep_blue"}),
        (NotNow, "play", KUHN | {"moves": ["pass"], "to_move": 1}, {}),
        (InvalidInput, "play", b"no seal", {}),
        (InvalidInput, "play", KUHN, {"only_moves": ["jump"]}),
        (InvalidInput, "new_game", "kuhn_poker", {"seats": 9}),
        (TooLarge, "validate", {"game": "kuhn_poker", "note": "x" * 300_000}, {}),
    ],
)
async def test_each_refusal_is_an_exception(
    error: type[Refused], name: str, given: Any, asked: dict[str, Any], ask: Ask, client: conftest.Client
) -> None:
    with pytest.raises(error) as caught:
        await ask(client.front.addresses[0], name, given, **asked)
    assert caught.type is error
    assert caught.value.request_id
    assert str(caught.value)
    assert "grpc" not in str(caught.value).lower()


async def test_a_seat_observes_with_its_own_token(ask: Ask, client: conftest.Client) -> None:
    address = client.front.addresses[0]
    begun = await ask(address, "new_game", "kuhn_poker")
    for token in ("", begun.seat_tokens[1]):
        with pytest.raises(NotAllowed, match="seat_token"):
            await ask(address, "observe", begun.sealed, 0, token)


async def test_nobody_there(ask: Ask) -> None:
    with pytest.raises(Unavailable) as caught:
        await ask("127.0.0.1:1", "games")
    assert caught.value.request_id


# The double


@pytest.mark.parametrize(
    ("error", "raised", "text"),
    [
        (
            faults.InvalidInput([faults.Fault("a[1]", "2, expected x", "3"), faults.Fault("", "b", "")]),
            InvalidInput,
            "a[1]: found 2",
        ),
        (errors.Unknown([faults.Fault("bot", "'x'", "y")]), UnknownName, "bot: found 'x', expected y"),
        (faults.NotNow("seat 1 is not to move"), NotNow, "seat 1 is not to move"),
        (errors.TokenMissing(1), NotAllowed, "seat_token"),
        (errors.TokenWrong(1), NotAllowed, "seat_token"),
        (errors.TooLarge(2, 1), TooLarge, "message of 2 bytes"),
        (errors.Overloaded(3), Busy, "every worker is busy"),
        (errors.Draining(), Unavailable, "the server is stopping"),
        (ZeroDivisionError("secret"), Refused, "internal error in request told"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
async def test_the_details_of_an_error_are_read(
    error: Exception, raised: type[Refused], text: str, ask: Ask, double: Double
) -> None:
    double.refusals = [error] * 9
    with pytest.raises(raised) as caught:
        await ask(double.address, "play", KUHN)
    assert caught.type is raised
    assert text in str(caught.value)
    assert (caught.value.request_id, caught.value.retry_ms) == ("told", 3 if raised is Busy else 0)
    expected = getattr(error, "faults", ())
    assert caught.value.faults == tuple(Fault(f.path, f.found, f.expected) for f in expected)


@pytest.mark.parametrize("error", [errors.Draining(), errors.Overloaded(1)], ids=lambda error: type(error).__name__)
async def test_it_tries_again_under_the_same_id(error: Exception, ask: Ask, double: Double) -> None:
    double.refusals = [error, error]
    assert (await ask(double.address, "play", KUHN)).iterations == 1
    assert len(double.asked) == 3
    assert len({request.request_id for request in double.asked}) == 1
    await ask(double.address, "play", KUHN)
    assert double.asked[3].request_id not in ("", double.asked[0].request_id)


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        ({}, 11),
        ({"time_ms": 2000}, 12),
        ({"time_ms": 2000, "iterations": 9, "level": "strong"}, 12),
        ({"time_ms": 1}, 10),
        ({"iterations": 9}, 610),
        ({"level": "strong"}, 610),
        ({"time_ms": 2000, "timeout": 3}, 3),
    ],
)
async def test_a_search_is_given_its_budget_and_ten_seconds(
    asked: dict[str, Any], seconds: float, ask: Ask, double: Double
) -> None:
    await ask(double.address, "play", KUHN, **asked)
    assert seconds - 3 < double.seconds[0] < seconds + 1.1  # gRPC rounds long ones up to a second


async def test_no_answer_in_time(ask: Ask, double: Double) -> None:
    double.silence = 20
    with pytest.raises(TimedOut) as caught:
        await ask(double.address, "play", KUHN, timeout=0.2)
    assert caught.value.request_id == double.asked[0].request_id


async def test_everything_that_may_be_asked_arrives(ask: Ask, follow: Ask, double: Double) -> None:
    words = {"level": "l", "bot": "b", "language": "ja"}
    numbers = {"seed": 2**64 - 1, "max_alternatives": 0, "parallelism": 2}
    moves = {"only_moves": ["a"], "avoid_moves": ["b"], "evaluate_moves": ("c", "d")}
    left_out = {"time_ms": None}
    everything = {**words, **numbers, **moves, **left_out, "iterations": 7, "parameters": {"c": 0.5}}
    await ask(double.address, "play", KUHN, **everything)
    await follow(double.address, b"sealed", lambda _: False, report_interval_ms=20, **everything)
    for request in double.asked:
        assert {name: getattr(request, name) for name in words | numbers} == words | numbers
        assert {name: list(getattr(request, name)) for name in moves} == {k: list(v) for k, v in moves.items()}
        assert (request.budget, dict(request.parameters)) == (opponent_pb2.Budget(iterations=7), {"c": 0.5})
    played, analysed = double.asked
    assert played.observation.kuhn_poker.seat == KUHN["seat"]
    assert (analysed.sealed, analysed.report_interval_ms) == (b"sealed", 20)


async def test_an_analysis_grows_to_its_last_answer(follow: Ask, double: Double) -> None:
    assert await follow(double.address, KUHN, lambda _: False) == ([1, 2, 3], so_far(3))


async def test_leaving_an_analysis_stops_it(follow: Ask, double: Double) -> None:
    double.silence = 20
    assert await follow(double.address, KUHN, lambda _: True) == ([1], so_far(1))
    await asyncio.wait_for(double.ended.wait(), 5)


async def test_a_stopped_analysis_ends_without_an_error(follow: Ask, double: Double) -> None:
    double.silence = 20
    assert await follow(double.address, KUHN, lambda analysis: analysis.stop()) == ([1], so_far(1))
    await asyncio.wait_for(double.ended.wait(), 5)


async def test_an_analysis_may_be_stopped_while_it_waits(follow: Ask, double: Double) -> None:
    loop, double.silence = asyncio.get_running_loop(), 20

    def soon(analysis: Any) -> None:
        loop.call_soon_threadsafe(loop.call_later, 0.2, analysis.stop)

    assert await follow(double.address, KUHN, soon) == ([1, 2, 3], so_far(3))
    await asyncio.wait_for(double.ended.wait(), 5)


async def test_an_analysis_that_is_refused(follow: Ask, double: Double) -> None:
    double.refusals = [faults.NotNow("seat 1 is not to move")]
    with pytest.raises(NotNow, match="seat 1"):
        await follow(double.address, KUHN, lambda _: False)


async def test_a_task_that_is_cancelled_takes_its_analysis_with_it(double: Double) -> None:
    double.silence = 20

    async def read() -> None:
        async with AsyncClient(double.address) as client, client.analysis(KUHN) as analysis:
            async for _ in analysis:
                pass

    task = asyncio.create_task(read())
    await asyncio.sleep(0.3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(double.ended.wait(), 5)


async def test_who_gives_up_waiting_has_ended_the_analysis(double: Double) -> None:
    double.silence = 20
    async with AsyncClient(double.address) as client, client.analysis(KUHN) as analysis:
        assert [(await anext(analysis)).recommendation.iterations for _ in range(3)] == [1, 2, 3]  # all it will say
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(analysis), 0.1)
        with pytest.raises(Closed, match="the analysis was ended"):
            await anext(analysis)


@pytest.mark.parametrize("method", ["play", "analysis"])
async def test_closing_the_client_is_told_to_who_waits(double: Double, method: str) -> None:
    double.silence = 20
    client = AsyncClient(double.address)

    async def wait() -> None:
        if method == "play":
            await client.play(KUHN)
        else:
            async for _ in client.analysis(KUHN):
                pass

    task = asyncio.create_task(wait())
    await asyncio.sleep(0.3)
    await client.close()
    with pytest.raises(Closed):
        await asyncio.wait_for(task, 5)


async def test_one_task_at_a_time_reads_an_analysis(double: Double) -> None:
    double.silence = 20
    async with AsyncClient(double.address) as client, client.analysis(KUHN) as analysis:
        assert [(await anext(analysis)).recommendation.iterations for _ in range(3)] == [1, 2, 3]  # all it will say
        first = asyncio.ensure_future(anext(analysis))
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="another task"):
            await anext(analysis)
        analysis.stop()
        with pytest.raises(StopAsyncIteration):
            await first


async def test_the_example_shows_answers_until_ctrl_c(double: Double) -> None:
    double.silence = 20
    pipes = {"stdout": asyncio.subprocess.PIPE, "stderr": asyncio.subprocess.PIPE}
    example = await asyncio.create_subprocess_exec(sys.executable, EXAMPLE, POSITION, double.address, **pipes)
    assert example.stdout is not None
    lines = [(await example.stdout.readline()).decode().split() for _ in range(3)]
    example.send_signal(signal.SIGINT)
    rest, complaints = await asyncio.wait_for(example.communicate(), 10)
    assert lines == [[str(i), "iterations:", "Pass"] for i in (1, 2, 3)]
    assert (rest, complaints, example.returncode) == (b"Why not\n", b"", 0)  # the third answer was the last
    await asyncio.wait_for(double.ended.wait(), 5)


@pytest.mark.parametrize(
    ("example", "word", "said"),
    [("host", "chess", "game: found 'chess'"), ("analysis", "nope.json", "nope.json: "), ("analysis", ".", ".: ")],
)
async def test_an_example_says_in_a_line_what_is_wrong(
    example: str, word: str, said: str, client: conftest.Client
) -> None:
    pipes = {"stdout": asyncio.subprocess.PIPE, "stderr": asyncio.subprocess.PIPE}
    words = EXAMPLE.with_stem(example), word, client.front.addresses[0]
    process = await asyncio.create_subprocess_exec(sys.executable, *words, **pipes)
    printed, complaints = await asyncio.wait_for(process.communicate(), 30)
    assert (printed, process.returncode) == (b"", 1)
    assert complaints.decode().startswith(said)
    assert len(complaints.splitlines()) == 1


# Positions


def test_a_game_with_a_message_of_its_own_is_put_there_and_another_is_sent_as_it_is() -> None:
    position = json.loads(POSITION.read_text())
    assert observation_message(position, Given()).arctic_scavengers.players[0].hand == position["players"][0]["hand"]
    other = {"game": "chess", "board": [1, None, {"a": "b"}]}
    assert dict(observation_message(other, Given()).other) == other


def test_a_channel_may_be_encrypted() -> None:
    options = [("grpc.primary_user_agent", "test")]
    client = Client("localhost:1", credentials=grpc.ssl_channel_credentials(), options=options)
    with client, pytest.raises(Unavailable):
        client.games(timeout=5)
