"""What events say of a debtor: that a name or a document has changed, and never to what."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from domain.dunning.restrictions import DoNotContact

Changes: TypeAlias = Mapping[str, tuple[object, object]]
"""Old and new value by field."""

_NOT_TOLD: Final = frozenset(
    {
        "name",
        "trade_name",
        "document",
        "is_consumer_reason",
        "birth_date",
        "address",
        "tags",
        "external_id",
        "notes",
        "custom_data",
    }
)
"""Fields of which events say only that they have changed."""


def told(
    old: Mapping[str, object], new: Mapping[str, object], *, has_reason: bool = False
) -> Changes:
    """What has changed, as an event says it, and whether a reason was given."""
    changes = {
        name: (None, None) if name in _NOT_TOLD else (_plain(old[name]), _plain(value))
        for name, value in new.items()
    }
    # A reason may name people; events and the audit trail outlive what is known of them.
    return {**changes, "reason": (None, None)} if has_reason else changes


def _plain(value: object) -> object:
    if isinstance(value, DoNotContact):
        return {
            "active": value.active,
            "reason": value.reason,
            "since": None if value.since is None else value.since.isoformat(),
            "until": None if value.until is None else value.until.isoformat(),
        }
    return list(value) if isinstance(value, tuple) else value
