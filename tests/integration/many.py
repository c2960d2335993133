"""Many rows at once, copied by the database from one that the domain made."""

from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.tables import charges
from domain.dunning.charges import Charge

_AT_ONCE: Final = 50_000

# A copy falls due up to 699 days later, so that sorts and ranges have something to do.
_OF_A_COPY: Final = {
    "id": "'chg_' || lpad(n::text, 10, '0') || right(c.id, 16)",
    "due_date": "c.due_date + n % 700",
    "effective_due_date": "c.effective_due_date + n % 700",
}


async def copy_charge(owner_engine: AsyncEngine, charge: Charge, times: int) -> None:
    """Store `times` copies of a stored charge, each with an id of its own."""
    names = [column.name for column in charges.columns]
    values = [_OF_A_COPY.get(name, f"c.{name}") for name in names]
    statement = (
        f"INSERT INTO charges ({', '.join(names)}) SELECT {', '.join(values)}"  # noqa: S608 -- names
        " FROM charges c, generate_series(CAST(:first AS int), CAST(:last AS int)) n"
        " WHERE c.id = :id"
    )
    async with owner_engine.connect() as connection:
        for before in range(0, times, _AT_ONCE):
            part = {"first": before + 1, "last": min(before + _AT_ONCE, times), "id": charge.id}
            await connection.execute(text(statement), part)
