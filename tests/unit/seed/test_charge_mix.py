"""How many charges there are, and how late they are on the day the demo starts."""

from collections import Counter
from datetime import date, timedelta

import pytest

from adapters.persistence.demo import DemoOrganization
from domain.dunning.aging import AgingBucket, aging_bucket
from domain.dunning.amounts import amounts_of
from domain.dunning.charge_states import OWED, ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.owed import owed_on
from domain.dunning.rates import NO_RATES
from domain.dunning.terms import InterestMode
from entrypoints.seed.rates import SAMPLE_RATES
from entrypoints.seed.totals import EXPECTED_TOTALS, totals_of

TODAY = date(2026, 12, 1)


def with_status(demo: DemoOrganization, status: ChargeStatus) -> list[Charge]:
    return [charge for charge in demo.charges if charge.status is status]


def test_both_organisations_add_up_to_the_published_totals(
    demo: tuple[DemoOrganization, ...],
) -> None:
    assert tuple(map(totals_of, demo)) == EXPECTED_TOTALS


def test_the_schools_overdue_charges_fill_the_aging_buckets_as_said(
    aurora: DemoOrganization,
) -> None:
    days_late = [
        amounts_of(charge, TODAY, NO_RATES).days_late
        for charge in with_status(aurora, ChargeStatus.OVERDUE)
    ]
    assert Counter(map(aging_bucket, days_late)) == {
        AgingBucket.DAYS_1_15: 14,
        AgingBucket.DAYS_16_30: 10,
        AgingBucket.DAYS_31_60: 10,
        AgingBucket.DAYS_61_90: 8,
        AgingBucket.DAYS_91_180: 6,
        AgingBucket.DAYS_181_360: 3,
        AgingBucket.DAYS_361_PLUS: 1,
    }


def test_the_wholesalers_overdue_charges_fill_the_aging_buckets_as_said(
    pampa: DemoOrganization,
) -> None:
    overdue = with_status(pampa, ChargeStatus.OVERDUE)
    assert Counter(charge.aging_bucket for charge in overdue) == {
        AgingBucket.DAYS_1_15: 4,
        AgingBucket.DAYS_16_30: 3,
        AgingBucket.DAYS_31_60: 3,
        AgingBucket.DAYS_61_90: 2,
        AgingBucket.DAYS_91_180: 1,
        AgingBucket.DAYS_181_360: 1,
    }


def test_eight_of_the_schools_pending_charges_are_due_within_five_days(
    aurora: DemoOrganization,
) -> None:
    last = TODAY + timedelta(days=5)
    due = [charge.due_date for charge in with_status(aurora, ChargeStatus.PENDING)]
    assert min(due) >= TODAY
    assert sum(day <= last for day in due) == 8


def test_one_charge_of_the_school_is_due_on_the_sunday_before_christmas(
    aurora: DemoOrganization,
) -> None:
    (charge,) = (charge for charge in aurora.charges if charge.due_date == date(2026, 12, 20))
    assert charge.amount == 800_00
    assert charge.effective_due_date == date(2026, 12, 21)


def test_every_stored_amount_is_what_terms_payments_and_rates_come_to(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for charge in (charge for one in demo for charge in one.charges):
        amounts = owed_on(charge, charge.amounts_as_of, SAMPLE_RATES)
        stored = (charge.principal_outstanding, charge.fine, charge.interest, charge.correction)
        counted = (amounts.principal_outstanding, amounts.fine, amounts.interest)
        assert stored == (*counted, amounts.correction)
        assert (charge.total_due, charge.amounts_memory) == (amounts.total_due, amounts.memory)
        assert (charge.status in OWED) == (charge.total_due > 0)


def test_what_is_owed_is_stored_as_of_the_day_the_demo_starts(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for charge in (charge for one in demo for charge in one.charges):
        if charge.status in OWED:
            assert charge.amounts_as_of == TODAY
            assert (charge.status is ChargeStatus.PENDING) == (charge.days_late == 0)


def test_of_the_schools_paid_charges_nine_were_late_and_three_of_these_paid_in_parts(
    aurora: DemoOrganization,
) -> None:
    paid = with_status(aurora, ChargeStatus.PAID)
    late = [one for one in paid if one.paid_at is not None and one.paid_at > one.effective_due_date]
    in_parts = [charge for charge in paid if len(charge.credits) > 1]
    assert (len(paid), len(late), len(in_parts)) == (57, 9, 3)
    assert set(in_parts) <= set(late)


def test_what_was_written_off_is_still_owed(demo: tuple[DemoOrganization, ...]) -> None:
    for one in demo:
        for charge in with_status(one, ChargeStatus.WRITTEN_OFF):
            assert charge.written_off_amount
            assert charge.write_off_note
            assert charge.total_due > 0


def test_prices_move_what_the_wholesaler_is_owed(pampa: DemoOrganization) -> None:
    overdue = with_status(pampa, ChargeStatus.OVERDUE)
    modes = {charge.terms.interest_mode for charge in overdue if charge.correction}
    assert modes == {InterestMode.CONTRACT, InterestMode.LEGAL_RATE}


@pytest.mark.parametrize(
    ("number", "fine_percent", "discounts"), [(0, 2_0000, 1), (1, 5_0000, 0)], ids=["A", "B"]
)
def test_ordinary_charges_have_the_terms_of_their_creditors_contract(
    demo: tuple[DemoOrganization, ...], number: int, fine_percent: int, discounts: int
) -> None:
    (invoice,) = (charge for charge in demo[number].charges if charge.external_id == "NF-1001")
    assert invoice.terms.fine_percent == fine_percent
    assert invoice.terms.interest_percent_month == 1_0000
    assert len(invoice.terms.discounts) == discounts


def test_consumers_never_pay_a_fine_above_two_percent(demo: tuple[DemoOrganization, ...]) -> None:
    for one in demo:
        consumers = {debtor.id for debtor in one.debtors if debtor.is_consumer}
        fines = [c.terms.fine_percent for c in one.charges if c.debtor_id in consumers]
        assert max(fines) == 2_0000
