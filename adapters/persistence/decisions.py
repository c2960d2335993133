"""What people decided on the confirmation page; nothing here is of a debtor."""

from typing import Any, Final

from sqlalchemy import ColumnElement, Row, Select, and_, delete, literal, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from adapters.persistence.tables import confirmation_decisions
from adapters.persistence.transaction import PinnedTransaction
from domain.access.confirmation import AskedCall, Decision
from domain.ports.clocks import SystemClock

_D: Final = confirmation_decisions.c


class SqlDecisions:
    """The decisions of the transaction's organisation."""

    def __init__(self, transaction: PinnedTransaction, clock: SystemClock) -> None:
        self._transaction = transaction
        self._clock = clock

    async def find(self, decision_id: str, /) -> Decision | None:
        """What was decided under this id; one that was used does not expire."""
        stands = or_(_D.expires_at > self._clock.now(), _D.used_at.is_not(None))
        return await self._one(self._own().where(_D.id == decision_id, stands))

    async def unused(self, call: AskedCall, /) -> Decision | None:
        """The newest unused decision about exactly this call."""
        wanted = self._own().where(_D.expires_at > self._clock.now(), _waits_for(call))
        return await self._one(wanted.order_by(_D.decided_at.desc(), _D.id.desc()).limit(1))

    async def add(self, decision: Decision, /) -> bool:
        """Keep what was decided; False where an earlier word about this id stands.

        None stands that has expired unused; and a no takes the place of a yes that waits. Words
        under other ids that wait for the same call wait no more: the last one counts.
        """
        call, now = decision.call, self._clock.now()
        word = {
            "verdict": decision.verdict,
            "decided_at": now,
            "expires_at": decision.expires_at,
            "used_at": decision.used_at,
        }
        kept = insert(confirmation_decisions).values(
            organization_id=self._transaction.organization_id,
            id=decision.id,
            issuer=call.issuer,
            subject=call.subject,
            client_id=call.client_id,
            operation=call.operation,
            digest=call.digest,
            fingerprint=call.fingerprint,
            **word,
        )
        is_withdrawn = and_(_D.verdict == "confirmed", literal(decision.verdict) == "refused")
        added = await self._transaction.connection.execute(
            kept.on_conflict_do_update(
                constraint="pk_confirmation_decisions",
                set_=word,
                where=and_(_D.used_at.is_(None), or_(_D.expires_at <= now, is_withdrawn)),
            )
        )
        if added.rowcount != 1:
            return False
        await self._transaction.connection.execute(
            update(confirmation_decisions)
            .where(
                _D.organization_id == self._transaction.organization_id,
                _D.id != decision.id,
                _waits_for(call),
            )
            .values(used_at=now)
        )
        return True

    async def use(self, decision: Decision, /) -> bool:
        """Use a decision up in this transaction; False where it is used, or no longer that word.

        Waits for a transaction that is about to use or change it.
        """
        now = self._clock.now()
        # The row is looked at again once whoever holds it is done.
        used = await self._transaction.connection.execute(
            update(confirmation_decisions)
            .where(
                _D.organization_id == self._transaction.organization_id,
                _D.id == decision.id,
                _D.verdict == decision.verdict,
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

    def _own(self) -> Select[Any]:
        return select(confirmation_decisions).where(
            _D.organization_id == self._transaction.organization_id
        )

    async def _one(self, wanted: Select[Any]) -> Decision | None:
        found = (await self._transaction.connection.execute(wanted)).one_or_none()
        return None if found is None else _decision(found)


def _waits_for(call: AskedCall) -> ColumnElement[bool]:
    return and_(
        _D.used_at.is_(None),
        _D.digest == call.digest,
        _D.issuer == call.issuer,
        _D.subject == call.subject,
        _D.client_id.is_not_distinct_from(call.client_id),
        _D.operation == call.operation,
        _D.fingerprint == call.fingerprint,
    )


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
