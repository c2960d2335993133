"""What the law lets a creditor add to a late debt at most, as data with the source."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.money import ONE_PERCENT, PERCENT_PLACES, PercentUnits, decimal_text
from domain.errors import Detail
from domain.texts import Text


class CapItem(StrEnum):
    """What is limited."""

    LATE_FINE = "late_fine"
    DEFAULT_INTEREST_MONTH = "default_interest_month"


class CapSubject(StrEnum):
    """Whose debt is limited."""

    CONSUMER = "consumer"
    NON_CONSUMER = "non_consumer"
    CONDO = "condo"
    ANY = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalCap:
    """One limit: `percent` in ten-thousandths of a percent, and the article it comes from."""

    item: CapItem
    applies_to: CapSubject
    percent: PercentUnits
    source: str


_FINE_CONSUMER: Final = LegalCap(
    item=CapItem.LATE_FINE,
    applies_to=CapSubject.CONSUMER,
    percent=2 * ONE_PERCENT,
    source="CDC 52 §1",
)
_FINE_NON_CONSUMER: Final = LegalCap(
    item=CapItem.LATE_FINE,
    applies_to=CapSubject.NON_CONSUMER,
    percent=10 * ONE_PERCENT,
    source="CC 412, 413",
)
_FINE_CONDO: Final = LegalCap(
    item=CapItem.LATE_FINE,
    applies_to=CapSubject.CONDO,
    percent=2 * ONE_PERCENT,
    source="CC 1336 §1",
)
_INTEREST: Final = LegalCap(
    item=CapItem.DEFAULT_INTEREST_MONTH,
    applies_to=CapSubject.ANY,
    percent=ONE_PERCENT,
    source="CC 406; Decreto 22.626/1933",
)


def legal_caps() -> tuple[LegalCap, ...]:
    """Every cap in force."""
    return (_FINE_CONSUMER, _FINE_NON_CONSUMER, _FINE_CONDO, _INTEREST)


def fine_cap(kind: ChargeKind, *, is_consumer: bool) -> LegalCap:
    """The cap on the late fine of one charge; a condo's fine is limited whoever owes it."""
    if kind is ChargeKind.CONDO:
        return _FINE_CONDO
    return _FINE_CONSUMER if is_consumer else _FINE_NON_CONSUMER


def above_cap(field: str, cap: LegalCap) -> Detail:
    """What is wrong with a percentage above `cap`: the cap, and where it is written."""
    percent = decimal_text(cap.percent, PERCENT_PLACES)
    return Detail(
        field,
        "legal_limit",
        Text(
            f"O limite é de {percent.pt} % ({cap.source}).",
            f"The cap is {percent.en} % ({cap.source}).",
        ),
    )


def interest_cap(twice_legal: PercentUnits = 0) -> LegalCap:
    """The cap on a contract's simple default interest in a month: 1 %, or twice the legal rate.

    The latter is for companies under a written contract; 0 stands for everybody else, and while
    the rate of the month is not loaded.
    """
    if twice_legal <= _INTEREST.percent:
        return _INTEREST
    return replace(_INTEREST, applies_to=CapSubject.NON_CONSUMER, percent=twice_legal)
