"""The debtor list: each debtor of a page with sums over the stored columns of their charges."""

from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Date,
    FromClause,
    Integer,
    Numeric,
    ScalarSelect,
    Select,
    Subquery,
    cast,
    func,
    literal,
    literal_column,
    select,
    true,
)

from adapters.persistence.debtor_filters import conditions
from adapters.persistence.portfolio import Portfolio
from adapters.persistence.tables import charges, contact_points, debtors
from domain.dunning import risk
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.contact_points import ContactStatus
from domain.dunning.debtors import Debtor
from domain.ports.debtors import DebtorQuery
from domain.ports.lists import COUNTED_EXACTLY

_D: Final = debtors.c
_OPEN: Final = (ChargeStatus.PENDING, ChargeStatus.OVERDUE)
_NEVER: Final = literal_column("DATE 'infinity'", Date)


def debtor_page(query: DebtorQuery, portfolio: Portfolio) -> Select[Any]:
    """A statement whose rows are the total, a debtor and the columns of their standing.

    There is always one row; its debtor is None when the page is empty.
    """
    overdue = _overdue(portfolio)
    matching = _matching(query, portfolio, overdue)
    counted = matching.with_only_columns(_D.id).limit(COUNTED_EXACTLY + 1).subquery("counted")
    tally = select(func.count().label("total")).select_from(counted).cte("tally")
    key = _sort_key(query, portfolio, overdue)
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
    wanted = select(_D.id).where(portfolio.of_debtors, *conditions(query))
    asks_overdue = (
        query.window.sort_by in ("overdue_amount", "days_late_max", "risk_score")
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


def debtor_standing(organization_id: str, debtor_id: str) -> Select[Any]:
    """A statement whose only row is the standing of one debtor."""
    return select(*_standing(_bounces_of(organization_id, debtor_id))).where(
        charges.c.organization_id == organization_id, charges.c.debtor_id == debtor_id
    )


def _owed(portfolio: Portfolio) -> FromClause:
    """The standing of one debtor of the page."""
    own = portfolio.organization_id
    return (
        select(*_standing(_bounces_of(own, _D.id)))
        .where(charges.c.organization_id == own, charges.c.debtor_id == _D.id)
        .correlate(debtors)
        .lateral("owed")
    )


def _standing(bounces: ScalarSelect[int]) -> Iterable[ColumnElement[Any]]:
    """The columns of a Standing, over the charges of one debtor."""

    def due(*statuses: ChargeStatus) -> ColumnElement[int]:
        of_these = func.sum(charges.c.total_due).filter(charges.c.status.in_(statuses))
        return cast(func.coalesce(of_these, 0), BigInteger)

    is_overdue = charges.c.status == ChargeStatus.OVERDUE
    return (
        due(*_OPEN).label("open_amount"),
        due(ChargeStatus.OVERDUE).label("overdue_amount"),
        due(ChargeStatus.RENEGOTIATED).label("renegotiated_amount"),
        due(ChargeStatus.WRITTEN_OFF).label("written_off_amount"),
        func.min(charges.c.effective_due_date).filter(is_overdue).label("oldest_overdue"),
        bounces.label("bounces"),
    )


def _bounces_of(organization_id: str, debtor_id: str | ColumnElement[str]) -> ScalarSelect[int]:
    points = contact_points.c
    failed = func.coalesce(func.sum(points.failure_count), 0)
    return (
        select(cast(failed, Integer))
        .where(
            points.organization_id == organization_id,
            points.debtor_id == debtor_id,
            points.status != ContactStatus.DELETED,
        )
        .correlate(debtors)
        .scalar_subquery()
    )


def _amount(overdue: Subquery) -> ColumnElement[int]:
    return func.coalesce(overdue.c.amount, 0)


def _sort_key(query: DebtorQuery, portfolio: Portfolio, overdue: Subquery) -> ColumnElement[Any]:
    match query.window.sort_by:
        case "overdue_amount":
            return _amount(overdue)
        case "days_late_max":
            return func.coalesce(overdue.c.oldest, _NEVER)
        case "risk_score":
            return _risk(
                _days_late(query.today, overdue), _bounces_of(portfolio.organization_id, _D.id)
            )
        case "created_at":
            return _D.created_at
        case _:
            return _D.sort_name


def _days_late(today: date, overdue: Subquery) -> ColumnElement[int]:
    since = literal(today, Date).op("-", return_type=Integer())(overdue.c.oldest)
    # A sandbox that was led ahead has debts whose date is still to come.
    return func.greatest(0, func.coalesce(since, 0))


def _risk(days_late: ColumnElement[int], bounces: ScalarSelect[int]) -> ColumnElement[int]:
    """`domain.dunning.risk` over stored columns; there is no promise that could be broken."""
    for_days = func.round(cast(risk.DAYS_POINTS * days_late, Numeric) / risk.DAYS_FOR_ALL)
    for_bounces = func.least(risk.BOUNCES_AT_MOST, risk.BOUNCE_POINTS * bounces)
    return cast(func.least(risk.DAYS_POINTS, for_days) + for_bounces, Integer)


def _order(
    query: DebtorQuery, key: ColumnElement[Any], debtor_id: ColumnElement[Any]
) -> tuple[Any, Any]:
    # The longest late is the one whose oldest date comes first.
    if query.window.descending != (query.window.sort_by == "days_late_max"):
        return key.desc(), debtor_id.desc()
    return key, debtor_id
