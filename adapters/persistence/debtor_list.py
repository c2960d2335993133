"""The debtor list: each debtor of a page with sums over the stored columns of their charges."""

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Date,
    FromClause,
    Select,
    Subquery,
    Text,
    any_,
    bindparam,
    cast,
    func,
    literal_column,
    select,
    true,
)

from adapters.persistence.portfolio import Portfolio
from adapters.persistence.tables import charges, debtors
from adapters.persistence.text_filter import has_words, word_patterns
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.debtors import Debtor
from domain.ports.storage import COUNTED_EXACTLY, DebtorQuery, Span

_D: Final = debtors.c
_OPEN: Final = (ChargeStatus.PENDING, ChargeStatus.OVERDUE)
_NEVER: Final = literal_column("DATE 'infinity'", Date)


def debtor_page(query: DebtorQuery, portfolio: Portfolio) -> Select[Any]:
    """A statement whose rows are the total and the columns of a DebtorRow.

    There is always one row; its debtor is None when the page is empty.
    """
    overdue = _overdue(portfolio)
    matching = _matching(query, portfolio, overdue)
    counted = matching.with_only_columns(_D.id).limit(COUNTED_EXACTLY + 1).subquery("counted")
    tally = select(func.count().label("total")).select_from(counted).cte("tally")
    key = _sort_key(query, overdue)
    page = (
        matching.with_only_columns(_D.id, key.label("sort_key"))
        .order_by(*_order(query, key, _D.id))
        .limit(query.window.per_page)
        .offset((query.window.page - 1) * query.window.per_page)
        .cte("page")
    )
    of_the_page = (_D.organization_id == portfolio.organization_id) & (_D.id == page.c.id)
    owed = _owed(portfolio)
    return (
        select(tally.c.total, Debtor, *owed.c)
        .select_from(
            tally.outerjoin(page, true()).outerjoin(debtors, of_the_page).outerjoin(owed, true())
        )
        .order_by(*_order(query, page.c.sort_key, page.c.id))
    )


def _matching(query: DebtorQuery, portfolio: Portfolio, overdue: Subquery) -> Select[Any]:
    wanted = select(_D.id).where(portfolio.of_debtors, *_conditions(query))
    asks_overdue = (
        query.window.sort_by in ("overdue_amount", "days_late_max")
        or query.has_overdue is not None
        or query.min_overdue_amount is not None
    )
    if not asks_overdue:
        return wanted
    joined = wanted.outerjoin_from(debtors, overdue, overdue.c.debtor_id == _D.id)
    if query.has_overdue is not None:
        has_none = overdue.c.debtor_id.is_(None)
        joined = joined.where(~has_none if query.has_overdue else has_none)
    if query.min_overdue_amount is not None:
        joined = joined.where(_amount(overdue) >= query.min_overdue_amount)
    return joined


def _conditions(query: DebtorQuery) -> Iterable[ColumnElement[bool]]:
    yield from _within(_D.created_at, query.created)
    yield from _within(_D.updated_at, query.updated)
    for column, wanted in (
        (_D.status, query.status),
        (_D.person_type, query.person_type),
        (_D.uf, query.uf),
    ):
        if wanted:
            yield column == any_(_texts(column.name, wanted))
    for column, wanted in ((_D.tags, query.tags), (_D.flags, query.flag)):
        if wanted:
            yield column.bool_op("&&")(_texts(column.name, wanted))
    if query.text is not None:
        yield has_words(_D.search_text, word_patterns(query.text))
    if query.assigned_member_id is not None:
        yield _D.assigned_member_id == query.assigned_member_id
    if query.external_id is not None:
        yield _D.external_id == query.external_id


def _within(column: ColumnElement[Any], span: Span) -> Iterable[ColumnElement[bool]]:
    if span.start is not None:
        yield column >= span.start
    if span.end is not None:
        yield column < span.end


def _texts(name: str, wanted: tuple[str, ...]) -> ColumnElement[Any]:
    return bindparam(f"wanted_{name}", list(wanted), type_=ARRAY(Text))


def _overdue(portfolio: Portfolio) -> Subquery:
    """What is overdue, for each debtor with something overdue."""
    return (
        select(
            charges.c.debtor_id,
            func.sum(charges.c.total_due).label("amount"),
            func.min(charges.c.effective_due_date).label("oldest"),
        )
        .where(
            charges.c.organization_id == portfolio.organization_id,
            charges.c.status == ChargeStatus.OVERDUE,
        )
        .group_by(charges.c.debtor_id)
        .subquery("overdue")
    )


def _owed(portfolio: Portfolio) -> FromClause:
    """The sums of one debtor of the page."""

    def due(*statuses: ChargeStatus) -> ColumnElement[int]:
        of_these = func.sum(charges.c.total_due).filter(charges.c.status.in_(statuses))
        return cast(func.coalesce(of_these, 0), BigInteger)

    is_overdue = charges.c.status == ChargeStatus.OVERDUE
    return (
        select(
            due(*_OPEN).label("open_amount"),
            due(ChargeStatus.OVERDUE).label("overdue_amount"),
            due(ChargeStatus.RENEGOTIATED).label("renegotiated_amount"),
            due(ChargeStatus.WRITTEN_OFF).label("written_off_amount"),
            func.min(charges.c.effective_due_date).filter(is_overdue).label("oldest_overdue"),
        )
        .where(
            charges.c.organization_id == portfolio.organization_id,
            charges.c.debtor_id == _D.id,
        )
        .correlate(debtors)
        .lateral("owed")
    )


def _amount(overdue: Subquery) -> ColumnElement[int]:
    return func.coalesce(overdue.c.amount, 0)


def _sort_key(query: DebtorQuery, overdue: Subquery) -> ColumnElement[Any]:
    keys: dict[str, ColumnElement[Any]] = {
        "name": _D.sort_name,
        "created_at": _D.created_at,
        "overdue_amount": _amount(overdue),
        "days_late_max": func.coalesce(overdue.c.oldest, _NEVER),
    }
    return keys[query.window.sort_by]


def _order(
    query: DebtorQuery, key: ColumnElement[Any], debtor_id: ColumnElement[Any]
) -> tuple[Any, Any]:
    # The longest late is the one whose oldest date comes first.
    if query.window.descending != (query.window.sort_by == "days_late_max"):
        return key.desc(), debtor_id.desc()
    return key, debtor_id
