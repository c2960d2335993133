"""Which web pages may call us: the Origin check and the answers to browsers' preflights."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from adapters.http.messages import Headers, RawHeaders

EXPOSED: Final = b"WWW-Authenticate, Retry-After, MCP-Protocol-Version"
_ALLOWED_HEADERS: Final = (
    "authorization",
    "content-type",
    "accept",
    "accept-language",
    "idempotency-key",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
    "mcp-session-id",
    "last-event-id",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginVerdict:
    """What the Origin header means for one request."""

    accepted: bool
    headers: tuple[tuple[bytes, bytes], ...]


NO_ORIGIN: Final = OriginVerdict(accepted=True, headers=())


class Origins:
    """Accepts no Origin, our own, and the configured ones, compared whole and exactly."""

    def __init__(self, public_url: str, allowed: tuple[str, ...]) -> None:
        parts = urlsplit(public_url)
        self._accepted = {f"{parts.scheme}://{parts.netloc}", *allowed}

    def judge(self, headers: Headers) -> OriginVerdict:
        """Whether this request may go on, and the CORS headers of every answer to it."""
        if not headers.sent(b"origin"):
            return NO_ORIGIN
        sent = headers.all(b"origin")
        if len(sent) > 1 or sent[0] not in self._accepted:
            return OriginVerdict(accepted=False, headers=())
        return OriginVerdict(
            accepted=True,
            headers=(
                (b"access-control-allow-origin", sent[0].encode("latin-1")),
                (b"vary", b"Origin"),
                (b"access-control-expose-headers", EXPOSED),
            ),
        )


def preflight(headers: Headers, methods: str) -> RawHeaders:
    """What a page may send, for ten minutes; credentials are never allowed."""
    asked = ",".join(headers.all(b"access-control-request-headers")).lower().split(",")
    own = [name.strip() for name in asked if name.strip().startswith("mcp-param-")]
    return [
        (b"access-control-allow-methods", methods.encode()),
        (b"access-control-allow-headers", ", ".join((*_ALLOWED_HEADERS, *own)).encode("latin-1")),
        (b"access-control-max-age", b"600"),
    ]
