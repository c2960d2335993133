"""Raw ASGI in and out: headers of a request by name, its body within bounds, one answer."""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from functools import lru_cache
from typing import Any, Final

import msgspec

from adapters.http.admission import Admission
from adapters.http.edge_errors import PayloadTooLargeError, RequestTimeoutError
from domain.errors import DomainError, UnavailableError

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
RawHeader = tuple[bytes, bytes]
RawHeaders = list[RawHeader]

JSON: Final = (b"content-type", b"application/json")
NO_CONTENT: Final = 204
UNREAD: Final = frozenset({408, 413})
"""Answers to a request whose body may be on its way still."""

HANG_UP: Final = (b"connection", b"close")
NO_STORE: Final = (b"cache-control", b"no-store")


class ClientGoneError(Exception):
    """The client hung up before its request was whole."""


class Headers:
    """The headers of a request by name, in lower case; `raw` has them as they came."""

    __slots__ = ("_last", "raw")

    def __init__(self, raw: RawHeaders) -> None:
        self.raw = raw
        self._last = dict(raw)

    def sent(self, name: bytes) -> tuple[bytes, ...]:
        """Every value of one header as it came, in order."""
        last = self._last.get(name)
        if last is None:
            return ()
        if len(self._last) == len(self.raw):  # nothing was sent twice
            return (last,)
        return tuple([value for key, value in self.raw if key == name])

    def all(self, name: bytes) -> list[str]:
        """Every value of one header, in order."""
        return [value.decode("latin-1") for value in self.sent(name)]


class Incoming(msgspec.Struct):
    """A request as both doors pass it on: what the server made of it, and the id that it got.

    How far it has come says what it is told when its time is up: `body` is there once it is
    whole, `is_admitted` once the gate knows whose it is. `expires_at`, in Unix seconds, is the end
    of the token that it came with.
    """

    scope: Scope
    headers: Headers
    request_id: str
    body: bytes | None = None
    is_admitted: bool = False
    expires_at: float | None = None

    @property
    def method(self) -> str:
        """The HTTP method."""
        return str(self.scope["method"])


def is_json(headers: Headers) -> bool:
    """Whether the one Content-Type is JSON, in any case and with any parameters."""
    return _says_json(headers.sent(b"content-type"))


@lru_cache(maxsize=256)
def _says_json(sent: tuple[bytes, ...]) -> bool:
    return len(sent) == 1 and sent[0].partition(b";")[0].strip().lower() == b"application/json"


def overdue(incoming: Incoming) -> DomainError:
    """What a request is told whose time is up."""
    return RequestTimeoutError() if incoming.body is None else UnavailableError()


async def read_body(headers: Headers, receive: Receive, limit: int, gathering: Admission) -> bytes:
    """The whole body, at most `limit` bytes; one that comes in pieces takes a place meanwhile.

    Raises:
        PayloadTooLargeError: announced or sent more; nothing further is read.
        UnavailableError: it comes in pieces, and too many others do.
        ClientGoneError: the client hung up.
    """
    announced = headers.sent(b"content-length")
    if announced and announced[0].isdigit() and int(announced[0]) > limit:
        raise PayloadTooLargeError
    message = await receive()
    if message["type"] == "http.request" and not message.get("more_body", False):
        body: bytes = message.get("body", b"")
        _refuse_longer(body, limit)
        return body
    with gathering:
        return await _gather(message, receive, limit)


async def _gather(message: Any, receive: Receive, limit: int) -> bytes:  # noqa: ANN401 -- an ASGI event
    body = bytearray()
    while True:
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        body += message.get("body", b"")
        _refuse_longer(body, limit)
        if not message.get("more_body", False):
            return bytes(body)
        message = await receive()


def _refuse_longer(body: bytes | bytearray, limit: int) -> None:
    if len(body) > limit:
        raise PayloadTooLargeError


async def answer(
    send: Send,
    status: int,
    body: bytes,
    headers: Iterable[tuple[bytes, bytes]],
    kind: tuple[bytes, bytes] = JSON,
) -> None:
    """Send one whole answer; a body that is empty has no type, a 204 no length (RFC 9110 §8.6)."""
    everything = [*headers, NO_STORE]
    if status != NO_CONTENT:
        everything.append((b"content-length", str(len(body)).encode()))
    if body:
        everything.append(kind)
    if status in UNREAD:
        everything.append(HANG_UP)
    await send({"type": "http.response.start", "status": status, "headers": everything})
    await send({"type": "http.response.body", "body": body})
