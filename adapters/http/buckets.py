"""Counting requests inside this process: fixed windows, a bounded number of keys."""

import math
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from domain.ports.clocks import SystemClock
from domain.ports.limits import Allowance

WINDOW: Final = 60
"""Seconds that a bucket's allowance covers, from the first unit taken."""

MOST_KEYS: Final = 100_000
"""Keys that one bucket remembers; beyond it the oldest is forgotten."""

_SWITCHED_OFF: Final = Allowance(limit=0, window=WINDOW, remaining=0, reset_after=0, retry_after=0)


@dataclass(slots=True)
class _Window:
    ends: float
    taken: int


class _Windows:
    """The windows of one bucket."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._by_key: OrderedDict[str, _Window] = OrderedDict()

    def get(self, key: str) -> _Window | None:
        return self._by_key.get(key)

    def at(self, now: float, key: str) -> _Window:
        """The key's window; a fresh one if there is none, or it has ended."""
        found = self._by_key.get(key)
        if found is not None and now < found.ends:
            return found
        fresh = self._by_key[key] = _Window(now + WINDOW, 0)
        self._by_key.move_to_end(key)
        if len(self._by_key) > self._most:
            self._by_key.popitem(last=False)
        return fresh


class InProcessBuckets:
    """Buckets of one process; several processes share a store instead.

    `limits` names the buckets and gives each its units per minute; 0 switches a bucket off. Keys
    are forgotten bucket by bucket, so that a flood of addresses pushes out no caller.
    """

    def __init__(
        self, limits: Mapping[str, int], clock: SystemClock, most_keys: int = MOST_KEYS
    ) -> None:
        self._limits = limits
        self._clock = clock
        self._windows = {bucket: _Windows(most_keys) for bucket in limits}

    async def take(self, bucket: str, key: str, /) -> Allowance:
        """Take one unit; when none is left, say in how many seconds there will be."""
        limit = self._limits[bucket]
        if limit == 0:
            return _SWITCHED_OFF
        now = self._clock.now().timestamp()
        window = self._windows[bucket].at(now, key)
        reset = max(1, math.ceil(window.ends - now))
        if window.taken >= limit:
            return Allowance(
                limit=limit, window=WINDOW, remaining=0, reset_after=reset, retry_after=reset
            )
        window.taken += 1
        return Allowance(
            limit=limit,
            window=WINDOW,
            remaining=limit - window.taken,
            reset_after=reset,
            retry_after=0,
        )

    async def give_back(self, bucket: str, key: str, /) -> None:
        """Return one unit that turned out not to count."""
        window = self._windows[bucket].get(key)
        if window is not None and window.taken > 0:
            window.taken -= 1
