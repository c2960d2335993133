"""What can be asked of the charges of one organisation."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple, Protocol

from domain.dunning.calendar import DueDateRule
from domain.dunning.charge_acts import CancelReason, WriteOffReason
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.holds import Hold, HoldCode, ManualHold, holds_of
from domain.dunning.ledger import Credit
from domain.dunning.new_charges import PaymentMethods
from domain.dunning.restrictions import DebtorFlag, DoNotContact
from domain.dunning.terms import Terms
from domain.ports.lists import ALWAYS, Span, SummedPage, Window


class ChargeQuery(NamedTuple):
    """Filters of the charge list; None and empty mean unfiltered. Money in cents.

    `effective_due` bounds are inclusive; days late and aging buckets are asked through them, of
    charges that are `owed_only`. `hold` asks for any of these holds, as they stand on `holds_on`.
    """

    window: Window
    created: Span = ALWAYS
    updated: Span = ALWAYS
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
    hold: tuple[HoldCode, ...] = ()
    holds_on: date | None = None


class RowDebtor(NamedTuple):
    """What of the debtor of a row raises holds."""

    id: str
    do_not_contact: DoNotContact
    flags: tuple[DebtorFlag, ...]


# Not frozen, and no tuple: lists make many, and read each field of each.
@dataclass(slots=True)
class ChargeRow:
    """A charge as a list shows it, straight from its columns. Money in cents.

    The amounts are those of `amounts_as_of`; whoever shows another day's computes them anew.
    `debtor_ban` is None where there is no ban on contact.
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
    credits: tuple[Credit, ...]
    days_late: int
    amounts_as_of: date
    prescription_date: date
    listing_limit_date: date
    tags: Sequence[str]
    custom_data: Mapping[str, object] | None
    assigned_member_id: str | None
    guarantors: Sequence[str]
    manual_hold: ManualHold | None
    written_off_at: datetime | None
    write_off_reason: WriteOffReason | None
    write_off_note: str | None
    written_off_amount: int | None
    canceled_at: datetime | None
    paid_at: date | None
    cancel_reason: CancelReason | None
    cancel_note: str | None
    created_at: datetime
    updated_at: datetime
    version: int
    debtor_ban: DoNotContact | None
    debtor_flags: Sequence[DebtorFlag]

    def holds(self, today: date) -> tuple[Hold, ...]:
        """What holds the charge up on `today`; next to no work where nothing can."""
        if (
            self.debtor_ban is None
            and self.manual_hold is None
            and not self.debtor_flags
            and today <= self.prescription_date
            and self.total_due > self.terms.settlement_tolerance
        ):
            return ()
        debtor = RowDebtor(
            self.debtor_id, self.debtor_ban or DoNotContact(), tuple(self.debtor_flags)
        )
        return holds_of(self, debtor, today)


class Charges(Protocol):
    """The organisation's charges, of debtors within the portfolio."""

    async def find(self, charge_id: str, /, *, lock: bool = False) -> Charge | None:
        """The charge, if the grant may see it; `lock` holds its row until the transaction ends."""
        ...

    async def several(
        self, charge_ids: Collection[str], /, *, lock: bool = False
    ) -> Sequence[Charge]:
        """Those of the charges that the grant may see, in the order of their ids."""
        ...

    async def owed_by(self, debtor_id: str, /, *, lock: bool = False) -> Sequence[Charge]:
        """What the debtor owes, in the order of the ids."""
        ...

    async def of_debtor(self, debtor_id: str, /) -> Sequence[Charge]:
        """Every charge of the debtor, owed or not, in the order of the ids."""
        ...

    async def with_external_ids(self, external_ids: Collection[str], /) -> Mapping[str, str]:
        """Those of the external ids that are taken, with the id of the charge that has each."""
        ...

    async def page(self, query: ChargeQuery, /) -> SummedPage[ChargeRow]:
        """One page of the charges that match, with the sum of what is due on all of them."""
        ...

    def add(self, charge: Charge, /) -> None:
        """Keep a new charge. A taken external id is a DuplicateError at commit."""
        ...

    async def has_interactions(self, charge: Charge, /) -> bool:
        """Whether a contact with its debtor was about the charge."""
        ...

    async def remove(self, charge: Charge, /) -> None:
        """Erase the charge; its events are kept."""
        ...

    async def stale(self, today: date, /, *, limit: int) -> Sequence[Charge]:
        """At most `limit` owed charges stored for another day than `today`, locked."""
        ...
