"""How the plans came to be: one act after another, up to the instant at which the demo starts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from domain.dunning.allocation import distribute, oldest_first
from domain.dunning.amounts import still_due
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge, CreditorRules
from domain.dunning.debtors import Debtor, DebtorChange
from domain.dunning.holds import ManualHold
from domain.dunning.holidays import Holiday, wide_calendar
from domain.dunning.interactions import Interaction, NewInteraction
from domain.dunning.ledger import Credit
from domain.dunning.moment import Moment
from domain.dunning.organizations import Organization
from domain.dunning.payments import NewPayment, Payment, Reversal
from domain.dunning.rates import Rates
from entrypoints.seed.address_books import AddressBooks
from entrypoints.seed.charges import Cancellation, ChargePlan, WriteOff
from entrypoints.seed.chronicle import Chronicle, Hands
from entrypoints.seed.debtors import DebtorPlan, Restriction
from entrypoints.seed.diary import Diary
from entrypoints.seed.interactions import InteractionPlan
from entrypoints.seed.payments import PaymentPlan
from entrypoints.seed.plans import Plans
from entrypoints.seed.requests import DAILY_JOB, Requests
from entrypoints.seed.timeline import (
    BANK_TELLS,
    DAILY_RUN,
    MONEY_COMES,
    STARTS_AT,
    TODAY,
    ZONE,
    Timeline,
)

_ONE_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What everything in one organisation goes by."""

    organization: Organization
    holidays: Sequence[Holiday]
    rates: Rates
    hands: Hands
    timeline: Timeline


