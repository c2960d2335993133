"""Which part of a list is asked for, and what comes of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Generic, NamedTuple, TypeVar

Row_co = TypeVar("Row_co", covariant=True)

COUNTED_EXACTLY: Final = 10_000
"""Above this many rows a total is a lower bound and sums are not made."""


class Window(NamedTuple):
    """Which part of a list, in which order; the id breaks every tie."""

    page: int
    per_page: int
    sort_by: str
    descending: bool


class Span(NamedTuple):
    """Instants from `start` (inclusive) to `end` (exclusive); None is open."""

    start: datetime | None = None
    end: datetime | None = None


ALWAYS: Final = Span()
"""Open on both sides."""


@dataclass(frozen=True, slots=True)
class Page(Generic[Row_co]):
    """Rows of one page; `total` stops at 10 001, which means more than 10 000."""

    rows: Sequence[Row_co]
    total: int


@dataclass(frozen=True, slots=True)
class SummedPage(Page[Row_co]):
    """A page with a sum over the whole filter, in cents; None when there are more than 10 000."""

    sum: int | None
