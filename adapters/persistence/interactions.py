"""Interactions with debtors within the portfolio."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import exists, select

from adapters.persistence.portfolio import Portfolio
from adapters.persistence.seen import Seen
from adapters.persistence.tables import debtors, interactions
from adapters.persistence.transaction import PinnedTransaction
from domain.dunning.contact_rules import PastContact
from domain.dunning.interactions import Direction, Interaction

_I: Final = interactions.c


class SqlInteractions:
    """Contacts that took place with debtors within the portfolio."""

    def __init__(self, transaction: PinnedTransaction, portfolio: Portfolio, seen: Seen) -> None:
        self._transaction = transaction
        self._portfolio = portfolio
        self._seen = seen

    def add(self, interaction: Interaction, /) -> None:
        """Keep a new interaction."""
        self._transaction.session.add(interaction)
        self._seen.note(interaction)

    async def outbound_since(self, debtor_id: str, since: datetime, /) -> Sequence[PastContact]:
        """The contacts that were ours, from an instant on, which count for frequency caps."""
        is_visible = exists().where(self._portfolio.of_debtors, debtors.c.id == _I.debtor_id)
        wanted = (
            select(_I.occurred_at, _I.channel)
            .where(
                _I.organization_id == self._transaction.organization_id,
                is_visible.correlate(interactions),
                _I.debtor_id == debtor_id,
                _I.direction == Direction.OUTBOUND,
                _I.occurred_at >= since,
            )
            .order_by(_I.occurred_at, _I.id)
        )
        found = (await self._transaction.connection.execute(wanted)).all()
        return [PastContact(*row) for row in found]
