"""Debtors: aggregates and the list, within the portfolio."""

from sqlalchemy import select

from adapters.persistence.debtor_list import debtor_page
from adapters.persistence.portfolio import Portfolio
from adapters.persistence.seen import Seen
from adapters.persistence.tables import debtors
from adapters.persistence.transaction import PinnedTransaction
from domain.dunning.debtors import Debtor
from domain.ports.storage import DebtorQuery, DebtorRow, Page


class SqlDebtors:
    """The organisation's debtors, within the portfolio."""

    def __init__(self, transaction: PinnedTransaction, portfolio: Portfolio, seen: Seen) -> None:
        self._transaction = transaction
        self._portfolio = portfolio
        self._seen = seen

    async def find(self, debtor_id: str, /) -> Debtor | None:
        """The debtor, if the grant may see them."""
        wanted = select(Debtor).where(self._portfolio.of_debtors, debtors.c.id == debtor_id)
        return self._seen.note(await self._transaction.session.scalar(wanted))

    async def page(self, query: DebtorQuery, /) -> Page[DebtorRow]:
        """One page of the debtors that match."""
        await self._transaction.plan_for_values()
        statement = debtor_page(query, self._portfolio)
        found = (await self._transaction.session.execute(statement)).all()
        rows = [DebtorRow(*row[1:]) for row in found if row[1] is not None]
        return Page(rows, found[0].total)

    def add(self, debtor: Debtor, /) -> None:
        """Keep a new debtor. A taken document or external id is a DuplicateError at commit."""
        self._transaction.session.add(debtor)
        self._seen.note(debtor)
