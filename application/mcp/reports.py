"""What a handler says while it works: how far it is, and what it notes (patterns/progress)."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

import msgspec

from application.mcp.cleaning import clean
from application.mcp.envelope import LOG_LEVEL_KEY

Level = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
LEVELS: Final[tuple[Level, ...]] = (
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
)

ProgressToken = str | int
LONGEST_TOKEN: Final = 256
"""Characters of a token that is sent back with every report."""

Send = Callable[[bytes], None]
"""Takes one notification, as the bytes of a JSON-RPC message."""


def _nowhere(_message: bytes) -> None:
    pass


class Reports:
    """Notifications about one request; those that nobody asked for are not sent.

    `token` is the client's name for the progress, `level` the least that it wants noted.
    """

    def __init__(
        self, send: Send = _nowhere, token: ProgressToken | None = None, level: Level | None = None
    ) -> None:
        self._send = send
        self._token = token
        self._level = level
        self._furthest: float | None = None

    @property
    def are_wanted(self) -> bool:
        """Whether the client asked for any."""
        return self._token is not None or self._level is not None

    def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Say how far it is; what is no further than before is not said."""
        if self._token is None or (self._furthest is not None and done <= self._furthest):
            return
        self._furthest = done
        params: dict[str, object] = {"progressToken": self._token, "progress": done}
        if total is not None:
            params["total"] = total
        if message is not None:
            params["message"] = clean(message)
        self._send(notification("notifications/progress", params))

    def note(self, level: Level, data: object, logger: str | None = None) -> None:
        """Note something for the client's log."""
        if self._level is None or LEVELS.index(level) < LEVELS.index(self._level):
            return
        cleaned = msgspec.Raw(clean(msgspec.json.encode(data).decode()).encode())
        params: dict[str, object] = {"level": level, "data": cleaned}
        if logger is not None:
            params["logger"] = logger
        self._send(notification("notifications/message", params))


SILENT: Final = Reports()


def notification(method: str, params: Mapping[str, object]) -> bytes:
    """A JSON-RPC notification."""
    return msgspec.json.encode({"jsonrpc": "2.0", "method": method, "params": params})


def token_in(meta: Mapping[str, Any]) -> ProgressToken | None:
    """The progress token of a request: a string or an integer; anything else counts as none."""
    token = meta.get("progressToken")
    if isinstance(token, str):
        return token if len(token) <= LONGEST_TOKEN else None
    return token if token.__class__ is int else None


def level_in(meta: Mapping[str, Any]) -> Level | None:
    """The least level that a request wants noted; none unless it says so."""
    level = meta.get(LOG_LEVEL_KEY)
    return next((known for known in LEVELS if known == level), None)
