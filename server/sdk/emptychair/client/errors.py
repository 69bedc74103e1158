"""What is raised when there is no answer: one class for each kind of error of docs/contract.md 9."""

from typing import NamedTuple, TypeVar, cast

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

M = TypeVar("M", bound=Message)

FOUND, EXPECTED = "found ", ", expected "  # between the parts of a fault, as the wire has it


class Fault(NamedTuple):
    """One thing that is wrong with a request; where nothing in particular is expected, `found` says all."""

    path: str  # "players[1].hand_count"; empty: the whole
    found: str
    expected: str = ""

    @property
    def text(self) -> str:
        """What was found, and what was expected."""
        return f"{FOUND}{self.found}{EXPECTED}{self.expected}" if self.expected else self.found

    def __str__(self) -> str:
        return f"{self.path}: {self.text}" if self.path else self.text


class Refused(Exception):
    """An error for which there is no class of its own; the base of those for which there is."""

    def __init__(self, text: str, request_id: str = "", faults: tuple[Fault, ...] = (), retry_ms: int = 0) -> None:
        super().__init__("\n".join(map(str, faults)) or text)
        self.request_id = request_id  # as the server's log has it
        self.faults = faults  # where the input is wrong; empty for errors that no input causes
        self.retry_ms = retry_ms  # milliseconds after which to ask again; 0: not said


class InvalidInput(Refused):
    """The request can never be valid: `faults` says where, and why."""


class UnknownName(Refused):
    """The server knows no game, bot or level of that name."""


class NotNow(Refused):
    """The request would be valid at another moment: not this seat, game over, seal of another version."""


class NotAllowed(Refused):
    """The seat's token is missing, or belongs to another seat or game."""


class TooLarge(Refused):
    """The message is larger than is read."""


class Busy(Refused):
    """Every worker has enough to do: ask again after `retry_ms`."""


class Unavailable(Refused):
    """No server answers there, or it is stopping."""


class TimedOut(Refused):
    """No answer came within the call's timeout."""


class Closed(Refused):
    """The client was closed, or the reading of an analysis was given up, before the answer came."""

    def __init__(self, request_id: str, text: str = "the client is closed") -> None:
        super().__init__(text, request_id)


KINDS = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidInput,
    grpc.StatusCode.NOT_FOUND: UnknownName,
    grpc.StatusCode.FAILED_PRECONDITION: NotNow,
    grpc.StatusCode.UNAUTHENTICATED: NotAllowed,
    grpc.StatusCode.PERMISSION_DENIED: NotAllowed,
    grpc.StatusCode.RESOURCE_EXHAUSTED: TooLarge,  # gRPC itself refuses large messages so, without details
    grpc.StatusCode.UNAVAILABLE: Unavailable,
    grpc.StatusCode.DEADLINE_EXCEEDED: TimedOut,
}
REASONS = {"OVERLOADED": Busy}  # where the status alone does not tell


def refused(error: grpc.RpcError, request_id: str) -> Refused:
    """The exception for an error of gRPC, from the details in its trailers where it has any."""
    call = cast(grpc.Call, error)  # what every error of a call is as well
    status = rpc_status.from_call(call) or status_pb2.Status(message=call.details())
    reason = _detail(status, error_details_pb2.ErrorInfo).reason
    bad = _detail(status, error_details_pb2.BadRequest)
    return REASONS.get(reason, KINDS.get(call.code(), Refused))(
        status.message,
        _detail(status, error_details_pb2.RequestInfo).request_id or request_id,
        tuple(_fault(violation.field, violation.description) for violation in bad.field_violations),
        _detail(status, error_details_pb2.RetryInfo).retry_delay.ToMilliseconds(),
    )


def _fault(path: str, text: str) -> Fault:
    """A fault in its parts; what is expected is in the server's own words, and so without a comma like this one."""
    found, comma, expected = text.removeprefix(FOUND).rpartition(EXPECTED)
    return Fault(path, found, expected) if comma and text.startswith(FOUND) else Fault(path, text)


def _detail(status: status_pb2.Status, kind: type[M]) -> M:
    """The detail of that kind, or an empty one."""
    detail = kind()
    any(packed.Unpack(detail) for packed in status.details)
    return detail
