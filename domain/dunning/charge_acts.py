"""Why a debt is declared not owed, or given up."""

from enum import StrEnum


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
