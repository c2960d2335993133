"""What has happened to an aggregate, as plain values it collects for the unit of work to store."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One business event; the store adds when, who and through which request.

    `data` is a snapshot without documents and contacts; `changes` maps a field to (old, new).
    Values are JSON values, money in cents.
    """

    type: str
    resource_type: str
    resource_id: str
    data: Mapping[str, object]
    changes: Mapping[str, tuple[object, object]] = field(default_factory=dict)

    @property
    def debtor_id(self) -> str | None:
        """Whose history it belongs to; None for what happened to nobody's debt."""
        if self.resource_type == "debtor":
            return self.resource_id
        about = self.data.get("debtor_id")
        return about if isinstance(about, str) else None


class EventSource:
    """An aggregate that keeps its events until whoever stores them empties the list."""

    @property
    def events(self) -> list[Event]:
        """What has happened since the list was last emptied, in order."""
        # A mapped object is loaded without __init__, so the list is made when it is asked for.
        events: list[Event] = vars(self).setdefault("_events", [])
        return events
