"""The charge: one debt, its terms, what it amounts to, and what may happen to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Final

from domain.dunning.aging import AgingBucket, aging_bucket
from domain.dunning.amounts import Amounts, Component, amounts_of
from domain.dunning.calendar import Calendar, DueDateRule
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.charge_states import (
    OWED,
    ChargeAct,
    ChargeStatus,
    state_conflict,
    status_after,
)
from domain.dunning.debtors import Debtor, DebtorStatus
from domain.dunning.events import Event, EventSource
from domain.dunning.free_text import trimmed_lines_or_none
from domain.dunning.limitation import listing_limit_date, prescription_date
from domain.dunning.moment import Moment
from domain.dunning.money import Bounds, Cents
from domain.dunning.new_charges import NewCharge, PaymentMethods, checked, refuse_bad_dates
from domain.dunning.organization_settings import Settings
from domain.dunning.terms import Terms, TermsBasis, terms_for_charge
from domain.errors import StateConflictError
from domain.texts import Text

_NOTE: Final = Bounds(1, 500)

_PAYMENT_LEFT: Final = Text(
    "Há pagamento confirmado; estorne-o antes de cancelar.",
    "There is a confirmed payment; reverse it before you cancel.",
)


class CancelReason(StrEnum):
    """Why a debt is declared not owed."""

    DUPLICATE = "duplicate"
    ISSUED_IN_ERROR = "issued_in_error"
    SERVICE_NOT_RENDERED = "service_not_rendered"
    RETURNED = "returned"
    DISPUTE_ACCEPTED = "dispute_accepted"
    COURT_ORDER = "court_order"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class CreditorRules:
    """What a creditor's charges are created under."""

    settings: Settings
    calendar: Calendar


