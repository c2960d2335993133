"""What a debt amounts to on a date, with the memory of every calculation.

Intermediate values are exact; each component is rounded once, and the total is a sum of rounded
components, so that a statement always adds up. A debt is its terms and what payments have settled
of it, nothing else: the same two give the same amounts for ever.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Protocol

from domain.dunning.accrual import Accrual
from domain.dunning.components import Component, ComponentName
from domain.dunning.ledger import Credit
from domain.dunning.money import Cents, percent_of, round_cents
from domain.dunning.rates import Rates
from domain.dunning.terms import DiscountTier, DiscountType, Terms, discount_of


class Debt(Protocol):
    """What amounts are made from, whoever read it: an aggregate or the row of a list."""

    @property
    def amount(self) -> Cents:
        """The original principal."""
        ...

    @property
    def effective_due_date(self) -> date:
        """The last day on time."""
        ...

    @property
    def terms(self) -> Terms:
        """Fine, interest, correction and discounts."""
        ...

    @property
    def costs(self) -> Cents:
        """Notary costs actually paid, and not settled yet."""
        ...

    @property
    def credits(self) -> tuple[Credit, ...]:
        """What payments have settled, in the order in which they were recorded."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A debt by itself."""

    amount: Cents
    effective_due_date: date
    terms: Terms
    costs: Cents = 0
    credits: tuple[Credit, ...] = field(default=())


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


def amounts_of(debt: Debt, on: date, rates: Rates) -> Amounts:
    """What `debt` amounted to on `on`, when nothing that was paid later was there yet."""
    return _amounts(debt, [credit for credit in debt.credits if credit.paid_at <= on], on, rates)


def still_due(debt: Debt, on: date, rates: Rates) -> Amounts:
    """What a payment of `on` may still settle: no more than all payments, whenever, have left."""
    every = [_no_later_than(on, credit) for credit in debt.credits]
    return _amounts(debt, every, on, rates)


def _no_later_than(on: date, credit: Credit) -> Credit:
    if credit.paid_at <= on:
        return credit
    return Credit(payment_id=credit.payment_id, paid_at=on, settled=credit.settled)


def _amounts(debt: Debt, counted: Sequence[Credit], on: date, rates: Rates) -> Amounts:
    in_order = sorted(counted, key=lambda credit: credit.paid_at)
    if on > debt.effective_due_date:
        return _when_late(debt, in_order, on, rates)
    principal = debt.amount - sum(credit.settled.principal for credit in in_order)
    discount = _discount(debt.terms, principal, on)
    return Amounts(
        as_of=on,
        effective_due_date=debt.effective_due_date,
        days_late=0,
        principal_outstanding=principal,
        costs=_costs(debt, in_order),
        memory=() if discount is None else (discount,),
    )


def _when_late(debt: Debt, counted: Sequence[Credit], on: date, rates: Rates) -> Amounts:
    due = debt.effective_due_date
    accrual = Accrual(debt.amount, due, debt.terms, rates)
    for credit in counted:
        if credit.paid_at <= due:
            # It may have settled interest, of a default that respite has undone since.
            accrual.settle(credit.settled)
    late = [credit for credit in counted if credit.paid_at > due]
    accrual.advance(late[0].paid_at if late else on)
    # The fine is taken once, of what was owed when the first late payment came.
    fine = _fine(debt.terms, accrual.base, sum(credit.settled.fine for credit in counted))
    for credit in late:
        accrual.advance(credit.paid_at)
        accrual.settle(credit.settled)
    accrual.advance(on)
    lines = () if fine is None else (fine,)
    return Amounts(
        as_of=on,
        effective_due_date=due,
        days_late=(on - due).days,
        principal_outstanding=accrual.principal,
        costs=_costs(debt, counted),
        memory=(*lines, *accrual.memory()),
    )


def _costs(debt: Debt, counted: Sequence[Credit]) -> Cents:
    # `debt.costs` is what all payments have left; on an earlier day the later ones had not come.
    ever = debt.costs + sum(credit.settled.costs for credit in debt.credits)
    return ever - sum(credit.settled.costs for credit in counted)


def _fine(terms: Terms, base: Cents, settled: Cents) -> Component | None:
    if not terms.fine_percent:
        return None
    exact = percent_of(base, terms.fine_percent)
    left = max(0, round_cents(exact, terms.rounding_mode) - settled)
    if settled and not left:
        return None
    return Component(
        name=ComponentName.FINE,
        base=base,
        rate=terms.fine_percent,
        days=None,
        exact=exact,
        rounded=left,
    )


def _discount(terms: Terms, principal: Cents, on: date) -> Component | None:
    def taken_off(tier: DiscountTier) -> Cents:
        return discount_of(tier, principal, terms.rounding_mode)

    still_open = [tier for tier in terms.discounts if on <= tier.until]
    if not still_open:
        return None
    best = max(still_open, key=taken_off)
    is_share = best.type is DiscountType.PERCENT
    return Component(
        name=ComponentName.DISCOUNT,
        base=principal,
        rate=best.value if is_share else None,
        days=None,
        exact=percent_of(principal, best.value) if is_share else Fraction(best.value),
        rounded=min(taken_off(best), max(principal - 1, 0)),
    )
