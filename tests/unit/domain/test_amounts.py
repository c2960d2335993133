"""The worked examples to the cent, and what holds for every claim."""

from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.amounts import Amounts, Claim, amounts_of
from domain.dunning.calendar import NATIONAL_WIDE, DueDateRule
from domain.dunning.components import Component, ComponentName
from domain.dunning.correction import CorrectionIndex
from domain.dunning.holidays import Holiday, HolidayScope, Place, wide_calendar
from domain.dunning.ledger import Credit, Settled
from domain.dunning.money import RoundingMode
from domain.dunning.rates import NO_RATES, Rates
from domain.dunning.terms import DiscountType, InterestMode, discount_until
from tests.unit.domain.claims import TERMS, any_rates, claims, rising_rates, tier

SUNDAY = date(2026, 12, 20)
ROLLS = DueDateRule.NEXT_BUSINESS_DAY


def a_claim(amount: int, due_date: date, rule: DueDateRule = ROLLS, **terms: Any) -> Claim:
    return Claim(
        amount=amount,
        effective_due_date=NATIONAL_WIDE.effective_due_date(due_date, rule),
        terms=replace(TERMS, **terms),
    )


SATURDAY = a_claim(1_250_00, date(2026, 10, 10))
EARLY = a_claim(
    800_00,
    SUNDAY,
    discounts=tuple(
        tier(discount_until(days, SUNDAY, NATIONAL_WIDE), DiscountType.PERCENT, percent)
        for days, percent in ((10, 10_0000), (5, 5_0000))
    ),
)


def due(claim: Claim, on: date, rates: Rates = NO_RATES) -> Amounts:
    return amounts_of(claim, on, rates)


def test_example_1_due_on_a_saturday_before_a_monday_holiday() -> None:
    late = due(SATURDAY, date(2026, 11, 5))

    assert late.effective_due_date == date(2026, 10, 13)
    assert late.days_late == 23
    assert (late.fine, late.interest, late.total_due) == (25_00, 9_58, 1_284_58)
    assert due(SATURDAY, date(2026, 10, 13)).total_due == 1_250_00


def test_example_1_keeps_the_exact_interest_in_the_memory() -> None:
    fine, interest = due(SATURDAY, date(2026, 11, 5)).memory

    assert fine == Component(
        name=ComponentName.FINE,
        base=1_250_00,
        rate=2_0000,
        days=None,
        exact=Fraction(25_00),
        rounded=25_00,
    )
    assert interest == Component(
        name=ComponentName.INTEREST,
        base=1_250_00,
        rate=1_0000,
        days=23,
        exact=Fraction(125_000 * 23, 100 * 30),
        rounded=9_58,
    )


@pytest.mark.parametrize(
    ("principal", "half_even", "half_up"),
    [(112_25, 2_24, 2_25), (112_75, 2_26, 2_26), (149_90, 3_00, 3_00)],
)
def test_example_2_ties_of_the_fine(principal: int, half_even: int, half_up: int) -> None:
    claim = replace(SATURDAY, amount=principal)
    other = replace(claim, terms=replace(TERMS, rounding_mode=RoundingMode.HALF_UP))

    assert due(claim, date(2026, 10, 14)).fine == half_even
    assert due(other, date(2026, 10, 14)).fine == half_up


@pytest.mark.parametrize(("year", "days", "interest"), [(2027, 28, 14_00), (2028, 29, 14_50)])
def test_example_3_and_edge_case_17_interest_across_29_february_counts_real_days(
    year: int, days: int, interest: int
) -> None:
    claim = a_claim(1_500_00, date(year, 2, 15), rule=DueDateRule.NONE)

    amounts = due(claim, date(year, 3, 15))

    assert (amounts.days_late, amounts.interest) == (days, interest)


@pytest.mark.parametrize(
    ("on", "discount", "total"),
    [
        (date(2026, 12, 10), 80_00, 720_00),
        (date(2026, 12, 15), 40_00, 760_00),
        (date(2026, 12, 16), 0, 800_00),
        (date(2026, 12, 21), 0, 800_00),
        (date(2026, 12, 22), 0, 816_27),
    ],
)
def test_example_4_early_discount(on: date, discount: int, total: int) -> None:
    amounts = due(EARLY, on)

    assert (amounts.discount, amounts.total_due) == (discount, total)


