"""What part of a debt is left when part of it was paid: early, late, or in the wrong order."""

from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.amounts import Amounts, Claim, amounts_of, still_due
from domain.dunning.correction import CorrectionIndex
from domain.dunning.ledger import Settled
from domain.dunning.money import RoundingMode
from domain.dunning.rates import NO_RATES, RateCode, Rates
from domain.dunning.terms import DiscountType
from tests.unit.domain.claims import (
    NOTHING_ADDED,
    SEPTEMBER,
    TERMS,
    any_rates,
    claims,
    monthly,
    paid,
    settled_by,
    tier,
    without,
)

LATE = date(2026, 10, 15)
EARLY = Claim(
    amount=800_00,
    effective_due_date=date(2026, 12, 21),
    terms=replace(
        TERMS,
        discounts=(
            tier(date(2026, 12, 10), DiscountType.PERCENT, 10_0000),
            tier(date(2026, 12, 15), DiscountType.PERCENT, 5_0000),
        ),
    ),
)


def due(claim: Claim, on: date) -> Amounts:
    return amounts_of(claim, on, NO_RATES)


def parts(amounts: Amounts) -> tuple[int, int, int, int, int]:
    return (
        amounts.costs,
        amounts.interest,
        amounts.fine,
        amounts.correction,
        amounts.principal_outstanding,
    )


def test_example_5_a_partial_payment() -> None:
    assert parts(due(SEPTEMBER, LATE)) == (0, 6_00, 12_00, 0, 600_00)
    assert settled_by(SEPTEMBER, 200_00, LATE) == Settled(
        interest=6_00, fine=12_00, principal=182_00
    )

    left = due(paid(SEPTEMBER, 200_00, LATE), date(2026, 11, 10))

    assert parts(left) == (0, 3_62, 0, 0, 418_00)
    assert left.total_due == 421_62


def test_example_5_on_the_day_of_the_payment_itself_only_principal_is_left() -> None:
    left = due(paid(SEPTEMBER, 200_00, LATE), LATE)

    assert parts(left) == (0, 0, 0, 0, 418_00)
    assert left.memory == ()


def test_before_the_payment_came_the_whole_was_due() -> None:
    claim = paid(SEPTEMBER, 200_00, LATE)

    assert due(claim, LATE - timedelta(days=1)) == due(SEPTEMBER, LATE - timedelta(days=1))


@pytest.mark.parametrize(
    ("mode", "interest", "left"),
    [(RoundingMode.HALF_EVEN, 2, 66_52), (RoundingMode.HALF_UP, 3, 66_53)],
)
def test_what_a_payment_settles_is_rounded_as_it_was_quoted_and_the_rest_starts_at_zero(
    mode: RoundingMode, interest: int, left: int
) -> None:
    # 1 % of 75.00 for one day is 2.5 cents.
    claim = replace(SEPTEMBER, amount=75_00, terms=replace(TERMS, rounding_mode=mode))

    settled = settled_by(claim, 10_00, date(2026, 9, 16))

    assert settled == Settled(interest=interest, fine=1_50, principal=75_00 - left)
    later = due(paid(claim, 10_00, date(2026, 9, 16)), date(2026, 9, 17))
    (line,) = later.memory
    assert (line.base, line.days, line.exact) == (left, 1, Fraction(left, 3000))
    assert later.fine == 0


@pytest.mark.parametrize(
    ("mode", "fine"), [(RoundingMode.HALF_EVEN, 2_24), (RoundingMode.HALF_UP, 2_25)]
)
def test_a_fine_is_rounded_once_whatever_was_paid_of_it(mode: RoundingMode, fine: int) -> None:
    claim = replace(SEPTEMBER, amount=112_25, terms=replace(TERMS, rounding_mode=mode))
    day = date(2026, 9, 16)

    once = paid(claim, 1_00, day)
    twice = paid(once, 50, day)

    assert due(claim, day).fine == fine
    # Four cents of interest come first.
    assert due(once, day).fine == fine - 96
    assert due(twice, day).fine == fine - 96 - 50


def test_a_fraction_of_a_cent_is_kept_while_nothing_of_it_is_settled() -> None:
    # A third of a cent a day: the day's payment finds nothing to settle but the fine.
    claim = replace(SEPTEMBER, amount=10_00)
    for day in (16, 17):
        claim = paid(claim, 1, date(2026, 9, day))

    assert [credit.settled for credit in claim.credits] == [Settled(fine=1), Settled(interest=1)]


def test_edge_case_21_less_than_the_interest_goes_all_to_interest_which_bears_none() -> None:
    claim = paid(SEPTEMBER, 4_00, LATE)

    assert claim.credits[0].settled == Settled(interest=4_00)
    assert parts(due(claim, LATE)) == (0, 2_00, 12_00, 0, 600_00)
    assert due(claim, LATE + timedelta(days=15)).interest == 2_00 + 3_00


