"""Integer cents, integer percentages and the one place where an exact amount is rounded.

No binary float is read or computed here.
"""

import math
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Final, TypeAlias

from domain.errors import Detail, ValidationError
from domain.texts import Text

Cents: TypeAlias = int
"""Brazilian reais in hundredths."""

PercentUnits: TypeAlias = int
"""Ten-thousandths of one percent: 2 % is 20 000."""

CENT_PLACES: Final = 2
PERCENT_PLACES: Final = 4
ONE_PERCENT: Final[PercentUnits] = 10**PERCENT_PLACES
HUNDRED_PERCENT: Final[PercentUnits] = 100 * ONE_PERCENT


class RoundingMode(StrEnum):
    """Where an exact half of a cent goes: to the even neighbour (ABNT NBR 5891), or up."""

    HALF_EVEN = "half_even"
    HALF_UP = "half_up"


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the greatest value allowed, in the unit of what is being read."""

    low: int
    high: int

    def __contains__(self, units: int) -> bool:
        return self.low <= units <= self.high


CHARGE_AMOUNT: Final = Bounds(1, 9_999_999_999)
PERCENTAGE: Final = Bounds(0, HUNDRED_PERCENT)


def round_cents(exact: Fraction, mode: RoundingMode) -> Cents:
    """Whole cents of `exact` cents, which is not negative; the modes differ on exact ties only."""
    if mode is RoundingMode.HALF_EVEN:
        return round(exact)
    return math.floor(exact + Fraction(1, 2))


def percent_of(base: Cents, percent: PercentUnits) -> Fraction:
    """Exact cents that `percent` of `base` makes."""
    return Fraction(base * percent, HUNDRED_PERCENT)


def cents_from(value: Decimal, field: str, bounds: Bounds = CHARGE_AMOUNT) -> Cents:
    """Cents of an amount in reais.

    Raises:
        ValidationError: `too_many_decimals` (more than 2 written) or `out_of_range`.
    """
    return _units_from(value, CENT_PLACES, field, bounds)


def percent_from(value: Decimal, field: str, bounds: Bounds = PERCENTAGE) -> PercentUnits:
    """Ten-thousandths of a percentage.

    Raises:
        ValidationError: `too_many_decimals` (more than 4 written) or `out_of_range`.
    """
    return _units_from(value, PERCENT_PLACES, field, bounds)


def decimal_text(units: int, places: int) -> Text:
    """A whole number of units as a decimal number without trailing zeros: `12,5` and `12.5`."""
    whole, rest = divmod(units, 10**places)
    decimals = f"{rest:0{places}}".rstrip("0")
    if not decimals:
        return Text(f"{whole}", f"{whole}")
    return Text(f"{whole},{decimals}", f"{whole}.{decimals}")


def amount_text(cents: Cents) -> Text:
    """An amount with its two decimals, as each language writes it."""
    whole, rest = divmod(cents, 100)
    grouped = f"{whole:,}"
    return Text(f"R$ {grouped.replace(',', '.')},{rest:02}", f"BRL {grouped}.{rest:02}")


def _units_from(value: Decimal, places: int, field: str, bounds: Bounds) -> int:
    # Written zeros count: 1.500 is how Brazil writes one thousand five hundred.
    if _decimals_written(value) > places:
        raise ValidationError(Detail(field, "too_many_decimals", _decimals_text(places)))
    # Compared before it is scaled: 1E+999999 must never become an integer.
    low, high = (Decimal(bound).scaleb(-places) for bound in (bounds.low, bounds.high))
    if not (value.is_finite() and low <= value <= high):
        raise ValidationError(Detail(field, "out_of_range", _range_text(bounds, places)))
    return int(value.scaleb(places))


def _decimals_written(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def _range_text(bounds: Bounds, places: int) -> Text:
    low, high = decimal_text(bounds.low, places), decimal_text(bounds.high, places)
    return Text(
        f"Informe um valor entre {low.pt} e {high.pt}.",
        f"Give a value between {low.en} and {high.en}.",
    )


def _decimals_text(places: int) -> Text:
    return Text(f"Use no máximo {places} casas decimais.", f"Use at most {places} decimal places.")
