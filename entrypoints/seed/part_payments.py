"""Money that settled no ordinary charge for good: parts, advances, and what came to nothing."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain, islice
from typing import Final

from domain.dunning.aging import AgingBucket
from domain.dunning.calendar import NATIONAL_WIDE
from domain.dunning.money import Cents
from domain.dunning.payments import PaymentMethod, Reversal, ReversalReason
from entrypoints.seed.charges import ChargePlan
from entrypoints.seed.creditors import AURORA, PAMPA, Creditor
from entrypoints.seed.fixed import draws
from entrypoints.seed.mix import bucket_today
from entrypoints.seed.payments import PaymentPlan, share_of, usual_payment
from entrypoints.seed.timeline import TODAY

_LONG_LATE: Final = frozenset(AgingBucket) - {
    AgingBucket.NOT_DUE,
    AgingBucket.DAYS_1_15,
    AgingBucket.DAYS_16_30,
}
_DAYS_TO_FIRST_PART: Final = range(9, 26)
_PERCENTS: Final = (15, 20, 25, 30, 40)
_IN_ADVANCE_ON: Final = date(2026, 11, 26)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Undone:
    """A payment of all that was due, `from_due` days from the due date, undone `after` days later.

    A day that is no business day stands for the next one that is.
    """

    charge: str
    from_due: int
    after: int
    method: PaymentMethod
    reason: ReversalReason
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """How many ordinary charges are paid in part: overdue ones, and some that are due `soon`.

    `without_charge` is money for which no charge was named.
    """

    overdue: int
    soon: int
    undone: tuple[_Undone, ...]
    without_charge: tuple[PaymentPlan, ...] = ()


def _unnamed(number: int, debtor: str, on: date, amount: Cents, note: str) -> PaymentPlan:
    return PaymentPlan(name=f"AVULSO-{number}", debtor=debtor, on=on, amount=amount, note=note)


_IN_ADVANCE: Final = "Adiantamento da rematrícula."
_UNNAMED: Final = "Depósito sem identificação da mensalidade."
_PARTS: Final = {
    AURORA.key: _Parts(
        overdue=15,
        soon=3,
        undone=(
            _Undone(
                charge="MEN-P02",
                from_due=-25,
                after=5,
                method=PaymentMethod.CHECK,
                reason=ReversalReason.BOUNCED_CHECK,
                note="Cheque devolvido sem fundos; a família refez por outro meio.",
            ),
            _Undone(
                charge="MEN-P05",
                from_due=-20,
                after=0,
                method=PaymentMethod.CASH,
                reason=ReversalReason.MISTAKE,
                note="Lançado na mensalidade errada.",
            ),
            _Undone(
                charge="MEN-013",
                from_due=0,
                after=9,
                method=PaymentMethod.CARD,
                reason=ReversalReason.CHARGEBACK,
                note="Contestado pelo titular junto à operadora do cartão.",
            ),
            _Undone(
                charge="MEN-014",
                from_due=0,
                after=4,
                method=PaymentMethod.CHECK,
                reason=ReversalReason.BOUNCED_CHECK,
                note="Cheque devolvido duas vezes.",
            ),
            _Undone(
                charge="MEN-015",
                from_due=1,
                after=6,
                method=PaymentMethod.PIX,
                reason=ReversalReason.FRAUD,
                note="Devolvido pelo banco: a conta de origem era fraudada.",
            ),
        ),
        without_charge=(
            _unnamed(1, "ALU-004", date(2026, 3, 5), 200_00, _IN_ADVANCE),
            _unnamed(2, "ALU-010", date(2026, 3, 6), 180_00, _IN_ADVANCE),
            _unnamed(3, "A-20", date(2026, 11, 24), 250_00, _IN_ADVANCE),
            _unnamed(4, "ALU-003", date(2026, 11, 24), 150_00, _UNNAMED),
            _unnamed(5, "ALU-006", date(2026, 11, 25), 150_00, _UNNAMED),
            _unnamed(6, "ALU-014", date(2026, 11, 26), 150_00, _UNNAMED),
            PaymentPlan(
                name="CREDITO-1",
                debtor="ALU-004",
                on=date(2026, 11, 25),
                amount=80_00,
                method=PaymentMethod.COMPENSATION,
                note="Parte do adiantamento de março, a pedido da família.",
            ),
        ),
    ),
    PAMPA.key: _Parts(
        overdue=2,
        soon=0,
        undone=(
            _Undone(
                charge="PED-005",
                from_due=0,
                after=4,
                method=PaymentMethod.CHECK,
                reason=ReversalReason.BOUNCED_CHECK,
                note="Cheque devolvido por divergência de assinatura.",
            ),
        ),
    ),
}


def part_payments(
    creditor: Creditor, open_charges: Iterable[ChargePlan], settled: Iterable[ChargePlan]
) -> Iterator[PaymentPlan]:
    """Payments for some of the charges, and some that name none."""
    wanted = _PARTS[creditor.key]
    still_open = [charge for charge in open_charges if charge.cancellation is None]
    undone = {one.charge for one in wanted.undone}
    late = (one for one in still_open if _is_long_late(one) and one.external_id not in undone)
    soon = (one for one in still_open if one.new.due_date >= TODAY)
    yield from (_part(creditor, charge) for charge in islice(late, wanted.overdue))
    yield from (_in_advance(creditor, charge) for charge in islice(soon, wanted.soon))
    by_external_id = {one.external_id: one for one in chain(still_open, settled)}
    yield from (_came_to_nothing(one, by_external_id) for one in wanted.undone)
    yield from wanted.without_charge


def _is_long_late(charge: ChargePlan) -> bool:
    return bucket_today(charge.new.due_date) in _LONG_LATE


def _part(creditor: Creditor, charge: ChargePlan) -> PaymentPlan:
    draw = draws(f"{creditor.key}/part/{charge.external_id}")
    days = timedelta(days=draw.choice(_DAYS_TO_FIRST_PART))
    on = NATIONAL_WIDE.next_business_day_on_or_after(charge.new.due_date + days)
    return usual_payment(creditor, charge, on, share_of(charge, draw.choice(_PERCENTS)))


def _in_advance(creditor: Creditor, charge: ChargePlan) -> PaymentPlan:
    draw = draws(f"{creditor.key}/part/{charge.external_id}")
    return usual_payment(creditor, charge, _IN_ADVANCE_ON, share_of(charge, draw.choice(_PERCENTS)))


def _came_to_nothing(undone: _Undone, charges: Mapping[str, ChargePlan]) -> PaymentPlan:
    charge = charges[undone.charge]
    on = NATIONAL_WIDE.next_business_day_on_or_after(
        charge.new.due_date + timedelta(days=undone.from_due)
    )
    back = NATIONAL_WIDE.next_business_day_on_or_after(on + timedelta(days=undone.after))
    return PaymentPlan(
        name=f"{undone.charge}/estorno",
        debtor=charge.debtor,
        on=on,
        charges=(undone.charge,),
        method=undone.method,
        reversal=Reversal(reason=undone.reason, note=undone.note, on=back),
    )
