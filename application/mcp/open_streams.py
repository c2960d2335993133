"""The streams that stay open in this process."""

import asyncio
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

MOST_OF_ONE: Final = 5
MOST_IN_ALL: Final = 1_000


class OpenStreams:
    """The open streams of this process: so many of one caller, so many in all, until it closes."""

    def __init__(self, most_of_one: int = MOST_OF_ONE, most_in_all: int = MOST_IN_ALL) -> None:
        self._most_of_one = most_of_one
        self._most_in_all = most_in_all
        self._open: Counter[tuple[str, ...]] = Counter()
        self._closing = asyncio.Event()

    def is_full(self, caller: tuple[str, ...]) -> bool:
        """Whether there is no place for another stream of `caller`."""
        return self._open[caller] >= self._most_of_one or self._open.total() >= self._most_in_all

    @contextmanager
    def one(self, caller: tuple[str, ...]) -> Generator[None]:
        """The place of one stream of `caller`, as long as the block runs."""
        self._open[caller] += 1
        try:
            yield
        finally:
            self._open[caller] -= 1
            if not self._open[caller]:
                del self._open[caller]

    def close(self) -> None:
        """End every stream with its result: the process is about to stop."""
        self._closing.set()

    async def end(self, until: float | None) -> None:
        """Return when the process is about to stop, or at `until` of the loop's clock."""
        try:
            async with asyncio.timeout_at(until):
                await self._closing.wait()
        except TimeoutError:
            return
