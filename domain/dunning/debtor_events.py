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


def told(old: Mapping[str, object], new: Mapping[str, object], reason: str | None) -> Changes:
    """What has changed, as an event says it; `reason` is why it was allowed to."""
    changes = {
        name: (None, None) if name in _NOT_TOLD else (_plain(old[name]), _plain(value))
        for name, value in new.items()
    }
    return changes if reason is None else {**changes, "reason": (None, reason)}


def _plain(value: object) -> object:
    if isinstance(value, DoNotContact):
        return {
            "active": value.active,
            "reason": value.reason,
            "since": None if value.since is None else value.since.isoformat(),
            "until": None if value.until is None else value.until.isoformat(),
        }
    return list(value) if isinstance(value, tuple) else value
