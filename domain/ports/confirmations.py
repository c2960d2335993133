"""What people decided on the confirmation page."""

from typing import Protocol

from domain.access.confirmation import AskedCall, Decision


class Decisions(Protocol):
    """Decisions of the organisation; one that expires unused was never there."""

    async def find(self, decision_id: str, /) -> Decision | None:
        """What was decided under this id, used or not."""
        ...

    async def unused(self, call: AskedCall, /) -> Decision | None:
        """The newest unused decision about exactly this call."""
        ...

    async def add(self, decision: Decision, /) -> bool:
        """Keep what was decided; False where an earlier word about this id stands.

        A no takes the place of a yes that waits for its call; what waits for the same call under
        another id waits no more.
        """
        ...

    async def use(self, decision: Decision, /) -> bool:
        """Use a decision up in this transaction; False where it is used, or no longer that word.

        Waits for a transaction that is about to use or change it.
        """
        ...

    async def forget_expired(self, *, limit: int) -> int:
        """Delete at most `limit` expired decisions; gives how many there were."""
        ...
