"""What can be asked of the interactions of one organisation."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from domain.dunning.contact_rules import PastContact
from domain.dunning.interactions import Interaction


class Interactions(Protocol):
    """Contacts that took place."""

    def add(self, interaction: Interaction, /) -> None:
        """Keep a new interaction."""
        ...

    async def outbound_since(self, debtor_id: str, since: datetime, /) -> Sequence[PastContact]:
        """The contacts that were ours, from an instant on, which count for frequency caps."""
        ...
