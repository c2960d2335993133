"""Debts by themselves, what payments leave of them, and rates for them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from hypothesis import strategies as st

from domain.dunning.allocation import settle
from domain.dunning.amounts import Claim, still_due
from domain.dunning.calendar import months_after
from domain.dunning.correction import CorrectionIndex
from domain.dunning.ledger import Credit, Settled
from domain.dunning.money import RoundingMode
from domain.dunning.rates import NO_RATES, IndexRate, RateCode, Rates
from domain.dunning.terms import DiscountTier, DiscountType, InterestMode, Terms

TERMS = Terms(
    fine_percent=2_0000,
    interest_mode=InterestMode.CONTRACT,
    interest_percent_month=1_0000,
    correction_index=CorrectionIndex.NONE,
    charges_on_corrected=False,
    discounts=(),
    rounding_mode=RoundingMode.HALF_EVEN,
    settlement_tolerance=5,
)
NOTHING_ADDED = replace(TERMS, fine_percent=0, interest_mode=InterestMode.NONE)
SEPTEMBER = Claim(amount=600_00, effective_due_date=date(2026, 9, 15), terms=TERMS)


def tier(until: date, kind: DiscountType, value: int) -> DiscountTier:
    """A discount, whatever the days before the due date that led to its last day."""
    return DiscountTier(days_before=0, type=kind, value=value, until=until)


def settled_by(claim: Claim, money: int, on: date, rates: Rates = NO_RATES) -> Settled:
    """What `money` settles."""
    due = still_due(claim, on, rates)
    settled = settle(money, due, claim.terms.settlement_tolerance)
    assert settled is not None
    return settled


def paid(claim: Claim, money: int, on: date, rates: Rates = NO_RATES) -> Claim:
    """The debt, when `money` has come that was paid on `on`."""
    settled = settled_by(claim, money, on, rates)
    credit = Credit(payment_id=f"pay_{len(claim.credits)}", paid_at=on, settled=settled)
    return replace(claim, costs=claim.costs - settled.costs, credits=(*claim.credits, credit))


def without(claim: Claim, payment_id: str) -> Claim:
    """The debt, when the payment is reversed."""
    (gone,) = (credit for credit in claim.credits if credit.payment_id == payment_id)
    left = tuple(credit for credit in claim.credits if credit is not gone)
    return replace(claim, costs=claim.costs + gone.settled.costs, credits=left)


def monthly(
    code: RateCode, first: date, percents: Iterable[str | None], *, published_after: int = 0
) -> list[IndexRate]:
    """A rate for each month from `first` on, published so many days after the month's beginning."""
    return [
        IndexRate(
            code=code,
            month=months_after(first, place),
            percent=Decimal(percent),
            published_on=months_after(first, place) + timedelta(days=published_after),
        )
        for place, percent in enumerate(percents)
        if percent is not None
    ]


dues = st.dates(date(2026, 1, 1), date(2028, 12, 31))
_FIRST_MONTH = date(2026, 1, 1)
_MONTHS = 12 * 9


def _nine_years(year: Sequence[str | None], published_after: int) -> Rates:
    """Every code, with the same percentages again and again."""
    percents = [year[place % len(year)] for place in range(_MONTHS)]
    return Rates(
        rate
        for code in RateCode
        for rate in monthly(code, _FIRST_MONTH, percents, published_after=published_after)
    )


_RISING = (
    _nine_years(["0.48", "0.20", "0.33", "0.87654321", "0.00"], 0),
    _nine_years(["1.02", None, "0.71", "2.99", None, "0.05", "0.62"], 9),
    _nine_years(["0.50"], 45),
    NO_RATES,
)
_FALLING = (
    _nine_years(["-0.30", "0.48", "-1.25", None, "0.91"], 9),
    _nine_years(["-0.02", "-3.00"], 0),
)
rising_rates = st.sampled_from(_RISING)
"""Rates of which none is negative; some months lack, some appear late."""

any_rates = st.sampled_from([*_RISING, *_FALLING])


@st.composite
def some_terms(draw: st.DrawFn, due: date, amount: int) -> Terms:
    """Any terms that can be for a debt of `amount`, which is at least ten cents."""
    values = {DiscountType.PERCENT: st.integers(1, 90_0000), DiscountType.AMOUNT: st.integers(1, 9)}
    kinds = draw(st.lists(st.sampled_from(DiscountType), max_size=3))
    discounts = tuple(
        tier(
            due - timedelta(days=draw(st.integers(0, 60))),
            kind,
            draw(values[kind]) * (1 if kind is DiscountType.PERCENT else amount // 10),
        )
        for kind in kinds
    )
    return Terms(
        fine_percent=draw(st.sampled_from([0, 2_0000, 10_0000]) | st.integers(0, 10_0000)),
        interest_mode=draw(st.sampled_from(InterestMode)),
        interest_percent_month=draw(st.sampled_from([0, 1_0000]) | st.integers(0, 1_0000)),
        correction_index=draw(st.sampled_from(CorrectionIndex)),
        charges_on_corrected=draw(st.booleans()),
        discounts=discounts,
        rounding_mode=draw(st.sampled_from(RoundingMode)),
        settlement_tolerance=draw(st.sampled_from([0, 5, 500]) | st.integers(0, 500)),
    )


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    """Any debt that nothing has been paid of."""
    amount, due = draw(st.integers(10, 9_999_999_999)), draw(dues)
    return Claim(
        amount=amount,
        effective_due_date=due,
        terms=draw(some_terms(due, amount)),
        costs=draw(st.sampled_from([0, 0, 45_90]) | st.integers(0, 100_000)),
    )
