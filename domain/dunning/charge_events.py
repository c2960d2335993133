"""What the events of a charge tell: facts before and after, and a snapshot of nobody's words."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from enum import Enum
from typing import Final

from domain.dunning.charge_record import ChargeRecord
from domain.dunning.holds import ManualHold
from domain.dunning.terms import Terms

_MAY_CHANGE: Final = (
    "status",
    "amount",
    "due_date",
    "effective_due_date",
    "terms",
    "prescription_date",
    "listing_limit_date",
    "guarantors",
    "assigned_member_id",
    "manual_hold",
    "cancel_reason",
    "canceled_at",
    "write_off_reason",
    "written_off_at",
    "written_off_amount",
    "paid_at",
    "principal_outstanding",
    "total_due",
    "paid",
)
# Others write freely in these: events say only that they have changed.
_UNTOLD: Final = ("description", "payment_methods", "tags", "custom_data")
_OF_A_HOLD: Final = ("since", "until", "blocks", "released_on")


def facts(charge: ChargeRecord) -> Mapping[str, object]:
    """What a move may change, as it is now."""
    return {name: getattr(charge, name) for name in (*_MAY_CHANGE, *_UNTOLD)}


def changes_since(
    before: Mapping[str, object], charge: ChargeRecord
) -> dict[str, tuple[object, object]]:
    """Old and new value of each fact that has changed, as JSON values; money in cents."""
    return {
        name: (_told(name, before[name]), _told(name, now))
        for name, now in facts(charge).items()
        if now != before[name]
    }


def snapshot(charge: ChargeRecord) -> Mapping[str, object]:
    """The charge as its events carry it."""
    # Free text and ids of other systems stay out: they may name people, and events are for good.
    return {
        "id": charge.id,
        "debtor_id": charge.debtor_id,
        "kind": charge.kind.value,
        "status": charge.status.value,
        "amount": charge.amount,
        "due_date": charge.due_date.isoformat(),
        "effective_due_date": charge.effective_due_date.isoformat(),
        "days_late": charge.days_late,
        "total_due": charge.total_due,
        "cancel_reason": None if charge.cancel_reason is None else charge.cancel_reason.value,
    }


def _told(name: str, value: object) -> object:
    return None if name in _UNTOLD else _plain(value)


def _plain(value: object) -> object:
    if isinstance(value, Terms):
        return _plain(asdict(value))
    if isinstance(value, ManualHold):
        # Not why: a reason may name people.
        return _plain({name: getattr(value, name) for name in _OF_A_HOLD})
    if isinstance(value, dict):
        return {name: _plain(member) for name, member in value.items()}
    if isinstance(value, tuple):
        return [_plain(member) for member in value]
    if isinstance(value, Enum):
        return value.value
    return value.isoformat() if isinstance(value, date) else value
