"""What can be asked of the contact points of one organisation."""

from collections.abc import Sequence
from typing import Protocol

from domain.dunning.contact_points import ContactPoint


class ContactPoints(Protocol):
    """Contact points of debtors within the portfolio."""

    async def of_debtor(self, debtor_id: str, /) -> Sequence[ContactPoint]:
        """Those of a debtor in the order of their ids, without the deleted ones."""
        ...

    async def ever_of_debtor(
        self, debtor_id: str, /, *, lock: bool = False
    ) -> Sequence[ContactPoint]:
        """The same with the deleted ones that are kept; `lock` holds them until the end.

        Whoever locks them has locked the debtor first, who may have none yet.
        """
        ...

    def add(self, point: ContactPoint, /) -> None:
        """Keep a contact point."""
        ...

    async def remove(self, point: ContactPoint, /) -> None:
        """Keep it no more."""
        ...
