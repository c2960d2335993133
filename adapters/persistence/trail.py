"""What a transaction leaves behind besides its effect: events and lines of the audit trail."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import insert

from adapters.persistence.tables import audit_entries, events
from adapters.persistence.transaction import PinnedTransaction
from domain.access.audit import AuditEntry, Origin
from domain.access.grant import Grant
from domain.dunning.events import Event
from domain.ports.clocks import SystemClock
from domain.ports.ids import Ids


class Author(NamedTuple):
    """Who acts, and where the request came from."""

    grant: Grant
    origin: Origin

    @property
    def actor_type(self) -> str:
        """What an event says of its actor: whoever reads it wants to know that a model acted."""
        return "mcp" if self.origin.via == "mcp" else self.grant.actor.type


class Trail:
    """Writes both in the name of their author."""

    def __init__(
        self, transaction: PinnedTransaction, author: Author, clock: SystemClock, ids: Ids
    ) -> None:
        self._transaction = transaction
        self._author = author
        self._clock = clock
        self._ids = ids

    async def store_events(self, happened: Sequence[Event]) -> None:
        """Append what happened; it occurred now, by the system's clock."""
        if not happened:
            return
        now = self._clock.now()
        # Ids of one millisecond have no order of their own; whoever reads them by id wants one.
        ids = sorted(self._ids.new("evt") for _ in happened)
        rows = [self._event_row(*one, now) for one in zip(ids, happened, strict=True)]
        await self._transaction.connection.execute(insert(events), rows)

    async def store_entries(self, entries: Sequence[AuditEntry]) -> None:
        """Append lines of the audit trail."""
        if not entries:
            return
        rows = [self._entry_row(entry) for entry in entries]
        await self._transaction.connection.execute(insert(audit_entries), rows)

    def _event_row(self, event_id: str, event: Event, now: datetime) -> dict[str, object]:
        return {
            "organization_id": self._transaction.organization_id,
            "id": event_id,
            "type": event.type,
            "occurred_at": now,
            "resource_type": event.resource_type,
            "resource_id": event.resource_id,
            "debtor_id": event.debtor_id,
            "data": event.data,
            "changes": event.changes,
            "actor_type": self._author.actor_type,
            "actor_id": self._author.grant.actor.id,
            "request_id": self._author.origin.request_id,
        }

    def _entry_row(self, entry: AuditEntry) -> dict[str, object]:
        actor, origin = self._author.grant.actor, self._author.origin
        return {
            "organization_id": self._transaction.organization_id,
            "id": entry.id,
            "at": entry.at,
            "actor_type": actor.type,
            "actor_id": actor.id,
            "client_id": actor.client_id,
            "action": entry.action,
            "resource": entry.resource,
            "outcome": entry.outcome,
            "code": entry.code,
            "confirmation": entry.confirmation,
            "scopes_used": entry.scopes_used,
            "diff": entry.diff,
            "request_id": origin.request_id,
            "via": origin.via,
            "ip": origin.ip,
        }
