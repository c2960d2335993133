"""Until when a debt may be collected, and until when it may stand at a credit bureau."""

from datetime import date
from typing import Final

from domain.dunning.charge_kinds import ChargeKind

_RENT_YEARS: Final = 3
_OTHER_YEARS: Final = 5
_LISTING_YEARS: Final = 5


def prescription_date(kind: ChargeKind, due: date) -> date:
    """The last day of the limitation period, counted from the nominal due date.

    Three years for rent (CC art. 206 §3 I), five for other liquid debts in writing (§5 I). A period
    ends on the day of the same number, or on the next one where there is none (CC art. 132 §3).
    """
    year = due.year + (_RENT_YEARS if kind is ChargeKind.RENT else _OTHER_YEARS)
    return _on_same_day(due, year) or date(year, 3, 1)


def listing_limit_date(due: date) -> date:
    """The last day of a bureau listing: five years, never restarted.

    CDC art. 43 §1 and STJ Súmula 323. From 29 February it ends on the 28th: each limit takes the side stricter to the creditor.
    """
    year = due.year + _LISTING_YEARS
    return _on_same_day(due, year) or date(year, 2, 28)


def _on_same_day(due: date, year: int) -> date | None:
    try:
        return due.replace(year=year)
    except ValueError:
        return None
