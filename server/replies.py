"""The replies of the last requests, so that a retry gets what the first try got."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from google.protobuf.message import Message

R = TypeVar("R")


def content_of(request: Message) -> bytes:
    """A digest of all that a request says: equal for a retry."""
    return hashlib.sha256(request.SerializeToString(deterministic=True)).digest()


class Replies(Generic[R]):
    """Remembers up to `bound` replies by request id; the oldest goes first."""

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._kept: OrderedDict[str, tuple[bytes, R]] = OrderedDict()
        self._under_way: WeakValueDictionary[tuple[str, bytes], asyncio.Lock] = WeakValueDictionary()

    async def once(self, request_id: str, content: bytes, answer: Callable[[], Awaitable[R]]) -> R:
        """The reply to the same request if there was one or it is under way, else what `answer` gives.

        The same id with other content is another request; without an id there is nothing to tell a retry by.
        """
        if not request_id or not self._bound:
            return await answer()
        async with self._under_way.setdefault((request_id, content), asyncio.Lock()):
            kept = self._kept.get(request_id)
            if kept and kept[0] == content:
                return kept[1]
            reply = await answer()
            self._keep(request_id, content, reply)
            return reply

    def _keep(self, request_id: str, content: bytes, reply: R) -> None:
        self._kept[request_id] = (content, reply)
        self._kept.move_to_end(request_id)
        if len(self._kept) > self._bound:
            self._kept.popitem(last=False)
