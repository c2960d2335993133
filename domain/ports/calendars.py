"""The organisation's own holidays."""

from collections.abc import Sequence
from typing import Protocol

from domain.dunning.holidays import Holiday


class Holidays(Protocol):
    """What an organisation adds to the national holidays."""

    async def all(self) -> Sequence[Holiday]:
        """All of them, by date."""
        ...
