"""The organisation's own holidays."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import select

from adapters.persistence.tables import holidays
from adapters.persistence.transaction import PinnedTransaction
from domain.dunning.holidays import Holiday, HolidayScope, HolidaySource

_H: Final = holidays.c


class SqlHolidays:
    """Own holidays of the transaction's organisation."""

    def __init__(self, transaction: PinnedTransaction) -> None:
        self._transaction = transaction

    async def all(self) -> Sequence[Holiday]:
        """All of them, by date."""
        wanted = (
            select(_H.id, _H.date, _H.name, _H.scope, _H.uf, _H.city, _H.source)
            .where(_H.organization_id == self._transaction.organization_id)
            .order_by(_H.date, _H.id)
        )
        return [
            Holiday(
                id=row.id,
                date=row.date,
                name=row.name,
                scope=HolidayScope(row.scope),
                uf=row.uf,
                city=row.city,
                source=HolidaySource(row.source),
            )
            for row in await self._transaction.connection.execute(wanted)
        ]
