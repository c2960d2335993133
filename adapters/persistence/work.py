"""The unit of work: one transaction for one grant, with everything it may ask and do."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.approvals import SqlApprovals
from adapters.persistence.charges import SqlCharges
from adapters.persistence.contact_points import SqlContactPoints
from adapters.persistence.debtors import SqlDebtors
from adapters.persistence.decisions import SqlDecisions
from adapters.persistence.failures import FAILURES
from adapters.persistence.holidays import SqlHolidays
from adapters.persistence.idempotency import SqlIdempotencyRecords
from adapters.persistence.interactions import SqlInteractions
from adapters.persistence.members import SqlMembers
from adapters.persistence.payments import SqlPayments
from adapters.persistence.portfolio import Portfolio
from adapters.persistence.rates import SqlRates
from adapters.persistence.seen import Seen
from adapters.persistence.suggestions import SqlSuggestions
from adapters.persistence.tables import organization_settings
from adapters.persistence.timeline import SqlTimeline
from adapters.persistence.trail import Author, Trail
from adapters.persistence.transaction import PinnedTransaction, open_pinned
from adapters.persistence.uniqueness import (
    FIELD_OF,
    Claim,
    claims_of,
    duplicates_refused,
    existing_row,
    violated_rule,
)
from domain.access.audit import AuditEntry, Origin
from domain.access.grant import Grant
from domain.dunning.events import Event
from domain.dunning.organizations import Organization
from domain.errors import DuplicateError
from domain.ports.clocks import SystemClock
from domain.ports.ids import Ids


class SqlWork:
    """One transaction pinned to the organisation of a grant; undone unless committed.

    What can be asked of it is made when it is asked for: most requests want one of a dozen.
    """

    def __init__(
        self, transaction: PinnedTransaction, author: Author, clock: SystemClock, ids: Ids
    ) -> None:
        self._transaction = transaction
        self._author = author
        self._clock = clock
        self._ids = ids
        self._portfolio = Portfolio.of(author.grant)
        self._seen = Seen()
        self._entries: list[AuditEntry] = []
        # Kept, because it reads once.
        self.rates = SqlRates(transaction)

    @property
    def debtors(self) -> SqlDebtors:
        """Debtors of the portfolio."""
        return SqlDebtors(self._transaction, self._portfolio, self._seen)

    @property
    def contact_points(self) -> SqlContactPoints:
        """Ways to reach them."""
        return SqlContactPoints(self._transaction, self._portfolio, self._seen)

    @property
    def interactions(self) -> SqlInteractions:
        """Contacts that took place."""
        return SqlInteractions(self._transaction, self._portfolio, self._seen)

    @property
    def charges(self) -> SqlCharges:
        """Charges of the portfolio."""
        return SqlCharges(self._transaction, self._portfolio, self._seen)

    @property
    def payments(self) -> SqlPayments:
        """Payments."""
        return SqlPayments(self._transaction, self._portfolio, self._seen)

    @property
    def approvals(self) -> SqlApprovals:
        """Requests for a second person."""
        return SqlApprovals(self._transaction, self._portfolio, self._seen)

    @property
    def timeline(self) -> SqlTimeline:
        """What happened with debtors."""
        return SqlTimeline(self._transaction, self._portfolio)

    @property
    def suggestions(self) -> SqlSuggestions:
        """What arguments may be."""
        return SqlSuggestions(self._transaction, self._portfolio)

    @property
    def holidays(self) -> SqlHolidays:
        """The organisation's own holidays."""
        return SqlHolidays(self._transaction)

    @property
    def members(self) -> SqlMembers:
        """People."""
        return SqlMembers(self._transaction)

    @property
    def idempotency(self) -> SqlIdempotencyRecords:
        """Answers of finished writes."""
        return SqlIdempotencyRecords(self._transaction, self._clock)

    @property
    def decisions(self) -> SqlDecisions:
        """What people decided on the confirmation page."""
        return SqlDecisions(self._transaction, self._clock)

    async def organization(self, *, lock: bool = False) -> Organization:
        """The organisation of the grant, with its settings; `lock` holds it for a change."""
        wanted = select(Organization).filter_by(id=self._transaction.organization_id)
        if lock:
            # The directory's row is not the service's to hold.
            wanted = wanted.with_for_update(of=organization_settings).execution_options(
                populate_existing=True
            )
        return self._seen.note((await self._transaction.session.scalars(wanted)).one())

    @asynccontextmanager
    async def savepoint(self) -> AsyncGenerator[None]:
        """What is done inside is kept, or, where it raises, undone by itself.

        Raises:
            DuplicateError: a unique rule is violated.
        """
        mark = self._seen.mark()
        try:
            with duplicates_refused():
                async with self._transaction.savepoint():
                    yield
        except BaseException:
            self._seen.back_to(mark)
            raise

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
        claims = claims_of(self._seen)
        trail = Trail(self._transaction, self._author, self._clock, self._ids)
        try:
            await self._transaction.flush()
            await trail.store_events(self._seen.take_events())
            await trail.store_entries(self._entries)
            await self._transaction.commit()
        except FAILURES as error:
            rule = violated_rule(error)
            if rule is None:
                raise
            raise await self._duplicate(rule, claims) from None

    async def _duplicate(self, rule: str, claims: Sequence[Claim]) -> DuplicateError:
        await self._transaction.rollback()
        await self._transaction.begin(read_only=True)
        existing = existing_row(rule, claims, self._portfolio)
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