def test_an_early_part_gets_no_discount() -> None:
    claim = paid(EARLY, 300_00, date(2026, 12, 1))

    assert claim.credits[0].settled == Settled(principal=300_00)


@pytest.mark.parametrize(
    ("on", "discount", "total"),
    [
        (date(2026, 12, 10), 50_00, 450_00),
        (date(2026, 12, 15), 25_00, 475_00),
        (date(2026, 12, 16), 0, 500_00),
        (date(2026, 12, 21), 0, 500_00),
        (date(2026, 12, 22), 0, 510_17),
    ],
)
def test_whoever_completes_within_a_tier_gets_its_discount_on_what_was_left(
    on: date, discount: int, total: int
) -> None:
    claim = paid(EARLY, 300_00, date(2026, 12, 1))

    assert (due(claim, on).discount, due(claim, on).total_due) == (discount, total)
    completed = paid(claim, total, on)
    assert completed.credits[1].settled.money == total
    assert completed.credits[1].settled.discount == discount
    assert due(completed, on).total_due == due(completed, date(2027, 12, 21)).total_due == 0


def test_on_the_effective_due_date_the_debt_is_paid_at_its_nominal_value() -> None:
    on_time = SEPTEMBER.effective_due_date

    assert settled_by(SEPTEMBER, 600_00, on_time) == Settled(principal=600_00)
    assert due(paid(SEPTEMBER, 600_00, on_time), LATE).total_due == 0


def test_the_fine_is_taken_of_what_was_owed_at_the_end_of_the_effective_due_date() -> None:
    claim = paid(SEPTEMBER, 200_00, SEPTEMBER.effective_due_date)

    assert parts(due(claim, LATE)) == (0, 4_00, 8_00, 0, 400_00)


def test_a_payment_of_before_the_due_date_that_is_recorded_late_lowers_fine_and_interest() -> None:
    assert due(SEPTEMBER, LATE).fine == 12_00

    claim = paid(SEPTEMBER, 200_00, date(2026, 9, 10))

    assert claim.credits[0].settled == Settled(principal=200_00)
    assert parts(due(claim, LATE)) == (0, 4_00, 8_00, 0, 400_00)


def test_a_payment_of_before_a_recorded_one_settles_no_more_than_both_have_left() -> None:
    claim = paid(SEPTEMBER, 200_00, LATE)
    earlier = date(2026, 9, 25)

    assert parts(still_due(claim, earlier, NO_RATES)) == (0, 0, 0, 0, 418_00)
    both = paid(claim, 250_00, earlier)

    # Interest of 6.00 was settled by the later one; with the earlier one only 4.33 had arisen.
    assert both.credits[1].settled == Settled(principal=250_00)
    assert parts(due(both, LATE)) == (0, 0, 0, 0, 168_00)


def test_interest_that_was_settled_too_early_counts_towards_what_arises_later() -> None:
    both = paid(paid(SEPTEMBER, 200_00, LATE), 250_00, date(2026, 9, 25))

    # 168.00 bear 5.6 cents a day; 1.6667 of them have been settled.
    assert due(both, LATE + timedelta(days=29)).interest == 0
    assert due(both, LATE + timedelta(days=46)).interest == 91


def test_a_payment_of_before_a_recorded_one_may_settle_all_that_is_left() -> None:
    claim = paid(paid(SEPTEMBER, 200_00, LATE), 418_00, date(2026, 9, 25))

    assert due(claim, LATE).total_due == due(claim, date(2027, 9, 25)).total_due == 0


def test_a_payment_in_time_that_is_recorded_after_a_late_one_doubles_nothing() -> None:
    claim = paid(SEPTEMBER, 200_00, LATE)

    both = paid(claim, 100_00, date(2026, 9, 10))

    assert both.credits[1].settled == Settled(principal=100_00)
    # Fine 10.00 and interest 5.00 would have been due: less than the 12.00 and 6.00 settled.
    assert parts(due(both, LATE)) == (0, 0, 0, 0, 318_00)


@pytest.mark.parametrize(
    ("due_again", "interest"),
    # 46 days of 418.00 are 6.41, 48 with two of 600.00 are 6.81: 6.00 of them are settled.
    [(date(2026, 10, 13), 81), (LATE, 41), (date(2026, 10, 31), 0)],
)
def test_interest_that_was_settled_before_respite_counts_towards_what_arises_after_it(
    due_again: date, interest: int
) -> None:
    claim = replace(paid(SEPTEMBER, 200_00, LATE), effective_due_date=due_again)

    assert parts(due(claim, date(2026, 11, 30))) == (0, interest, 0, 0, 418_00)