def test_edge_case_1_paid_on_the_tuesday_after_a_monday_holiday_is_on_time() -> None:
    same_day = tier(date(2026, 10, 10), DiscountType.AMOUNT, 50_00)
    claim = replace(SATURDAY, terms=replace(TERMS, discounts=(same_day,)))

    on_time = due(claim, date(2026, 10, 13))

    assert (on_time.days_late, on_time.fine, on_time.interest) == (0, 0, 0)
    assert on_time.discount == 0
    assert on_time.total_due == 1_250_00
    assert due(claim, date(2026, 10, 10)).discount == 50_00


def test_edge_case_2_paid_on_the_wednesday_one_day_is_counted_from_tuesday() -> None:
    late = due(SATURDAY, date(2026, 10, 14))

    assert late.days_late == 1
    assert (late.fine, late.interest) == (25_00, 42)


def test_edge_case_3_a_holiday_of_the_debtors_city_moves_the_day_and_the_creditors_does_not() -> (
    None
):
    anniversary = Holiday(
        id="hol_1",
        date=date(2026, 12, 8),
        name="Aniversário da cidade",
        scope=HolidayScope.CITY,
        uf="MG",
        city="Belo Horizonte",
    )
    due_date, paid_on = date(2026, 12, 8), date(2026, 12, 9)

    def total(debtor: Place) -> int:
        calendar = wide_calendar([anniversary], debtor)
        effective = calendar.effective_due_date(due_date, ROLLS)
        return due(replace(SATURDAY, effective_due_date=effective), paid_on).total_due

    assert total(Place(uf="MG", city="belo horizonte")) == 1_250_00
    assert total(Place(uf="SP", city="São Paulo")) == 1_250_00 + 25_00 + 42


def test_edge_case_4_money_of_a_sunday_that_is_recorded_on_monday_owes_what_was_due_on_sunday() -> (
    None
):
    sunday, monday = date(2026, 11, 8), date(2026, 11, 9)

    assert (due(SATURDAY, sunday).days_late, due(SATURDAY, sunday).interest) == (26, 10_83)
    assert due(SATURDAY, monday).interest == 11_25


def test_a_discount_stands_up_to_and_with_its_last_day() -> None:
    # Six days before Friday 16 October is the Saturday of example 1: it rolls to the Tuesday.
    until = discount_until(6, date(2026, 10, 16), NATIONAL_WIDE)
    rolled = tier(until, DiscountType.AMOUNT, 10_00)
    weekday = a_claim(800_00, date(2026, 10, 16), discounts=(rolled,))
    same_day = tier(
        discount_until(0, date(2026, 10, 10), NATIONAL_WIDE), DiscountType.AMOUNT, 10_00
    )
    weekend = replace(SATURDAY, terms=replace(TERMS, discounts=(same_day,)))

    assert due(weekday, date(2026, 10, 13)).discount == 10_00
    assert due(weekday, date(2026, 10, 14)).discount == 0
    assert due(weekend, date(2026, 10, 11)).discount == 0


def test_the_largest_of_the_open_discounts_counts_whatever_its_day() -> None:
    tiers = (
        tier(date(2026, 11, 20), DiscountType.PERCENT, 1_0000),
        tier(SUNDAY, DiscountType.AMOUNT, 100_00),
    )
    claim = replace(EARLY, terms=replace(TERMS, discounts=tiers))

    (component,) = due(claim, date(2026, 11, 1)).memory

    assert component.name is ComponentName.DISCOUNT
    assert component.rate is None
    assert component.exact == component.rounded == 100_00


def test_without_interest_only_the_fine_is_added() -> None:
    claim = replace(SATURDAY, terms=replace(TERMS, interest_mode=InterestMode.NONE))

    amounts = due(claim, date(2027, 10, 13))

    assert [component.name for component in amounts.memory] == [ComponentName.FINE]
    assert amounts.total_due == 1_275_00


