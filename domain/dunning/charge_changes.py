"""What of a charge may be made different, until when, and in whose favour."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from domain.dunning.calendar import Calendar
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.charge_record import ChargeRecord
from domain.dunning.charge_states import ChargeStatus, state_conflict
from domain.dunning.free_text import bounded_object, distinct_tags, trimmed
from domain.dunning.limitation import listing_limit_date, prescription_date
from domain.dunning.money import Cents
from domain.dunning.new_charges import (
    DESCRIPTION,
    PaymentMethods,
    checked_guarantors,
    checked_payment_methods,
    refuse_bad_dates,
)
from domain.dunning.organization_settings import Settings
from domain.dunning.terms import (
    NO_INTEREST_ABOVE,
    InterestLimit,
    RequestedTerms,
    Terms,
    TermsBasis,
    terms_for_charge,
)
from domain.dunning.terms_changes import refuse_against_debtor, refuse_discounts_of, retimed
from domain.errors import Detail, ValidationError
from domain.texts import Text

_OPEN: Final = (ChargeStatus.PENDING, ChargeStatus.OVERDUE)
_OF_THE_DEBT: Final = frozenset({"amount", "due_date", "terms", "guarantors"})
"""Fields that change what is owed and by whom, which only an open charge allows."""

_CANCELED: Final = Text(
    "Uma cobrança cancelada não muda mais.", "A canceled charge changes no more."
)
_NOT_OPEN: Final = Text(
    "Valor, vencimento, termos e garantidores só mudam em cobranças pendentes ou vencidas.",
    "Amount, due date, terms and guarantors change only while a charge is pending or overdue.",
)
_HAD_PAYMENTS: Final = Text(
    "O valor não muda depois do primeiro pagamento, nem se ele foi estornado.",
    "The amount does not change after the first payment, not even when it was reversed.",
)
_ONLY_LATER: Final = Text(
    "Depois do vencimento, a data só muda para mais tarde.",
    "After the due date it only moves to a later one.",
)
_NOT_PASSED: Final = Text(
    "O novo vencimento é de hoje em diante: ninguém entra em mora por uma data que já passou.",
    "The new due date is from today on: nobody comes into default by a date that has passed.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeChange:
    """A charge as it is to be; whatever is not to change is as it was.

    `terms` None keeps the terms. `version` is the one that the caller has read, if they say so.
    """

    description: str
    amount: Cents
    due_date: date
    payment_methods: PaymentMethods
    tags: tuple[str, ...]
    custom_data: Mapping[str, object] | None
    assigned_member_id: str | None
    guarantors: tuple[str, ...]
    terms: RequestedTerms | None = None
    version: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeBasis:
    """What a change rests on; the calendar is that of the debtor's place.

    `had_payments`: a payment has touched the charge, even if it was reversed since.
    """

    is_consumer: bool
    settings: Settings
    calendar: Calendar
    had_payments: bool
    interest: InterestLimit = NO_INTEREST_ABOVE


def changed_fields(
    charge: ChargeRecord, wanted: ChargeChange, basis: ChangeBasis, today: date
) -> dict[str, object]:
    """The new value of each field that differs, with the dates that follow from a due date.

    Raises:
        StateConflictError: the status, or a payment, does not allow it.
        ValidationError: a field outside its range; `only_in_favour` for an earlier due date or
            stricter terms once the debt has been late.
        LegalLimitError: terms above a cap.
    """
    terms = _terms(charge, wanted, basis)
    asked = {**_described(charge, wanted), "amount": wanted.amount, "due_date": wanted.due_date}
    new = {name: value for name, value in asked.items() if value != getattr(charge, name)}
    if terms != charge.terms:
        new["terms"] = terms
    _refuse_by_status(charge, new)
    if "amount" in new:
        _refuse_amount(charge, basis)
        refuse_discounts_of(terms, wanted.amount)
    has_been_late = _has_been_late(charge, today)
    if "due_date" in new:
        _refuse_date(charge, wanted.due_date, today, has_been_late=has_been_late)
        new |= _dates(charge, wanted.due_date, basis.calendar, has_been_late=has_been_late)
    if has_been_late:
        refuse_against_debtor(charge.terms, terms)
    return new


def _has_been_late(charge: ChargeRecord, today: date) -> bool:
    """Whether the debtor has ever been in default, even if respite was given since."""
    if charge.status is ChargeStatus.OVERDUE or today > charge.effective_due_date:
        return True
    # Only respite moves the due date and leaves the limits where they were.
    limits = _limits(charge.kind, charge.due_date)
    return any(getattr(charge, name) != last_day for name, last_day in limits.items())


def _described(charge: ChargeRecord, wanted: ChargeChange) -> dict[str, object]:
    return {
        "description": trimmed(wanted.description, "description", DESCRIPTION),
        "payment_methods": checked_payment_methods(wanted.payment_methods),
        "tags": distinct_tags(wanted.tags),
        "custom_data": _custom_data(charge.custom_data, wanted.custom_data),
        "assigned_member_id": wanted.assigned_member_id,
        "guarantors": checked_guarantors(wanted.guarantors, charge.debtor_id),
    }


def _custom_data(
    old: Mapping[str, object] | None, new: Mapping[str, object] | None
) -> Mapping[str, object] | None:
    """The new object; the old one where they are the same as JSON, however numbers were read."""
    if new is None or (old is not None and _written(new) == _written(old)):
        return None if new is None else old
    return bounded_object(new, "custom_data")


def _written(value: Mapping[str, object]) -> str:
    return json.dumps(value, sort_keys=True, default=float)


def _terms(charge: ChargeRecord, wanted: ChargeChange, basis: ChangeBasis) -> Terms:
    if wanted.terms is None:
        is_same_day = wanted.due_date == charge.due_date
        return (
            charge.terms if is_same_day else retimed(charge.terms, wanted.due_date, basis.calendar)
        )
    # Rounding and tolerance stay those of the day on which the charge was made.
    settings = replace(
        basis.settings,
        rounding_mode=charge.terms.rounding_mode,
        settlement_tolerance=charge.terms.settlement_tolerance,
    )
    facts = TermsBasis(
        amount=wanted.amount,
        kind=charge.kind,
        is_consumer=basis.is_consumer,
        contract_reference=charge.contract_reference,
        due_date=wanted.due_date,
        calendar=basis.calendar,
        interest=basis.interest,
    )
    return terms_for_charge(wanted.terms, facts, settings)


def _refuse_by_status(charge: ChargeRecord, new: Collection[str]) -> None:
    if new and charge.status is ChargeStatus.CANCELED:
        raise state_conflict(charge.status, _CANCELED)
    if charge.status not in _OPEN and not _OF_THE_DEBT.isdisjoint(new):
        raise state_conflict(charge.status, _NOT_OPEN)


def _refuse_amount(charge: ChargeRecord, basis: ChangeBasis) -> None:
    if basis.had_payments or charge.credits:
        raise state_conflict(charge.status, _HAD_PAYMENTS)


def _refuse_date(charge: ChargeRecord, due: date, today: date, *, has_been_late: bool) -> None:
    refuse_bad_dates(charge.issue_date, due)
    if has_been_late and due < charge.due_date:
        raise ValidationError(Detail("due_date", "only_in_favour", _ONLY_LATER))
    # Default begins when a date goes by unpaid, never afterwards (CC art. 397).
    if not has_been_late and due < today:
        raise ValidationError(Detail("due_date", "out_of_range", _NOT_PASSED))


def _dates(
    charge: ChargeRecord, due: date, calendar: Calendar, *, has_been_late: bool
) -> dict[str, date]:
    last_day = calendar.effective_due_date(due, charge.due_date_rule)
    # Respite gives the creditor no new time (CDC art. 43 §1: a listing is never restarted).
    limits = {} if has_been_late else _limits(charge.kind, due)
    return {"effective_due_date": last_day, **limits}


def _limits(kind: ChargeKind, due: date) -> dict[str, date]:
    return {
        "prescription_date": prescription_date(kind, due),
        "listing_limit_date": listing_limit_date(due),
    }
