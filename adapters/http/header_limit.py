"""uvicorn's protocol with a bound on what comes before and after a body (RFC 6585 §5)."""

from typing import Final, cast

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from adapters.http.edge_errors import HeadersTooLargeError
from domain.texts import DEFAULT_LANGUAGE

MOST_HEADERS: Final = 65_536
"""Bytes that a request line and its headers may have together."""

_REFUSED: Final = HeadersTooLargeError()
_BODY: Final = msgspec.json.encode(
    {"error": {"code": _REFUSED.code, "message": _REFUSED.message.in_language(DEFAULT_LANGUAGE)}}
)
_HEADERS: Final = (
    (b"content-type", b"application/json"),
    (b"content-length", str(len(_BODY)).encode()),
    (b"cache-control", b"no-store"),
    (b"connection", b"close"),
)


class HeaderLimitProtocol(HttpToolsProtocol):
    """Answers 431 and hangs up when headers are too large; the application never hears of them.

    Trailers are bounded as well, by hanging up: they come when the answer may have begun.
    """

    _unread = 0
    """Bytes that came in reads after the last head, piece of a body or whole message."""

    def data_received(self, data: bytes) -> None:
        """Hand on what came, unless nothing comes of it for too long."""
        self._unread += len(data)
        super().data_received(data)
        if self._unread > MOST_HEADERS:
            self._refuse()

    def on_headers_complete(self) -> None:
        """Start the request.

        Raises:
            HeadersTooLargeError: stops the parser; nothing was started.
        """
        # What came may hold a part of the body: only then is it worth counting.
        if self._unread > MOST_HEADERS and self._head_size() > MOST_HEADERS:
            raise HeadersTooLargeError
        self._unread = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Hand on a piece of the body."""
        self._unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End the request."""
        self._unread = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what cannot be parsed; what was stopped for its size has its own answer."""
        if self._unread <= MOST_HEADERS:
            super().send_400_response(msg)

    def _head_size(self) -> int:
        return len(self.url) + sum(len(name) + len(value) for name, value in self.headers)

    def _refuse(self) -> None:
        # An answer to an earlier request may be on its way; this one must not be taken for it.
        cycle = cast("RequestResponseCycle | None", self.cycle)
        if cycle is None or cycle.response_complete:
            lines = (b"%s: %s\r\n" % one for one in (*self.server_state.default_headers, *_HEADERS))
            self.transport.write(
                b"HTTP/1.1 431 Request Header Fields Too Large\r\n%s\r\n%s"
                % (b"".join(lines), _BODY)
            )
        self.transport.close()
