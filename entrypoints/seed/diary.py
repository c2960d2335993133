"""What happens in the demo, one thing after another, whoever planned it first."""

from collections.abc import Callable
from datetime import datetime
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias

from domain.dunning.moment import Moment

Act: TypeAlias = Callable[[Moment], None]


class Diary:
    """Acts with the moments at which they are due; none happens from `ends_at` on."""

    def __init__(self, ends_at: datetime) -> None:
        self._ends_at = ends_at
        self._pages: list[tuple[datetime, int, Moment, Act]] = []
        self._numbers = count()

    def enter(self, moment: Moment, act: Act) -> None:
        """Plan an act; of two at the same instant, the one that was entered first comes first."""
        if moment.instant < self._ends_at:
            heappush(self._pages, (moment.instant, next(self._numbers), moment, act))

    def live(self) -> None:
        """Do all of it in order, with what the acts themselves enter."""
        while self._pages:
            _, _, moment, act = heappop(self._pages)
            act(moment)
