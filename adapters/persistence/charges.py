"""Charges: aggregates by the session, the list by the driver."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Final

from sqlalchemy import ARRAY, Select, Text, bindparam, exists, literal, select

from adapters.persistence import tables
from adapters.persistence.charge_list import charge_page
from adapters.persistence.portfolio import Portfolio
from adapters.persistence.seen import Seen
from adapters.persistence.transaction import PinnedTransaction
from domain.dunning.charge_states import OWED
from domain.dunning.charges import Charge
from domain.ports.charges import ChargeQuery, ChargeRow
from domain.ports.lists import SummedPage

_C: Final = tables.charges.c
_I: Final = tables.interactions.c
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
        found = await self._read(self._visible(lock=lock).where(_C.id == charge_id))
        return found[0] if found else None

    async def several(
        self, charge_ids: Collection[str], /, *, lock: bool = False
    ) -> Sequence[Charge]:
        """Those of the charges that the grant may see, in the order of their ids."""
        return await self._read(self._visible(lock=lock).where(_C.id.in_(charge_ids)))

    async def owed_by(self, debtor_id: str, /, *, lock: bool = False) -> Sequence[Charge]:
        """What the debtor owes, in the order of the ids."""
        return await self._read(self._visible(lock=lock).where(_C.debtor_id == debtor_id, _IS_OWED))

    async def of_debtor(self, debtor_id: str, /) -> Sequence[Charge]:
        """Every charge of the debtor, owed or not, in the order of the ids."""
        return await self._read(self._visible(lock=False).where(_C.debtor_id == debtor_id))

    async def with_external_ids(self, external_ids: Collection[str], /) -> Mapping[str, str]:
        """Those of the external ids that are taken, with the id of the charge that has each."""
        wanted = select(_C.external_id, _C.id).where(
            self._portfolio.of_charges, _C.external_id.in_(external_ids)
        )
        found = await self._transaction.connection.execute(wanted)
        return {row.external_id: row.id for row in found}

    async def page(self, query: ChargeQuery, /) -> SummedPage[ChargeRow]:
        """One page of the charges that match, with the sum of what is due on all of them."""
        return await charge_page(self._transaction, query, self._portfolio.assigned_to)

    def add(self, charge: Charge, /) -> None:
        """Keep a new charge. A taken external id is a DuplicateError at commit."""
        self._transaction.session.add(charge)
        self._seen.note(charge)

    async def has_interactions(self, charge: Charge, /) -> bool:
        """Whether a contact with its debtor was about the charge."""
        # The debtor first: of them there is an index, and few interactions.
        about_it = exists().where(
            _I.organization_id == self._transaction.organization_id,
            _I.debtor_id == charge.debtor_id,
            _I.charge_ids.bool_op("@>")(literal([charge.id], ARRAY(Text))),
        )
        return bool(await self._transaction.connection.scalar(select(about_it)))

    async def remove(self, charge: Charge, /) -> None:
        """Erase the charge; its events are kept."""
        await self._transaction.session.delete(charge)

    async def stale(self, today: date, /, *, limit: int) -> Sequence[Charge]:
        """At most `limit` owed charges stored for another day than `today`, locked."""
        is_stale = _C.amounts_as_of != today
        return await self._read(self._visible(lock=True).where(_IS_OWED, is_stale).limit(limit))

    def _visible(self, *, lock: bool) -> Select[Charge]:
        # In one order everywhere, or two who lock many would wait for each other.
        wanted = select(Charge).where(self._portfolio.of_charges).order_by(_C.id)
        if not lock:
            return wanted
        return wanted.with_for_update(of=Charge).execution_options(populate_existing=True)

    async def _read(self, wanted: Select[Charge]) -> Sequence[Charge]:
        found = (await self._transaction.session.scalars(wanted)).all()
        for charge in found:
            self._seen.note(charge)
        return found
