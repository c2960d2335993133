"""Until when a debt may be collected, and until when it may stand at a credit bureau."""

from datetime import date, timedelta
from typing import Final

from domain.dunning.calendar import years_after
from domain.dunning.charge_kinds import ChargeKind

RENT_YEARS: Final = 3
OTHER_YEARS: Final = 5
LISTING_YEARS: Final = 5


def prescription_date(kind: ChargeKind, due: date) -> date:
    """The last day of the limitation period, counted from the nominal due date.

    Three years for rent (CC art. 206 §3 I), five for other liquid debts in writing (§5 I); from
    29 February it ends on 1 March (CC art. 132 §3).
    """
    return years_after(due, RENT_YEARS if kind is ChargeKind.RENT else OTHER_YEARS)


def listing_limit_date(due: date) -> date:
    """The last day of a bureau listing: five years, never restarted.

    CDC art. 43 §1 and STJ Súmula 323. From 29 February it ends on the 28th: each limit takes the
    side that is stricter to the creditor.
    """
    limit = years_after(due, LISTING_YEARS)
    return limit if limit.day == due.day else limit - timedelta(days=1)
