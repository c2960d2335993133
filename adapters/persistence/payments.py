"""Payments: aggregates and the list, of debtors within the portfolio."""

from collections.abc import Iterable
from operator import eq, ge, le
from typing import Any, Final

from sqlalchemy import BigInteger, ColumnElement, Select, cast, func, literal, select, true
from sqlalchemy.dialects.postgresql import JSONB

from adapters.persistence.portfolio import Portfolio
from adapters.persistence.seen import Seen
from adapters.persistence.spans import within
from adapters.persistence.tables import charges, payments
from adapters.persistence.transaction import PinnedTransaction
from domain.dunning.payments import Payment
from domain.ports.lists import COUNTED_EXACTLY, SummedPage
from domain.ports.payments import PaymentQuery

_P: Final = payments.c
_SORTS: Final = {"paid_at": _P.paid_at, "amount": _P.amount, "created_at": _P.created_at}


class SqlPayments:
    """Payments of debtors within the portfolio."""

    def __init__(self, transaction: PinnedTransaction, portfolio: Portfolio, seen: Seen) -> None:
        self._transaction = transaction
        self._portfolio = portfolio
        self._seen = seen

    async def find(self, payment_id: str, /, *, lock: bool = False) -> Payment | None:
        """The payment, if the grant may see it; `lock` holds its row until the transaction ends."""
        wanted = select(Payment).where(self._portfolio.of_payments, _P.id == payment_id)
        if lock:
            wanted = wanted.with_for_update(of=Payment).execution_options(populate_existing=True)
        return self._seen.note(await self._transaction.session.scalar(wanted))

    async def page(self, query: PaymentQuery, /) -> SummedPage[Payment]:
        """One page of the payments that match, with the sum of what was received."""
        await self._transaction.plan_for_values()
        found = (await self._transaction.session.execute(_page(query, self._portfolio))).all()
        rows = [row.Payment for row in found if row.Payment is not None]
        total = found[0].total
        return SummedPage(rows, total, found[0].amount if total <= COUNTED_EXACTLY else None)

    async def of_debtor(self, debtor_id: str, /) -> tuple[Payment, ...]:
        """Every payment of a debtor, in the order of the days on which they were made."""
        wanted = (
            select(Payment)
            .where(self._portfolio.of_payments, _P.debtor_id == debtor_id)
            .order_by(_P.paid_at, _P.id)
        )
        return tuple((await self._transaction.session.scalars(wanted)).all())

    def add(self, payment: Payment, /) -> None:
        """Keep a new payment. A taken external id is a DuplicateError at commit."""
        self._transaction.session.add(payment)
        self._seen.note(payment)


def _page(query: PaymentQuery, portfolio: Portfolio) -> Select[Any]:
    """A statement that always has a row; its payment is None when the page is empty."""
    matching = select(_P.id, _P.amount).where(portfolio.of_payments, *_conditions(query, portfolio))
    counted = matching.limit(COUNTED_EXACTLY + 1).subquery("counted")
    amount = cast(func.coalesce(func.sum(counted.c.amount), 0), BigInteger)
    tally = (
        select(func.count().label("total"), amount.label("amount"))
        .select_from(counted)
        .cte("tally")
    )
    key = _SORTS[query.window.sort_by]
    page = (
        matching.with_only_columns(_P.id, key.label("sort_key"))
        .order_by(*_order(query, key, _P.id))
        .limit(query.window.per_page)
        .offset((query.window.page - 1) * query.window.per_page)
        .cte("page")
    )
    of_the_page = (_P.organization_id == portfolio.organization_id) & (_P.id == page.c.id)
    return (
        select(tally.c.total, tally.c.amount, Payment)
        .select_from(tally.outerjoin(page, true()).outerjoin(payments, of_the_page))
        .order_by(*_order(query, page.c.sort_key, page.c.id))
    )


def _order(
    query: PaymentQuery, key: ColumnElement[Any], payment_id: ColumnElement[Any]
) -> tuple[Any, Any]:
    return (key.desc(), payment_id.desc()) if query.window.descending else (key, payment_id)


def _conditions(query: PaymentQuery, portfolio: Portfolio) -> Iterable[ColumnElement[bool]]:
    yield from within(_P.created_at, query.created)
    yield from within(_P.updated_at, query.updated)
    for compare, pairs in (
        (eq, ((_P.debtor_id, query.debtor_id), (_P.external_id, query.external_id))),
        (ge, ((_P.paid_at, query.paid_from), (_P.amount, query.min_amount))),
        (le, ((_P.paid_at, query.paid_to), (_P.amount, query.max_amount))),
    ):
        yield from (compare(column, asked) for column, asked in pairs if asked is not None)
    several = ((_P.status, query.status), (_P.method, query.method))
    yield from (column.in_(asked) for column, asked in several if asked)
    if query.unallocated is not None:
        yield (_P.unallocated_amount > 0) == query.unallocated
    if query.charge_id is not None:
        yield from _of_charge(query.charge_id, portfolio)


def _of_charge(charge_id: str, portfolio: Portfolio) -> Iterable[ColumnElement[bool]]:
    """The debtor first: of them there is an index, and few payments."""
    debtor = select(charges.c.debtor_id).where(portfolio.of_charges, charges.c.id == charge_id)
    yield _P.debtor_id == debtor.scalar_subquery()
    given = literal([{"charge_id": charge_id}], JSONB)
    yield cast(_P.allocations, JSONB).contains(given)
