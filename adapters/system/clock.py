"""Real time."""

from datetime import UTC, datetime


class UtcClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        """The present instant."""
        return datetime.now(UTC)  # noqa: TID251 -- the one place that asks the machine
