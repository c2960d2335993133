"""The aggregates that a transaction has touched, and what they say has happened."""

from collections.abc import Sequence
from typing import TypeVar

from domain.dunning.events import Event, EventSource

A = TypeVar("A")


class Seen:
    """Remembers aggregates in the order in which they were met, and takes their events."""

    def __init__(self) -> None:
        self._aggregates: list[object] = []
        self._events: list[Event] = []

    def note(self, aggregate: A) -> A:
        """Remember an aggregate that was found or added; None is passed on."""
        if aggregate is not None:
            self._aggregates.append(aggregate)
        return aggregate

    def of_kind(self, kind: type[A]) -> list[A]:
        """The aggregates of one kind."""
        return [aggregate for aggregate in self._aggregates if isinstance(aggregate, kind)]

    def events(self) -> Sequence[Event]:
        """What has happened so far, not yet stored."""
        for source in self.of_kind(EventSource):
            self._events.extend(source.events)
            source.events.clear()
        return self._events

    def mark(self) -> int:
        """A place to come back to; what has happened so far is kept."""
        self.events()
        return len(self._aggregates)

    def back_to(self, mark: int) -> None:
        """Forget the aggregates that were met since `mark`, and what has happened since."""
        for source in self.of_kind(EventSource):
            source.events.clear()
        del self._aggregates[mark:]

    def take_events(self) -> Sequence[Event]:
        """What has happened, to be stored now."""
        taken, self._events = list(self.events()), []
        return taken
