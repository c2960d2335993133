"""A debt of the demo before it is created."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from domain.dunning.charge_acts import CancelReason, WriteOffReason
from domain.dunning.holds import ManualHold
from domain.dunning.money import Cents
from domain.dunning.new_charges import NewCharge
from entrypoints.seed.creditors import Creditor
from entrypoints.seed.fixed import draws

_DAYS_TO_PAY: Final = timedelta(days=30)
_LAST_ISSUE: Final = date(2026, 11, 27)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancellation:
    """When and why a debt was declared not owed."""

    on: date
    reason: CancelReason
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOff:
    """When and why collecting a debt was given up."""

    on: date
    reason: WriteOffReason
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """What a second person, by first name, said to a request: yes and it was done, or no."""

    on: date
    by: str
    approves: bool
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestPlan:
    """When and by whom, by first name, it was asked that collecting a debt be given up.

    Without a word it waits, or has run out.
    """

    on: date
    by: str
    reason: WriteOffReason
    note: str
    word: Word | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargePlan:
    """A charge of the debtor with this external id; its own is also the one in `new`."""

    external_id: str
    debtor: str
    new: NewCharge
    issue_date: date
    cancellation: Cancellation | None = None
    write_off: WriteOff | None = None
    request: RequestPlan | None = None
    hold: ManualHold | None = None


def charge_plan(
    creditor: Creditor, external_id: str, debtor: str, due: date, amount: Cents
) -> ChargePlan:
    """A charge under the debtor's contract and the terms of the creditor's trade."""
    issue_date = min(due - _DAYS_TO_PAY, _LAST_ISSUE)
    new = NewCharge(
        description=f"{creditor.trade.ware} {due:%m/%Y}",
        amount=amount,
        due_date=due,
        issue_date=issue_date,
        kind=creditor.trade.kind,
        contract_reference=f"Contrato {debtor}",
        document_number=f"{due:%Y%m}-{external_id}",
        external_id=external_id,
        terms=creditor.trade.terms,
    )
    return ChargePlan(external_id=external_id, debtor=debtor, new=new, issue_date=issue_date)


def usual_charge(creditor: Creditor, external_id: str, debtor: str, due: date) -> ChargePlan:
    """The same with an amount that is usual in the trade."""
    draw = draws(f"{creditor.key}/charge/{external_id}")
    return charge_plan(creditor, external_id, debtor, due, draw.choice(creditor.trade.amounts))
