"""A request for an operation on its way from a door to an answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import msgspec

from application.operations.declaration import Operation
from domain.access.audit import Origin
from domain.access.confirmation import AskedCall, Decision, Question
from domain.access.grant import Grant

KEY: Final = "idempotency_key"
"""The member that every write has besides its own."""


class Arguments(msgspec.Struct, frozen=True, kw_only=True):
    """What a caller sent, read by the operation's own schema.

    `fingerprint` identifies it after coercion, without the key; empty for reads.
    """

    values: Any
    path_ids: tuple[str, ...] = ()
    key: str | None = None
    fingerprint: bytes = b""


class ReadArguments(Protocol):
    """Turns what a door received into arguments."""

    def __call__(self, raw: Mapping[str, object], /) -> Arguments:
        """Coerce and check. Raises ValidationError."""
        ...


@dataclass(frozen=True, slots=True)
class Bound:
    """An operation with the reader of its arguments, as a catalogue holds it."""

    operation: Operation[Any]
    read: ReadArguments


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One request for an operation."""

    raw: Mapping[str, object]
    grant: Grant
    origin: Origin


class Prepared(msgspec.Struct, frozen=True):
    """A request that its caller may make, with arguments that can be read."""

    operation: Operation[Any]
    request: Request
    arguments: Arguments


class FileFacts(msgspec.Struct, frozen=True):
    """What is said of a file beside its bytes."""

    content_type: str
    name: str


class Answer(msgspec.Struct, frozen=True):
    """What an operation gave: a status, the body (empty for 204), whether it is a replay.

    The body is JSON unless it is that of a `file`, whose name and type are told apart.
    """

    status: int
    body: bytes
    replayed: bool = False
    file: FileFacts | None = None


class Considered(msgspec.Struct, frozen=True, kw_only=True):
    """What a person has to be asked before the operation does anything, in `language`.

    `decision` is what they decided on the page about this very call, if that still waits for it.
    """

    call: AskedCall
    question: Question
    language: str
    decision: Decision | None
