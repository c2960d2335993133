"""Charges: aggregates by the session, the list by the driver."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from sqlalchemy import bindparam, select

from adapters.persistence import tables
from adapters.persistence.charge_list import charge_page
from adapters.persistence.portfolio import Portfolio
from adapters.persistence.seen import Seen
from adapters.persistence.transaction import PinnedTransaction
from domain.dunning.charge_states import OWED
from domain.dunning.charges import Charge
from domain.ports.storage import ChargeQuery, ChargeRow, SummedPage

_C: Final = tables.charges.c
# Written into the SQL: the partial index counts only where the planner sees the statuses.
_IS_OWED: Final = _C.status.in_(
    bindparam(
        "owed",
        OWED,
        expanding=True,
        literal_execute=True,
    )
)


class SqlCharges:
    """The organisation's charges, of debtors within the portfolio."""

    def __init__(self, transaction: PinnedTransaction, portfolio: Portfolio, seen: Seen) -> None:
        self._transaction = transaction
        self._portfolio = portfolio
        self._seen = seen

    async def find(self, charge_id: str, /, *, lock: bool = False) -> Charge | None:
        """The charge, if the grant may see it; `lock` holds its row until the transaction ends."""
        wanted = select(Charge).where(self._portfolio.of_charges, _C.id == charge_id)
        if lock:
            wanted = wanted.with_for_update(of=Charge).execution_options(populate_existing=True)
        return self._seen.note(await self._transaction.session.scalar(wanted))

    async def page(self, query: ChargeQuery, /) -> SummedPage[ChargeRow]:
        """One page of the charges that match, with the sum of what is due on all of them."""
        return await charge_page(self._transaction, query, self._portfolio.assigned_to)

    def add(self, charge: Charge, /) -> None:
        """Keep a new charge. A taken external id is a DuplicateError at commit."""
        self._transaction.session.add(charge)
        self._seen.note(charge)

    async def stale(self, today: date, /, *, limit: int) -> Sequence[Charge]:
        """At most `limit` owed charges stored for another day than `today`, locked."""
        wanted = (
            select(Charge)
            .where(self._portfolio.of_charges, _IS_OWED, _C.amounts_as_of != today)
            # In one order everywhere, or two who lock many would wait for each other.
            .order_by(_C.id)
            .limit(limit)
            .with_for_update(of=Charge)
            .execution_options(populate_existing=True)
        )
        found = (await self._transaction.session.scalars(wanted)).all()
        for charge in found:
            self._seen.note(charge)
        return found
