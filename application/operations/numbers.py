"""From the integers of the rules to the numbers of an answer, exact to the last digit.

Division is correctly rounded and JSON writes the shortest number that reads back the same, so an
amount below ten trillion reais comes out with its own two decimals.
"""

from typing import Final

from domain.dunning.money import ONE_PERCENT, Cents, PercentUnits

CENTS_IN_REAL: Final = 100


def reais(cents: Cents) -> float:
    """BRL for an answer."""
    return cents / CENTS_IN_REAL


def reais_or_none(cents: Cents | None) -> float | None:
    """BRL for an answer, where there may be none."""
    return None if cents is None else cents / CENTS_IN_REAL


def percent(units: PercentUnits) -> float:
    """Percent for an answer."""
    return units / ONE_PERCENT
