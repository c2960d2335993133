"""Contact points of debtors within the portfolio."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Select, select

from adapters.persistence.portfolio import Portfolio
from adapters.persistence.seen import Seen
from adapters.persistence.tables import contact_points
from adapters.persistence.transaction import PinnedTransaction
from domain.dunning.contact_points import ContactPoint, ContactStatus

_C: Final = contact_points.c


class SqlContactPoints:
    """Contact points of debtors within the portfolio."""

    def __init__(self, transaction: PinnedTransaction, portfolio: Portfolio, seen: Seen) -> None:
        self._transaction = transaction
        self._portfolio = portfolio
        self._seen = seen

    async def of_debtor(self, debtor_id: str, /) -> Sequence[ContactPoint]:
        """Those of a debtor in the order of their ids, without the deleted ones."""
        there = _C.status != ContactStatus.DELETED
        return await self._read(self._ever_of(debtor_id).where(there))

    async def ever_of_debtor(
        self, debtor_id: str, /, *, lock: bool = False
    ) -> Sequence[ContactPoint]:
        """The same with the deleted ones that are kept; `lock` holds them until the end."""
        wanted = self._ever_of(debtor_id)
        if lock:
            wanted = wanted.with_for_update(of=ContactPoint).execution_options(
                populate_existing=True
            )
        return await self._read(wanted)

    def add(self, point: ContactPoint, /) -> None:
        """Keep a contact point."""
        self._transaction.session.add(point)
        self._seen.note(point)

    async def remove(self, point: ContactPoint, /) -> None:
        """Keep it no more."""
        await self._transaction.session.delete(point)

    def _ever_of(self, debtor_id: str) -> Select[ContactPoint]:
        visible = self._portfolio.of_contact_points
        return select(ContactPoint).where(visible, _C.debtor_id == debtor_id).order_by(_C.id)

    async def _read(self, wanted: Select[ContactPoint]) -> Sequence[ContactPoint]:
        found = (await self._transaction.session.scalars(wanted)).all()
        for point in found:
            self._seen.note(point)
        return found
