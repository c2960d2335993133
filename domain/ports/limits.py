"""How often somebody may ask."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left of a bucket. `retry_after`, in whole seconds, is 0 while it is not empty."""

    limit: int
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
