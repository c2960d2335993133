"""What has happened in one organisation of the demo, and who did it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adapters.persistence.demo import PastEvent
from domain.access.grant import Actor
from domain.dunning.events import EventSource
from domain.dunning.moment import Moment
from entrypoints.seed.creditors import Creditor
from entrypoints.seed.fixed import fixed_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """Who did what: the ERP most of it, a manager what is final; `members` are by first name."""

    erp: Actor
    manager: Actor
    members: Mapping[str, Actor]


class Chronicle:
    """The events so far, each with an id that is the same in every seeding."""

    def __init__(self, creditor: Creditor) -> None:
        self._creditor = creditor
        self._happened: list[PastEvent] = []
        self._told: Counter[str] = Counter()

    @property
    def happened(self) -> Sequence[PastEvent]:
        """Every event so far, oldest first."""
        return sorted(self._happened, key=lambda past: past.occurred_at)

    def note(self, source: EventSource, moment: Moment, actor: Actor) -> None:
        """Take over what `source` has to tell."""
        for event in source.events:
            of_its_kind = f"{event.resource_id}/{event.type}"
            self._told[of_its_kind] += 1
            name = f"{of_its_kind}/{self._told[of_its_kind]}"
            past = PastEvent(
                id=self.id("evt", name),
                event=event,
                occurred_at=moment.instant,
                actor=actor,
                request_id=self.id("req", name),
            )
            self._happened.append(past)
        source.events.clear()

    def id(self, prefix: str, name: str) -> str:
        """The id of what is called `name` in this organisation."""
        return fixed_id(prefix, f"{self._creditor.key}/{name}")
