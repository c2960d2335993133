"""Whatever happens to a debtor's charges, no cent appears or is lost."""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
)

from domain.dunning.allocation import PAYABLE, Distribution, oldest_first
from domain.dunning.amounts import Amounts, Claim, amounts_of, still_due
from domain.dunning.calendar import NATIONAL_WIDE
from domain.dunning.charge_acts import CancelReason, WriteOffReason
from domain.dunning.charge_states import OWED, ChargeStatus
from domain.dunning.charges import Charge, CreditorRules
from domain.dunning.correction import CorrectionIndex
from domain.dunning.ledger import Settled
from domain.dunning.money import RoundingMode
from domain.dunning.organization_settings import Settings
from domain.dunning.rates import Rates
from domain.dunning.terms import DiscountType, InterestMode, RequestedDiscount, RequestedTerms
from tests.unit.domain.builders import NEW_CHARGE, TODAY, a_debtor, on, receive
from tests.unit.domain.claims import any_rates

MOST_CHARGES = 4
DEBTOR = a_debtor()

a_discount = st.builds(
    RequestedDiscount,
    days_before=st.integers(0, 60),
    type=st.just(DiscountType.PERCENT),
    value=st.sampled_from([Decimal("2.5"), Decimal(10), Decimal("33.3333")]),
)


