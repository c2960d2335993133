"""The table of operations: who may call each, by which scope, and a good request for it."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from domain.access.roles import Role
from domain.dunning.documents import cpf_with_check_digits

INTEGRATION: Final = "integration"
COLUMNS: Final = (*(role.value for role in Role), INTEGRATION)
"""The six columns of the role table."""

EVERYBODY: Final = frozenset(COLUMNS)
PEOPLE: Final = EVERYBODY - {INTEGRATION}
ADMINISTERING: Final = frozenset({"owner", "admin"})
LEADING: Final = frozenset({"owner", "admin", "manager"})
MANAGING: Final = frozenset({*LEADING, INTEGRATION})
WORKING: Final = frozenset({*MANAGING, "collector"})

_KEYS: Final = count(1)
_CPF_NUMBERS: Final = count(765_432_001)

Arguments: TypeAlias = dict[str, Any]
Kind: TypeAlias = Literal["read", "write", "confirmed"]
"""Whether it reads, writes, or over MCP waits for a person's yes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Ids of things that there are: the payment is of a charge of its own, another is overdue.

    The past debtor has the same name, owes nothing, and was last heard of in 2020. The settled
    debtor had one charge, which was due in 2025 and is paid.
    """

    debtor_id: str
    charge_id: str
    overdue_charge_id: str
    paid_charge_id: str
    payment_id: str
    approval_id: str
    contact_point_id: str
    document: str
    past_debtor_id: str
    settled_debtor_id: str
    settled_charge_id: str
    debtor_name: str = "Paulo Nogueira"


class Row(NamedTuple):
    """One operation, written out independently of its declaration."""

    columns: frozenset[str]
    scope: str | None
    kind: Kind
    arguments: Callable[[Known], Arguments]
    status: int = 200


def a_key() -> str:
    """A key that no other action has."""
    return f"action-{next(_KEYS)}"


def a_new_charge(debtor_id: str, **fields: Any) -> Arguments:
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


def a_new_bulk(debtor_id: str) -> Arguments:
    """What creates two charges, one of a debtor who is new."""
    known, unknown = a_new_charge(debtor_id), a_new_charge("", debtor=a_new_debtor())
    del known["idempotency_key"], unknown["idempotency_key"], unknown["debtor_id"]
    return {"items": [known, unknown], "idempotency_key": a_key()}


def a_new_debtor(**fields: Any) -> Arguments:
    """What registers a person with a CPF that nobody else has."""
    return {
        "name": "Nara Quintela",
        "document": cpf_with_check_digits(str(next(_CPF_NUMBERS))).number,
        **fields,
    }


def a_new_payment(debtor_id: str, **fields: Any) -> Arguments:
    """What records money by Pix, of today."""
    return {
        "debtor_id": debtor_id,
        "amount": 200.00,
        "method": "pix",
        "paid_at": "2026-09-01",
        "idempotency_key": a_key(),
        **fields,
    }


def a_reversal(payment_id: str, **fields: Any) -> Arguments:
    """What undoes a payment."""
    return {
        "id": payment_id,
        "reason": "mistake",
        "note": "Lançado na pessoa errada.",
        "idempotency_key": a_key(),
        **fields,
    }


def a_write_off(charge_id: str, **fields: Any) -> Arguments:
    """What gives a charge up."""
    return {
        "id": charge_id,
        "reason": "uncollectible",
        "note": "Sem resposta há um ano.",
        **fields,
    }


def a_new_contact_point(debtor_id: str, **fields: Any) -> Arguments:
    """What adds an e-mail that the debtor gave."""
    return {
        "id": debtor_id,
        "kind": "email",
        "value": "paulo@example.com",
        "source": "debtor",
        **fields,
    }


def an_interaction(debtor_id: str, **fields: Any) -> Arguments:
    """What logs a call of ours that nobody took."""
    return {
        "id": debtor_id,
        "direction": "outbound",
        "channel": "voice",
        "outcome": "no_answer",
        **fields,
    }


def _nothing(_known: Known) -> Arguments:
    return {}


def _the_charge(known: Known) -> Arguments:
    return {"id": known.charge_id}


def _the_debtor(known: Known) -> Arguments:
    return {"id": known.debtor_id}


def _the_contact_point(known: Known) -> Arguments:
    return {"id": known.debtor_id, "cp_id": known.contact_point_id}


def _the_payment(known: Known) -> Arguments:
    return {"id": known.payment_id}


def _the_approval(known: Known) -> Arguments:
    return {"id": known.approval_id}


ROWS: Final[dict[str, Row]] = {
    "dunning_me": Row(EVERYBODY, None, "read", _nothing),
    "dunning_settings_get": Row(EVERYBODY, "dunning.settings:read", "read", _nothing),
    "dunning_settings_update": Row(
        ADMINISTERING, "dunning.settings:write", "write", lambda _: {"city": "Santos"}
    ),
    "dunning_debtors_list": Row(EVERYBODY, "dunning.debtors:read", "read", _nothing),
    "dunning_debtors_lookup": Row(
        EVERYBODY, "dunning.debtors:read", "read", lambda k: {"document": k.document}
    ),
    "dunning_debtors_create": Row(
        WORKING, "dunning.debtors:write", "write", lambda _: a_new_debtor(), 201
    ),
    "dunning_debtors_get": Row(EVERYBODY, "dunning.debtors:read", "read", _the_debtor),
    "dunning_debtors_update": Row(
        WORKING,
        "dunning.debtors:write",
        "write",
        lambda k: {**_the_debtor(k), "notes": "Prefere e-mail."},
    ),
    "dunning_debtors_archive": Row(
        LEADING, "dunning.debtors:archive", "confirmed", lambda k: {"id": k.past_debtor_id}
    ),
    "dunning_debtors_anonymize": Row(
        ADMINISTERING,
        "dunning.debtors:anonymize",
        "confirmed",
        lambda k: {
            "id": k.past_debtor_id,
            "confirm_name": k.debtor_name,
            "request_reference": "LGPD-2026/17",
        },
    ),
    "dunning_debtors_statement": Row(EVERYBODY, "dunning.debtors:read", "read", _the_debtor),
    "dunning_debtors_statement_pdf": Row(EVERYBODY, "dunning.debtors:read", "read", _the_debtor),
    "dunning_debtors_annual_clearance_pdf": Row(
        EVERYBODY,
        "dunning.debtors:read",
        "read",
        lambda k: {"id": k.settled_debtor_id, "year": 2025},
    ),
    "dunning_debtors_timeline": Row(EVERYBODY, "dunning.debtors:read", "read", _the_debtor),
    "dunning_debtors_contact_check": Row(EVERYBODY, "dunning.debtors:read", "read", _the_debtor),
    "dunning_contact_points_create": Row(
        WORKING, "dunning.debtors:write", "write", lambda k: a_new_contact_point(k.debtor_id), 201
    ),
    "dunning_contact_points_update": Row(
        WORKING,
        "dunning.debtors:write",
        "write",
        lambda k: {**_the_contact_point(k), "label": "trabalho"},
    ),
    "dunning_contact_points_delete": Row(
        WORKING, "dunning.debtors:write", "confirmed", _the_contact_point, 204
    ),
    "dunning_interactions_create": Row(
        WORKING, "dunning.debtors:write", "write", lambda k: an_interaction(k.debtor_id), 201
    ),
    "dunning_charges_list": Row(EVERYBODY, "dunning.charges:read", "read", _nothing),
    "dunning_charges_create": Row(
        MANAGING, "dunning.charges:create", "write", lambda k: a_new_charge(k.debtor_id), 201
    ),
    "dunning_charges_bulk_create": Row(
        MANAGING, "dunning.charges:create", "write", lambda k: a_new_bulk(k.debtor_id), 201
    ),
    "dunning_charges_amount_due": Row(EVERYBODY, "dunning.charges:read", "read", _the_charge),
    "dunning_charges_settlement_letter_pdf": Row(
        EVERYBODY, "dunning.charges:read", "read", lambda k: {"id": k.settled_charge_id}
    ),
    "dunning_charges_eligibility": Row(EVERYBODY, "dunning.charges:read", "read", _the_charge),
    "dunning_charges_cancel": Row(
        MANAGING,
        "dunning.charges:cancel",
        "confirmed",
        lambda k: {**_the_charge(k), "reason": "issued_in_error"},
    ),
    "dunning_charges_get": Row(EVERYBODY, "dunning.charges:read", "read", _the_charge),
    "dunning_charges_update": Row(
        WORKING,
        "dunning.charges:write",
        "write",
        lambda k: {**_the_charge(k), "tags": ["integral"]},
    ),
    "dunning_charges_delete": Row(LEADING, "dunning.charges:delete", "confirmed", _the_charge, 204),
    "dunning_charges_write_off": Row(
        LEADING,
        "dunning.charges:write_off",
        "confirmed",
        lambda k: a_write_off(k.overdue_charge_id),
    ),
    "dunning_charges_hold": Row(
        WORKING,
        "dunning.charges:write",
        "write",
        lambda k: {**_the_charge(k), "reason": "Aguardando a secretaria"},
    ),
    "dunning_charges_release": Row(WORKING, "dunning.charges:write", "write", _the_charge),
    "dunning_payments_list": Row(
        EVERYBODY, "dunning.payments:read", "read", lambda k: {"charge_id": k.paid_charge_id}
    ),
    "dunning_payments_preview": Row(
        EVERYBODY,
        "dunning.payments:read",
        "read",
        lambda k: {"debtor_id": k.debtor_id, "amount": 200.00},
    ),
    "dunning_payments_create": Row(
        MANAGING, "dunning.payments:write", "write", lambda k: a_new_payment(k.debtor_id), 201
    ),
    "dunning_payments_get": Row(EVERYBODY, "dunning.payments:read", "read", _the_payment),
    "dunning_payments_reverse": Row(
        MANAGING, "dunning.payments:reverse", "confirmed", lambda k: a_reversal(k.payment_id)
    ),
    "dunning_approvals_list": Row(PEOPLE, "dunning.approvals:read", "read", _nothing),
    "dunning_approvals_approve": Row(
        LEADING, "dunning.approvals:decide", "confirmed", _the_approval
    ),
    "dunning_approvals_reject": Row(
        LEADING,
        "dunning.approvals:decide",
        "confirmed",
        lambda k: {**_the_approval(k), "note": "Ainda responde."},
    ),
}
OPERATIONS: Final = tuple(ROWS)
FILES: Final = frozenset(name for name in ROWS if name.endswith("_pdf"))
"""Those that REST answers with a file, which the tool describes."""
