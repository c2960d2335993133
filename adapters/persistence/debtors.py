"""Debtors: aggregates, the list and what hangs on them, within the portfolio."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from sqlalchemy import ColumnElement, func, or_, select

from adapters.persistence.debtor_list import debtor_page, debtor_standing
from adapters.persistence.debtor_traces import erase_traces, guaranteed_by, last_movement
from adapters.persistence.portfolio import Portfolio
from adapters.persistence.seen import Seen
from adapters.persistence.tables import charges, debtors
from adapters.persistence.transaction import PinnedTransaction
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.debtors import Debtor
from domain.dunning.documents import Document
from domain.ports.debtors import DebtorNames, DebtorQuery, DebtorRow, Standing
from domain.ports.lists import Page


class SqlDebtors:
    """The organisation's debtors, within the portfolio."""

    def __init__(self, transaction: PinnedTransaction, portfolio: Portfolio, seen: Seen) -> None:
        self._transaction = transaction
        self._portfolio = portfolio
        self._seen = seen

    async def find(self, debtor_id: str, /, *, lock: bool = False) -> Debtor | None:
        """The debtor, if the grant may see them; `lock` holds the row until the transaction ends.

        Who creates or reopens a charge locks as well, or a debtor could be archived meanwhile.
        """
        return await self._one(debtors.c.id == debtor_id, lock=lock)

    async def find_by_document(self, document: Document, /) -> Debtor | None:
        """The debtor who has this document, if the grant may see them."""
        return await self._one(debtors.c.document == document)

    async def among(self, named: DebtorNames, /, *, lock: bool = False) -> Sequence[Debtor]:
        """The debtors named in any of these ways whom the grant may see, in the order of ids."""
        any_of = [
            column.in_(values)
            for column, values in (
                (debtors.c.id, named.ids),
                (debtors.c.document, named.documents),
                (debtors.c.external_id, named.external_ids),
            )
            if values
        ]
        if not any_of:
            return ()
        # In one order everywhere, or two who lock many would wait for each other.
        wanted = select(Debtor).where(self._portfolio.of_debtors, or_(*any_of))
        wanted = wanted.order_by(debtors.c.id)
        if lock:
            wanted = wanted.with_for_update(of=Debtor).execution_options(populate_existing=True)
        found = (await self._transaction.session.scalars(wanted)).all()
        for debtor in found:
            self._seen.note(debtor)
        return found

    async def page(self, query: DebtorQuery, /) -> Page[DebtorRow]:
        """One page of the debtors that match."""
        await self._transaction.plan_for_values()
        statement = debtor_page(query, self._portfolio)
        found = (await self._transaction.session.execute(statement)).all()
        rows = [DebtorRow(row[1], Standing(*row[2:])) for row in found if row[1] is not None]
        return Page(rows, found[0].total)

    async def standing(self, debtor_id: str, /) -> Standing:
        """What one debtor owes."""
        wanted = debtor_standing(self._portfolio.organization_id, debtor_id)
        return Standing(*(await self._transaction.connection.execute(wanted)).one())

    async def charge_counts(self, debtor_id: str, /) -> Mapping[ChargeStatus, int]:
        """How many charges the debtor has in each status that there is one in."""
        return await self._counts(charges.c.debtor_id == debtor_id)

    async def guaranteed_counts(self, debtor_id: str, /) -> Mapping[ChargeStatus, int]:
        """The same of the charges of others that the debtor guarantees."""
        return await self._counts(guaranteed_by(debtor_id))

    async def last_movement(self, debtor_id: str, timezone: str, /) -> date:
        """The last day in `timezone` on which anything happened with the debtor."""
        return await last_movement(self._transaction, debtor_id, timezone)

    async def erase_traces(self, debtor_id: str, document: Document, at: datetime, /) -> None:
        """Empty what names an anonymised debtor, who had `document`, outside of their own row."""
        await erase_traces(self._transaction, debtor_id, document, at)

    def add(self, debtor: Debtor, /) -> None:
        """Keep a new debtor. A taken document or external id is a DuplicateError at commit."""
        self._transaction.session.add(debtor)
        self._seen.note(debtor)

    async def _counts(self, condition: ColumnElement[bool]) -> Mapping[ChargeStatus, int]:
        """By status; whoever the portfolio leaves out counts as well."""
        own = charges.c.organization_id == self._portfolio.organization_id
        wanted = (
            select(charges.c.status, func.count().label("many"))
            .where(own, condition)
            .group_by(charges.c.status)
        )
        found = await self._transaction.connection.execute(wanted)
        return {row.status: row.many for row in found}

    async def _one(self, condition: ColumnElement[bool], *, lock: bool = False) -> Debtor | None:
        wanted = select(Debtor).where(self._portfolio.of_debtors, condition)
        if lock:
            wanted = wanted.with_for_update(of=Debtor).execution_options(populate_existing=True)
        return self._seen.note(await self._transaction.session.scalar(wanted))
