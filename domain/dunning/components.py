"""The lines of a calculation memory: what was added to a principal, and how it came about."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import Literal, TypeAlias

from domain.dunning.money import Cents, PercentUnits

Note: TypeAlias = Literal["rate_not_loaded"]
"""`rate_not_loaded`: a month whose rate is unknown counts as zero."""


class ComponentName(StrEnum):
    """What may be added to a principal, or taken off it."""

    FINE = "fine"
    INTEREST = "interest"
    CORRECTION = "correction"
    DISCOUNT = "discount"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A stretch of time in which nothing changed; `base` and `exact` are cents.

    `share` is what one day, or for correction the month, adds to the base: 1 % is 1/100.
    """

    since: date
    until: date
    base: Cents
    share: Fraction | None
    exact: Fraction

    @property
    def days(self) -> int:
        """Calendar days of it."""
        return (self.until - self.since).days


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One line of the calculation memory; `base`, `exact` and `rounded` are cents.

    `rate` is in ten-thousandths of a percent (a month, for interest). `rate` and `days` are absent
    where the component has none. `exact` is what is outstanding; of a fine, what was due at first.
    `steps` tell how it grew where payments or monthly rates make several.
    """

    name: ComponentName
    base: Cents
    rate: PercentUnits | None
    days: int | None
    exact: Fraction
    rounded: Cents
    note: Note | None = None
    steps: tuple[Step, ...] = ()
