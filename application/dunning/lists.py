"""What all lists share: the window of rows, day filters in the organisation's time zone."""

from datetime import date, datetime, time, timedelta
from typing import Annotated, Final
from zoneinfo import ZoneInfo

from msgspec import Meta

from application.operations.call import Call
from application.operations.fields import ListInput, ListMeta, Money, about
from domain.dunning.text_search import fold
from domain.errors import Detail, ValidationError
from domain.ports.lists import ALWAYS, COUNTED_EXACTLY, Span, Window
from domain.texts import Text

FURTHEST_ROW: Final = 10_000

MoneyLimit = Annotated[Money, Meta(ge=0, le=99_999_999_999_999)]
"""An amount that others are compared with; sums go beyond what one charge may be."""

Tag = Annotated[str, Meta(min_length=1, max_length=30)]
"""One tag of several."""


class DatedList(ListInput):
    """A list of things that are created and changed."""

    created_from: Annotated[date | None, about("Created on or after this date.")] = None
    created_to: Annotated[date | None, about("Created on or before this date.")] = None
    updated_from: Annotated[date | None, about("Changed on or after this date.")] = None
    updated_to: Annotated[date | None, about("Changed on or before this date.")] = None


def window_of(wanted: ListInput, sort_by: str, *, descending: bool) -> Window:
    """The rows asked for; `descending` is the direction when the caller names none.

    Raises:
        ValidationError: further than row 10 000, where an export is the right tool.
    """
    if wanted.page * wanted.per_page > FURTHEST_ROW:
        text = Text(
            "page * per_page vai até 10.000 linhas; use uma exportação.",
            "page * per_page reaches 10,000 rows at most; use an export.",
        )
        raise ValidationError(Detail("page", "window_too_large", text))
    order = wanted.sort_order or ("desc" if descending else "asc")
    return Window(
        page=wanted.page, per_page=wanted.per_page, sort_by=sort_by, descending=order == "desc"
    )


def words_of(q: str | None) -> str | None:
    """The words asked for, as they came.

    Raises:
        ValidationError: accents without letters, which would match everything.
    """
    if q is not None and not fold(q):
        text = Text("Informe ao menos uma letra ou número.", "Give at least a letter or a digit.")
        raise ValidationError(Detail("q", "too_short", text))
    return q


def created_span(call: Call, wanted: DatedList) -> Span:
    """Whole days of creation, as instants."""
    return days_span(call, wanted.created_from, wanted.created_to)


def updated_span(call: Call, wanted: DatedList) -> Span:
    """Whole days of the last change, as instants."""
    return days_span(call, wanted.updated_from, wanted.updated_to)


def meta_of(wanted: ListInput, total: int) -> ListMeta:
    """Page numbers around `total`, which stops counting above 10 000."""
    counted = min(total, COUNTED_EXACTLY)
    return ListMeta(
        total=counted,
        page=wanted.page,
        per_page=wanted.per_page,
        total_pages=-(-counted // wanted.per_page),
        total_is_lower_bound=total > COUNTED_EXACTLY,
    )


def days_span(call: Call, first: date | None, last: date | None) -> Span:
    """From the beginning of `first` to the end of `last`, in the organisation's time zone."""
    if first is None and last is None:
        return ALWAYS
    zone = ZoneInfo(call.grant.tenant.timezone)
    return Span(
        start=None if first is None else datetime.combine(first, time(), zone),
        end=None if last is None else datetime.combine(_day_after(last), time(), zone),
    )


def _day_after(day: date) -> date:
    return day if day == date.max else day + timedelta(days=1)
