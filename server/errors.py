"""What a caller is told when there is no answer: one google.rpc.Status for each kind of error."""

import logging
from collections.abc import Sequence
from typing import NamedTuple

from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2

from bots import BotFailed
from engine.faults import Fault, InvalidInput, NotNow

log = logging.getLogger(__name__)

DOMAIN = "emptychair"
PUSHBACK = "grpc-retry-pushback-ms"  # the trailer that gRPC clients obey when they retry
NEVER = "-1"  # as its value: it would be refused again
# All of an error travels in the trailers, for which clients allow 8 KiB by default: the bounds below keep to that.
MAX_VIOLATIONS = 24
MAX_PATH = 100
MAX_TEXT = 3000  # characters of all violations together
MAX_MESSAGE = 400


class Unknown(InvalidInput):
    """A name that is well formed but that nothing here bears."""


class Unreadable(InvalidInput):
    """Bytes that are no message."""


class Overloaded(Exception):
    """Every worker is busy and the queue is full; `retry_ms` says when to come again."""

    def __init__(self, retry_ms: int) -> None:
        super().__init__("every worker is busy and the queue is full")
        self.retry_ms = retry_ms


class TooLarge(Exception):
    """A message over the limit."""

    def __init__(self, size: int, limit: int) -> None:
        super().__init__(f"message of {size} bytes, at most {limit} are read")


class Draining(Exception):
    """The server is about to stop and takes no new requests."""

    def __init__(self) -> None:
        super().__init__("the server is stopping: ask another one, or again in a moment")


class TokenMissing(Exception):
    """A seat's knowledge was asked for without the seat's token."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} observes with its seat_token, which NewGame gave")


class TokenWrong(Exception):
    """A seat's knowledge was asked for with another word than the seat's token."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"this is not the seat_token of seat {seat} in this game")


class Refusal(NamedTuple):
    """An error as the wire carries it."""

    status: status_pb2.Status
    trailers: tuple[tuple[str, str], ...] = ()


def refusal(error: Exception, request_id: str) -> Refusal:
    """What the caller is told of an error; an unexpected one goes to the log and is not described."""
    match error:
        case Unknown():
            return _refusal(code_pb2.NOT_FOUND, "UNKNOWN_NAME", str(error), request_id, _bad_request(error.faults))
        case InvalidInput():
            reason = "UNREADABLE" if isinstance(error, Unreadable) else "INVALID_INPUT"
            return _refusal(code_pb2.INVALID_ARGUMENT, reason, str(error), request_id, _bad_request(error.faults))
        case NotNow():
            return _refusal(code_pb2.FAILED_PRECONDITION, "NOT_NOW", str(error), request_id)
        case TokenMissing():
            return _refusal(code_pb2.UNAUTHENTICATED, "TOKEN_MISSING", str(error), request_id)
        case TokenWrong():
            return _refusal(code_pb2.PERMISSION_DENIED, "TOKEN_WRONG", str(error), request_id)
        case TooLarge():
            refused = _refusal(code_pb2.RESOURCE_EXHAUSTED, "MESSAGE_TOO_LARGE", str(error), request_id)
            return refused._replace(trailers=((PUSHBACK, NEVER),))
        case Overloaded():
            retry = error_details_pb2.RetryInfo(retry_delay=Duration(nanos=0))
            retry.retry_delay.FromMilliseconds(error.retry_ms)
            refused = _refusal(code_pb2.RESOURCE_EXHAUSTED, "OVERLOADED", str(error), request_id, retry)
            return refused._replace(trailers=((PUSHBACK, str(error.retry_ms)),))
        case Draining():
            return _refusal(code_pb2.UNAVAILABLE, "DRAINING", str(error), request_id)
        case BotFailed():
            log.error("request %r: a bot failed", request_id, exc_info=error)
            return _refusal(code_pb2.INTERNAL, "BOT_FAILED", str(error), request_id, _bad_request([error.fault]))
    log.error("request %r failed", request_id, exc_info=error)
    return _refusal(code_pb2.INTERNAL, "INTERNAL", f"internal error in request {request_id}", request_id)


def _refusal(code: int, reason: str, text: str, request_id: str, *details: Message) -> Refusal:
    info = error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN)
    status = status_pb2.Status(code=code, message=_cut(text, MAX_MESSAGE))
    for detail in (info, error_details_pb2.RequestInfo(request_id=request_id), *details):
        packed = Any()
        packed.Pack(detail)
        status.details.append(packed)
    return Refusal(status)


def _bad_request(faults: Sequence[Fault]) -> error_details_pb2.BadRequest:
    told = faults[:MAX_VIOLATIONS]
    room = MAX_TEXT // max(len(told), 1)
    return error_details_pb2.BadRequest(field_violations=[_violation(f, room) for f in told] + _omitted(faults))


def _violation(fault: Fault, room: int) -> error_details_pb2.BadRequest.FieldViolation:
    text = f"found {fault.found}, expected {fault.expected}" if fault.expected else fault.found
    return error_details_pb2.BadRequest.FieldViolation(field=_cut(fault.path, MAX_PATH), description=_cut(text, room))


def _omitted(faults: Sequence[Fault]) -> list[error_details_pb2.BadRequest.FieldViolation]:
    more = len(faults) - MAX_VIOLATIONS
    return [error_details_pb2.BadRequest.FieldViolation(description=f"and {more} more faults")] if more > 0 else []


def _cut(text: str, room: int) -> str:
    """At most `room` characters that any client can read and any log hold in one line."""
    clean = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text.encode("ascii", "backslashreplace").decode())
    return clean if len(clean) <= room else clean[: room - 3] + "..."
