"""How often somebody may ask."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left of a bucket of `limit` units per `window` seconds.

    `retry_after` and `reset_after` are whole seconds; the first is 0 while something is left.
    """

    limit: int
    window: int
    remaining: int
    reset_after: int
    retry_after: int


class Buckets(Protocol):
    """Counts per key; kept in the process, or in a shared store when there are several."""

    async def take(self, bucket: str, key: str, /) -> Allowance:
        """Take one unit of `bucket` for `key`; when none is left, nothing is taken."""
        ...

    async def give_back(self, bucket: str, key: str, /) -> None:
        """Return one unit that turned out not to count."""
        ...
