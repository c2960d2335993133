"""What happened to an aggregate, kept on it until the unit of work takes it."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Resource:
    """The thing that an event is about."""

    type: str
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A fact: its type, a snapshot without personal data, and old and new values by field.

    Values are plain: text, integers, booleans, None, and amounts as decimals in reais.
    """

    type: str
    resource: Resource
    data: Mapping[str, object]
    changes: Mapping[str, tuple[object, object]] = field(default_factory=dict)


class EventSource:
    """An aggregate that remembers its events. Storage takes them when it writes the aggregate."""

    def take_events(self) -> list[Event]:
        """The events since the last time they were taken."""
        events: list[Event] = vars(self).pop("_events", [])
        return events

    def _record(self, event: Event) -> None:
        # A mapped object is loaded without __init__, so the list is made when it is needed.
        vars(self).setdefault("_events", []).append(event)
