"""Suggestions for a field that is being filled in: looked up in the folded shadow columns."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from sqlalchemy import (
    ARRAY,
    CTE,
    ColumnElement,
    FromClause,
    Select,
    Text,
    case,
    exists,
    func,
    literal,
    select,
    true,
    union,
    union_all,
)

from adapters.persistence.portfolio import Portfolio
from adapters.persistence.tables import charges, debtors
from adapters.persistence.text_filter import literally
from adapters.persistence.transaction import PinnedTransaction
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.debtors import DebtorStatus
from domain.dunning.text_search import fold
from domain.ports.suggestions import Hits

LOOKED_AT: Final = 50_000
"""Rows, the newest, that one look-up reads: a keystroke must not cost more."""

_OPEN: Final = (ChargeStatus.PENDING, ChargeStatus.OVERDUE)
_NOTHING: Final = Hits((), 0)
_LAST_SIGN: Final = "\U0010ffff"
_D: Final = debtors.c
_C: Final = charges.c


class SqlSuggestions:
    """Looks in the names of debtors and charges, within the portfolio."""

    def __init__(self, transaction: PinnedTransaction, portfolio: Portfolio) -> None:
        self._transaction = transaction
        self._portfolio = portfolio

    async def debtors(self, typed: str, /, *, limit: int) -> Hits:
        """By name, trade name and external id; active ones before others."""
        is_alive = _D.status == DebtorStatus.ACTIVE
        rows = _rows(_D.id, _D.search_text, is_alive, _D.sort_name, true())
        rows = rows.where(self._portfolio.of_debtors)
        folded = fold(typed)
        # Names that begin with it come from an index, however many debtors there are.
        by_name = rows.where(_D.sort_name >= folded, _D.sort_name < f"{folded}{_LAST_SIGN}")
        by_name = by_name.order_by(_D.sort_name).limit(limit)
        return await self._hits(_newest(rows, _D.id), by_name, folded, limit)

    async def charges(
        self, typed: str, debtor_id: str | None, status: ChargeStatus | None, /, *, limit: int
    ) -> Hits:
        """By description, document number and external id; open ones before others."""
        is_open = _C.status.in_(_OPEN)
        # Looked for among the newest only: where few fit, finding them would read every charge.
        fits = true() if status is None else _C.status == status
        rows = _rows(_C.id, _C.search_text, is_open, _C.due_date, fits)
        rows = rows.where(self._portfolio.of_charges)
        if debtor_id is not None:
            rows = rows.where(_C.debtor_id == debtor_id)
        return await self._hits(_newest(rows, _C.id), None, fold(typed), limit)

    async def years(self, debtor_id: str | None, first: int, last: int, /) -> Sequence[int]:
        """The calendar years from `first` to `last` with charges due, the newest first."""
        due = [self._portfolio.of_charges]
        if debtor_id is not None:
            due.append(_C.debtor_id == debtor_id)
        # Each year asks the index on its own: in a join the planner reads every charge.
        each = [
            select(literal(year)).where(exists().where(*due, _C.due_date.between(*_days(year))))
            for year in range(first, last + 1)
        ]
        await self._transaction.plan_for_values()
        found = await self._transaction.connection.scalars(union_all(*each))
        return sorted(found, reverse=True)

    async def _hits(
        self, newest: CTE, further: Select[Any] | None, folded: str, limit: int
    ) -> Hits:
        if not folded:
            return _NOTHING
        seen: FromClause = newest
        if further is not None:
            seen = union(select(newest), select(further.subquery())).cte("seen")
        wanted = _look_up(newest, seen, literally(folded), limit)
        await self._transaction.plan_for_values()
        looked_at, total, ids = (await self._transaction.connection.execute(wanted)).one()
        return Hits(ids, total if looked_at <= LOOKED_AT else None)


def _rows(
    key: ColumnElement[str],
    shadow: ColumnElement[str],
    comes_first: ColumnElement[bool],
    sort: ColumnElement[Any],
    fits: ColumnElement[bool],
) -> Select[Any]:
    """What things are known by, what decides their order, and whether they may be suggested."""
    return select(
        key.label("id"),
        shadow.label("shadow"),
        comes_first.label("comes_first"),
        sort.label("sort"),
        fits.label("fits"),
    )


def _newest(rows: Select[Any], key: ColumnElement[str]) -> CTE:
    return rows.order_by(key.desc()).limit(LOOKED_AT + 1).cte("newest")


def _days(year: int) -> tuple[date, date]:
    return date(year, 1, 1), date(year, 12, 31)


def _look_up(newest: CTE, seen: FromClause, pattern: str, limit: int) -> Select[Any]:
    """A statement whose only row is how many were looked at, how many match, and the best."""
    hits = select(seen).where(seen.c.fits, seen.c.shadow.like(f"%{pattern}%")).cte("hits")
    best = (
        select(hits.c.id)
        .order_by(_rank(hits.c.shadow, pattern), hits.c.comes_first.desc(), hits.c.sort, hits.c.id)
        .limit(limit)
    )
    looked_at, total = (
        select(func.count()).select_from(one).scalar_subquery() for one in (newest, hits)
    )
    return select(looked_at, total, func.array(best.scalar_subquery(), type_=ARRAY(Text)))


def _rank(shadow: ColumnElement[str], pattern: str) -> ColumnElement[int]:
    begins, begins_a_word = shadow.like(f"{pattern}%"), shadow.like(f"% {pattern}%")
    return case((begins, 0), (begins_a_word, 1), else_=2)
