"""What a debt amounts to on a date, with the memory of every calculation.

Intermediate values are exact; each component is rounded once, and the total is a sum of rounded
components, so that a statement always adds up.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from fractions import Fraction
from typing import Final, Literal, Protocol

from domain.dunning.calendar import Calendar, DueDateRule
from domain.dunning.correction import CorrectionIndex
from domain.dunning.money import HUNDRED_PERCENT, Cents, PercentUnits, percent_of, round_cents
from domain.dunning.terms import DiscountTier, DiscountType, InterestMode, Terms, discount_of

_DAYS_IN_MONTH: Final = 30


class ComponentName(StrEnum):
    """What may be added to a principal, or taken off it."""

    FINE = "fine"
    INTEREST = "interest"
    CORRECTION = "correction"
    DISCOUNT = "discount"


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One line of the calculation memory; `base`, `exact` and `rounded` are cents.

    `rate` is in ten-thousandths of a percent (a month, for interest). `rate` and `days` are absent
    where the component has none.
    """

    name: ComponentName
    base: Cents
    rate: PercentUnits | None
    days: int | None
    exact: Fraction
    rounded: Cents
    note: Literal["rate_not_loaded"] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A debt as the calculation sees it: `principal` is what was owed on the effective due date."""

    principal: Cents
    due_date: date
    due_date_rule: DueDateRule
    terms: Terms
    costs: Cents = 0


class Debt(Protocol):
    """What a claim is made from, whoever read it: an aggregate or the row of a list."""

    @property
    def principal_outstanding(self) -> Cents:
        """The principal still owed."""
        ...

    @property
    def due_date(self) -> date:
        """The nominal due date."""
        ...

    @property
    def due_date_rule(self) -> DueDateRule:
        """Where that date goes when it is no business day."""
        ...

    @property
    def terms(self) -> Terms:
        """Fine, interest, correction and discounts."""
        ...

    @property
    def costs(self) -> Cents:
        """Notary costs actually paid."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """What is due on `as_of`, in cents; `memory` has a line for each component that applied."""

    as_of: date
    effective_due_date: date
    days_late: int
    principal_outstanding: Cents
    costs: Cents
    memory: tuple[Component, ...]

    @property
    def fine(self) -> Cents:
        """The late fine."""
        return self._rounded(ComponentName.FINE)

    @property
    def interest(self) -> Cents:
        """The default interest."""
        return self._rounded(ComponentName.INTEREST)

    @property
    def correction(self) -> Cents:
        """The monetary correction."""
        return self._rounded(ComponentName.CORRECTION)

    @property
    def discount(self) -> Cents:
        """The early discount, as a positive number that the total takes off."""
        return self._rounded(ComponentName.DISCOUNT)

    @property
    def total_due(self) -> Cents:
        """What has to be paid on the date to owe nothing more."""
        added = self.fine + self.interest + self.correction
        return self.principal_outstanding + self.costs + added - self.discount

    def _rounded(self, name: ComponentName) -> Cents:
        return sum(component.rounded for component in self.memory if component.name is name)


def amounts_of(debt: Debt, on: date, calendar: Calendar) -> Amounts:
    """What `debt` amounts to when it is paid on `on`."""
    claim = Claim(
        principal=debt.principal_outstanding,
        due_date=debt.due_date,
        due_date_rule=debt.due_date_rule,
        terms=debt.terms,
        costs=debt.costs,
    )
    return amounts_at(claim, on, calendar)


def amounts_at(claim: Claim, on: date, calendar: Calendar) -> Amounts:
    """What `claim` amounts to when it is paid on `on`."""
    effective = calendar.effective_due_date(claim.due_date, claim.due_date_rule)
    is_late = on > effective
    applied = _when_late(claim, effective, on) if is_late else [_discount(claim, on, calendar)]
    return Amounts(
        as_of=on,
        effective_due_date=effective,
        days_late=(on - effective).days if is_late else 0,
        principal_outstanding=claim.principal,
        costs=claim.costs,
        memory=tuple(component for component in applied if component),
    )


def _when_late(claim: Claim, effective: date, on: date) -> list[Component | None]:
    correction = _correction(claim, effective, on)
    base = claim.principal
    if claim.terms.charges_on_corrected and correction:
        base += correction.rounded
    interest = _interest(claim.terms, base, (on - effective).days)
    return [_fine(claim.terms, base), interest, correction]


def _fine(terms: Terms, base: Cents) -> Component | None:
    if not terms.fine_percent:
        return None
    exact = percent_of(base, terms.fine_percent)
    return Component(
        name=ComponentName.FINE,
        base=base,
        rate=terms.fine_percent,
        days=None,
        exact=exact,
        rounded=round_cents(exact, terms.rounding_mode),
    )


def _interest(terms: Terms, base: Cents, days: int) -> Component | None:
    if terms.interest_mode is InterestMode.NONE:
        return None
    if terms.interest_mode is InterestMode.LEGAL_RATE:
        return _without_rate(ComponentName.INTEREST, base, days)
    rate = terms.interest_percent_month
    exact = Fraction(base * rate * days, HUNDRED_PERCENT * _DAYS_IN_MONTH)
    return Component(
        name=ComponentName.INTEREST,
        base=base,
        rate=rate,
        days=days,
        exact=exact,
        rounded=round_cents(exact, terms.rounding_mode),
    )


def _correction(claim: Claim, since: date, until: date) -> Component | None:
    if claim.terms.correction_index is CorrectionIndex.NONE or not _has_full_month(since, until):
        return None
    return _without_rate(ComponentName.CORRECTION, claim.principal, None)


def _without_rate(name: ComponentName, base: Cents, days: int | None) -> Component:
    return Component(
        name=name,
        base=base,
        rate=None,
        days=days,
        exact=Fraction(0),
        rounded=0,
        note="rate_not_loaded",
    )


def _has_full_month(since: date, until: date) -> bool:
    months = (until.year - since.year) * 12 + until.month - since.month
    return months > 1 or (months == 1 and until.day >= since.day)


def _discount(claim: Claim, on: date, calendar: Calendar) -> Component | None:
    def taken_off(tier: DiscountTier) -> Cents:
        return discount_of(tier, claim.principal, claim.terms.rounding_mode)

    due, tiers = claim.due_date, claim.terms.discounts
    still_open = [tier for tier in tiers if on <= _last_day(tier, due, calendar)]
    if not still_open:
        return None
    best = max(still_open, key=taken_off)
    most = max(claim.principal - 1, 0)
    is_share = best.type is DiscountType.PERCENT
    return Component(
        name=ComponentName.DISCOUNT,
        base=claim.principal,
        rate=best.value if is_share else None,
        days=None,
        exact=percent_of(claim.principal, best.value) if is_share else Fraction(best.value),
        rounded=min(taken_off(best), most),
    )


def _last_day(tier: DiscountTier, due: date, calendar: Calendar) -> date:
    nominal = due - timedelta(days=tier.days_before)
    return min(calendar.next_business_day_on_or_after(nominal), due)
