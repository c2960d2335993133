"""The charge list: page, total and sum in one statement, from the columns straight to the rows."""

from collections.abc import Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any, Final

import msgspec
from sqlalchemy import (
    CTE,
    BigInteger,
    ColumnElement,
    FromClause,
    Integer,
    Select,
    Text,
    bindparam,
    case,
    cast,
    func,
    select,
    true,
)

from adapters.persistence.charge_filters import Shape, conditions, read
from adapters.persistence.charge_holds import IS_BANNED
from adapters.persistence.compiled import CompiledRead
from adapters.persistence.tables import charges, debtors
from adapters.persistence.transaction import PinnedTransaction
from domain.dunning.calendar import DueDateRule
from domain.dunning.charge_acts import CancelReason, WriteOffReason
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.holds import ManualHold
from domain.dunning.ledger import Credit
from domain.dunning.new_charges import NO_PAYMENT_METHODS, PaymentMethods
from domain.dunning.restrictions import DebtorFlag, DoNotContact
from domain.dunning.terms import Terms
from domain.ports.charges import ChargeQuery, ChargeRow
from domain.ports.lists import COUNTED_EXACTLY, SummedPage

_ORGANIZATION: Final = "organization"
_FIELDS: Final = tuple(field.name for field in fields(ChargeRow))
_JSON: Final = frozenset({"terms", "payment_methods", "custom_data", "credits", "manual_hold"})
_OF_THE_DEBTOR: Final[dict[str, ColumnElement[Any]]] = {
    "debtor_name": debtors.c.name,
    "debtor_flags": debtors.c.flags,
    # Most have none: only the others are read.
    "debtor_ban": case((IS_BANNED, cast(debtors.c.do_not_contact, Text))),
}
_AT_MOST: Final = COUNTED_EXACTLY + 1
_OF_ITS_DEBTOR: Final = (debtors.c.organization_id == charges.c.organization_id) & (
    debtors.c.id == charges.c.debtor_id
)


async def charge_page(
    transaction: PinnedTransaction, query: ChargeQuery, assigned_to: str | None
) -> SummedPage[ChargeRow]:
    """One page of the charges that match, with the sum of what is due on all of them."""
    shape, values = read(query, assigned_to)
    values[_ORGANIZATION] = transaction.organization_id
    if shape.has_no_index:
        await transaction.plan_for_values()
    statement = _compiled(shape)
    records = await transaction.driver.fetch(statement.sql, *statement.arguments(values))
    total, due, first_id = records[0][:3]
    rows = [] if first_id is None else [_row(record) for record in records]
    return SummedPage(rows, total, due if total <= COUNTED_EXACTLY else None)


@lru_cache(maxsize=512)
def _compiled(shape: Shape) -> CompiledRead:
    tally, page = _tally(shape), _page(shape)
    of_the_row = (debtors.c.organization_id == page.c.organization_id) & (
        debtors.c.id == page.c.debtor_id
    )
    shown = [_shown(name, page) for name in _FIELDS]
    return CompiledRead(
        select(tally.c.total, tally.c.due, *shown)
        .select_from(tally.outerjoin(page.join(debtors, of_the_row), true()))
        .order_by(*_order(shape, page.c.sort_key, page.c.id))
    )


def _shown(name: str, page: CTE) -> ColumnElement[Any]:
    if name in _OF_THE_DEBTOR:
        return _OF_THE_DEBTOR[name]
    # JSON comes as text: the driver would call back into Python to read it.
    return cast(page.c[name], Text) if name in _JSON else page.c[name]


def _tally(shape: Shape) -> FromClause:
    """Count and sum, of the first 10 001 that match in any order."""
    counted = _matching(shape, select(charges.c.total_due)).limit(_AT_MOST).subquery("counted")
    return select(
        func.count().label("total"),
        cast(func.coalesce(func.sum(counted.c.total_due), 0), BigInteger).label("due"),
    ).cte("tally")


def _page(shape: Shape) -> CTE:
    key = shape.sort.key.label("sort_key")
    return (
        _matching(shape, select(*charges.c, key), sorts=True)
        .order_by(*_order(shape, shape.sort.key, charges.c.id))
        .limit(bindparam("limit", type_=Integer))
        .offset(bindparam("offset", type_=Integer))
        .cte("page")
    )


def _matching(shape: Shape, wanted: Select[Any], *, sorts: bool = False) -> Select[Any]:
    by_debtor = shape.counts_by_debtor or (sorts and shape.sort_by == "debtor_name")
    source = charges.join(debtors, _OF_ITS_DEBTOR) if by_debtor else charges
    mine = charges.c.organization_id == bindparam(_ORGANIZATION, type_=charges.c.id.type)
    return wanted.select_from(source).where(mine, *conditions(shape))


def _order(shape: Shape, key: ColumnElement[Any], charge_id: ColumnElement[Any]) -> tuple[Any, Any]:
    if shape.descending != shape.sort.reversed:
        return key.desc(), charge_id.desc()
    return key, charge_id


# As PostgreSQL writes it: shorter names first.
_NAMES: Final = sorted(PaymentMethods.__dataclass_fields__, key=lambda name: (len(name), name))
_NONE_STORED: Final = "{" + ", ".join(f'"{name}": null' for name in _NAMES) + "}"


@lru_cache(maxsize=4096)
def _terms(text: str) -> Terms:
    return msgspec.json.decode(text, type=Terms)


def _payment_methods(text: str) -> PaymentMethods:
    # Others are read each time: the codes of one organisation are not kept beyond its request.
    return (
        NO_PAYMENT_METHODS
        if text == _NONE_STORED
        else msgspec.json.decode(text, type=PaymentMethods)
    )


def _credits(text: str) -> tuple[Credit, ...]:
    return () if text == "[]" else msgspec.json.decode(text, type=tuple[Credit, ...])


def _manual_hold(text: str) -> ManualHold:
    return msgspec.json.decode(text, type=ManualHold)


def _ban(text: str) -> DoNotContact:
    return msgspec.json.decode(text, type=DoNotContact)


def _flags(texts: Sequence[str]) -> list[DebtorFlag]:
    return list(map(DebtorFlag, texts))


_KINDS: Final = {kind.value: kind for kind in ChargeKind}
_DUE_DATE_RULES: Final = {rule.value: rule for rule in DueDateRule}
_STATUSES: Final = {status.value: status for status in ChargeStatus}


def _read_texts(row: Any) -> None:  # noqa: ANN401  # a ChargeRow of what the driver gave
    row.kind = _KINDS[row.kind]
    row.due_date_rule = _DUE_DATE_RULES[row.due_date_rule]
    row.terms = _terms(row.terms)
    row.payment_methods = _payment_methods(row.payment_methods)
    row.status = _STATUSES[row.status]
    row.credits = _credits(row.credits)
    # Most rows have none of these.
    if row.custom_data:
        row.custom_data = msgspec.json.decode(row.custom_data)
    if row.manual_hold:
        row.manual_hold = _manual_hold(row.manual_hold)
    if row.write_off_reason:
        row.write_off_reason = WriteOffReason(row.write_off_reason)
    if row.cancel_reason:
        row.cancel_reason = CancelReason(row.cancel_reason)
    if row.debtor_ban:
        row.debtor_ban = _ban(row.debtor_ban)
    if row.debtor_flags:
        row.debtor_flags = _flags(row.debtor_flags)


def _row(record: Sequence[Any]) -> ChargeRow:
    row = ChargeRow(*record[2:])
    _read_texts(row)
    return row
