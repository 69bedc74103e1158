"""The replies of the last requests, so that a retry gets what the first try got."""

from collections import OrderedDict
from typing import Generic, TypeVar

R = TypeVar("R")


class Replies(Generic[R]):
    """Remembers up to `bound` replies by request id; the oldest goes first."""

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._kept: OrderedDict[str, tuple[bytes, R]] = OrderedDict()

    def get(self, request_id: str, content: bytes) -> R | None:
        """The reply to the same request, or None; the same id with other content is another request."""
        kept = self._kept.get(request_id)
        return kept[1] if kept and kept[0] == content else None

    def keep(self, request_id: str, content: bytes, reply: R) -> None:
        """Remembers a reply; without an id there is nothing to ask for it by."""
        if not request_id or not self._bound:
            return
        self._kept[request_id] = (content, reply)
        self._kept.move_to_end(request_id)
        if len(self._kept) > self._bound:
            self._kept.popitem(last=False)
