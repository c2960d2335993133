"""One transaction in one organisation, and what can be asked of it.

A new query adds one method here and one in the adapter. Whatever a Grant may not see (another
organisation's row, a debtor outside the portfolio) is absent: `find` gives None, pages skip it.
"""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from domain.access.audit import AuditEntry, Origin
from domain.access.grant import Grant
from domain.access.idempotency import KeyScope, StoredAnswer
from domain.dunning.events import Event
from domain.dunning.organizations import Organization
from domain.ports.approvals import Approvals
from domain.ports.calendars import Holidays
from domain.ports.charges import Charges
from domain.ports.confirmations import Decisions
from domain.ports.contact_points import ContactPoints
from domain.ports.debtors import Debtors
from domain.ports.interactions import Interactions
from domain.ports.payments import Payments
from domain.ports.rates import RateBook
from domain.ports.suggestions import Suggestions
from domain.ports.timeline import Timeline


class Members(Protocol):
    """People of the organisation."""

    async def exists(self, member_id: str, /) -> bool:
        """Whether this is an active member."""
        ...


class IdempotencyRecords(Protocol):
    """Answers of finished writes, by the digest of their key."""

    async def find(self, scope: KeyScope, /) -> StoredAnswer | None:
        """The stored answer, unless it has expired."""
        ...

    async def claim(self, scope: KeyScope, /) -> StoredAnswer | None:
        """Hold the key until the transaction ends, then look.

        Raises:
            IdempotencyBusyError: another transaction holds it.
        """
        ...

    async def save(self, scope: KeyScope, answer: StoredAnswer, /) -> None:
        """Keep the answer together with the effect."""
        ...

    async def forget_expired(self, *, limit: int) -> int:
        """Delete at most `limit` expired answers; gives how many there were."""
        ...


class Work(Protocol):
    """One transaction pinned to the organisation of a grant; undone unless committed."""

    @property
    def debtors(self) -> Debtors:
        """Debtors."""
        ...

    @property
    def contact_points(self) -> ContactPoints:
        """Ways to reach debtors."""
        ...

    @property
    def interactions(self) -> Interactions:
        """Contacts that took place."""
        ...

    @property
    def charges(self) -> Charges:
        """Charges."""
        ...

    @property
    def payments(self) -> Payments:
        """Payments."""
        ...

    @property
    def approvals(self) -> Approvals:
        """Requests for a second person."""
        ...

    @property
    def timeline(self) -> Timeline:
        """What happened with debtors."""
        ...

    @property
    def suggestions(self) -> Suggestions:
        """What may stand in a field."""
        ...

    @property
    def holidays(self) -> Holidays:
        """The organisation's own holidays."""
        ...

    @property
    def rates(self) -> RateBook:
        """Published index rates, the same for everybody."""
        ...

    @property
    def members(self) -> Members:
        """People."""
        ...

    @property
    def idempotency(self) -> IdempotencyRecords:
        """Answers of finished writes."""
        ...

    @property
    def decisions(self) -> Decisions:
        """What people decided on the confirmation page."""
        ...

    async def organization(self, *, lock: bool = False) -> Organization:
        """The organisation of the grant, with its settings; `lock` holds it for a change."""
        ...

    def savepoint(self) -> AbstractAsyncContextManager[None]:
        """What is done inside is kept, or, where it raises, undone by itself.

        It must change nothing that was found before it. What is written in it is checked at its
        end. Raises DuplicateError: a unique rule is violated.
        """
        ...

    def pending_events(self) -> Sequence[Event]:
        """What the aggregates of this transaction say has happened, in order, not yet stored."""
        ...

    async def audit(self, entry: AuditEntry, /) -> None:
        """Append to the audit trail, with the grant's actor and the request's origin."""
        ...

    async def commit(self) -> None:
        """Store changes, events and audit lines in one go.

        Raises:
            DuplicateError: a unique rule is violated.
        """
        ...


class OpenWork(Protocol):
    """Opens a transaction for a grant."""

    def __call__(
        self, grant: Grant, origin: Origin, /, *, read_only: bool = False
    ) -> AbstractAsyncContextManager[Work]:
        """A transaction; a `read_only` one cannot be committed."""
        ...
