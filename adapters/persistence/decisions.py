"""What people decided on the confirmation page; nothing here is of a debtor."""

from typing import Any, Final

from sqlalchemy import Row, Select, delete, select, update
from sqlalchemy.dialects.postgresql import insert

from adapters.persistence.tables import confirmation_decisions
from adapters.persistence.transaction import PinnedTransaction
from domain.access.confirmation import AskedCall, Decision
from domain.ports.clocks import SystemClock

_D: Final = confirmation_decisions.c


class SqlDecisions:
    """The decisions of the transaction's organisation; what has expired is absent."""

    def __init__(self, transaction: PinnedTransaction, clock: SystemClock) -> None:
        self._transaction = transaction
        self._clock = clock

    async def find(self, decision_id: str, /) -> Decision | None:
        """What was decided under this id, used or not."""
        return await self._one(self._unexpired().where(_D.id == decision_id))

    async def unused(self, call: AskedCall, /) -> Decision | None:
        """The newest unused decision about exactly this call."""
        wanted = self._unexpired().where(
            _D.used_at.is_(None),
            _D.digest == call.digest,
            _D.issuer == call.issuer,
            _D.subject == call.subject,
            _D.client_id.is_not_distinct_from(call.client_id),
            _D.operation == call.operation,
            _D.fingerprint == call.fingerprint,
        )
        return await self._one(wanted.order_by(_D.decided_at.desc(), _D.id.desc()).limit(1))

    async def add(self, decision: Decision, /) -> bool:
        """Keep what was decided; False where this id has been decided on already."""
        call = decision.call
        kept = insert(confirmation_decisions).values(
            organization_id=self._transaction.organization_id,
            id=decision.id,
            issuer=call.issuer,
            subject=call.subject,
            client_id=call.client_id,
            operation=call.operation,
            digest=call.digest,
            fingerprint=call.fingerprint,
            verdict=decision.verdict,
            decided_at=self._clock.now(),
            expires_at=decision.expires_at,
            used_at=decision.used_at,
        )
        added = await self._transaction.connection.execute(kept.on_conflict_do_nothing())
        return added.rowcount == 1

    async def use(self, decision_id: str, /) -> bool:
        """Use a decision up in this transaction; False where that has been done.

        Waits for a transaction that is about to use it.
        """
        now = self._clock.now()
        # The row is looked at again once whoever holds it is done.
        used = await self._transaction.connection.execute(
            update(confirmation_decisions)
            .where(
                _D.organization_id == self._transaction.organization_id,
                _D.id == decision_id,
                _D.used_at.is_(None),
                _D.expires_at > now,
            )
            .values(used_at=now)
        )
        return used.rowcount == 1

    async def forget_expired(self, *, limit: int) -> int:
        """Delete at most `limit` expired decisions; gives how many there were."""
        own = _D.organization_id == self._transaction.organization_id
        expired = (
            select(_D.id)
            .where(own, _D.expires_at <= self._clock.now())
            .order_by(_D.expires_at)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        forgotten = await self._transaction.connection.execute(
            delete(confirmation_decisions).where(own, _D.id.in_(expired.scalar_subquery()))
        )
        return forgotten.rowcount

    def _unexpired(self) -> Select[Any]:
        return select(confirmation_decisions).where(
            _D.organization_id == self._transaction.organization_id,
            _D.expires_at > self._clock.now(),
        )

    async def _one(self, wanted: Select[Any]) -> Decision | None:
        found = (await self._transaction.connection.execute(wanted)).one_or_none()
        return None if found is None else _decision(found)


def _decision(row: Row[Any]) -> Decision:
    return Decision(
        id=row.id,
        call=AskedCall(
            issuer=row.issuer,
            subject=row.subject,
            client_id=row.client_id,
            operation=row.operation,
            digest=row.digest,
            fingerprint=row.fingerprint,
        ),
        verdict=row.verdict,
        expires_at=row.expires_at,
        used_at=row.used_at,
    )
