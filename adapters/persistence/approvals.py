"""Requests for a second person, about debtors within the portfolio."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Select,
    Text,
    and_,
    case,
    func,
    literal,
    literal_column,
    select,
    true,
)

from adapters.persistence.portfolio import Portfolio
from adapters.persistence.seen import Seen
from adapters.persistence.spans import within
from adapters.persistence.tables import approvals, debtors
from adapters.persistence.transaction import PinnedTransaction
from domain.dunning.approvals import Approval, ApprovalStatus, Subject
from domain.dunning.organization_settings import ApprovalAct
from domain.ports.approvals import ApprovalQuery, ApprovalRow
from domain.ports.lists import COUNTED_EXACTLY, Page

_A: Final = approvals.c
_IS_PENDING: Final = _A.status == ApprovalStatus.PENDING


class SqlApprovals:
    """Requests about debtors within the portfolio."""

    def __init__(self, transaction: PinnedTransaction, portfolio: Portfolio, seen: Seen) -> None:
        self._transaction = transaction
        self._portfolio = portfolio
        self._seen = seen

    async def find(self, approval_id: str, /, *, lock: bool = False) -> Approval | None:
        """The request, if the grant may see it; `lock` holds its row until the transaction ends."""
        return await self._one(_A.id == approval_id, lock=lock)

    async def undecided(
        self, kind: ApprovalAct, subject: Subject, /, *, lock: bool = False
    ) -> Approval | None:
        """The request that stands as pending, also one whose time is over unnoticed."""
        of_the_kind = (_IS_PENDING, _A.kind == kind, _A.subject_id == subject.id)
        return await self._one(*of_the_kind, lock=lock)

    async def page(self, query: ApprovalQuery, /) -> Page[ApprovalRow]:
        """One page of the requests that match."""
        await self._transaction.plan_for_values()
        found = (await self._transaction.session.execute(_page(query, self._portfolio))).all()
        rows = [ApprovalRow(row.Approval, row.name) for row in found if row.Approval is not None]
        return Page(rows, found[0].total)

    async def overdue(self, now: datetime, /, *, limit: int) -> Sequence[Approval]:
        """At most `limit` requests that stand as pending after their time, locked."""
        wanted = (
            select(Approval)
            .where(self._portfolio.of_approvals, _IS_PENDING, _A.expires_at <= now)
            .order_by(_A.id)
            .limit(limit)
            .with_for_update(of=Approval)
            .execution_options(populate_existing=True)
        )
        found = (await self._transaction.session.scalars(wanted)).all()
        for approval in found:
            self._seen.note(approval)
        return found

    async def add(self, approval: Approval, /) -> None:
        """Keep a new request, in place of one that has just expired.

        A pending one of the same kind and subject is a DuplicateError at commit.
        """
        # A session writes new rows first, and the one that has expired would still stand there.
        await self._transaction.flush()
        self._transaction.session.add(approval)
        self._seen.note(approval)

    async def _one(self, *conditions: ColumnElement[bool], lock: bool) -> Approval | None:
        wanted = select(Approval).where(self._portfolio.of_approvals, *conditions)
        if lock:
            wanted = wanted.with_for_update(of=Approval).execution_options(populate_existing=True)
        return self._seen.note(await self._transaction.session.scalar(wanted))


def _page(query: ApprovalQuery, portfolio: Portfolio) -> Select[Any]:
    """A statement that always has a row; its approval is None when the page is empty."""
    matching = select(_A.id, _A.created_at).where(portfolio.of_approvals, *_conditions(query))
    counted = matching.limit(COUNTED_EXACTLY + 1).subquery("counted")
    tally = select(func.count().label("total")).select_from(counted).cte("tally")
    page = (
        matching.order_by(*_order(query, _A))
        .limit(query.window.per_page)
        .offset((query.window.page - 1) * query.window.per_page)
        .cte("page")
    )
    own = portfolio.organization_id
    of_the_page = and_(_A.organization_id == own, _A.id == page.c.id)
    its_debtor = and_(debtors.c.organization_id == own, debtors.c.id == _A.debtor_id)
    return (
        select(tally.c.total, Approval, debtors.c.name)
        .select_from(
            tally.outerjoin(page, true())
            .outerjoin(approvals, of_the_page)
            .outerjoin(debtors, its_debtor)
        )
        .order_by(*_order(query, page.c))
    )


def _order(query: ApprovalQuery, columns: Any) -> tuple[Any, Any]:  # noqa: ANN401 -- any columns
    if query.window.descending:
        return columns.created_at.desc(), columns.id.desc()
    return columns.created_at, columns.id


def _conditions(query: ApprovalQuery) -> Iterable[ColumnElement[bool]]:
    yield from within(_A.created_at, query.created)
    yield from within(_A.updated_at, query.updated)
    if query.status:
        yield _status_at(query.now).in_(query.status)
    if query.kind:
        yield _A.kind.in_(query.kind)
    if query.debtor_id is not None:
        yield _A.debtor_id == query.debtor_id
    if query.requested_by is not None:
        asker = _A.requested_by.op("->>", return_type=Text())(literal_column("'id'"))
        yield asker == query.requested_by


def _status_at(now: datetime) -> ColumnElement[str]:
    """Where a request stands, whether or not the clock has noted its end."""
    is_over = and_(_IS_PENDING, _A.expires_at <= now)
    return case((is_over, literal(ApprovalStatus.EXPIRED.value)), else_=_A.status)
