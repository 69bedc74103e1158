"""A client of the service for Python: `Client` waits, `AsyncClient` awaits, both ask the same.

    with Client("127.0.0.1:50051") as client:
        advice = client.play(observation, time_ms=500)

Reading order, lowest first:
    errors     what is raised when there is no answer
    given      what callers give, checked before it is sent
    positions  a position as callers write it -> as requests carry it
    calls      every method of a client as the call it makes, and how long each may take
    sync       `Client`, `Analysis`
    aio        `AsyncClient`, `AsyncAnalysis`
"""

from emptychair.client.aio import AsyncAnalysis, AsyncClient
from emptychair.client.calls import Search
from emptychair.client.errors import (
    Busy,
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
from emptychair.client.positions import JsonObject, Position
from emptychair.client.sync import Analysis, Client

__all__ = [
    "Analysis",
    "AsyncAnalysis",
    "AsyncClient",
    "Busy",
    "Client",
    "Closed",
    "Fault",
    "InvalidInput",
    "JsonObject",
    "NotAllowed",
    "NotNow",
    "Position",
    "Refused",
    "Search",
    "TimedOut",
    "TooLarge",
    "Unavailable",
    "UnknownName",
]
