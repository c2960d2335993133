"""The charge: one debt, its terms, what it amounts to, and what may happen to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from domain.dunning.amounts import Amounts, amounts_of
from domain.dunning.calendar import Calendar
from domain.dunning.charge_acts import (
    CancelReason,
    WriteOffReason,
    checked_cancel_note,
    checked_write_off_note,
)
from domain.dunning.charge_changes import ChangeBasis, ChargeChange, changed_fields
from domain.dunning.charge_events import changes_since, facts, snapshot
from domain.dunning.charge_record import ChargeRecord
from domain.dunning.charge_states import (
    OWED,
    ChargeAct,
    ChargeStatus,
    refuse_unless_allowed,
    state_conflict,
    status_after,
)
from domain.dunning.debtors import Debtor, DebtorStatus
from domain.dunning.events import Event
from domain.dunning.holds import ManualHold
from domain.dunning.ledger import Credit
from domain.dunning.limitation import listing_limit_date, prescription_date
from domain.dunning.moment import Moment
from domain.dunning.money import HUNDRED_PERCENT
from domain.dunning.new_charges import NewCharge, checked, checked_guarantors, refuse_bad_dates
from domain.dunning.organization_settings import Settings
from domain.dunning.owed import nothing_owed, owed_on, owed_without
from domain.dunning.rates import Rates
from domain.dunning.terms import InterestLimit, TermsBasis, terms_for_charge
from domain.errors import StateConflictError, VersionConflictError
from domain.texts import Text

_PAYMENT_LEFT: Final = Text(
    "Há pagamento confirmado; estorne-o antes de cancelar.",
    "There is a confirmed payment; reverse it before you cancel.",
)
_TOUCHED: Final = Text(
    "Algo já aconteceu com esta cobrança; em vez de apagar, cancele.",
    "Something has happened to this charge; use cancel instead of deleting it.",
)
_NOTHING_TO_HOLD: Final = Text(
    "Nada é devido nesta cobrança; não há o que suspender.",
    "Nothing is owed on this charge; there is nothing to suspend.",
)


@dataclass(frozen=True, slots=True)
class CreditorRules:
    """What a creditor's charges are created under; the calendar is that of the debtor's place."""

    settings: Settings
    calendar: Calendar
    rates: Rates
    may_exceed_interest: bool = False

    def interest_on(self, today: date) -> InterestLimit:
        """How much interest the caller may agree on with a company today (CC art. 406)."""
        legal = self.rates.legal(today.replace(day=1), today) or 0
        return InterestLimit(
            twice_legal=int(2 * legal * HUNDRED_PERCENT), may_exceed=self.may_exceed_interest
        )


@dataclass(kw_only=True, eq=False)
class Charge(ChargeRecord):
    """A debt of one debtor, from its creation to its end."""

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
            terms=terms_for_charge(new.terms, _basis(new, debtor, rules, moment), rules.settings),
            payment_methods=new.payment_methods,
            prescription_date=prescription_date(new.kind, new.due_date),
            listing_limit_date=listing_limit_date(new.due_date),
            tags=new.tags,
            custom_data=new.custom_data,
            assigned_member_id=new.assigned_member_id,
            guarantors=checked_guarantors(new.guarantors, debtor.id),
            created_at=moment.instant,
            updated_at=moment.instant,
            principal_outstanding=new.amount,
            amounts_as_of=moment.today,
        )
        charge._begin(moment.today, rules.rates)
        return charge

    def reprice(self, on: date, rates: Rates) -> None:
        """Store what is due on `on`; a charge that is no longer owed keeps what it has.

        The clock does this every day, so it is no new version.
        """
        if self.status in OWED:
            self._store(amounts_of(self, on, rates))

    def keep_day(self, moment: Moment, rates: Rates) -> None:
        """Bring the amounts up to the day, and what is pending or overdue by its date."""
        # First the amounts: the event tells them.
        self.reprice(moment.today, rates)
        self._keep_date(moment)

    def settle(self, credit: Credit, moment: Moment, rates: Rates) -> None:
        """Take off what a payment settled; a charge on which nothing is left is paid.

        Raises:
            StateConflictError: nothing is owed, or it is paid through its agreement.
        """
        after, before = status_after(self.status, ChargeAct.SETTLE), facts(self)
        self.credits = (*self.credits, credit)
        self.costs -= credit.settled.costs
        self._count(amounts_of(self, moment.today, rates))
        if self.total_due:
            self._moved(before, "charge.partially_paid", moment)
            self._keep_date(moment)
            return
        self.status = after
        self._close(moment.today)
        self._moved(before, "charge.paid", moment)

    def undo(self, payment_id: str, moment: Moment, rates: Rates) -> None:
        """Owe again, component by component, what the payment had settled."""
        before, owed = facts(self), owed_without(self, payment_id, moment.today, rates)
        self.credits = tuple(one for one in self.credits if one.payment_id != payment_id)
        self._count(owed)
        if self.status is not ChargeStatus.PAID:
            self._moved(before, "charge.updated", moment)
            self._keep_date(moment)
        elif self.total_due:
            act = ChargeAct.REOPEN_OVERDUE if self.days_late else ChargeAct.REOPEN_PENDING
            self.status = status_after(self.status, act)
            self.paid_at = None
            self.written_off_at = self.write_off_reason = None
            self.write_off_note = self.written_off_amount = None
            self._moved(before, "charge.reopened", moment)
        else:
            # Other payments had settled too early what this one did as well.
            self._close(moment.today)
            self._moved(before, "charge.updated", moment)

    def is_owed_again_without(self, payment_id: str, today: date, rates: Rates) -> bool:
        """Whether more would be due today had the payment never come."""
        owed = owed_on(self, today, rates).total_due
        return owed_without(self, payment_id, today, rates).total_due > owed

    def _keep_date(self, moment: Moment) -> None:
        # Amounts stored today are passed over by today's run, which would note it otherwise.
        if self.status is ChargeStatus.PENDING:
            self.mark_overdue(moment)
        elif self.status is ChargeStatus.OVERDUE:
            self.mark_pending(moment)

    def _close(self, today: date) -> None:
        self.paid_at = max(credit.paid_at for credit in self.credits)
        self._store(nothing_owed(self, today))

    def _count(self, owed: Amounts) -> None:
        self.paid = sum(credit.settled.money for credit in self.credits)
        self._store(owed)

    def mark_overdue(self, moment: Moment) -> None:
        """Note that the effective due date has passed; before that, and a second time, do nothing.

        Raises:
            StateConflictError: the charge is neither pending nor overdue.
        """
        if self.status is ChargeStatus.OVERDUE:
            return
        after = status_after(self.status, ChargeAct.MARK_OVERDUE)
        if moment.today > self.effective_due_date:
            before = facts(self)
            self.status = after
            self._moved(before, "charge.overdue", moment)

    def mark_pending(self, moment: Moment) -> None:
        """Take back what a run ahead of the date noted; once the date has passed, do nothing.

        Raises:
            StateConflictError: the charge is neither pending nor overdue.
        """
        if self.status is ChargeStatus.PENDING:
            return
        after = status_after(self.status, ChargeAct.MARK_PENDING)
        if moment.today <= self.effective_due_date:
            before = facts(self)
            self.status = after
            self._moved(before, "charge.updated", moment)

    def status_after_cancel(self) -> ChargeStatus:
        """Where cancelling would lead; refuses as `cancel` does."""
        after = status_after(self.status, ChargeAct.CANCEL)
        if self.paid:
            raise state_conflict(self.status, _PAYMENT_LEFT, ChargeAct.CANCEL, ChargeAct.DELETE)
        return after

    def cancel(self, reason: CancelReason, note: str | None, moment: Moment) -> None:
        """Declare the debt not owed, for good; a second time does nothing.

        Raises:
            StateConflictError: the status does not allow it, or a confirmed payment is left.
        """
        if self.status is ChargeStatus.CANCELED:
            return
        after, before = self.status_after_cancel(), facts(self)
        self.cancel_note = checked_cancel_note(note)
        self.status = after
        self.cancel_reason = reason
        self.canceled_at = moment.instant
        self._store(nothing_owed(self, moment.today))
        self._moved(before, "charge.canceled", moment)

    def change(
        self, wanted: ChargeChange, basis: ChangeBasis, moment: Moment, rates: Rates
    ) -> None:
        """Make it as wanted; where it is so already, nothing happens.

        A new due date decides between pending and overdue.

        Raises:
            VersionConflictError: `wanted.version` was given and is not the present one.
            StateConflictError: the status, or a payment, does not allow it.
            ValidationError: a field outside its range, or against the debtor of a late debt.
            LegalLimitError: terms above a cap.
        """
        if wanted.version not in (None, self.version):
            raise VersionConflictError(self.version)
        new = changed_fields(self, wanted, basis, moment.today)
        if not new:
            return
        before = facts(self)
        for name, value in new.items():
            setattr(self, name, value)
        if self.status in (ChargeStatus.PENDING, ChargeStatus.OVERDUE):
            is_late = moment.today > self.effective_due_date
            if is_late or "due_date" in new:
                self.status = ChargeStatus.OVERDUE if is_late else ChargeStatus.PENDING
        self.reprice(moment.today, rates)
        self._moved(before, "charge.updated", moment)

    def refuse_deletion(self, *, has_interactions: bool) -> None:
        """Raise `StateConflictError` unless nothing has happened to it since it was created."""
        refuse_unless_allowed(self.status, ChargeAct.DELETE)
        if self.version > 1 or self.credits or has_interactions:
            raise state_conflict(self.status, _TOUCHED, ChargeAct.DELETE)

    def tell_deletion(self) -> None:
        """Say that it is erased; what refuses that is asked before."""
        self._tell("charge.deleted", {})

    def write_off(self, reason: WriteOffReason, note: str, moment: Moment, rates: Rates) -> None:
        """Give up collecting all that is due today, which stays owed; again does nothing.

        Raises:
            StateConflictError: the charge is not overdue.
            ValidationError: a note that is no text of 5 to 500 characters.
        """
        if self.status is ChargeStatus.WRITTEN_OFF:
            return
        after, before = status_after(self.status, ChargeAct.WRITE_OFF), facts(self)
        self.write_off_note = checked_write_off_note(note)
        self.reprice(moment.today, rates)
        self.status = after
        self.write_off_reason = reason
        self.written_off_at = moment.instant
        self.written_off_amount = self.total_due
        self._moved(before, "charge.written_off", moment)

    def hold(self, wanted: ManualHold, moment: Moment) -> None:
        """Suspend collection, in place of an earlier suspension; the same again does nothing.

        Raises:
            StateConflictError: nothing is owed.
        """
        if self.status not in OWED:
            raise state_conflict(self.status, _NOTHING_TO_HOLD)
        held = self.manual_hold
        if held is not None and held.stands(moment.today) and held.does_the_same(wanted):
            return
        before = facts(self)
        self.manual_hold = wanted
        self._moved(before, "charge.hold_added", moment)

    def release(self, note: str | None, moment: Moment) -> None:
        """End the suspension by a person; without one nothing happens. Other holds stay.

        Raises:
            ValidationError: a note that is no text of 1 to 500 characters.
        """
        held = self.manual_hold
        if held is None or not held.stands(moment.today):
            return
        before = facts(self)
        self.manual_hold = held.released(note, moment.today)
        self._moved(before, "charge.hold_removed", moment)

    def _begin(self, today: date, rates: Rates) -> None:
        self.reprice(today, rates)
        if self.days_late:
            self.status = ChargeStatus.OVERDUE
        self._tell("charge.created", {})

    def _moved(self, before: Mapping[str, object], event_type: str, moment: Moment) -> None:
        self.version += 1
        self.updated_at = moment.instant
        self._tell(event_type, changes_since(before, self))

    def _store(self, amounts: Amounts) -> None:
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
            data=snapshot(self),
            changes=changes,
        )
        self.events.append(event)


def _basis(new: NewCharge, debtor: Debtor, rules: CreditorRules, moment: Moment) -> TermsBasis:
    return TermsBasis(
        amount=new.amount,
        kind=new.kind,
        is_consumer=debtor.is_consumer,
        contract_reference=new.contract_reference,
        due_date=new.due_date,
        calendar=rules.calendar,
        interest=rules.interest_on(moment.today),
    )


def _refuse_inactive(debtor: Debtor) -> None:
    debtor.refuse_anonymized()
    if debtor.status is DebtorStatus.ARCHIVED:
        text = Text(
            "O devedor está arquivado; reative-o com debtors_update, status active.",
            "The debtor is archived; bring them back with debtors_update, status active.",
        )
        raise StateConflictError(text, current_status=debtor.status.value)
