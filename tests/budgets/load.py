"""Requests over a few connections that are kept alive, each answered before the next is sent."""

import asyncio
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from time import perf_counter
from typing import Final, cast

CONNECTIONS: Final = 4

_PATIENCE: Final = 30.0
_END: Final = b"\r\n\r\n"
_LENGTH: Final = b"content-length: "


@dataclass(frozen=True, slots=True)
class Answer:
    """One whole answer."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


class UnexpectedAnswerError(Exception):
    """A server did not do its work, so there is nothing to measure."""


async def ask(port: int, request: bytes) -> Answer:
    """Send one request, for the answer itself."""
    connection = _Connection(request, 1, keep=True)
    await _run(port, [connection])
    head, _, body = bytes(connection.kept).partition(_END)
    status, *lines = head.split(b"\r\n")
    headers = (line.partition(b": ") for line in lines)
    return Answer(int(status.split()[1]), tuple((name, value) for name, _, value in headers), body)


async def load(port: int, request: bytes, times: int) -> None:
    """Send `request` so many times. Raises UnexpectedAnswerError: an answer was not 200."""
    each = -(-times // CONNECTIONS)
    await _run(port, [_Connection(request, each) for _ in range(CONNECTIONS)])


async def waits(port: int, request: bytes, times: int) -> list[float]:
    """Microseconds that each of so many requests waits for its answer, one after the other."""
    connection = _Connection(request, times)
    await _run(port, [connection])
    return [1_000_000 * (end - start) for start, end in pairwise(connection.moments)]


async def _run(port: int, connections: list["_Connection"]) -> None:
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(_PATIENCE):
        for connection in connections:
            await loop.create_connection(partial(_itself, connection), "127.0.0.1", port)
        await asyncio.gather(*(connection.done for connection in connections))


def _itself(connection: "_Connection") -> "_Connection":
    return connection


class _Connection(asyncio.Protocol):
    """Sends its request again whenever the answer is whole."""

    def __init__(self, request: bytes, times: int, *, keep: bool = False) -> None:
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.kept = bytearray()
        self.moments: list[float] = []
        self._request = request
        self._left = times
        self._keeps = keep
        self._missing = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self.moments.append(perf_counter())
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        if self._keeps:
            self.kept += data
        self._missing = (self._missing or _whole(data)) - len(data)
        if self._missing == 0:
            self._next()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(exc or UnexpectedAnswerError("the connection was closed"))

    def _next(self) -> None:
        self.moments.append(perf_counter())
        self._left -= 1
        if self._left:
            self._transport.write(self._request)
        else:
            self.done.set_result(None)
            self._transport.close()


def _whole(data: bytes) -> int:
    """Bytes of the answer that starts with `data`, whose first part holds the whole head."""
    head = data.find(_END)
    start = data.find(_LENGTH, 0, head) + len(_LENGTH)
    if not data.startswith(b"HTTP/1.1 200") or head < 0 or start < len(_LENGTH):
        raise UnexpectedAnswerError(data[:2000].decode(errors="replace"))
    return head + len(_END) + int(data[start : data.find(b"\r\n", start)])