def test_the_legal_rate_and_the_correction_add_nothing_while_no_rate_is_loaded() -> None:
    terms = replace(
        TERMS,
        fine_percent=0,
        interest_mode=InterestMode.LEGAL_RATE,
        interest_percent_month=0,
        correction_index=CorrectionIndex.IPCA,
        charges_on_corrected=True,
    )

    amounts = due(replace(SATURDAY, terms=terms), date(2026, 11, 13))

    assert [(line.name, line.rounded, line.note) for line in amounts.memory] == [
        (ComponentName.INTEREST, 0, "rate_not_loaded"),
        (ComponentName.CORRECTION, 0, "rate_not_loaded"),
    ]
    assert amounts.total_due == 1_250_00


def test_correction_is_not_spoken_of_before_a_full_month() -> None:
    terms = replace(TERMS, correction_index=CorrectionIndex.IGPM)

    amounts = due(replace(SATURDAY, terms=terms), date(2026, 11, 12))

    assert ComponentName.CORRECTION not in {line.name for line in amounts.memory}


def test_an_organisation_that_rolls_nothing_counts_from_the_nominal_date() -> None:
    claim = a_claim(1_250_00, date(2026, 10, 10), rule=DueDateRule.NONE)

    assert due(claim, date(2026, 10, 13)).days_late == 3


def test_costs_are_due_beside_the_debt_and_nothing_is_taken_of_them() -> None:
    with_costs = replace(SATURDAY, costs=45_90)

    late = due(with_costs, date(2026, 11, 5))

    assert late.total_due == 1_284_58 + 45_90
    assert (late.fine, late.interest, late.costs) == (25_00, 9_58, 45_90)


def test_costs_that_were_paid_later_were_still_due_before() -> None:
    settled = Settled(costs=45_90)
    credit = Credit(payment_id="pay_1", paid_at=date(2026, 11, 5), settled=settled)
    claim = replace(SATURDAY, credits=(credit,))

    assert due(claim, date(2026, 11, 4)).costs == 45_90
    assert due(claim, date(2026, 11, 5)).costs == 0


offsets = st.integers(-90, 1500)


@given(claims(), offsets, any_rates)
def test_the_components_add_up_to_the_total_and_none_is_negative(
    claim: Claim, days: int, rates: Rates
) -> None:
    amounts = due(claim, claim.effective_due_date + timedelta(days=days), rates)
    parts = (amounts.fine, amounts.interest, amounts.correction)

    assert amounts.total_due == claim.amount + claim.costs + sum(parts) - amounts.discount
    assert min(*parts, amounts.discount) >= 0
    assert amounts.total_due > 0


@pytest.mark.parametrize("principal", [1, 50_00, 80_00])
def test_a_discount_is_less_than_what_is_left_of_the_principal(principal: int) -> None:
    eighty = tier(SUNDAY, DiscountType.AMOUNT, 80_00)
    claim = replace(EARLY, amount=principal, terms=replace(TERMS, discounts=(eighty,)))

    amounts = due(claim, date(2026, 12, 10))

    assert (amounts.discount, amounts.total_due) == (principal - 1, 1)
    assert due(replace(claim, amount=0), date(2026, 12, 10)).total_due == 0


@given(claims(), offsets, st.integers(0, 400), rising_rates)
def test_a_debt_never_gets_smaller_by_waiting(
    claim: Claim, days: int, more: int, rates: Rates
) -> None:
    day = claim.effective_due_date + timedelta(days=days)

    later = due(claim, day + timedelta(days=more), rates)
    assert due(claim, day, rates).total_due <= later.total_due


@given(claims(), offsets, any_rates)
def test_a_discount_and_lateness_never_meet(claim: Claim, days: int, rates: Rates) -> None:
    amounts = due(claim, claim.effective_due_date + timedelta(days=days), rates)

    assert not (amounts.discount and amounts.days_late)
    if not amounts.days_late:
        assert (amounts.fine, amounts.interest, amounts.correction) == (0, 0, 0)


@given(claims(), offsets)
def test_the_rounding_mode_moves_a_component_only_on_an_exact_tie(claim: Claim, days: int) -> None:
    day = claim.effective_due_date + timedelta(days=days)
    one_tier = replace(claim.terms, discounts=claim.terms.discounts[:1])
    even, up = (
        due(replace(claim, terms=replace(one_tier, rounding_mode=mode)), day)
        for mode in RoundingMode
    )

    for left, right in zip(even.memory, up.memory, strict=True):
        assert left.exact == right.exact
        if left.rounded != right.rounded:
            assert left.exact % 1 == Fraction(1, 2)