def test_correction_that_was_settled_before_respite_counts_towards_what_arises_after_it() -> None:
    terms = replace(NOTHING_ADDED, correction_index=CorrectionIndex.IPCA)
    rates = Rates(monthly(RateCode.IPCA, date(2026, 9, 1), ["1", "1", "1"]))
    claim = paid(replace(SEPTEMBER, terms=terms), 200_00, LATE, rates)
    assert claim.credits[0].settled == Settled(correction=6_00, principal=194_00)

    given_time = replace(claim, effective_due_date=LATE)

    # A month of 400.00 and one of 404.00 are 8.04, of which 6.00 are settled.
    assert parts(amounts_of(given_time, date(2026, 11, 15), rates)) == (0, 0, 0, 0, 406_00)
    assert amounts_of(given_time, date(2026, 12, 15), rates).correction == 2_04


def test_without_a_payment_again_due_is_what_it_had_settled() -> None:
    first = paid(SEPTEMBER, 200_00, LATE)
    second = paid(first, 100_00, date(2026, 11, 10))

    assert due(without(second, "pay_1"), date(2026, 12, 1)) == due(first, date(2026, 12, 1))
    reopened = due(without(second, "pay_0"), date(2026, 11, 10))
    # 56 days of 600.00 are 11.20, of which the second payment had settled 3.62.
    assert parts(reopened) == (0, 11_20 - 3_62, 12_00, 0, 600_00 - 96_38)


def test_costs_come_first_and_bear_nothing() -> None:
    claim = replace(SEPTEMBER, costs=45_90)

    settled = settled_by(claim, 60_00, LATE)

    assert settled == Settled(costs=45_90, interest=6_00, fine=8_10)
    assert parts(due(paid(claim, 60_00, LATE), LATE)) == (0, 0, 3_90, 0, 600_00)


def test_edge_case_26_a_debt_of_more_than_five_years_is_still_paid_in_full() -> None:
    prescribed = date(2031, 9, 16)
    amounts = due(SEPTEMBER, prescribed)

    assert amounts.days_late == 1827
    assert settled_by(SEPTEMBER, amounts.total_due, prescribed).money == amounts.total_due
    assert due(paid(SEPTEMBER, amounts.total_due, prescribed), prescribed).total_due == 0


payments = st.lists(st.tuples(st.integers(1, 1_500), st.integers(-70, 900)), min_size=1, max_size=5)


def last_day(claim: Claim) -> date:
    """The day of the latest payment."""
    return max(credit.paid_at for credit in claim.credits)


def after(claim: Claim, made: list[tuple[int, int]], rates: Rates) -> Claim:
    """The debt after payments: thousandths of the amount, and days from the due date."""
    for thousandths, days in made:
        day = claim.effective_due_date + timedelta(days=days)
        if still_due(claim, day, rates).total_due > 0:
            claim = paid(claim, max(1, claim.amount * thousandths // 1000), day, rates)
        if claim.credits and not amounts_of(claim, last_day(claim), rates).total_due:
            return claim
    return claim


@given(claims(), payments, any_rates, st.integers(-90, 1500))
def test_payments_in_any_order_leave_nothing_negative_and_settle_no_principal_twice(
    claim: Claim, made: list[tuple[int, int]], rates: Rates, days: int
) -> None:
    left = after(claim, made, rates)
    amounts = amounts_of(left, claim.effective_due_date + timedelta(days=days), rates)

    assert min(*parts(amounts), amounts.discount, amounts.total_due) >= 0
    assert left.costs >= 0
    assert sum(credit.settled.principal for credit in left.credits) <= claim.amount
    assert sum(parts(amounts)) - amounts.discount == amounts.total_due


@given(claims(), payments, any_rates, st.integers(0, 400))
def test_whoever_pays_all_that_is_still_due_owes_nothing_ever_again(
    claim: Claim, made: list[tuple[int, int]], rates: Rates, more: int
) -> None:
    """Whatever the order in which payments are recorded."""
    left = after(claim, made[:-1], rates)
    day = claim.effective_due_date + timedelta(days=made[-1][1])
    whole = still_due(left, day, rates).total_due
    if whole <= 0:
        return

    done = paid(left, whole, day, rates)

    assert done.credits[-1].settled.money == whole
    assert amounts_of(done, last_day(done) + timedelta(days=more), rates).total_due == 0


@given(claims(), payments, any_rates)
def test_a_discount_is_only_for_whoever_leaves_nothing(
    claim: Claim, made: list[tuple[int, int]], rates: Rates
) -> None:
    left = after(claim, made, rates)

    for credit in left.credits[:-1]:
        assert credit.settled.discount == credit.settled.tolerance == 0
    last = left.credits[-1].settled
    if last.discount or last.tolerance:
        assert sum(credit.settled.principal for credit in left.credits) == claim.amount
    assert last.tolerance <= claim.terms.settlement_tolerance
