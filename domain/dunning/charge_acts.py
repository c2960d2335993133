"""Why a debt is declared not owed, or given up, and what is noted of it."""

from enum import StrEnum
from typing import Final

from domain.dunning.free_text import trimmed_lines, trimmed_lines_or_none
from domain.dunning.money import Bounds

_CANCEL_NOTE: Final = Bounds(1, 500)
_WRITE_OFF_NOTE: Final = Bounds(5, 500)


class CancelReason(StrEnum):
    """Why a debt is declared not owed."""

    DUPLICATE = "duplicate"
    ISSUED_IN_ERROR = "issued_in_error"
    SERVICE_NOT_RENDERED = "service_not_rendered"
    RETURNED = "returned"
    DISPUTE_ACCEPTED = "dispute_accepted"
    COURT_ORDER = "court_order"
    OTHER = "other"


class WriteOffReason(StrEnum):
    """Why collecting is given up; the debt remains owed."""

    UNCOLLECTIBLE = "uncollectible"
    PRESCRIBED = "prescribed"
    DECEASED = "deceased"
    SMALL_BALANCE = "small_balance"
    COMMERCIAL = "commercial"


def checked_cancel_note(note: str | None) -> str | None:
    """A note on a cancellation, trimmed: 1 to 500 characters. Raises `ValidationError`."""
    return trimmed_lines_or_none(note, "note", _CANCEL_NOTE)


def checked_write_off_note(note: str) -> str:
    """A note on a write-off, trimmed: 5 to 500 characters. Raises `ValidationError`."""
    return trimmed_lines(note, "note", _WRITE_OFF_NOTE)
