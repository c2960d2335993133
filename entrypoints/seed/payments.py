"""Money of the demo before it comes."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from domain.dunning.calendar import NATIONAL_WIDE, DueDateRule
from domain.dunning.documents import cpf_with_check_digits
from domain.dunning.money import Cents
from domain.dunning.payments import PaymentMethod, Reversal
from entrypoints.seed.charges import ChargePlan
from entrypoints.seed.creditors import AURORA, PAMPA, Creditor
from entrypoints.seed.fixed import draws

_USUAL: Final = (
    *(PaymentMethod.PIX,) * 5,
    *(PaymentMethod.BOLETO,) * 5,
    *(PaymentMethod.CARD,) * 2,
    PaymentMethod.TRANSFER,
    PaymentMethod.CASH,
    PaymentMethod.CHECK,
    PaymentMethod.OTHER,
)
# What banks and the card company report; the rest is typed in at the counter.
_REPORTED: Final = {
    PaymentMethod.PIX: "PIX",
    PaymentMethod.BOLETO: "BOL",
    PaymentMethod.CARD: "CAR",
    PaymentMethod.TRANSFER: "TED",
}
_CHECK_CLEARS: Final = timedelta(days=3)
_CPFS: Final = range(100_000_000, 1_000_000_000)
_WHOLE_REAIS: Final = 10_00

# By organisation and charge: who paid in the debtor's place.
_PAYERS: Final = {
    (AURORA.key, "MEN-P03"): "Lúcia Escobar Pinto",
    (AURORA.key, "MEN-P08"): "Otávio Hora Matos",
    (AURORA.key, "MEN-P14"): "Regina Nobre Pacheco",
    (AURORA.key, "MEN-P27"): "Tomás Fontoura Dias",
    (PAMPA.key, "PED-P04"): "Ivete Coxilha Ramos",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Payer:
    """Who paid in the debtor's place."""

    name: str
    document: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentPlan:
    """Money of the debtor with this external id, on a day; `name` is nobody else's.

    `charges` are those that the debtor indicated. `amount` None is all that is due on them. A
    `reversal` says on which day.
    """

    name: str
    debtor: str
    on: date
    charges: tuple[str, ...] = ()
    amount: Cents | None = None
    method: PaymentMethod = PaymentMethod.PIX
    available_at: date | None = None
    external_id: str | None = None
    payer: Payer | None = None
    note: str | None = None
    reversal: Reversal | None = None


def usual_payment(
    creditor: Creditor, charge: ChargePlan, on: date, amount: Cents | None = None, *, part: int = 1
) -> PaymentPlan:
    """Money for one charge, all that is due unless `amount` says less; `part` tells it apart."""
    name = f"{charge.external_id}/{part}"
    method = draws(f"{creditor.key}/payment/{name}").choice(_USUAL)
    if not NATIONAL_WIDE.is_business_day(on):
        method = PaymentMethod.PIX
    reported = _REPORTED.get(method)
    return PaymentPlan(
        name=name,
        debtor=charge.debtor,
        on=on,
        charges=(charge.external_id,),
        amount=amount,
        method=method,
        available_at=on + _CHECK_CLEARS if method is PaymentMethod.CHECK else None,
        external_id=reported and f"{reported}-{on:%Y%m%d}-{charge.external_id}",
        payer=_payer(creditor, charge),
    )


def share_of(charge: ChargePlan, percent: int) -> Cents:
    """About `percent` of the charge, in tens of reais."""
    return charge.new.amount * percent // 100 // _WHOLE_REAIS * _WHOLE_REAIS


def last_day_on_time(charge: ChargePlan) -> date:
    """The effective due date, where no holiday of the organisation comes in between."""
    return NATIONAL_WIDE.effective_due_date(charge.new.due_date, DueDateRule.NEXT_BUSINESS_DAY)


def _payer(creditor: Creditor, charge: ChargePlan) -> Payer | None:
    name = _PAYERS.get((creditor.key, charge.external_id))
    if name is None:
        return None
    nine = draws(f"{creditor.key}/payer/{charge.external_id}").choice(_CPFS)
    return Payer(name=name, document=cpf_with_check_digits(f"{nine}").number)
