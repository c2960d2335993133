"""The money of the demo: real to the cent, and of every kind."""

from collections import Counter
from datetime import timedelta

from adapters.persistence.demo import DemoOrganization
from domain.dunning.amounts import Claim, still_due
from domain.dunning.charges import Charge
from domain.dunning.payments import Payment, PaymentMethod, PaymentStatus, ReversalReason
from domain.dunning.rates import NO_RATES
from entrypoints.seed.growth import grown
from entrypoints.seed.rates import SAMPLE_RATES
from entrypoints.seed.timeline import TODAY
from entrypoints.seed.totals import totals_of
from tests.unit.seed.conftest import ISSUER, SYSTEM_NOW


def reversed_ones(demo: DemoOrganization) -> list[Payment]:
    return [one for one in demo.payments if one.status is PaymentStatus.REVERSED]


def without_later(charge: Charge, number: int) -> Claim:
    """The debt as it was before its credit with this number."""
    return Claim(
        amount=charge.amount,
        effective_due_date=charge.effective_due_date,
        terms=charge.terms,
        credits=charge.credits[:number],
    )


def test_what_came_is_what_charges_were_paid_and_what_is_left_as_credit(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for one in demo:
        totals = totals_of(one)
        assert totals.received == sum(charge.paid for charge in one.charges) + totals.credit


def test_every_confirmed_payment_is_on_its_charges_and_no_other_is(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for one in demo:
        given = {
            (payment.id, payment.paid_at, allocation.charge_id, allocation.settled)
            for payment in one.payments
            if payment.status is PaymentStatus.CONFIRMED
            for allocation in payment.allocations
        }
        taken = {
            (credit.payment_id, credit.paid_at, charge.id, credit.settled)
            for charge in one.charges
            for credit in charge.credits
        }
        assert given == taken


def test_the_parts_of_a_payment_add_up_to_it(demo: tuple[DemoOrganization, ...]) -> None:
    for payment in (payment for one in demo for payment in one.payments):
        money = sum(allocation.settled.money for allocation in payment.allocations)
        assert money + payment.unallocated_amount == payment.amount


def test_a_debtors_credit_is_what_settled_nothing_less_what_was_used_of_it(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for one in demo:
        credit: Counter[str] = Counter()
        for payment in one.payments:
            if payment.status is PaymentStatus.CONFIRMED:
                used = payment.amount if payment.is_compensation else 0
                credit[payment.debtor_id] += payment.unallocated_amount - used
        assert {debtor.id: debtor.credit for debtor in one.debtors if debtor.credit} == +credit


def test_the_schools_credits_are_advances_and_an_overpayment(aurora: DemoOrganization) -> None:
    credit = {debtor.external_id: debtor.credit for debtor in aurora.debtors if debtor.credit}
    assert credit == {"A-19": 37_40, "A-20": 250_00, "ALU-004": 120_00, "ALU-010": 180_00}


def test_money_comes_in_every_way_and_boletos_and_cheques_clear_later(
    aurora: DemoOrganization,
) -> None:
    assert {payment.method for payment in aurora.payments} == set(PaymentMethod)
    for payment in aurora.payments:
        clears_later = payment.method in (PaymentMethod.BOLETO, PaymentMethod.CHECK)
        assert (payment.available_at > payment.paid_at) == clears_later
        assert payment.available_at - payment.paid_at <= timedelta(days=7)


def test_some_payments_are_somebody_elses_and_some_have_an_external_id(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for number, one in zip((4, 1), demo, strict=True):
        payers = {payment.payer_name for payment in one.payments if payment.payer_name}
        assert len(payers) == number
        assert payers.isdisjoint(debtor.name for debtor in one.debtors)
        with_payer = [payment for payment in one.payments if payment.payer_name]
        assert all(payment.payer_document for payment in with_payer)
        external_ids = [payment.external_id for payment in one.payments]
        assert None in external_ids
        assert len(set(external_ids) - {None}) > len(external_ids) / 2


def test_what_came_to_nothing_had_been_given_to_a_charge(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for one in demo:
        charges = {charge.id: charge for charge in one.charges}
        for payment in reversed_ones(one):
            assert payment.reversal_note
            (allocation,) = payment.allocations
            credits_left = charges[allocation.charge_id].credits
            assert payment.id not in {credit.payment_id for credit in credits_left}


def test_payments_of_the_school_were_undone_for_every_reason(aurora: DemoOrganization) -> None:
    reasons = Counter(payment.reversal_reason for payment in reversed_ones(aurora))
    assert reasons == {**dict.fromkeys(ReversalReason, 1), ReversalReason.BOUNCED_CHECK: 2}


def test_no_payment_settled_more_than_was_due_on_its_day(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for one in demo:
        for charge in one.charges:
            for number, credit in enumerate(charge.credits):
                before = still_due(without_later(charge, number), credit.paid_at, SAMPLE_RATES)
                assert credit.settled.money <= before.total_due


def test_everything_was_paid_before_the_demo_starts(demo: tuple[DemoOrganization, ...]) -> None:
    assert all(payment.paid_at < TODAY for one in demo for payment in one.payments)


def test_lias_debtors_pay_too(aurora: DemoOrganization) -> None:
    hers = {debtor.id for debtor in aurora.debtors if debtor.assigned_member_id}
    paying = {payment.debtor_id for payment in aurora.payments}
    assert len(hers & paying) == 12


def test_without_rates_the_same_payments_come_and_no_price_index_moves_a_debt() -> None:
    _, pampa = grown(issuer=ISSUER, system_now=SYSTEM_NOW, rates=NO_RATES)
    totals = totals_of(pampa)
    assert totals.payments == 17
    assert totals.received == sum(charge.paid for charge in pampa.charges) + totals.credit
    assert {charge.correction for charge in pampa.charges} == {0}
