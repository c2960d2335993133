"""Rows of the embedded development issuer; they belong to no organisation."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from sqlalchemy import Executable, RowMapping, case, delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.tables import issuer_clients, issuer_codes, issuer_keys, issuer_people
from domain.access.roles import Role
from domain.ports.clocks import SystemClock
from domain.ports.issuer import DemoPerson, IssuedCode, RegisteredClient

_RANK: Final = {role.value: rank for rank, role in enumerate(Role)}


class SqlIssuerStore:
    """Each step is one statement of its own."""

    def __init__(self, engine: AsyncEngine, clock: SystemClock) -> None:
        self._engine = engine
        self._clock = clock

    async def client(self, client_id: str, /) -> RegisteredClient | None:
        """The client registered under this id."""
        found = await self._first(
            select(issuer_clients).where(issuer_clients.c.client_id == client_id)
        )
        return None if found is None else RegisteredClient(**found)

    async def save_client(self, client: RegisteredClient, /) -> None:
        """Keep a newly registered client."""
        await self._first(insert(issuer_clients).values(asdict(client)))

    async def save_code(self, code: IssuedCode, /) -> None:
        """Keep a code until it is taken; expired ones are dropped on the way."""
        expired = delete(issuer_codes).where(issuer_codes.c.expires_at <= self._clock.now())
        await self._first(expired)
        await self._first(insert(issuer_codes).values(asdict(code)))

    async def take_code(self, digest: str, /) -> IssuedCode | None:
        """Remove a code and return it, in one step: of two who ask at once, one gets it."""
        found = await self._first(
            delete(issuer_codes).where(issuer_codes.c.digest == digest).returning(issuer_codes)
        )
        return None if found is None else IssuedCode(**found)

    async def signing_key(self, fresh: str, /) -> str:
        """The private JWK that signs, as JSON; where there is none yet, `fresh` becomes it."""
        first = insert(issuer_keys).values(id=1, private_jwk=fresh).on_conflict_do_nothing()
        await self._first(first)
        found = await self._first(select(issuer_keys.c.private_jwk))
        assert found is not None  # noqa: S101 -- it was just made sure of
        return str(found["private_jwk"])

    async def people(self) -> Sequence[DemoPerson]:
        """Everybody the sign-in page offers, by organisation, then from owner to viewer."""
        wanted = select(issuer_people).order_by(
            issuer_people.c.organization_name,
            issuer_people.c.organization_id,
            case(_RANK, value=issuer_people.c.role),
            issuer_people.c.name,
        )
        async with self._engine.connect() as connection:
            rows = (await connection.execute(wanted)).mappings().all()
        return [DemoPerson(**row) for row in rows]

    async def _first(self, statement: Executable) -> RowMapping | None:
        async with self._engine.connect() as connection:
            result = await connection.execute(statement)
            return result.mappings().first() if result.returns_rows else None
