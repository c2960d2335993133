"""The unit of work: one transaction for one grant, with everything it may ask and do."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.charges import SqlCharges
from adapters.persistence.debtors import SqlDebtors
from adapters.persistence.failures import FAILURES
from adapters.persistence.idempotency import SqlIdempotencyRecords
from adapters.persistence.members import SqlMembers
from adapters.persistence.portfolio import Portfolio
from adapters.persistence.seen import Seen
from adapters.persistence.trail import Author, Trail
from adapters.persistence.transaction import PinnedTransaction, open_pinned
from adapters.persistence.uniqueness import FIELD_OF, existing_row, violated_rule
from domain.access.audit import AuditEntry, Origin
from domain.access.grant import Grant
from domain.dunning.events import Event
from domain.dunning.organizations import Organization
from domain.errors import DuplicateError
from domain.ports.clocks import SystemClock
from domain.ports.ids import Ids


class SqlWork:
    """One transaction pinned to the organisation of a grant; undone unless committed."""

    def __init__(
        self, transaction: PinnedTransaction, author: Author, clock: SystemClock, ids: Ids
    ) -> None:
        self._transaction = transaction
        self._portfolio = Portfolio.of(author.grant)
        self._seen = Seen()
        self._entries: list[AuditEntry] = []
        self._trail = Trail(transaction, author, clock, ids)
        self.debtors = SqlDebtors(transaction, self._portfolio, self._seen)
        self.charges = SqlCharges(transaction, self._portfolio, self._seen)
        self.members = SqlMembers(transaction)
        self.idempotency = SqlIdempotencyRecords(transaction, clock)

    async def organization(self) -> Organization:
        """The organisation of the grant, with its settings."""
        wanted = select(Organization).filter_by(id=self._transaction.organization_id)
        return (await self._transaction.session.scalars(wanted)).one()

    def pending_events(self) -> Sequence[Event]:
        """What the aggregates of this transaction say has happened, in order, not yet stored."""
        return tuple(self._seen.events())

    async def audit(self, entry: AuditEntry, /) -> None:
        """Append to the audit trail, with the grant's actor and the request's origin."""
        self._entries.append(entry)

    async def commit(self) -> None:
        """Store changes, events and audit lines in one go.

        Raises:
            DuplicateError: a unique rule is violated.
        """
        try:
            await self._transaction.flush()
            await self._trail.store_events(self._seen.take_events())
            await self._trail.store_entries(self._entries)
            await self._transaction.commit()
        except FAILURES as error:
            rule = violated_rule(error)
            if rule is None:
                raise
            raise await self._duplicate(rule) from None

    async def _duplicate(self, rule: str) -> DuplicateError:
        await self._transaction.rollback()
        await self._transaction.begin(read_only=True)
        existing = existing_row(rule, self._seen, self._portfolio)
        if existing is None:
            return DuplicateError(FIELD_OF[rule])
        found = await self._transaction.connection.scalar(existing.limit(1))
        return DuplicateError(FIELD_OF[rule], found)


class OpenSqlWork:
    """Opens transactions on the application's engine."""

    def __init__(self, engine: AsyncEngine, clock: SystemClock, ids: Ids) -> None:
        self._engine = engine
        self._clock = clock
        self._ids = ids

    @asynccontextmanager
    async def __call__(
        self, grant: Grant, origin: Origin, /, *, read_only: bool = False
    ) -> AsyncGenerator[SqlWork]:
        """A transaction; a `read_only` one cannot be committed. Raises UnavailableError."""
        organization_id = grant.organization_id
        async with open_pinned(self._engine, organization_id, read_only=read_only) as transaction:
            yield SqlWork(transaction, Author(grant, origin), self._clock, self._ids)
