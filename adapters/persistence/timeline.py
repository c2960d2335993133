"""The timeline of a debtor: events by the debtor's index, with names and notes for one page."""

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, and_, exists, func, literal, or_, select, true
from sqlalchemy.dialects.postgresql import JSONB

from adapters.persistence.portfolio import Portfolio
from adapters.persistence.tables import api_clients, debtors, events, interactions, members
from adapters.persistence.transaction import PinnedTransaction
from domain.ports.lists import COUNTED_EXACTLY, Page
from domain.ports.timeline import TimelineQuery, TimelineRow

_E: Final = events.c


class SqlTimeline:
    """What happened with debtors within the portfolio."""

    def __init__(self, transaction: PinnedTransaction, portfolio: Portfolio) -> None:
        self._transaction = transaction
        self._portfolio = portfolio

    async def page(self, query: TimelineQuery, /) -> Page[TimelineRow]:
        """One page of what happened, in the order in which it was recorded."""
        await self._transaction.plan_for_values()
        statement = _page(query, self._portfolio)
        found = (await self._transaction.connection.execute(statement)).all()
        rows = [TimelineRow(*row[1:]) for row in found if row.id is not None]
        return Page(rows, found[0].total)


def _page(query: TimelineQuery, portfolio: Portfolio) -> Select[Any]:
    """A statement that always has a row; its id is None when the page is empty."""
    matching = select(events).where(*_conditions(query, portfolio))
    counted = matching.with_only_columns(_E.id).limit(COUNTED_EXACTLY + 1).subquery("counted")
    tally = select(func.count().label("total")).select_from(counted).cte("tally")
    page = (
        matching.order_by(*_order(query, _E))
        .limit(query.window.per_page)
        .offset((query.window.page - 1) * query.window.per_page)
        .cte("page")
    )

    def of_page(table: Any, key: ColumnElement[Any]) -> ColumnElement[bool]:  # noqa: ANN401 -- any table
        return and_(table.c.organization_id == page.c.organization_id, table.c.id == key)

    return (
        select(
            tally.c.total,
            page.c.id,
            page.c.occurred_at,
            page.c.type,
            page.c.resource_type,
            page.c.resource_id,
            page.c.data,
            page.c.changes,
            page.c.actor_type,
            page.c.actor_id,
            func.coalesce(members.c.name, api_clients.c.name).label("actor_name"),
            page.c.request_id,
            interactions.c.direction,
            interactions.c.channel,
            interactions.c.outcome,
            interactions.c.note,
            interactions.c.occurred_at.label("took_place_at"),
        )
        .select_from(
            tally.outerjoin(page, true())
            .outerjoin(interactions, of_page(interactions, page.c.resource_id))
            .outerjoin(members, of_page(members, page.c.actor_id))
            .outerjoin(api_clients, of_page(api_clients, page.c.actor_id))
        )
        .order_by(*_order(query, page.c))
    )


def _order(query: TimelineQuery, columns: Any) -> tuple[Any, Any]:  # noqa: ANN401 -- any columns
    if query.window.descending:
        return columns.occurred_at.desc(), columns.id.desc()
    return columns.occurred_at, columns.id


def _conditions(query: TimelineQuery, portfolio: Portfolio) -> Iterable[ColumnElement[bool]]:
    yield _E.organization_id == portfolio.organization_id
    yield _E.debtor_id == query.debtor_id
    yield exists().where(portfolio.of_debtors, debtors.c.id == query.debtor_id)
    if query.happened.start is not None:
        yield _E.occurred_at >= query.happened.start
    if query.happened.end is not None:
        yield _E.occurred_at < query.happened.end
    if query.types:
        yield _E.type.in_(query.types)
    if query.charge_id is not None:
        yield _about(query.charge_id)


def _about(charge_id: str) -> ColumnElement[bool]:
    """The charge's own events, and those of others that name it in what they tell."""
    among = literal({"charge_ids": [charge_id]}, JSONB)
    return or_(_E.resource_id == charge_id, _E.data.cast(JSONB).contains(among))
