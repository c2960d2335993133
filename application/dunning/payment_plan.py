"""What a payment is about to do: whose it is, and where it goes."""

from collections.abc import Sequence
from dataclasses import dataclass

from application.operations.call import Call
from domain.dunning.allocation import PAYABLE, Distribution, distribute, oldest_first
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from domain.dunning.ledger import Credit
from domain.dunning.money import amount_text
from domain.dunning.payments import (
    NewPayment,
    PaymentMethod,
    PaymentStatus,
    checked_payment,
)
from domain.dunning.rates import Rates
from domain.errors import Detail, ValidationError, not_found
from domain.texts import Text


@dataclass(frozen=True, slots=True)
class PlannedPayment:
    """A payment before it is kept: whose it is, and where it goes."""

    new: NewPayment
    debtor: Debtor
    given: Distribution
    rates: Rates

    def settle(self, payment_id: str, call: Call) -> list[Charge]:
        """Take it off the charges that it goes to; gives them."""
        for share in self.given.shares:
            credit = Credit(payment_id=payment_id, paid_at=self.new.paid_at, settled=share.settled)
            share.charge.settle(credit, call.moment, self.rates)
        return [share.charge for share in self.given.shares]


async def plan_payment(call: Call, new: NewPayment, *, lock: bool) -> PlannedPayment:
    """Find whose it is and where it goes; with `lock`, to do it. Raises ValidationError."""
    debtor = await call.work.debtors.find(new.debtor_id, lock=lock)
    if debtor is None:
        raise ValidationError(not_found("debtor_id"))
    debtor.refuse_anonymized()
    checked_payment(new, call.today)
    if new.method is PaymentMethod.COMPENSATION:
        await _refuse_before_credit(call, new)
    if new.charge_ids:
        charges = await _indicated(call, new, lock=lock)
    else:
        owed = await call.work.charges.owed_by(debtor.id, lock=lock)
        charges = oldest_first(owed, new.paid_at)
    rates = await call.work.rates.all()
    given = distribute(new.amount, new.paid_at, charges, rates)
    _refuse_out_of_order(new, given)
    return PlannedPayment(new, debtor, given, rates)


async def _refuse_before_credit(call: Call, new: NewPayment) -> None:
    """Two debts are set off when both are there, not before (CC art. 368)."""
    credit = 0
    for payment in await call.work.payments.of_debtor(new.debtor_id):
        if payment.status is not PaymentStatus.CONFIRMED:
            continue
        if payment.is_compensation:
            credit -= payment.amount
        elif payment.paid_at <= new.paid_at:
            credit += payment.unallocated_amount
    if new.amount > credit:
        there_is = amount_text(max(credit, 0))
        text = Text(
            f"Passa do crédito do devedor nesse dia: {there_is.pt}.",
            f"More than the debtor's credit on that day: {there_is.en}.",
        )
        raise ValidationError(Detail("amount", "out_of_range", text))


def _refuse_out_of_order(new: NewPayment, given: Distribution) -> None:
    """A later payment has settled fees that would not have been due, had this one been known."""
    later = [
        credit.paid_at
        for share in given.shares
        for credit in share.charge.credits
        if credit.paid_at > new.paid_at and credit.settled.total > credit.settled.principal
    ]
    if later:
        day = max(later)
        text = Text(
            f"Um pagamento de {day:%d/%m/%Y} já quitou encargos calculados sem este; estorne-o e "
            "registre os dois na ordem dos dias.",
            f"A payment of {day} has settled fees that were computed without this one; reverse it "
            "and record both in the order of their days.",
        )
        raise ValidationError(Detail("paid_at", "later_payment", text))


async def _indicated(call: Call, new: NewPayment, *, lock: bool) -> Sequence[Charge]:
    found = await call.work.charges.several(new.charge_ids, lock=lock)
    known = {charge.id: charge for charge in found if charge.debtor_id == new.debtor_id}
    refused = list(_refused(new.charge_ids, known))
    if refused:
        raise ValidationError(*refused)
    return [known[charge_id] for charge_id in new.charge_ids]


def _refused(charge_ids: Sequence[str], known: dict[str, Charge]) -> Sequence[Detail]:
    details = []
    for index, charge_id in enumerate(charge_ids):
        field = f"charge_ids[{index}]"
        if charge_id in charge_ids[:index]:
            details.append(Detail(field, "duplicate", _TWICE))
        elif charge_id not in known:
            details.append(not_found(field))
        elif known[charge_id].status not in PAYABLE:
            details.append(Detail(field, "not_owed", _NOT_OWED))
    return details


_TWICE = Text("Indique cada cobrança uma vez.", "Name each charge once.")
_NOT_OWED = Text(
    "Esta cobrança não recebe pagamentos: está paga, cancelada ou em acordo.",
    "This charge takes no payment: it is paid, canceled or under an agreement.",
)
