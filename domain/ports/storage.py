"""One transaction in one organisation, and what can be asked of it.

A new query adds one method here and one in the adapter. Whatever a Grant may not see (another
organisation's row, a debtor outside the portfolio) is absent: `find` gives None, pages skip it.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Generic, NamedTuple, Protocol, TypeVar

from domain.access.audit import AuditEntry, Origin
from domain.access.grant import Grant
from domain.access.idempotency import KeyScope, StoredAnswer
from domain.dunning.calendar import DueDateRule
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import CancelReason, Charge
from domain.dunning.debtors import Debtor
from domain.dunning.events import Event
from domain.dunning.new_charges import PaymentMethods
from domain.dunning.organizations import Organization
from domain.dunning.terms import Terms

Row_co = TypeVar("Row_co", covariant=True)

COUNTED_EXACTLY = 10_000
"""Above this many rows a total is a lower bound and sums are not made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Which part of a list, in which order; the id breaks every tie."""

    page: int
    per_page: int
    sort_by: str
    descending: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Instants from `start` (inclusive) to `end` (exclusive); None is open."""

    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class Page(Generic[Row_co]):
    """Rows of one page; `total` stops at 10 001, which means more than 10 000."""

    rows: Sequence[Row_co]
    total: int


@dataclass(frozen=True, slots=True)
class SummedPage(Page[Row_co]):
    """A page with a sum over the whole filter, in cents; None when there are more than 10 000."""

    sum: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DebtorQuery:
    """Filters of the debtor list; None and empty mean unfiltered. Money in cents."""

    window: Window
    created: Span = Span()
    updated: Span = Span()
    text: str | None = None
    status: tuple[str, ...] = ()
    person_type: tuple[str, ...] = ()
    uf: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    assigned_member_id: str | None = None
    has_overdue: bool | None = None
    min_overdue_amount: int | None = None
    flag: tuple[str, ...] = ()
    external_id: str | None = None


class DebtorRow(NamedTuple):
    """A debtor as a list shows it: with what they owe as stored, in cents.

    `oldest_overdue` is the earliest effective due date among the overdue charges.
    """

    debtor: Debtor
    open_amount: int
    overdue_amount: int
    renegotiated_amount: int
    written_off_amount: int
    oldest_overdue: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeQuery:
    """Filters of the charge list; None and empty mean unfiltered. Money in cents.

    `effective_due` bounds are inclusive; days late and aging buckets are asked through them, of
    charges that are `owed_only`.
    """

    window: Window
    created: Span = Span()
    updated: Span = Span()
    status: tuple[str, ...] = ()
    owed_only: bool = False
    debtor_id: str | None = None
    text: str | None = None
    kind: tuple[str, ...] = ()
    due_from: date | None = None
    due_to: date | None = None
    effective_due: tuple[tuple[date | None, date | None], ...] = ()
    min_amount: int | None = None
    max_amount: int | None = None
    tags: tuple[str, ...] = ()
    assigned_member_id: str | None = None
    external_id: str | None = None
    document_number: str | None = None


class ChargeRow(NamedTuple):
    """A charge as a list shows it, straight from its columns. Money in cents.

    The amounts are those of `amounts_as_of`; whoever shows another day's computes them anew.
    """

    id: str
    debtor_id: str
    debtor_name: str
    description: str
    kind: ChargeKind
    document_number: str | None
    external_id: str | None
    contract_reference: str | None
    amount: int
    issue_date: date
    due_date: date
    due_date_rule: DueDateRule
    effective_due_date: date
    terms: Terms
    payment_methods: PaymentMethods
    status: ChargeStatus
    principal_outstanding: int
    fine: int
    interest: int
    correction: int
    discount: int
    costs: int
    total_due: int
    paid: int
    days_late: int
    amounts_as_of: date
    prescription_date: date
    listing_limit_date: date
    tags: Sequence[str]
    custom_data: Mapping[str, object] | None
    assigned_member_id: str | None
    written_off_at: datetime | None
    canceled_at: datetime | None
    paid_at: datetime | None
    cancel_reason: CancelReason | None
    cancel_note: str | None
    created_at: datetime
    updated_at: datetime
    version: int


class Debtors(Protocol):
    """The organisation's debtors, within the portfolio."""

    async def find(self, debtor_id: str, /) -> Debtor | None:
        """The debtor, if the grant may see them."""
        ...

    async def page(self, query: DebtorQuery, /) -> Page[DebtorRow]:
        """One page of the debtors that match."""
        ...

    def add(self, debtor: Debtor, /) -> None:
        """Keep a new debtor. A taken document or external id is a DuplicateError at commit."""
        ...


class Charges(Protocol):
    """The organisation's charges, of debtors within the portfolio."""

    async def find(self, charge_id: str, /, *, lock: bool = False) -> Charge | None:
        """The charge, if the grant may see it; `lock` holds its row until the transaction ends."""
        ...

    async def page(self, query: ChargeQuery, /) -> SummedPage[ChargeRow]:
        """One page of the charges that match, with the sum of what is due on all of them."""
        ...

    def add(self, charge: Charge, /) -> None:
        """Keep a new charge. A taken external id is a DuplicateError at commit."""
        ...

    async def stale(self, today: date, /, *, limit: int) -> Sequence[Charge]:
        """At most `limit` owed charges stored for another day than `today`, locked."""
        ...


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
    def charges(self) -> Charges:
        """Charges."""
        ...

    @property
    def members(self) -> Members:
        """People."""
        ...

    @property
    def idempotency(self) -> IdempotencyRecords:
        """Answers of finished writes."""
        ...

    async def organization(self) -> Organization:
        """The organisation of the grant, with its settings."""
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
