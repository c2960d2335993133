"""What is written down about who did what, and where a request came from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

Via = Literal["rest", "mcp", "job", "page"]
Outcome = Literal[
    "ok", "denied", "error", "asked", "confirmed", "declined", "cancelled", "replayed"
]


class Origin(NamedTuple):
    """Where a request came from; `ip` is the peer's, or what a trusted proxy says."""

    request_id: str
    via: Via
    ip: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One line of the audit trail. `diff` holds before and after of named fields, never secrets.

    `confirmation` is the id of the question that a person was asked about it.
    """

    id: str
    at: datetime
    action: str
    resource: str | None
    outcome: Outcome
    code: str | None = None
    confirmation: str | None = None
    scopes_used: tuple[str, ...] = ()
    diff: Mapping[str, object] = field(default_factory=dict)