@dataclass(kw_only=True, eq=False)
class Charge(EventSource):
    """A debt of one debtor. Amounts are cents, as of `amounts_as_of`; `amount` is the original one.

    Terms and rules are snapshots: a change of the organisation's settings never moves a charge.
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
    paid_at: datetime | None = None
    written_off_at: datetime | None = None
    canceled_at: datetime | None = None
    cancel_reason: CancelReason | None = None
    cancel_note: str | None = None

    @classmethod
    def create(
        cls, charge_id: str, new: NewCharge, debtor: Debtor, rules: CreditorRules, moment: Moment
    ) -> "Charge":
        """A new debt of `debtor`, pending or overdue by the business date.

        Raises:
            StateConflictError: the debtor is not active.
            ValidationError: a field outside its range, or terms without the contract they need.
            LegalLimitError: terms above a cap.
        """
        _refuse_inactive(debtor)
        new = checked(new)
        issue_date = new.issue_date or moment.today
        refuse_bad_dates(issue_date, new.due_date)
        rule = rules.settings.due_date_rule
        charge = cls(
            id=charge_id,
            organization_id=debtor.organization_id,
            debtor_id=debtor.id,
            description=new.description,
            kind=new.kind,
            document_number=new.document_number,
            external_id=new.external_id,
            contract_reference=new.contract_reference,
            amount=new.amount,
            issue_date=issue_date,
            due_date=new.due_date,
            due_date_rule=rule,
            effective_due_date=rules.calendar.effective_due_date(new.due_date, rule),
            terms=terms_for_charge(new.terms, _basis(new, debtor), rules.settings),
            payment_methods=new.payment_methods,
            prescription_date=prescription_date(new.kind, new.due_date),
            listing_limit_date=listing_limit_date(new.due_date),
            tags=new.tags,
            custom_data=new.custom_data,
            assigned_member_id=new.assigned_member_id,
            created_at=moment.instant,
            updated_at=moment.instant,
            principal_outstanding=new.amount,
            amounts_as_of=moment.today,
        )
        charge._begin(moment.today, rules.calendar)
        return charge

    @property
    def aging_bucket(self) -> AgingBucket:
        """How late the debt was when its amounts were stored."""
        return aging_bucket(self.days_late)

    def amounts_on(self, on: date, calendar: Calendar) -> Amounts:
        """What the charge amounts to on any date, without storing it."""
        return amounts_of(self, on, calendar)

    def reprice(self, on: date, calendar: Calendar) -> None:
        """Store what is due on `on`; a charge that is no longer owed keeps what it has.

        The clock does this every day, so it is no new version.
        """
        if self.status in OWED:
            self._store(self.amounts_on(on, calendar))

    def mark_overdue(self, moment: Moment) -> None:
        """Note that the effective due date has passed; before that, and a second time, do nothing.

        Raises:
            StateConflictError: the charge is neither pending nor overdue.
        """
        if self.status is ChargeStatus.OVERDUE:
            return
        after = status_after(self.status, ChargeAct.MARK_OVERDUE)
        if moment.today > self.effective_due_date:
            before = self._facts()
            self.status = after
            self._moved(before, "charge.overdue", moment)

    def status_after_cancel(self) -> ChargeStatus:
        """Where cancelling would lead; refuses as `cancel` does."""
        after = status_after(self.status, ChargeAct.CANCEL)
        if self.paid:
            raise state_conflict(self.status, _PAYMENT_LEFT)
        return after

    def cancel(self, reason: CancelReason, note: str | None, moment: Moment) -> None:
        """Declare the debt not owed, for good; a second time does nothing.

        Raises:
            StateConflictError: the status does not allow it, or a confirmed payment is left.
        """
        if self.status is ChargeStatus.CANCELED:
            return
        after, before = self.status_after_cancel(), self._facts()
        self.cancel_note = trimmed_lines_or_none(note, "note", _NOTE)
        self.status = after
        self.cancel_reason = reason
        self.canceled_at = moment.instant
        self._store(_nothing_owed(moment.today, self.effective_due_date))
        self._moved(before, "charge.canceled", moment)

    def _begin(self, today: date, calendar: Calendar) -> None:
        self.reprice(today, calendar)
        if self.days_late:
            self.status = ChargeStatus.OVERDUE
        self._tell("charge.created", {})

    def _moved(self, before: Mapping[str, object], event_type: str, moment: Moment) -> None:
        self.version += 1
        self.updated_at = moment.instant
        changed = {
            name: (before[name], now) for name, now in self._facts().items() if now != before[name]
        }
        self._tell(event_type, changed)

    def _facts(self) -> Mapping[str, object]:
        """What a move may change, as events tell it."""
        return {
            "status": self.status.value,
            "cancel_reason": None if self.cancel_reason is None else self.cancel_reason.value,
            "canceled_at": None if self.canceled_at is None else self.canceled_at.isoformat(),
            "principal_outstanding": self.principal_outstanding,
            "total_due": self.total_due,
        }

    def _store(self, amounts: Amounts) -> None:
        self.effective_due_date = amounts.effective_due_date
        self.principal_outstanding = amounts.principal_outstanding
        self.costs = amounts.costs
        self.fine = amounts.fine
        self.interest = amounts.interest
        self.correction = amounts.correction
        self.discount = amounts.discount
        self.total_due = amounts.total_due
        self.days_late = amounts.days_late
        self.amounts_as_of = amounts.as_of
        self.amounts_memory = amounts.memory

    def _tell(self, event_type: str, changes: Mapping[str, tuple[object, object]]) -> None:
        event = Event(
            type=event_type,
            resource_type="charge",
            resource_id=self.id,
            data=self._snapshot(),
            changes=changes,
        )
        self.events.append(event)

    def _snapshot(self) -> Mapping[str, object]:
        # Free text stays out: a description may name people and their documents.
        return {
            "id": self.id,
            "debtor_id": self.debtor_id,
            "external_id": self.external_id,
            "kind": self.kind.value,
            "status": self.status.value,
            "amount": self.amount,
            "due_date": self.due_date.isoformat(),
            "effective_due_date": self.effective_due_date.isoformat(),
            "days_late": self.days_late,
            "total_due": self.total_due,
            "cancel_reason": None if self.cancel_reason is None else self.cancel_reason.value,
        }


def _basis(new: NewCharge, debtor: Debtor) -> TermsBasis:
    return TermsBasis(
        amount=new.amount,
        kind=new.kind,
        is_consumer=debtor.is_consumer,
        contract_reference=new.contract_reference,
    )


def _nothing_owed(today: date, effective_due_date: date) -> Amounts:
    return Amounts(
        as_of=today,
        effective_due_date=effective_due_date,
        days_late=0,
        principal_outstanding=0,
        costs=0,
        memory=(),
    )


def _refuse_inactive(debtor: Debtor) -> None:
    if debtor.status is not DebtorStatus.ACTIVE:
        raise StateConflictError(
            Text("O devedor não está ativo.", "The debtor is not active."),
            current_status=debtor.status.value,
        )
