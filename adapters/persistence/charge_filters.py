"""The filters and sorts of the charge list: from a query to the values of one compiled shape."""

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Date,
    Text,
    any_,
    bindparam,
    case,
    literal_column,
    or_,
)

from adapters.persistence.charge_holds import HOLDS, OF_DEBTORS, wanted_holds
from adapters.persistence.tables import charges, debtors
from adapters.persistence.text_filter import WORDS, has_words, word_patterns
from domain.dunning.charge_states import OWED
from domain.ports.charges import ChargeQuery

Condition: TypeAlias = ColumnElement[bool]

_C: Final = charges.c
ASSIGNED_TO: Final = "assigned_to"
_DAYS_LATE: Final = "days_late"
_DAYS_LATE_OF_OWED: Final = "days_late of owed"
_NEVER_DUE: Final = literal_column("DATE 'infinity'", Date)
_IS_OWED: Final = _C.status == any_(bindparam("owed", OWED, type_=ARRAY(Text)))


class Shape(NamedTuple):
    """What decides the text of the SQL: everything else is a parameter."""

    filters: tuple[str, ...]
    due_ranges: int
    holds: tuple[str, ...]
    sort_by: str
    descending: bool

    @property
    def counts_by_debtor(self) -> bool:
        """Whether a charge counts because of who owes it."""
        return ASSIGNED_TO in self.filters or not OF_DEBTORS.isdisjoint(self.holds)

    @property
    def has_no_index(self) -> bool:
        """Whether a filter looks into every row that the others leave."""
        return WORDS in self.filters or "tags" in self.filters or bool(self.holds)

    @property
    def sort(self) -> "Sort":
        """What it is sorted by."""
        return SORTS[self.sort_by]


class Sort(NamedTuple):
    """A sort by `key`; `reversed` where a greater key comes first in ascending order."""

    key: ColumnElement[Any]
    reversed: bool = False


SORTS: Final = {
    "due_date": Sort(_C.due_date),
    "amount": Sort(_C.amount),
    "total_due": Sort(_C.total_due),
    _DAYS_LATE: Sort(case((_IS_OWED, _C.effective_due_date), else_=_NEVER_DUE), reversed=True),
    # The same where all are owed, by an index.
    _DAYS_LATE_OF_OWED: Sort(_C.effective_due_date, reversed=True),
    "created_at": Sort(_C.created_at),
    "debtor_name": Sort(debtors.c.sort_name),
}


def _equal(column: ColumnElement[Any]) -> Callable[[str], Condition]:
    return lambda name: column == bindparam(name, type_=column.type)


def _at_least(column: ColumnElement[Any]) -> Callable[[str], Condition]:
    return lambda name: column >= bindparam(name, type_=column.type)


def _at_most(column: ColumnElement[Any]) -> Callable[[str], Condition]:
    return lambda name: column <= bindparam(name, type_=column.type)


def _before(column: ColumnElement[Any]) -> Callable[[str], Condition]:
    return lambda name: column < bindparam(name, type_=column.type)


def _one_of(column: ColumnElement[Any]) -> Callable[[str], Condition]:
    return lambda name: column == any_(bindparam(name, type_=ARRAY(Text)))


def _shares(column: ColumnElement[Any]) -> Callable[[str], Condition]:
    return lambda name: column.bool_op("&&")(bindparam(name, type_=ARRAY(Text)))


_CONDITIONS: Final[dict[str, Callable[[str], Condition]]] = {
    ASSIGNED_TO: _equal(debtors.c.assigned_member_id),
    "created_start": _at_least(_C.created_at),
    "created_end": _before(_C.created_at),
    "updated_start": _at_least(_C.updated_at),
    "updated_end": _before(_C.updated_at),
    "status": _one_of(_C.status),
    "owed": _one_of(_C.status),
    "debtor_id": _equal(_C.debtor_id),
    WORDS: lambda _name: has_words(_C.search_text),
    "kind": _one_of(_C.kind),
    "due_from": _at_least(_C.due_date),
    "due_to": _at_most(_C.due_date),
    "min_amount": _at_least(_C.amount),
    "max_amount": _at_most(_C.amount),
    "tags": _shares(_C.tags),
    "assigned_member_id": _equal(_C.assigned_member_id),
    "external_id": _equal(_C.external_id),
    "document_number": _equal(_C.document_number),
}


def conditions(shape: Shape) -> Iterable[Condition]:
    """The conditions of a shape, with a parameter of the same name for each."""
    yield from (_CONDITIONS[name](name) for name in shape.filters)
    if shape.due_ranges:
        yield or_(*(_due_between(index) for index in range(shape.due_ranges)))
    if shape.holds:
        yield _IS_OWED
        yield or_(*(HOLDS[name] for name in shape.holds))


def read(query: ChargeQuery, assigned_to: str | None) -> tuple[Shape, dict[str, object]]:
    """The shape of a query, and the values of its parameters."""
    values = {name: value for name, value in _asked(query, assigned_to) if value not in (None, ())}
    window = query.window
    holds, held = wanted_holds(query.hold, query.holds_on)
    shape = Shape(
        tuple(values), len(query.effective_due), holds, _sort_by(query), window.descending
    )
    values |= held
    values["limit"] = window.per_page
    values["offset"] = (window.page - 1) * window.per_page
    for index, (low, high) in enumerate(query.effective_due):
        values[f"due_low_{index}"] = low or date.min
        values[f"due_high_{index}"] = high or date.max
    return shape, values


def _sort_by(query: ChargeQuery) -> str:
    sort_by = query.window.sort_by
    owed_only = query.owed_only or (query.status and set(query.status) <= set(OWED))
    return _DAYS_LATE_OF_OWED if sort_by == _DAYS_LATE and owed_only else sort_by


def _asked(query: ChargeQuery, assigned_to: str | None) -> Iterable[tuple[str, object]]:
    return (
        (ASSIGNED_TO, assigned_to),
        ("created_start", query.created.start),
        ("created_end", query.created.end),
        ("updated_start", query.updated.start),
        ("updated_end", query.updated.end),
        ("status", query.status),
        ("owed", OWED if query.owed_only else ()),
        ("debtor_id", query.debtor_id),
        (WORDS, None if query.text is None else word_patterns(query.text)),
        ("kind", query.kind),
        ("due_from", query.due_from),
        ("due_to", query.due_to),
        ("min_amount", query.min_amount),
        ("max_amount", query.max_amount),
        ("tags", query.tags),
        ("assigned_member_id", query.assigned_member_id),
        ("external_id", query.external_id),
        ("document_number", query.document_number),
    )


def _due_between(index: int) -> Condition:
    low = bindparam(f"due_low_{index}", type_=Date)
    high = bindparam(f"due_high_{index}", type_=Date)
    return _C.effective_due_date.between(low, high)