class Histories:
    """Lives what is planned for one organisation; rows are kept by their external ids."""

    def __init__(self, house: House, chronicle: Chronicle) -> None:
        self.debtors: dict[str, Debtor] = {}
        self.charges: dict[str, Charge] = {}
        self.payments: dict[str, Payment] = {}
        self.interactions: list[Interaction] = []
        self.address_books = AddressBooks(chronicle, house.hands)
        self.requests = Requests(chronicle, house.hands, house.timeline, house.rates)
        self._house = house
        self._chronicle = chronicle
        self._at = house.timeline.at
        self._diary = Diary(ends_at=self._at(TODAY, STARTS_AT.time()).instant)

    def live(self, plans: Plans) -> None:
        """Do everything in the order of its time, and count what is owed on the last day."""
        enter = self._diary.enter
        for debtor in plans.debtors:
            enter(self._at(debtor.since), partial(self._register, debtor))
        for contact in plans.contacts:
            for on, act in self.address_books.acts(contact):
                enter(self._at(on), act)
        for charge in plans.charges:
            enter(self._at(charge.issue_date), partial(self._create, charge))
        for payment in plans.payments:
            enter(self._at(payment.on, MONEY_COMES), partial(self._receive, payment))
        for talk in plans.interactions:
            enter(self._at(talk.on, talk.clock), partial(self._log, talk))
        self._diary.live()
        for lived in self.charges.values():
            lived.reprice(TODAY, self._house.rates)

    def _register(self, plan: DebtorPlan, moment: Moment) -> None:
        new_id = self._chronicle.id("dbt", f"debtor/{plan.external_id}")
        debtor = Debtor.register(new_id, plan.new, self._house.organization, moment)
        self.debtors[plan.external_id] = debtor
        self.address_books.open(plan.external_id, debtor)
        self._chronicle.note(debtor, moment, self._house.hands.erp)
        if plan.restriction is not None:
            learned_at = self._at(plan.restriction.on)
            self._diary.enter(learned_at, partial(self._restrict, debtor, plan.restriction))

    def _restrict(self, debtor: Debtor, restriction: Restriction, moment: Moment) -> None:
        wanted = DebtorChange(
            stated=debtor.stated,
            status=debtor.status,
            flags=restriction.flags,
            do_not_contact=restriction.do_not_contact,
            opted_out_channels=restriction.opted_out_channels,
        )
        debtor.change(wanted, self._house.organization, moment)
        self._chronicle.note(debtor, moment, self._house.hands.manager)

    def _create(self, plan: ChargePlan, moment: Moment) -> None:
        debtor = self.debtors[plan.debtor]
        calendar = wide_calendar(self._house.holidays, debtor.place)
        rules = CreditorRules(self._house.organization.settings, calendar, self._house.rates)
        new_id = self._chronicle.id("chg", f"charge/{plan.external_id}")
        charge = Charge.create(new_id, plan.new, debtor, rules, moment)
        self.charges[plan.external_id] = charge
        self._chronicle.note(charge, moment, self._house.hands.erp)
        self._foresee(charge, plan)
        if plan.request is not None:
            for at, act in self.requests.acts(charge, debtor, plan.request):
                self._diary.enter(at, act)

    def _foresee(self, charge: Charge, plan: ChargePlan) -> None:
        """Enter what will become of a charge besides its payments."""
        enter = self._diary.enter
        late_from = self._at(charge.effective_due_date + _ONE_DAY, DAILY_RUN)
        enter(late_from, partial(self._become_overdue, charge))
        if plan.cancellation is not None:
            enter(self._at(plan.cancellation.on), partial(self._cancel, charge, plan.cancellation))
        if plan.write_off is not None:
            enter(self._at(plan.write_off.on), partial(self._write_off, charge, plan.write_off))
        if plan.hold is not None:
            enter(self._at(plan.hold.since), partial(self._hold, charge, plan.hold))

    def _become_overdue(self, charge: Charge, moment: Moment) -> None:
        if charge.status is ChargeStatus.PENDING:
            charge.reprice(moment.today, self._house.rates)
            charge.mark_overdue(moment)
            self._chronicle.note(charge, moment, DAILY_JOB)

    def _cancel(self, charge: Charge, cancellation: Cancellation, moment: Moment) -> None:
        charge.cancel(cancellation.reason, cancellation.note, moment)
        self._chronicle.note(charge, moment, self._house.hands.manager)

    def _write_off(self, charge: Charge, given_up: WriteOff, moment: Moment) -> None:
        charge.write_off(given_up.reason, given_up.note, moment, self._house.rates)
        self._chronicle.note(charge, moment, self._house.hands.manager)

    def _hold(self, charge: Charge, hold: ManualHold, moment: Moment) -> None:
        wanted = ManualHold.begin(hold.reason, hold.blocks, hold.until, moment.today)
        charge.hold(wanted, moment)
        self._chronicle.note(charge, moment, self._house.hands.manager)

    def _receive(self, plan: PaymentPlan, moment: Moment) -> None:
        debtor, charges = self.debtors[plan.debtor], self._paid_for(plan)
        new = self._new_payment(plan, charges)
        given = distribute(new.amount, plan.on, charges, self._house.rates)
        new_id = self._chronicle.id("pay", f"payment/{plan.name}")
        payment = Payment.receive(new_id, new, given, debtor, moment)
        self.payments[plan.name] = payment
        self._chronicle.note(payment, moment, self._house.hands.erp)
        for share in given.shares:
            credit = Credit(payment_id=new_id, paid_at=plan.on, settled=share.settled)
            share.charge.settle(credit, moment, self._house.rates)
            self._chronicle.note(share.charge, moment, self._house.hands.erp)
        if plan.reversal is not None and plan.reversal.on is not None:
            back_at = self._at(plan.reversal.on, BANK_TELLS)
            self._diary.enter(back_at, partial(self._reverse, payment, plan.reversal, debtor))

    def _paid_for(self, plan: PaymentPlan) -> Sequence[Charge]:
        if plan.charges:
            return [self.charges[external_id] for external_id in plan.charges]
        owner = self.debtors[plan.debtor].id
        owed = [charge for charge in self.charges.values() if charge.debtor_id == owner]
        return oldest_first(owed, plan.on)

    def _new_payment(self, plan: PaymentPlan, charges: Sequence[Charge]) -> NewPayment:
        due = sum(still_due(charge, plan.on, self._house.rates).total_due for charge in charges)
        return NewPayment(
            debtor_id=self.debtors[plan.debtor].id,
            amount=due if plan.amount is None else plan.amount,
            method=plan.method,
            paid_at=plan.on,
            available_at=plan.available_at,
            charge_ids=tuple(charge.id for charge in charges) if plan.charges else (),
            external_id=plan.external_id,
            payer_name=None if plan.payer is None else plan.payer.name,
            payer_document=None if plan.payer is None else plan.payer.document,
            note=plan.note,
        )

    def _reverse(
        self, payment: Payment, reversal: Reversal, debtor: Debtor, moment: Moment
    ) -> None:
        payment.reverse(reversal, debtor, moment)
        self._chronicle.note(payment, moment, self._house.hands.manager)
        settled = {allocation.charge_id for allocation in payment.allocations}
        for charge in self.charges.values():
            if charge.id in settled:
                charge.undo(payment.id, moment, self._house.rates)
                self._chronicle.note(charge, moment, self._house.hands.manager)

    def _log(self, plan: InteractionPlan, moment: Moment) -> None:
        direction, channel = plan.said.how
        member = self._house.hands.members[plan.member]
        new = NewInteraction(
            direction=direction,
            channel=channel,
            outcome=plan.said.outcome,
            note=plan.said.note,
            charge_ids=tuple(self.charges[external_id].id for external_id in plan.charges),
            contact_point_id=self.address_books.point_for(plan.debtor, channel),
            member_id=member.id,
        )
        new_id = self._chronicle.id("itr", f"interaction/{plan.debtor}/{plan.on}/{plan.clock}")
        now = datetime.combine(plan.on, plan.clock, ZONE)
        logged = Interaction.record(new_id, new, self.debtors[plan.debtor], now, moment)
        self.interactions.append(logged)
        self._chronicle.note(logged, moment, member)
