"""Where money goes: in one charge by CC art. 354, over several by CC art. 352 and 355."""

from datetime import date, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.allocation import distribute, oldest_first, settle
from domain.dunning.amounts import Amounts, Claim, still_due
from domain.dunning.charge_acts import CancelReason, WriteOffReason
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.components import Component, ComponentName
from domain.dunning.ledger import Settled
from domain.dunning.rates import NO_RATES, Rates
from domain.dunning.terms import RequestedTerms
from tests.unit.domain.builders import a_charge, on, receive
from tests.unit.domain.claims import any_rates, claims

NOVEMBER = date(2026, 11, 25)
LATE = date(2026, 11, 5)


def two_charges() -> tuple[Charge, Charge]:
    """X and Y of example 6, overdue."""
    x = a_charge(charge_id="chg_x", amount=300_00, due_date=date(2026, 10, 5))
    y = a_charge(charge_id="chg_y", amount=450_00, due_date=date(2026, 11, 5))
    for charge in (x, y):
        charge.reprice(NOVEMBER, NO_RATES)
        charge.mark_overdue(on(NOVEMBER))
    return x, y


def test_example_6_one_payment_for_two_charges() -> None:
    x, y = two_charges()
    assert (x.fine, x.interest, x.total_due) == (6_00, 5_10, 311_10)
    assert (y.fine, y.interest, y.total_due) == (9_00, 3_00, 462_00)

    given = receive(500_00, oldest_first([y, x], NOVEMBER), on(NOVEMBER))

    assert [(share.charge.id, share.settled) for share in given.shares] == [
        ("chg_x", Settled(interest=5_10, fine=6_00, principal=300_00)),
        ("chg_y", Settled(interest=3_00, fine=9_00, principal=176_90)),
    ]
    assert given.left == 0
    assert (x.status, x.total_due, x.paid) == (ChargeStatus.PAID, 0, 311_10)
    assert (y.status, y.fine, y.total_due, y.paid) == (
        ChargeStatus.OVERDUE,
        0,
        273_10,
        188_90,
    )


def test_the_debtors_indication_comes_before_the_age_of_a_debt() -> None:
    x, y = two_charges()

    given = receive(500_00, [y, x], on(NOVEMBER))

    assert [share.charge.id for share in given.shares] == ["chg_y", "chg_x"]
    assert (y.status, x.principal_outstanding) == (ChargeStatus.PAID, 300_00 + 11_10 - 38_00)


def test_edge_case_22_three_cents_too_much_are_left() -> None:
    charge = a_charge(on(LATE), issue_date=date(2026, 9, 1))

    given = receive(charge.total_due + 3, [charge], on(LATE))

    assert given.left == 3
    assert charge.status is ChargeStatus.PAID
    assert charge.credits[0].settled.tolerance == 0


@pytest.mark.parametrize("short", [1, 3, 5])
def test_edge_case_22_three_cents_too_little_are_forgiven(short: int) -> None:
    charge = a_charge(on(LATE), issue_date=date(2026, 9, 1))
    whole = charge.total_due

    given = receive(whole - short, [charge], on(LATE))

    assert given.left == 0
    assert (charge.status, charge.total_due, charge.paid) == (ChargeStatus.PAID, 0, whole - short)
    assert charge.credits[0].settled.tolerance == short
    assert charge.credits[0].settled.total == whole


def test_a_residual_above_the_tolerance_stays_owed() -> None:
    charge = a_charge(on(LATE), issue_date=date(2026, 9, 1))

    receive(charge.total_due - 6, [charge], on(LATE))

    assert (charge.status, charge.total_due) == (ChargeStatus.OVERDUE, 6)
    assert charge.credits[0].settled.tolerance == 0


def test_tolerance_and_discount_are_no_money() -> None:
    discount = amounts(principal=100_00, discount=10_00)

    settled = settle(89_97, discount, 5)

    assert settled == Settled(principal=100_00, discount=10_00, tolerance=3)
    assert settled is not None
    assert settled.money == 89_97


def test_nothing_is_settled_where_nothing_is_due_and_where_no_money_is() -> None:
    assert settle(100, amounts(principal=0), 5) is None
    assert settle(0, amounts(principal=3), 5) is None


def test_money_that_no_charge_takes_is_left() -> None:
    x, y = two_charges()

    assert distribute(100, NOVEMBER, [], NO_RATES).left == 100
    assert receive(1_000_00, [x, y], on(NOVEMBER)).left == 1_000_00 - 311_10 - 462_00


