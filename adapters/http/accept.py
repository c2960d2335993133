"""What a client says it can read (RFC 9110 §12.5.1)."""

from functools import lru_cache
from typing import Final, Literal

from adapters.http.messages import Headers
from application.operations.refusals import language_of
from domain.texts import Language

Accepted = Literal["json", "stream", "neither"]
"""JSON is fine; only an event stream is; or nothing that we could answer with."""

_JSON_RANGES: Final = ("application/json", "application/*", "*/*")
_STREAM_RANGES: Final = ("text/event-stream", "text/*", "*/*")


def accepted_of(headers: Headers) -> Accepted:
    """Which of our answers the request takes; without the header, JSON."""
    return _accepted(headers.sent(b"accept"))


def accepts_streams(headers: Headers) -> bool:
    """Whether the request takes an event stream, whatever else; without the header, it does not."""
    return _accepts_streams(headers.sent(b"accept"))


@lru_cache(maxsize=256)
def _accepts_streams(sent: tuple[bytes, ...]) -> bool:
    return _takes(dict(_ranges(b",".join(sent).decode("latin-1"))), _STREAM_RANGES)


@lru_cache(maxsize=256)
def _accepted(sent: tuple[bytes, ...]) -> Accepted:
    if not sent:
        return "json"
    weights = dict(_ranges(b",".join(sent).decode("latin-1")))
    if _takes(weights, _JSON_RANGES):
        return "json"
    return "stream" if _takes(weights, _STREAM_RANGES) else "neither"


def preferred_language(headers: Headers) -> Language:
    """The language that the request prefers of those that errors are written in."""
    return _language(headers.sent(b"accept-language"))


@lru_cache(maxsize=256)
def _language(sent: tuple[bytes, ...]) -> Language:
    return language_of(b", ".join(sent).decode("latin-1"))


def _takes(weights: dict[str, bool], ranges: tuple[str, ...]) -> bool:
    """Whether the most specific range that applies is not refused with `q=0`."""
    return next((weights[one] for one in ranges if one in weights), False)


def _ranges(value: str) -> list[tuple[str, bool]]:
    found = []
    for part in value.split(","):
        media, *parameters = (piece.strip().lower() for piece in part.split(";"))
        refused = any(p.startswith("q=") and _is_zero(p[2:]) for p in parameters)
        found.append((media, not refused))
    return found


def _is_zero(weight: str) -> bool:
    try:
        return float(weight) == 0
    except ValueError:
        return False
