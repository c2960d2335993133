"""The ordinary charges that are paid or given up, each with its payments.

With its stories A has 57 paid charges, 9 of them late and 3 of these in parts, and 6 written off;
B has 13 paid charges, 4 of them late, and 2 written off.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import cycle, islice
from random import Random
from typing import Final

from domain.dunning.charge_acts import WriteOffReason
from entrypoints.seed.charges import ChargePlan, RequestPlan, Word, WriteOff, usual_charge
from entrypoints.seed.creditors import AURORA, PAMPA, Creditor
from entrypoints.seed.fixed import draws
from entrypoints.seed.payments import PaymentPlan, last_day_on_time, share_of, usual_payment

_DUE: Final = tuple(
    date(year, month, day)
    for year, month in ((2025, 12), *((2026, month) for month in range(1, 12)))
    for day in (5, 10, 15, 20, 25)
)
_DUE_BEFORE_LATE_ONES: Final = tuple(day for day in _DUE if day <= date(2026, 10, 10))
_DAYS_EARLY: Final = (0, 0, 0, 1, 2, 4, 6, 9)
_DAYS_LATE: Final = range(31, 46)
_PART_PERCENT: Final = 30
_BETWEEN_PARTS: Final = timedelta(days=11)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """Charges, and what was paid for them."""

    charges: tuple[ChargePlan, ...]
    payments: tuple[PaymentPlan, ...]


@dataclass(frozen=True, slots=True)
class _Recovery:
    """When some of a charge that is written off came in, before or after that."""

    on: date
    percent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mix:
    """How many there are; of the late ones `in_parts` were paid in `parts` and a rest.

    `written_off` is by due date, the last of them after a request; `recovered` says what came for
    each of them, if anything.
    """

    prefix: str
    on_time: int
    late: int
    in_parts: int
    parts: int
    written_off: Mapping[date, WriteOff | RequestPlan]
    recovered: tuple[_Recovery | None, ...]


_MIXES: Final = {
    AURORA.key: _Mix(
        prefix="MEN",
        on_time=25,
        late=6,
        in_parts=3,
        parts=2,
        written_off={
            date(2025, 12, 15): WriteOff(
                on=date(2026, 8, 31),
                reason=WriteOffReason.UNCOLLECTIBLE,
                note="Sem bens e sem contato desde março.",
            ),
            date(2026, 1, 10): WriteOff(
                on=date(2026, 9, 30),
                reason=WriteOffReason.COMMERCIAL,
                note="Decisão da direção na rematrícula; segue devida.",
            ),
            date(2026, 2, 5): WriteOff(
                on=date(2026, 9, 30),
                reason=WriteOffReason.UNCOLLECTIBLE,
                note="Família mudou de país; cobrança sem perspectiva.",
            ),
            date(2026, 2, 20): WriteOff(
                on=date(2026, 10, 30),
                reason=WriteOffReason.COMMERCIAL,
                note="Aluno transferido; acerto com a direção.",
            ),
            date(2026, 3, 10): RequestPlan(
                on=date(2026, 10, 28),
                by="Rui",
                reason=WriteOffReason.UNCOLLECTIBLE,
                note="Três tentativas de contato sem resposta.",
                word=Word(on=date(2026, 10, 30), by="Helena", approves=True, note="De acordo."),
            ),
            date(2026, 4, 15): RequestPlan(
                on=date(2026, 11, 12),
                by="Rui",
                reason=WriteOffReason.SMALL_BALANCE,
                note="O custo de cobrar supera o saldo.",
                word=Word(on=date(2026, 11, 13), by="Davi", approves=True, note="Aprovado."),
            ),
        },
        recovered=(
            _Recovery(date(2026, 11, 9), 30),
            _Recovery(date(2026, 4, 22), 30),
            None,
            None,
            None,
            _Recovery(date(2026, 5, 4), 95),
        ),
    ),
    PAMPA.key: _Mix(
        prefix="PED",
        on_time=9,
        late=4,
        in_parts=1,
        parts=1,
        written_off={
            date(2026, 1, 20): WriteOff(
                on=date(2026, 9, 18),
                reason=WriteOffReason.UNCOLLECTIBLE,
                note="Cliente encerrou as atividades.",
            ),
            date(2026, 3, 5): WriteOff(
                on=date(2026, 10, 16),
                reason=WriteOffReason.COMMERCIAL,
                note="Avaria no transporte, sem culpa do cliente.",
            ),
        },
        recovered=(None, None),
    ),
}


def settled_charges(creditor: Creditor, debtors: tuple[str, ...]) -> Settled:
    """Paid and written-off charges, dealt out in turn to the debtors with these external ids."""
    mix = _MIXES[creditor.key]
    charges = tuple(_paid(creditor, mix, debtors))
    on_time, late = charges[: mix.on_time], charges[mix.on_time :]
    written_off = tuple(_written_off(creditor, mix, debtors))
    return Settled(
        charges=(*charges, *written_off),
        payments=(
            *(_in_time(creditor, charge) for charge in on_time),
            *(paid for number, one in enumerate(late) for paid in _too_late(creditor, one, number)),
            *_recovered(creditor, mix, written_off),
        ),
    )


def _paid(creditor: Creditor, mix: _Mix, debtors: tuple[str, ...]) -> Iterator[ChargePlan]:
    draw = draws(f"{creditor.key}/due_dates/paid")
    dues = draw.choices(_DUE, k=mix.on_time) + draw.choices(_DUE_BEFORE_LATE_ONES, k=mix.late)
    for number, (debtor, due) in enumerate(zip(cycle(debtors), dues, strict=False), start=1):
        yield usual_charge(creditor, f"{mix.prefix}-P{number:02}", debtor, due)


def _in_time(creditor: Creditor, charge: ChargePlan) -> PaymentPlan:
    early = _draw(creditor, charge).choice(_DAYS_EARLY)
    last_day = last_day_on_time(charge)
    on = charge.new.due_date - timedelta(days=early) if early else last_day
    return usual_payment(creditor, charge, on)


def _too_late(creditor: Creditor, charge: ChargePlan, number: int) -> Iterator[PaymentPlan]:
    mix = _MIXES[creditor.key]
    last_day = last_day_on_time(charge)
    parts = mix.parts if number < mix.in_parts else 0
    for part in range(1, parts + 1):
        on, amount = last_day + part * _BETWEEN_PARTS, share_of(charge, _PART_PERCENT)
        yield usual_payment(creditor, charge, on, amount, part=part)
    late = timedelta(days=_draw(creditor, charge).choice(_DAYS_LATE))
    yield usual_payment(creditor, charge, last_day + late, part=parts + 1)


def _written_off(creditor: Creditor, mix: _Mix, debtors: tuple[str, ...]) -> Iterator[ChargePlan]:
    # From the middle on, so that nobody has all the bad debts.
    dealt = islice(cycle(debtors), len(debtors) // 2, None)
    for number, (debtor, due) in enumerate(zip(dealt, mix.written_off, strict=False), start=1):
        plan = usual_charge(creditor, f"{mix.prefix}-B{number}", debtor, due)
        given_up = mix.written_off[due]
        if isinstance(given_up, RequestPlan):
            yield replace(plan, request=given_up)
        else:
            yield replace(plan, write_off=given_up)


def _recovered(
    creditor: Creditor, mix: _Mix, charges: tuple[ChargePlan, ...]
) -> Iterator[PaymentPlan]:
    for charge, came in zip(charges, mix.recovered, strict=True):
        if came is not None:
            yield usual_payment(creditor, charge, came.on, share_of(charge, came.percent))


def _draw(creditor: Creditor, charge: ChargePlan) -> Random:
    return draws(f"{creditor.key}/paid/{charge.external_id}")
