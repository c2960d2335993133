"""A clock that stands still until a test moves it."""

from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


class FakeSystemClock:
    def __init__(self, now: datetime = NOON) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def advance(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)

    def timestamp(self) -> int:
        return int(self._now.timestamp())
