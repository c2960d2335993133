"""A debt of the demo before it is created."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from domain.dunning.charges import CancelReason
from domain.dunning.money import Cents
from domain.dunning.new_charges import NewCharge
from entrypoints.seed.creditors import Creditor

_DAYS_TO_PAY: Final = timedelta(days=30)
_LAST_ISSUE: Final = date(2026, 11, 27)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancellation:
    """When and why a debt was declared not owed."""

    on: date
    reason: CancelReason
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargePlan:
    """A charge of the debtor with this external id; its own is also the one in `new`."""

    external_id: str
    debtor: str
    new: NewCharge
    issue_date: date
    cancellation: Cancellation | None = None


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
