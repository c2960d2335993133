"""From a violated unique rule of the database to the field and the row that the caller knows."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Select, Table, select

from adapters.persistence.failures import FAILURES, UNIQUE_VIOLATION, rule_of, sqlstate_of
from adapters.persistence.portfolio import Portfolio
from adapters.persistence.seen import Seen
from adapters.persistence.tables import charges, debtors, payments
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from domain.dunning.payments import Payment
from domain.errors import DuplicateError

FIELD_OF: Final = {
    "uq_organizations_claim": "claim",
    "uq_members_email": "email",
    "pk_member_identities": "subject",
    "uq_api_clients_client_id": "client_id",
    "uq_debtors_document": "document",
    "uq_debtors_external_id": "external_id",
    "uq_charges_external_id": "external_id",
    "uq_contact_points_value": "value",
    "uq_payments_external_id": "external_id",
    "uq_approvals_pending": "subject",
}


def violated_rule(error: Exception) -> str | None:
    """The name of the unique rule that `error` is about; None when it is about something else."""
    rule = rule_of(error) if sqlstate_of(error) == UNIQUE_VIOLATION else None
    return rule if rule in FIELD_OF else None


@contextmanager
def duplicates_refused() -> Generator[None]:
    """Turn a violated unique rule into a DuplicateError that names the field."""
    try:
        yield
    except FAILURES as error:
        rule = violated_rule(error)
        if rule is None:
            raise
        raise DuplicateError(FIELD_OF[rule]) from None


class Claim(NamedTuple):
    """A row that a transaction has touched, with those of its values that are its own alone."""

    kind: type
    id: str
    values: Mapping[str, object]


def claims_of(seen: Seen) -> Sequence[Claim]:
    """What is claimed; asked before it is written, since a row that is refused has no values."""
    return [
        Claim(kind, one.id, {field: getattr(one, field) for field in fields})
        for kind, fields in _CLAIMED.items()
        for one in seen.of_kind(kind)
    ]


def existing_row(rule: str, claims: Iterable[Claim], portfolio: Portfolio) -> Select[str] | None:
    """Finds the visible row that has the value which one of the `claims` is about."""
    if rule.startswith("uq_debtors_"):
        return _other_row(FIELD_OF[rule], debtors, portfolio.of_debtors, _of(Debtor, claims))
    if rule.startswith("uq_charges_"):
        return _other_row(FIELD_OF[rule], charges, portfolio.of_charges, _of(Charge, claims))
    if rule.startswith("uq_payments_"):
        return _other_row(FIELD_OF[rule], payments, portfolio.of_payments, _of(Payment, claims))
    return None


_CLAIMED: Final[Mapping[type[Debtor | Charge | Payment], tuple[str, ...]]] = {
    Debtor: ("document", "external_id"),
    Charge: ("external_id",),
    Payment: ("external_id",),
}


def _of(kind: type, claims: Iterable[Claim]) -> list[Claim]:
    return [claim for claim in claims if claim.kind is kind]


def _other_row(
    field: str, table: Table, visible: ColumnElement[bool], ours: Sequence[Claim]
) -> Select[str]:
    wanted = [value for claim in ours if (value := claim.values[field]) is not None]
    return select(table.c.id).where(
        visible, table.c[field].in_(wanted), table.c.id.not_in([claim.id for claim in ours])
    )
