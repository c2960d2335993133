"""What a client says it can read (RFC 9110 §12.5.1)."""

from functools import lru_cache
from typing import Final, Literal

from adapters.http.messages import Headers

Accepted = Literal["json", "stream", "neither"]
"""JSON is fine; only an event stream is; or nothing that we could answer with."""

_JSON_RANGES: Final = ("application/json", "application/*", "*/*")
_STREAM_RANGES: Final = ("text/event-stream", "text/*", "*/*")


def accepted_of(headers: Headers) -> Accepted:
    """Which of our answers the request takes; without the header, JSON."""
    sent = headers.all(b"accept")
    return _accepted(",".join(sent)) if sent else "json"


@lru_cache(maxsize=256)
def _accepted(value: str) -> Accepted:
    weights = dict(_ranges(value))
    if _takes(weights, _JSON_RANGES):
        return "json"
    return "stream" if _takes(weights, _STREAM_RANGES) else "neither"


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
