"""Which organisations exist: asked before any is entered."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.failures import FAILURES
from adapters.persistence.tables import organizations
from domain.errors import UnavailableError

_O: Final = organizations.c


class SqlDirectory:
    """Reads the directory tables only, which hold nobody's data."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def active_organization(self, claim: str, /) -> str | None:
        """The id of the organisation with this id or claim value, unless it is suspended.

        Raises:
            UnavailableError: the database does not answer.
        """
        wanted = (
            select(_O.id)
            .where(or_(_O.id == claim, _O.claim == claim), _O.status == "active")
            # An id is nobody else's; a claim value is whatever the operator wrote.
            .order_by((_O.id == claim).desc())
            .limit(1)
        )
        try:
            async with self._engine.connect() as connection:
                return await connection.scalar(wanted)
        except FAILURES as error:
            raise UnavailableError from error

    async def active_organizations(self) -> Sequence[str]:
        """The ids of all organisations but the suspended ones, oldest first."""
        wanted = select(_O.id).where(_O.status == "active").order_by(_O.id)
        async with self._engine.connect() as connection:
            return (await connection.scalars(wanted)).all()
