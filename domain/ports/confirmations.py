"""What people decided on the confirmation page."""

from typing import Protocol

from domain.access.confirmation import AskedCall, Decision


class Decisions(Protocol):
    """Decisions of the organisation; those that have expired are absent."""

    async def find(self, decision_id: str, /) -> Decision | None:
        """What was decided under this id, used or not."""
        ...

    async def unused(self, call: AskedCall, /) -> Decision | None:
        """The newest unused decision about exactly this call."""
        ...

    async def add(self, decision: Decision, /) -> bool:
        """Keep what was decided; False where this id has been decided on already."""
        ...

    async def use(self, decision_id: str, /) -> bool:
        """Use a decision up in this transaction; False where that has been done.

        Waits for a transaction that is about to use it.
        """
        ...

    async def forget_expired(self, *, limit: int) -> int:
        """Delete at most `limit` expired decisions; gives how many there were."""
        ...
