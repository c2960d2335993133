"""From a violated unique rule of the database to the field and the row that the caller knows."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Final

from sqlalchemy import ColumnElement, Select, Table, select

from adapters.persistence.failures import FAILURES, UNIQUE_VIOLATION, rule_of, sqlstate_of
from adapters.persistence.portfolio import Portfolio
from adapters.persistence.seen import Seen
from adapters.persistence.tables import charges, debtors
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from domain.errors import DuplicateError

FIELD_OF: Final = {
    "uq_organizations_claim": "claim",
    "uq_members_email": "email",
    "pk_member_identities": "subject",
    "uq_api_clients_client_id": "client_id",
    "uq_debtors_document": "document",
    "uq_debtors_external_id": "external_id",
    "uq_charges_external_id": "external_id",
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


def existing_row(rule: str, seen: Seen, portfolio: Portfolio) -> Select[str] | None:
    """Finds the visible debtor or charge that has the value which one of `seen` wanted."""
    if rule.startswith("uq_debtors_"):
        return _other_row(rule, debtors, portfolio.of_debtors, seen.of_kind(Debtor))
    if rule.startswith("uq_charges_"):
        return _other_row(rule, charges, portfolio.of_charges, seen.of_kind(Charge))
    return None


def _other_row(
    rule: str, table: Table, visible: ColumnElement[bool], ours: Sequence[Debtor] | Sequence[Charge]
) -> Select[str]:
    field = FIELD_OF[rule]
    wanted = [value for one in ours if (value := getattr(one, field)) is not None]
    return select(table.c.id).where(
        visible, table.c[field].in_(wanted), table.c.id.not_in([one.id for one in ours])
    )
