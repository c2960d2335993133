"""People of an organisation."""

from sqlalchemy import select

from adapters.persistence.tables import members
from adapters.persistence.transaction import PinnedTransaction
from domain.access.members import Member, MemberStatus


class SqlMembers:
    """People of the transaction's organisation."""

    def __init__(self, transaction: PinnedTransaction) -> None:
        self._transaction = transaction

    async def exists(self, member_id: str, /) -> bool:
        """Whether this is an active member."""
        wanted = select(Member).where(
            members.c.organization_id == self._transaction.organization_id,
            members.c.id == member_id,
            members.c.status == MemberStatus.ACTIVE,
        )
        return await self._transaction.session.scalar(wanted) is not None
