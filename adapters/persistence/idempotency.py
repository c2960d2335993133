"""Answers of finished writes, by the digest of their key; no row says that one is running."""

import hashlib
from typing import Any, Final

from sqlalchemy import Select, delete, func, select
from sqlalchemy.dialects.postgresql import insert

from adapters.persistence.tables import idempotency_records
from adapters.persistence.transaction import PinnedTransaction
from domain.access.idempotency import KeyScope, StoredAnswer
from domain.errors import IdempotencyBusyError
from domain.ports.clocks import SystemClock

_R: Final = idempotency_records.c


class SqlIdempotencyRecords:
    """The records of the transaction's organisation."""

    def __init__(self, transaction: PinnedTransaction, clock: SystemClock) -> None:
        self._transaction = transaction
        self._clock = clock

    async def find(self, scope: KeyScope, /) -> StoredAnswer | None:
        """The stored answer, unless it has expired."""
        found = (await self._transaction.connection.execute(self._unexpired(scope))).one_or_none()
        return None if found is None else StoredAnswer(**found._asdict())

    async def claim(self, scope: KeyScope, /) -> StoredAnswer | None:
        """Hold the key until the transaction ends, then look.

        Raises:
            IdempotencyBusyError: another transaction holds it.
        """
        held = select(func.pg_try_advisory_xact_lock(self._lock_of(scope)))
        if not await self._transaction.connection.scalar(held):
            raise IdempotencyBusyError
        return await self.find(scope)

    async def save(self, scope: KeyScope, answer: StoredAnswer, /) -> None:
        """Keep the answer together with the effect; an expired one of the same key gives way."""
        kept = {
            "fingerprint": answer.fingerprint,
            "status": answer.status,
            "body": answer.body,
            "created_at": self._clock.now(),
            "expires_at": answer.expires_at,
        }
        record = insert(idempotency_records).values(
            organization_id=self._transaction.organization_id, digest=scope.digest, **kept
        )
        await self._transaction.connection.execute(
            record.on_conflict_do_update(constraint="pk_idempotency_records", set_=kept)
        )

    async def forget_expired(self, *, limit: int) -> int:
        """Delete at most `limit` expired answers; gives how many there were."""
        expired = (
            select(_R.digest)
            .where(
                _R.organization_id == self._transaction.organization_id,
                _R.expires_at <= self._clock.now(),
            )
            .order_by(_R.expires_at)
            .limit(limit)
            # A request that is about to renew one keeps it.
            .with_for_update(skip_locked=True)
        )
        forgotten = await self._transaction.connection.execute(
            delete(idempotency_records).where(
                _R.organization_id == self._transaction.organization_id,
                _R.digest.in_(expired.scalar_subquery()),
            )
        )
        return forgotten.rowcount

    def _unexpired(self, scope: KeyScope) -> Select[Any]:
        return select(_R.fingerprint, _R.status, _R.body, _R.expires_at).where(
            _R.organization_id == self._transaction.organization_id,
            _R.digest == scope.digest,
            _R.expires_at > self._clock.now(),
        )

    def _lock_of(self, scope: KeyScope) -> int:
        # Locks belong to the whole database: two organisations must not meet on one.
        digest = hashlib.sha256(self._transaction.organization_id.encode() + scope.digest).digest()
        return int.from_bytes(digest[:8], signed=True)
