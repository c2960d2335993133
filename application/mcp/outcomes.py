"""What a method may come to."""

from collections.abc import AsyncGenerator, Callable

import msgspec

from application.mcp.errors import RequestId, RpcError
from domain.errors import RateLimitedError, ScopeMissingError

RawHeader = tuple[bytes, bytes]


class Complete(msgspec.Struct, frozen=True):
    """The result: the bytes of a JSON object, in pieces, so that they are copied only once."""

    pieces: tuple[bytes, ...]


class Refused(msgspec.Struct, frozen=True):
    """An error of the protocol.

    `refusal` stands behind one that HTTP tells by its status and headers.
    """

    error: RpcError
    headers: tuple[RawHeader, ...] = ()
    refusal: ScopeMissingError | RateLimitedError | None = None

    @property
    def scopes(self) -> tuple[str, ...]:
        """Those that the HTTP challenge has to name."""
        return self.refusal.scopes if isinstance(self.refusal, ScopeMissingError) else ()


class NotAcceptable(msgspec.Struct, frozen=True):
    """The client takes no answer of the kind that the method gives; nothing was done."""


class Listening(msgspec.Struct, frozen=True):
    """A stream that stays open: its JSON-RPC messages, made with the id of the request."""

    messages: Callable[[RequestId], AsyncGenerator[bytes]]


Outcome = Complete | Refused | NotAcceptable | Listening
