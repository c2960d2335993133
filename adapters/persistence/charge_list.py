"""The charge list: page, total and sum in one statement, from the columns straight to the rows."""

from collections.abc import Callable, Sequence
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
    cast,
    func,
    select,
    true,
)

from adapters.persistence.charge_filters import Shape, conditions, read
from adapters.persistence.compiled import CompiledRead
from adapters.persistence.tables import charges, debtors
from adapters.persistence.transaction import PinnedTransaction
from domain.dunning.calendar import DueDateRule
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import CancelReason
from domain.dunning.new_charges import PaymentMethods
from domain.dunning.terms import Terms
from domain.ports.storage import COUNTED_EXACTLY, ChargeQuery, ChargeRow, SummedPage

_ORGANIZATION: Final = "organization"
_JSON: Final = frozenset({"terms", "payment_methods", "custom_data"})
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
    shown = [_shown(name, page) for name in ChargeRow._fields]
    return CompiledRead(
        select(tally.c.total, tally.c.due, *shown)
        .select_from(tally.outerjoin(page.join(debtors, of_the_row), true()))
        .order_by(*_order(shape, page.c.sort_key, page.c.id))
    )


def _shown(name: str, page: CTE) -> ColumnElement[Any]:
    if name == "debtor_name":
        return debtors.c.name
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


_NONE: Final = PaymentMethods()
# As PostgreSQL writes it: shorter names first.
_NAMES: Final = sorted(PaymentMethods.__dataclass_fields__, key=lambda name: (len(name), name))
_NONE_STORED: Final = "{" + ", ".join(f'"{name}": null' for name in _NAMES) + "}"


@lru_cache(maxsize=4096)
def _terms(text: str) -> Terms:
    return msgspec.json.decode(text, type=Terms)


def _payment_methods(text: str) -> PaymentMethods:
    # Others are read each time: the codes of one organisation are not kept beyond its request.
    return _NONE if text == _NONE_STORED else msgspec.json.decode(text, type=PaymentMethods)


def _object(text: str | None) -> object:
    return None if text is None else msgspec.json.decode(text)


_READERS: Final[dict[str, Callable[[Any], object]]] = {
    "kind": {kind.value: kind for kind in ChargeKind}.__getitem__,
    "due_date_rule": {rule.value: rule for rule in DueDateRule}.__getitem__,
    "status": {status.value: status for status in ChargeStatus}.__getitem__,
    "cancel_reason": {reason.value: reason for reason in CancelReason}.get,
    "terms": _terms,
    "payment_methods": _payment_methods,
    "custom_data": _object,
}
_READ: Final = [(ChargeRow._fields.index(name), reader) for name, reader in _READERS.items()]


def _row(record: Sequence[Any]) -> ChargeRow:
    values = list(record)[2:]
    for index, reader in _READ:
        values[index] = reader(values[index])
    return ChargeRow._make(values)
