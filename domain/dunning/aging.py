"""How late a debt is, in the buckets of an aging report."""

from bisect import bisect_right
from enum import StrEnum
from typing import Final


class AgingBucket(StrEnum):
    """A range of days late."""

    NOT_DUE = "not_due"
    DAYS_1_15 = "1_15"
    DAYS_16_30 = "16_30"
    DAYS_31_60 = "31_60"
    DAYS_61_90 = "61_90"
    DAYS_91_180 = "91_180"
    DAYS_181_360 = "181_360"
    DAYS_361_PLUS = "361_plus"


FIRST_DAY: Final = {
    AgingBucket.NOT_DUE: 0,
    AgingBucket.DAYS_1_15: 1,
    AgingBucket.DAYS_16_30: 16,
    AgingBucket.DAYS_31_60: 31,
    AgingBucket.DAYS_61_90: 61,
    AgingBucket.DAYS_91_180: 91,
    AgingBucket.DAYS_181_360: 181,
    AgingBucket.DAYS_361_PLUS: 361,
}
_BUCKETS: Final = tuple(FIRST_DAY)
_FIRST_DAYS: Final = tuple(FIRST_DAY.values())


def aging_bucket(days_late: int) -> AgingBucket:
    """The bucket of a debt that is `days_late` (not negative) days late."""
    return _BUCKETS[bisect_right(_FIRST_DAYS, days_late) - 1]
