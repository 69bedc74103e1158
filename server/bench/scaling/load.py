"""Clients of a real server, each of whom asks again as soon as it is answered."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from statistics import fmean, quantiles
from typing import Any

import grpc
from emptychair.v1 import observation_pb2, opponent_pb2, opponent_pb2_grpc

from server.bench.scaling.inputs import Case, Outcome

PUSHBACK = "grpc-retry-pushback-ms"
ALONE = [("grpc.use_local_subchannel_pool", 1)]  # a connection for each client, as clients have elsewhere


@dataclass
class Tally:
    """What clients saw since `begun`, by time.perf_counter."""

    begun: float
    trips_ms: list[float] = field(default_factory=list)
    used: list[float] = field(default_factory=list)
    refused: int = 0

    def outcome(self, seconds: float) -> Outcome:
        """The figures of so many seconds."""
        cuts, n = percentiles(self.trips_ms), len(self.trips_ms)
        return Outcome(n, n / seconds, *cuts, fmean(self.used), self.refused / (n + self.refused))


def percentiles(trips_ms: Sequence[float]) -> tuple[float, float]:
    """The 50th and the 99th."""
    cuts = quantiles(trips_ms, n=100, method="inclusive")
    return cuts[49], cuts[98]


class Clients:
    """As many clients as a case has, of the server at an address; they ask about these positions in turn."""

    def __init__(self, address: str, case: Case, positions: Sequence[observation_pb2.Observation], bot: str) -> None:
        self._address = address
        self.case = case
        self._positions = positions
        self._bot = bot
        self._seeds = count()

    async def run(self, settle_s: float, seconds: float) -> Outcome:
        """Asks for so long; what comes while the server settles does not count."""
        tally = Tally(time.perf_counter() + settle_s)
        end = tally.begun + seconds
        await asyncio.gather(*(self._client(tally, end) for _ in range(self.case.clients)))
        return tally.outcome(seconds)

    async def _client(self, tally: Tally, end: float) -> None:
        async with grpc.aio.insecure_channel(self._address, options=ALONE) as channel:
            stub: opponent_pb2_grpc.OpponentServiceAsyncStub = opponent_pb2_grpc.OpponentServiceStub(channel)
            while time.perf_counter() < end:
                await self._ask(stub, tally, end)

    async def _ask(self, stub: Any, tally: Tally, end: float) -> None:
        """One request, asked again whenever it is refused."""
        request, asked = self._request(), time.perf_counter()
        while True:
            try:
                advice = (await stub.Recommend(request)).recommendation
                break
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                    raise
                told = dict(iter(error.trailing_metadata() or ()))
                tally.refused += tally.begun <= time.perf_counter() < end
                await asyncio.sleep(int(told[PUSHBACK]) / 1000)
        answered = time.perf_counter()
        if tally.begun <= answered < end:
            tally.trips_ms.append((answered - asked) * 1000)
            tally.used.append(advice.elapsed_ms / self.case.time_ms if self.case.time_ms else 1.0)

    def _request(self) -> opponent_pb2.RecommendRequest:
        seed = next(self._seeds)
        budget = opponent_pb2.Budget(iterations=self.case.iterations, time_ms=self.case.time_ms)
        observation = self._positions[seed % len(self._positions)]
        return opponent_pb2.RecommendRequest(observation=observation, budget=budget, seed=seed, bot=self._bot)
