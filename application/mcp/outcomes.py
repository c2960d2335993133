"""What a method may come to."""

import msgspec

from application.mcp.errors import RpcError

RawHeader = tuple[bytes, bytes]


class Complete(msgspec.Struct, frozen=True):
    """The result: the bytes of a JSON object, in pieces, so that they are copied only once."""

    pieces: tuple[bytes, ...]


class Refused(msgspec.Struct, frozen=True):
    """An error of the protocol; `scopes` are those that the HTTP challenge has to name."""

    error: RpcError
    headers: tuple[RawHeader, ...] = ()
    scopes: tuple[str, ...] = ()


class NotAcceptable(msgspec.Struct, frozen=True):
    """The client takes no answer of the kind that the method gives; nothing was done."""


Outcome = Complete | Refused | NotAcceptable
