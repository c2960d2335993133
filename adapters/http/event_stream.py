"""Sending several messages as one event stream (WHATWG HTML, server-sent events)."""

import asyncio
from collections.abc import Iterable
from typing import Any, Final

from adapters.http.messages import NO_STORE, RawHeader, Receive, Send
from application.mcp.streams import Stream

QUIET: Final = 15.0
"""Seconds without a message after which a comment shows that the stream is alive."""

PATIENCE: Final = 60.0
"""Seconds that a client may leave what it is sent unread before it counts as gone."""

_HEADERS: Final = (
    (b"content-type", b"text/event-stream"),
    NO_STORE,
    # Proxies would gather what has to go out at once.
    (b"x-accel-buffering", b"no"),
)
_COMMENT: Final = b":\n\n"


async def send_stream(
    stream: Stream, headers: Iterable[RawHeader], receive: Receive, send: Send
) -> None:
    """Send each message as an event until they end or the client is gone; close them then."""
    gone = asyncio.ensure_future(_gone(receive))
    sending = asyncio.ensure_future(_Sending(send).everything(stream, headers))
    both: set[asyncio.Future[None]] = {gone, sending}
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in both:
            one.cancel()
        await asyncio.wait(both)
        await stream.rest.aclose()
    if not sending.cancelled():
        sending.result()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class _Sending:
    """One answer on its way; a client that leaves it unread for long is not waited for."""

    def __init__(self, send: Send) -> None:
        self._send = send

    async def everything(self, stream: Stream, headers: Iterable[RawHeader]) -> None:
        try:
            await self._events(stream, headers)
        except TimeoutError:
            return

    async def _events(self, stream: Stream, headers: Iterable[RawHeader]) -> None:
        everything = [*stream.headers, *headers, *_HEADERS]
        await self._one({"type": "http.response.start", "status": 200, "headers": everything})
        message: bytes | None = stream.first
        while message is not None:
            await self._part(b"event: message\ndata: " + message + b"\n\n")
            message = await self._next(stream)
        await self._one({"type": "http.response.body", "body": b""})

    async def _next(self, stream: Stream) -> bytes | None:
        """The next message, None after the last; comments go out until it is there."""
        following = asyncio.ensure_future(anext(stream.rest, None))
        try:
            while not (await asyncio.wait({following}, timeout=QUIET))[0]:
                await self._part(_COMMENT)
        finally:
            following.cancel()
            await asyncio.wait({following})
        return following.result()

    async def _part(self, part: bytes) -> None:
        await self._one({"type": "http.response.body", "body": part, "more_body": True})

    async def _one(self, message: dict[str, Any]) -> None:
        async with asyncio.timeout(PATIENCE):
            await self._send(message)
