"""How indexes and the legal rate grow on a late debt: month by month, as they are published."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.amounts import Amounts, Claim, amounts_of, still_due
from domain.dunning.calendar import months_after
from domain.dunning.components import Component, ComponentName
from domain.dunning.correction import CorrectionIndex
from domain.dunning.ledger import Settled
from domain.dunning.rates import RateCode, Rates
from domain.dunning.terms import InterestMode
from tests.unit.domain.claims import NOTHING_ADDED, TERMS, monthly, paid, settled_by

AUGUST = date(2026, 8, 1)
# As in life: each month's index appears about ten days after its end.
IPCA = Rates(monthly(RateCode.IPCA, AUGUST, ["0.48", "0.20", "0.33"], published_after=40))
CORRECTED = Claim(
    amount=1_000_00,
    effective_due_date=date(2026, 8, 5),
    terms=replace(NOTHING_ADDED, correction_index=CorrectionIndex.IPCA),
)
THREE_MONTHS = date(2026, 11, 10)
LEGAL = Rates(monthly(RateCode.TAXA_LEGAL, date(2026, 10, 1), ["0.62", "0.75", "0.90"]))
UNWRITTEN = Claim(
    amount=1_250_00,
    effective_due_date=date(2026, 10, 13),
    terms=replace(NOTHING_ADDED, interest_mode=InterestMode.LEGAL_RATE),
)


def line(amounts: Amounts, name: ComponentName) -> Component:
    (found,) = (component for component in amounts.memory if component.name is name)
    return found


def test_example_11_correction() -> None:
    amounts = amounts_of(CORRECTED, THREE_MONTHS, IPCA)

    correction = line(amounts, ComponentName.CORRECTION)
    assert correction.exact == 1_000_00 * (
        Fraction("1.0048") * Fraction("1.0020") * Fraction("1.0033") - 1
    )
    assert (amounts.correction, amounts.total_due) == (10_13, 1_010_13)
    assert [(step.since, step.until, step.share) for step in correction.steps] == [
        (date(2026, 8, 5), date(2026, 9, 5), Fraction(48, 10_000)),
        (date(2026, 9, 5), date(2026, 10, 5), Fraction(20, 10_000)),
        (date(2026, 10, 5), date(2026, 11, 5), Fraction(33, 10_000)),
    ]


def test_only_full_months_are_corrected() -> None:
    known = Rates(monthly(RateCode.IPCA, AUGUST, ["0.48"], published_after=0))

    assert amounts_of(CORRECTED, date(2026, 9, 4), known).memory == ()
    assert amounts_of(CORRECTED, date(2026, 9, 5), known).correction == 4_80


@pytest.mark.parametrize("day", [29, 30, 31])
def test_each_month_counts_once_for_a_debt_of_the_end_of_january(day: int) -> None:
    percents = [f"{place}.00" for place in range(1, 13)]
    known = Rates(monthly(RateCode.IPCA, date(2027, 1, 1), percents))
    claim = replace(CORRECTED, effective_due_date=date(2027, 1, day))

    correction = line(amounts_of(claim, date(2028, 2, 1), known), ComponentName.CORRECTION)

    assert [step.share for step in correction.steps] == [
        Fraction(place, 100) for place in range(1, 13)
    ]
    assert correction.steps[1].since == correction.steps[0].until == date(2027, 3, 1)


def test_an_index_counts_from_the_day_on_which_it_was_published() -> None:
    before = amounts_of(CORRECTED, date(2026, 11, 9), IPCA)

    assert (before.correction, line(before, ComponentName.CORRECTION).note) == (
        6_81,
        "rate_not_loaded",
    )
    assert line(before, ComponentName.CORRECTION).steps[-1].share is None
    assert line(amounts_of(CORRECTED, THREE_MONTHS, IPCA), ComponentName.CORRECTION).note is None


def test_a_month_that_is_not_loaded_counts_as_nothing_and_the_others_count() -> None:
    gap = Rates(monthly(RateCode.IPCA, AUGUST, ["0.48", None, "0.33"], published_after=40))

    amounts = amounts_of(CORRECTED, THREE_MONTHS, gap)

    correction = line(amounts, ComponentName.CORRECTION)
    assert (amounts.correction, correction.note) == (8_12, "rate_not_loaded")
    assert [step.share for step in correction.steps] == [
        Fraction(48, 10_000),
        None,
        Fraction(33, 10_000),
    ]


def test_prices_that_fall_are_made_up_for_but_the_debt_stays_at_its_nominal_value() -> None:
    falling = Rates(monthly(RateCode.IPCA, AUGUST, ["-0.50", "-0.10", "0.80"]))

    first, second, third = (
        amounts_of(CORRECTED, months_after(date(2026, 8, 5), months), falling)
        for months in (1, 2, 3)
    )

    assert (first.correction, first.total_due) == (0, 1_000_00)
    assert (second.correction, second.total_due) == (0, 1_000_00)
    # 0.995 x 0.999 x 1.008 = 1.00195704
    assert third.correction == 1_96


def test_whoever_paid_all_before_an_index_appeared_owes_nothing_when_it_does() -> None:
    the_day_before = date(2026, 11, 9)
    whole = still_due(CORRECTED, the_day_before, IPCA).total_due

    claim = paid(CORRECTED, whole, the_day_before, IPCA)

    assert whole == 1_006_81
    assert amounts_of(claim, THREE_MONTHS, IPCA).total_due == 0


def test_an_index_that_appears_after_a_payment_counts_on_what_it_left() -> None:
    claim = paid(CORRECTED, 506_81, date(2026, 11, 9), IPCA)

    left = amounts_of(claim, THREE_MONTHS, IPCA)

    assert (left.principal_outstanding, left.correction) == (500_00, 1_65)


def test_fine_and_interest_on_the_corrected_debt_with_a_partial_payment() -> None:
    claim = replace(
        CORRECTED,
        terms=replace(TERMS, correction_index=CorrectionIndex.IPCA, charges_on_corrected=True),
    )
    paid_on = date(2026, 10, 15)

    before = amounts_of(claim, paid_on, IPCA)
    claim = paid(claim, 500_00, paid_on, IPCA)
    left = amounts_of(claim, THREE_MONTHS, IPCA)

    # The base is 1 006.81; 71 days of it bear 23.8278.
    assert (before.correction, before.fine, before.interest) == (6_81, 20_14, 23_83)
    assert claim.credits[0].settled == Settled(
        interest=23_83, fine=20_14, correction=6_81, principal=449_22
    )
    # 550.78 x 0.33 % = 1.8176; 26 days of 552.60 bear 4.7892.
    assert (left.principal_outstanding, left.correction) == (550_78, 1_82)
    assert (left.fine, left.interest, left.total_due) == (0, 4_79, 557_39)


def test_the_fine_on_a_corrected_debt_stays_what_it_was_at_the_first_late_payment() -> None:
    claim = replace(
        CORRECTED,
        terms=replace(TERMS, correction_index=CorrectionIndex.IPCA, charges_on_corrected=True),
    )
    once = paid(claim, 1, date(2026, 9, 1), IPCA)

    assert amounts_of(claim, THREE_MONTHS, IPCA).fine == 20_20
    assert amounts_of(once, THREE_MONTHS, IPCA).fine == 20_00


def test_part_of_a_correction_may_be_settled_and_the_rest_is_corrected_on() -> None:
    claim = paid(CORRECTED, 3_00, date(2026, 9, 10), IPCA)

    assert claim.credits[0].settled == Settled(correction=3_00)
    assert amounts_of(claim, date(2026, 9, 10), IPCA).correction == 1_80
    # (1 000 + 1.80) x 0.20 % = 2.0036
    assert amounts_of(claim, date(2026, 10, 11), IPCA).correction == 1_80 + 2_00


def test_the_legal_rate_counts_by_the_calendar_days_of_each_month() -> None:
    amounts = amounts_of(UNWRITTEN, date(2026, 12, 5), LEGAL)

    interest = line(amounts, ComponentName.INTEREST)
    assert interest.exact == 1_250_00 * (
        Fraction("0.0062") * 18 / 31 + Fraction("0.0075") + Fraction("0.0090") * 5 / 31
    )
    assert [(step.until, step.days) for step in interest.steps] == [
        (date(2026, 10, 31), 18),
        (date(2026, 11, 30), 30),
        (date(2026, 12, 5), 5),
    ]
    assert (interest.days, interest.rate, interest.note) == (53, None, None)
    assert amounts.interest == 15_69


@pytest.mark.parametrize(
    ("due", "on", "days"),
    [
        (date(2026, 10, 30), date(2026, 10, 31), [1]),
        (date(2026, 10, 31), date(2026, 11, 1), [1]),
        (date(2026, 10, 30), date(2026, 11, 1), [1, 1]),
        (date(2026, 9, 30), date(2026, 10, 31), [31]),
    ],
)
def test_the_day_after_the_due_date_is_the_first_that_bears_the_rate_of_its_month(
    due: date, on: date, days: list[int]
) -> None:
    amounts = amounts_of(replace(UNWRITTEN, effective_due_date=due), on, LEGAL)

    assert [step.days for step in line(amounts, ComponentName.INTEREST).steps] == days


def test_a_legal_rate_that_is_not_loaded_counts_as_nothing_and_is_noted() -> None:
    gap = Rates(monthly(RateCode.TAXA_LEGAL, date(2026, 10, 1), ["0.62", None, "0.90"]))

    amounts = amounts_of(UNWRITTEN, date(2026, 12, 5), gap)

    interest = line(amounts, ComponentName.INTEREST)
    assert interest.exact == 1_250_00 * (Fraction("0.0062") * 18 / 31 + Fraction("0.009") * 5 / 31)
    assert (interest.note, interest.days) == ("rate_not_loaded", 53)
    assert [step.share is None for step in interest.steps] == [False, True, False]


def test_a_rate_that_was_published_after_the_day_asked_is_not_known_on_it() -> None:
    late = Rates(
        monthly(RateCode.TAXA_LEGAL, date(2026, 10, 1), ["0.62", "0.75"], published_after=2)
    )

    before = amounts_of(UNWRITTEN, date(2026, 11, 2), late)
    after = amounts_of(UNWRITTEN, date(2026, 11, 3), late)

    assert before.interest == round(1_250_00 * Fraction("0.0062") * 18 / 31) == 4_50
    assert line(before, ComponentName.INTEREST).note == "rate_not_loaded"
    assert after.interest == 4_50 + round(1_250_00 * Fraction("0.0075") * 3 / 30)
    assert line(after, ComponentName.INTEREST).note is None


def test_a_legal_rate_that_appears_after_a_payment_counts_on_what_it_left() -> None:
    late = Rates(
        monthly(RateCode.TAXA_LEGAL, date(2026, 10, 1), ["0.62", "0.75"], published_after=2)
    )
    claim = paid(UNWRITTEN, 254_50, date(2026, 11, 2), late)

    assert claim.credits[0].settled == Settled(interest=4_50, principal=250_00)
    assert amounts_of(claim, date(2026, 11, 3), late).interest == 75


def test_a_debt_without_a_principal_grows_no_more_even_if_interest_is_owed_again() -> None:
    claim = replace(UNWRITTEN, terms=TERMS)
    interest_only = settled_by(claim, 10, date(2026, 10, 20))
    first = paid(claim, 10, date(2026, 10, 20))
    whole = paid(first, still_due(first, date(2026, 11, 5), LEGAL).total_due, date(2026, 11, 5))

    reopened = replace(whole, credits=whole.credits[1:])

    assert interest_only == Settled(interest=10)
    for on in (date(2026, 11, 5), date(2027, 11, 5)):
        assert amounts_of(reopened, on, LEGAL).total_due == 10


@given(st.dates(date(2026, 1, 1), date(2027, 12, 31)), st.integers(1, 11))
def test_each_full_month_counts_once_and_under_its_own_name(due: date, months: int) -> None:
    first = due.replace(day=1)
    known = Rates(monthly(RateCode.IPCA, first, [f"{place}.00" for place in range(1, 13)]))
    claim = replace(CORRECTED, effective_due_date=due)

    amounts = amounts_of(claim, months_after(due, months), known)

    steps = line(amounts, ComponentName.CORRECTION).steps
    assert [step.share for step in steps] == [
        Fraction(place, 100) for place in range(1, months + 1)
    ]
