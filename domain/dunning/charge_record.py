"""What is known of one debt; what may happen to it is told by the charge."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from domain.dunning.aging import AgingBucket, aging_bucket
from domain.dunning.calendar import DueDateRule
from domain.dunning.charge_acts import CancelReason, WriteOffReason
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.components import Component
from domain.dunning.events import EventSource
from domain.dunning.holds import ManualHold
from domain.dunning.ledger import Credit
from domain.dunning.money import Cents
from domain.dunning.new_charges import PaymentMethods
from domain.dunning.terms import Terms


@dataclass(kw_only=True, eq=False)
class ChargeRecord(EventSource):
    """The facts of a debt. Amounts are cents, as of `amounts_as_of`; `amount` is the original one.

    Terms and rules are snapshots: a change of the organisation's settings never moves a charge.
    `manual_hold` is the last one, also after its end.
    """

    id: str
    organization_id: str
    debtor_id: str
    description: str
    kind: ChargeKind
    document_number: str | None
    external_id: str | None
    contract_reference: str | None
    amount: Cents
    issue_date: date
    due_date: date
    due_date_rule: DueDateRule
    effective_due_date: date
    terms: Terms
    payment_methods: PaymentMethods
    prescription_date: date
    listing_limit_date: date
    tags: tuple[str, ...]
    custom_data: Mapping[str, object] | None
    assigned_member_id: str | None
    created_at: datetime
    updated_at: datetime
    version: int = 1
    status: ChargeStatus = ChargeStatus.PENDING
    principal_outstanding: Cents
    costs: Cents = 0
    fine: Cents = 0
    interest: Cents = 0
    correction: Cents = 0
    discount: Cents = 0
    total_due: Cents = 0
    paid: Cents = 0
    days_late: int = 0
    amounts_as_of: date
    amounts_memory: tuple[Component, ...] = ()
    guarantors: tuple[str, ...] = ()
    credits: tuple[Credit, ...] = ()
    manual_hold: ManualHold | None = None
    paid_at: date | None = None
    written_off_at: datetime | None = None
    write_off_reason: WriteOffReason | None = None
    write_off_note: str | None = None
    written_off_amount: Cents | None = None
    canceled_at: datetime | None = None
    cancel_reason: CancelReason | None = None
    cancel_note: str | None = None

    @property
    def aging_bucket(self) -> AgingBucket:
        """How late the debt was when its amounts were stored."""
        return aging_bucket(self.days_late)
