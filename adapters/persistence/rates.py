"""Published rates: the same for every organisation, written by the owner of the schema only."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import cast, or_, select, text, update
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.compiled import CompiledRead
from adapters.persistence.tables import charges, index_rates
from adapters.persistence.transaction import PinnedTransaction
from domain.dunning.charge_states import OWED
from domain.dunning.correction import CorrectionIndex
from domain.dunning.rates import IndexRate, RateChanges, RateCode, Rates
from domain.dunning.terms import InterestMode

_R: Final = index_rates.c
_ALL: Final = select(_R.code, _R.month, _R.percent, _R.published_on)
_COMPILED: Final = CompiledRead(_ALL)

# Amounts that were stored today did not know them; stored for yesterday they are made anew.
_TERMS: Final = cast(charges.c.terms, JSONB)
_FORGET_TODAY: Final = (
    update(charges)
    .where(
        charges.c.status.in_(OWED),
        or_(
            _TERMS["interest_mode"].astext == InterestMode.LEGAL_RATE,
            _TERMS["correction_index"].astext != CorrectionIndex.NONE,
        ),
    )
    .values(amounts_as_of=charges.c.amounts_as_of - 1)
)

# What is compared has to be what is replaced; readers need not wait.
_LOCK: Final = text("LOCK TABLE index_rates IN SHARE ROW EXCLUSIVE MODE")


class SqlRates:
    """The rates as one transaction sees them: read when first asked for, then remembered."""

    def __init__(self, transaction: PinnedTransaction) -> None:
        self._transaction = transaction
        self._read: Rates | None = None

    async def all(self) -> Rates:
        """Every rate that was loaded, published yet or not."""
        if self._read is None:
            self._read = _rates(await self._transaction.driver.fetch(_COMPILED.sql))
        return self._read


class RateTable:
    """The operator's access to the rates; each call is one transaction."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def all(self) -> Rates:
        """Every rate that was loaded."""
        async with self._engine.connect() as connection:
            return _rates((await connection.execute(_ALL)).all())

    async def load(self, rates: Sequence[IndexRate], *, dry_run: bool) -> RateChanges:
        """Keep all of `rates`, or with `dry_run` none; says what each does to what was known."""
        transactions = self._engine.execution_options(isolation_level="READ COMMITTED")
        async with transactions.begin() as connection:
            await connection.execute(_LOCK)
            known = _rates((await connection.execute(_ALL)).all())
            changes = RateChanges.between(known, rates)
            written = [asdict(rate) for rate in (*changes.new, *changes.changed)]
            if written and not dry_run:
                row = insert(index_rates)
                kept = {"percent": row.excluded.percent, "published_on": row.excluded.published_on}
                upsert = row.on_conflict_do_update(index_elements=[_R.code, _R.month], set_=kept)
                await connection.execute(upsert, written)
                await connection.execute(_FORGET_TODAY)
        return changes


def _rates(rows: Iterable[Sequence[Any]]) -> Rates:
    return Rates(
        IndexRate(code=RateCode(code), month=month, percent=percent, published_on=published_on)
        for code, month, percent, published_on in rows
    )