@st.composite
def wanted_terms(draw: st.DrawFn) -> RequestedTerms:
    mode = draw(st.sampled_from(InterestMode))
    has_rate = mode is InterestMode.CONTRACT
    return RequestedTerms(
        fine_percent=draw(st.sampled_from([0, 1_3333, 2_0000])),
        interest_mode=mode,
        interest_percent_month=draw(st.sampled_from([0, 3333, 1_0000])) if has_rate else None,
        correction_index=draw(st.sampled_from(CorrectionIndex)),
        charges_on_corrected=draw(st.booleans()),
        discounts=tuple(
            draw(st.lists(a_discount, max_size=2, unique_by=lambda one: one.days_before))
        ),
        rounding_mode=draw(st.sampled_from(RoundingMode)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A payment that is confirmed, and what the charges were before it."""

    amount: int
    paid_at: date
    given: Distribution
    before: dict[str, Claim]


def as_claim(charge: Charge) -> Claim:
    """What the amounts of a charge may depend on."""
    return Claim(
        amount=charge.amount,
        effective_due_date=charge.effective_due_date,
        terms=charge.terms,
        costs=charge.costs,
        credits=charge.credits,
    )


def parts(due: Amounts | Charge) -> dict[str, int]:
    return {
        "costs": due.costs,
        "interest": due.interest,
        "fine": due.fine,
        "correction": due.correction,
        "principal": due.principal_outstanding,
        "discount": due.discount,
    }


class OneDebtor(RuleBasedStateMachine):
    """Charges, payments and days in any order."""

    payments = Bundle("payments")

    def __init__(self) -> None:
        super().__init__()
        self.today = TODAY
        self.rates = Rates(())
        self.charges: list[Charge] = []
        self.ever_costs: dict[str, int] = {}
        self.confirmed: dict[str, Received] = {}
        self.number = 0

    @initialize(rates=any_rates, tolerance=st.sampled_from([0, 5, 500]) | st.integers(0, 500))
    def start(self, rates: Rates, tolerance: int) -> None:
        self.rates = rates
        self.settings = Settings(settlement_tolerance=tolerance)

    @rule(
        amount=st.sampled_from([10, 112_25, 600_00]) | st.integers(10, 5_000_00),
        days=st.integers(-400, 90),
        terms=wanted_terms(),
        costs=st.sampled_from([0, 0, 45_90]),
    )
    def charge(self, amount: int, days: int, terms: RequestedTerms, costs: int) -> None:
        if len(self.charges) == MOST_CHARGES:
            return
        self.number += 1
        due = self.today + timedelta(days=days)
        new = replace(NEW_CHARGE, amount=amount, issue_date=due, due_date=due)
        rules = CreditorRules(self.settings, NATIONAL_WIDE, self.rates)
        charge_id = f"chg_{self.number}"
        new = replace(new, terms=terms if amount >= 100 else replace(terms, discounts=()))
        charge = Charge.create(charge_id, new, DEBTOR, rules, on(self.today))
        # Costs come from a notary; no act of a charge adds them yet.
        charge.costs = self.ever_costs[charge_id] = costs
        charge.reprice(self.today, self.rates)
        self.charges.append(charge)

    @rule(days=st.integers(1, 70))
    def days_pass(self, days: int) -> None:
        self.today += timedelta(days=days)
        for charge in self.charges:
            charge.reprice(self.today, self.rates)
            if charge.status is ChargeStatus.PENDING:
                charge.mark_overdue(on(self.today))

    @rule(target=payments, money=st.integers(1, 2_000_00), days_ago=st.integers(0, 120))
    def pay_without_indication(self, money: int, days_ago: int) -> Any:
        return self.pay(money, days_ago, oldest_first(self.charges, self.today))

    @rule(
        target=payments,
        money=st.integers(1, 2_000_00),
        days_ago=st.just(0) | st.integers(0, 500),
        order=st.permutations(range(MOST_CHARGES)),
        count=st.integers(1, MOST_CHARGES),
    )
    def pay_what_is_indicated(self, money: int, days_ago: int, order: list[int], count: int) -> Any:
        chosen = [self.charges[place] for place in order if place < len(self.charges)][:count]
        return self.pay(money, days_ago, chosen)

    @rule(
        target=payments,
        days_ago=st.just(0) | st.integers(0, 90),
        place=st.integers(0, MOST_CHARGES - 1),
        more=st.integers(-600, 10),
    )
    def pay_about_all(self, days_ago: int, place: int, more: int) -> Any:
        chosen = self.charges[place : place + 1]
        paid_at = self.today - timedelta(days=days_ago)
        whole = sum(still_due(charge, paid_at, self.rates).total_due for charge in chosen)
        return self.pay(max(1, whole + more), days_ago, chosen)

    def pay(self, money: int, days_ago: int, chosen: list[Charge]) -> Any:
        chosen = [charge for charge in chosen if charge.status in PAYABLE]
        if not chosen:
            return multiple()
        self.number += 1
        payment_id, paid_at = f"pay_{self.number}", self.today - timedelta(days=days_ago)
        before = {charge.id: as_claim(charge) for charge in chosen}
        given = receive(
            money, chosen, on(self.today), paid_at=paid_at, payment_id=payment_id, rates=self.rates
        )
        for share in given.shares:
            due = still_due(before[share.charge.id], paid_at, self.rates)
            self.settles_no_more_than_is_due(share.settled, due, share.charge.terms)
        assert sum(share.settled.money for share in given.shares) + given.left == money
        self.confirmed[payment_id] = Received(
            amount=money, paid_at=paid_at, given=given, before=before
        )
        return payment_id

    def settles_no_more_than_is_due(self, settled: Settled, due: Amounts, terms: Any) -> None:
        owed = parts(due)
        for name, most in owed.items():
            assert 0 <= getattr(settled, name) <= most
        assert 0 < settled.money <= due.total_due
        assert 0 <= settled.tolerance <= terms.settlement_tolerance
        if settled.discount or settled.tolerance:
            assert settled.principal == due.principal_outstanding

    @rule(payment_id=consumes(payments))
    def reverse(self, payment_id: str) -> None:
        received = self.confirmed.pop(payment_id)
        for share in received.given.shares:
            charge = share.charge
            charge.undo(payment_id, on(self.today), self.rates)
            assert payment_id not in {credit.payment_id for credit in charge.credits}
            before = received.before[charge.id]
            if charge.credits == before.credits:
                without = amounts_of(before, self.today, self.rates)
                assert charge.status in OWED
                assert (parts(charge), charge.total_due) == (parts(without), without.total_due)

    @rule(place=st.integers(0, MOST_CHARGES - 1))
    def write_off(self, place: int) -> None:
        for charge in self.charges[place : place + 1]:
            if charge.status is ChargeStatus.OVERDUE:
                charge.write_off(
                    WriteOffReason.COMMERCIAL, "Sem resposta", on(self.today), self.rates
                )
                assert charge.written_off_amount == charge.total_due > 0

    @rule(place=st.integers(0, MOST_CHARGES - 1))
    def cancel(self, place: int) -> None:
        for charge in self.charges[place : place + 1]:
            if charge.status in {ChargeStatus.PENDING, ChargeStatus.OVERDUE} and not charge.paid:
                charge.cancel(CancelReason.OTHER, None, on(self.today))

    @invariant()
    def all_money_is_with_a_charge_or_is_credit(self) -> None:
        came = sum(received.amount for received in self.confirmed.values())
        left = sum(received.given.left for received in self.confirmed.values())
        assert came == left + sum(charge.paid for charge in self.charges)

    @invariant()
    def a_charge_has_the_credits_of_the_confirmed_payments_and_no_others(self) -> None:
        given = [
            (share.charge.id, payment_id, received.paid_at, share.settled)
            for payment_id, received in self.confirmed.items()
            for share in received.given.shares
        ]
        kept = [
            (charge.id, credit.payment_id, credit.paid_at, credit.settled)
            for charge in self.charges
            for credit in charge.credits
        ]
        assert sorted(given, key=str) == sorted(kept, key=str)
        for charge in self.charges:
            assert charge.paid == sum(credit.settled.money for credit in charge.credits)

    @invariant()
    def the_principal_is_what_was_settled_and_what_is_owed(self) -> None:
        for charge in self.charges:
            settled = sum(credit.settled.principal for credit in charge.credits)
            costs = sum(credit.settled.costs for credit in charge.credits)
            if charge.status in OWED:
                assert charge.amount == charge.principal_outstanding + settled
                assert self.ever_costs[charge.id] == charge.costs + costs
            else:
                assert settled in {0, charge.amount}

    @invariant()
    def a_total_is_the_sum_of_parts_that_are_not_negative(self) -> None:
        for charge in self.charges:
            owed = parts(charge)
            assert min(owed.values()) >= 0
            discount = owed.pop("discount")
            assert charge.total_due == sum(owed.values()) - discount

    @invariant()
    def nothing_is_owed_on_what_is_paid_or_canceled_and_on_nothing_else(self) -> None:
        for charge in self.charges:
            ended = charge.status in {ChargeStatus.PAID, ChargeStatus.CANCELED}
            assert (charge.total_due == 0) == ended
            assert (charge.paid_at is not None) == (charge.status is ChargeStatus.PAID)

    @invariant()
    def amounts_depend_on_terms_and_credits_alone(self) -> None:
        for charge in self.charges:
            if charge.status in OWED:
                again = amounts_of(as_claim(charge), self.today, self.rates)
                assert (parts(charge), charge.total_due) == (parts(again), again.total_due)
                assert charge.amounts_memory == again.memory
                assert (charge.days_late, charge.amounts_as_of) == (again.days_late, self.today)


TestOneDebtor = OneDebtor.TestCase
TestOneDebtor.settings = settings(
    max_examples=40,
    stateful_step_count=15,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
