"""A good request for each operation."""

from collections.abc import Mapping
from itertools import count
from typing import Any, Final

OPERATIONS: Final = (
    "dunning_me",
    "dunning_settings_get",
    "dunning_debtors_list",
    "dunning_charges_list",
    "dunning_charges_create",
    "dunning_charges_cancel",
)

_KEYS: Final = count(1)


def a_key() -> str:
    """A key that no other action has."""
    return f"action-{next(_KEYS)}"


def a_new_charge(debtor_id: str, **fields: Any) -> dict[str, Any]:
    """What creates a month's fee under a contract, due in a month."""
    return {
        "debtor_id": debtor_id,
        "description": "Mensalidade de outubro",
        "amount": 1250.00,
        "due_date": "2026-10-09",
        "contract_reference": "Contrato 17/2026",
        "idempotency_key": a_key(),
        **fields,
    }


def good_arguments(operation: str, *, debtor_id: str, charge_id: str) -> Mapping[str, Any]:
    """Arguments that are all right for somebody who may."""
    if operation == "dunning_charges_create":
        return a_new_charge(debtor_id)
    if operation == "dunning_charges_cancel":
        return {"id": charge_id, "reason": "issued_in_error"}
    return {}