def test_only_overdue_debts_that_may_be_paid_get_money_without_an_indication() -> None:
    overdue, given_up, canceled, renegotiated, paid = (
        a_charge(charge_id=f"chg_{number}", due_date=date(2026, 10, 5)) for number in range(5)
    )
    for charge in (given_up, canceled, renegotiated, paid):
        charge.reprice(NOVEMBER, NO_RATES)
        charge.mark_overdue(on(NOVEMBER))
    given_up.write_off(WriteOffReason.COMMERCIAL, "Sem resposta", on(NOVEMBER), NO_RATES)
    canceled.cancel(CancelReason.DUPLICATE, None, on(NOVEMBER))
    renegotiated.status = ChargeStatus.RENEGOTIATED
    receive(paid.total_due, [paid], on(NOVEMBER))
    not_due = a_charge(charge_id="chg_9", due_date=NOVEMBER + timedelta(days=10))

    chosen = oldest_first([not_due, paid, renegotiated, canceled, given_up, overdue], NOVEMBER)

    assert [charge.id for charge in chosen] == ["chg_0", "chg_1"]


def test_of_debts_of_one_day_the_costlier_comes_first_then_the_smaller_id() -> None:
    def a_debt(charge_id: str, fine: int, interest: int) -> Charge:
        terms = RequestedTerms(fine_percent=fine, interest_percent_month=interest)
        return a_charge(charge_id=charge_id, due_date=date(2026, 10, 5), terms=terms)

    mild = a_debt("chg_1", 2_0000, 5000)
    second, first = a_debt("chg_3", 2_0000, 1_0000), a_debt("chg_2", 2_0000, 1_0000)
    low_fine = a_debt("chg_0", 1_0000, 1_0000)

    chosen = oldest_first([mild, low_fine, second, first], NOVEMBER)

    assert chosen == [first, second, low_fine, mild]


def test_edge_case_26_a_prescribed_debt_is_paid_by_whoever_names_it() -> None:
    charge = a_charge()
    after_five_years = date(2031, 10, 13)
    charge.mark_overdue(on(after_five_years))
    charge.reprice(after_five_years, NO_RATES)
    assert after_five_years > charge.prescription_date

    assert oldest_first([charge], after_five_years) == []
    receive(charge.total_due, [charge], on(after_five_years))

    assert charge.status is ChargeStatus.PAID


def amounts(*, principal: int, costs: int = 0, **added: int) -> Amounts:
    """An amount due whose lines are what is said."""
    return Amounts(
        as_of=LATE,
        effective_due_date=LATE,
        days_late=0,
        principal_outstanding=principal,
        costs=costs,
        memory=tuple(
            Component(
                name=ComponentName(name),
                base=principal,
                rate=None,
                days=None,
                exact=Fraction(cents),
                rounded=cents,
            )
            for name, cents in added.items()
        ),
    )


some_cents = st.integers(0, 100_00)


@given(
    st.builds(
        lambda principal, costs, fine, interest, correction: amounts(
            principal=principal, costs=costs, fine=fine, interest=interest, correction=correction
        ),
        some_cents,
        some_cents,
        some_cents,
        some_cents,
        some_cents,
    ),
    st.integers(1, 600_00),
    st.integers(0, 5_00),
)
def test_costs_interest_fine_correction_and_principal_are_settled_in_this_order(
    due: Amounts, money: int, tolerance: int
) -> None:
    settled = settle(money, due, tolerance)

    if not due.total_due:
        assert settled is None
        return
    assert settled is not None
    pairs = [
        (due.costs, settled.costs),
        (due.interest, settled.interest),
        (due.fine, settled.fine),
        (due.correction, settled.correction),
        (due.principal_outstanding, settled.principal),
    ]
    assert all(0 <= part <= owed for owed, part in pairs)
    is_short = [part < owed for owed, part in pairs]
    first_short = is_short.index(True) if True in is_short else len(pairs)
    assert not any(part for _, part in pairs[first_short + 1 :])
    assert settled.money == min(money, due.total_due)


@given(claims(), st.integers(-70, 900), st.integers(-600, 600), any_rates)
def test_tolerance_is_for_a_residual_within_it_and_a_discount_for_who_pays_the_rest(
    claim: Claim, days: int, more: int, rates: Rates
) -> None:
    due = still_due(claim, claim.effective_due_date + timedelta(days=days), rates)
    tolerance = claim.terms.settlement_tolerance
    money = max(1, due.total_due + more)

    settled = settle(money, due, tolerance)

    assert settled is not None
    residual = max(0, due.total_due - money)
    if residual <= tolerance:
        assert (settled.tolerance, settled.discount) == (residual, due.discount)
        assert settled.principal == claim.amount
    else:
        assert (settled.tolerance, settled.discount) == (0, 0)
        assert settled.principal < claim.amount
