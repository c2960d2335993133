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

_SWITCHED_OFF: Final = Allowance(limit=0, window=WINDOW, remaining=0, reset_after=0, retry_after=0)


@dataclass(slots=True)
class _Window:
    ends: float
    taken: int


class InProcessBuckets:
    """Buckets of one process; several processes share a store instead.

    `limits` names the buckets and gives each its units per minute; 0 switches a bucket off.
    """

    def __init__(self, limits: Mapping[str, int], clock: SystemClock) -> None:
        self._limits = limits
        self._clock = clock
        self._windows: OrderedDict[tuple[str, str], _Window] = OrderedDict()

    async def take(self, bucket: str, key: str, /) -> Allowance:
        """Take one unit; when none is left, say in how many seconds there will be."""
        limit = self._limits[bucket]
        if limit == 0:
            return _SWITCHED_OFF
        now = self._clock.now().timestamp()
        window = self._window(bucket, key, now)
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
        window = self._windows.get((bucket, key))
        if window is not None and window.taken > 0:
            window.taken -= 1

    def _window(self, bucket: str, key: str, now: float) -> _Window:
        found = self._windows.get((bucket, key))
        if found is not None and now < found.ends:
            return found
        fresh = self._windows[(bucket, key)] = _Window(now + WINDOW, 0)
        self._windows.move_to_end((bucket, key))
        if len(self._windows) > MOST_KEYS:
            self._windows.popitem(last=False)
        return fresh
