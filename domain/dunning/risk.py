"""How urgently a debtor deserves attention, from the creditor's own book; never a bureau's score.

`min(60, 60 x days late / 180) + min(25, 10 x broken promises) + min(15, 5 x bounces)`, the first
part rounded half to even.
"""

from fractions import Fraction
from typing import Final

DAYS_POINTS: Final = 60
DAYS_FOR_ALL: Final = 180
BOUNCE_POINTS: Final = 5
BOUNCES_AT_MOST: Final = 15
_PROMISE_POINTS: Final = 10
_PROMISES_AT_MOST: Final = 25


def risk_score(*, days_late: int, bounces: int, broken_promises: int = 0) -> int:
    """0 to 100: days late of the oldest overdue charge, hard bounces, promises not kept."""
    return (
        min(DAYS_POINTS, round(Fraction(DAYS_POINTS * days_late, DAYS_FOR_ALL)))
        + min(_PROMISES_AT_MOST, _PROMISE_POINTS * broken_promises)
        + min(BOUNCES_AT_MOST, BOUNCE_POINTS * bounces)
    )
