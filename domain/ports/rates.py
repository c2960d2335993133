"""The published rates that an operator has loaded."""

from typing import Protocol

from domain.dunning.rates import Rates


class RateBook(Protocol):
    """Rates of all organisations alike."""

    async def all(self) -> Rates:
        """Every rate that was loaded, published yet or not."""
        ...
