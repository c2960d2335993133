"""The ordinary charges that are open or cancelled, around the stories of each organisation.

A has 48 pending, 52 overdue and 5 cancelled charges. Its overdue ones are 14/10/10/8/6/4 on the day
the demo starts: 1-15, 16-30, 31-60, 61-90, 91-180, and more than 180 days late. The reports' two
last buckets share the 4: three of 181-360 days, and A-09, late since 2021. B has 14 pending, 14
overdue (4/3/3/2/1/1, none over 360 days) and 2 cancelled. What is settled is planned elsewhere.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import cycle
from typing import Final

from domain.dunning.aging import AgingBucket, aging_bucket
from domain.dunning.calendar import NATIONAL_WIDE, DueDateRule
from domain.dunning.charge_acts import CancelReason
from entrypoints.seed.charges import Cancellation, ChargePlan, usual_charge
from entrypoints.seed.creditors import AURORA, PAMPA, Creditor
from entrypoints.seed.fixed import draws
from entrypoints.seed.timeline import TODAY

_DUE_DAYS: Final = frozenset({5, 10, 15, 20, 25, 30})
_PAST: Final = tuple(TODAY - timedelta(days=days) for days in range(1, 366))
# Nothing ordinary is due on 20 December: the one charge that is has a story.
_AHEAD: Final = tuple(
    day
    for day in (TODAY + timedelta(days=days) for days in range(7, 91))
    if day.day in _DUE_DAYS and day != date(2026, 12, 20)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mix:
    """How many ordinary charges there are; `soon` are the due dates of the next five days.

    Those `without_contract` have no fine, and the legal rate with correction.
    """

    prefix: str
    soon: tuple[date, ...]
    later: int
    overdue: Mapping[AgingBucket, int]
    canceled: Mapping[date, Cancellation]
    without_contract: frozenset[str] = frozenset()


_MIXES: Final = {
    AURORA.key: _Mix(
        prefix="MEN",
        soon=tuple(date(2026, 12, day) for day in (1, 2, 3, 4, 4, 5, 5, 6)),
        later=37,
        overdue={
            AgingBucket.DAYS_1_15: 12,
            AgingBucket.DAYS_16_30: 4,
            AgingBucket.DAYS_31_60: 8,
            AgingBucket.DAYS_61_90: 7,
            AgingBucket.DAYS_91_180: 5,
            AgingBucket.DAYS_181_360: 2,
        },
        canceled={
            date(2026, 8, 5): Cancellation(
                on=date(2026, 9, 10),
                reason=CancelReason.OTHER,
                note="Bolsa integral concedida com efeito retroativo.",
            ),
            date(2026, 10, 5): Cancellation(
                on=date(2026, 9, 22),
                reason=CancelReason.DUPLICATE,
                note="Lançada duas vezes pelo ERP.",
            ),
            date(2026, 10, 15): Cancellation(
                on=date(2026, 11, 3),
                reason=CancelReason.SERVICE_NOT_RENDERED,
                note="Turma cancelada antes do início.",
            ),
            date(2026, 11, 10): Cancellation(
                on=date(2026, 10, 28), reason=CancelReason.ISSUED_IN_ERROR
            ),
            date(2026, 12, 10): Cancellation(on=date(2026, 11, 26), reason=CancelReason.DUPLICATE),
        },
    ),
    PAMPA.key: _Mix(
        prefix="PED",
        soon=(date(2026, 12, 2), date(2026, 12, 4)),
        later=11,
        overdue={
            AgingBucket.DAYS_1_15: 4,
            AgingBucket.DAYS_16_30: 3,
            AgingBucket.DAYS_31_60: 2,
            AgingBucket.DAYS_61_90: 2,
            AgingBucket.DAYS_181_360: 1,
        },
        canceled={
            date(2026, 10, 20): Cancellation(
                on=date(2026, 10, 26),
                reason=CancelReason.RETURNED,
                note="Mercadoria devolvida na entrega.",
            ),
            date(2026, 11, 30): Cancellation(on=date(2026, 11, 12), reason=CancelReason.DUPLICATE),
        },
        without_contract=frozenset({"PED-003", "PED-008", "PED-010"}),
    ),
}


def ordinary_charges(creditor: Creditor, debtors: tuple[str, ...]) -> Iterator[ChargePlan]:
    """Charges without a story, dealt out in turn to the debtors with these external ids."""
    mix = _MIXES[creditor.key]
    dealt = zip(cycle(debtors), _due_dates(creditor, mix), strict=False)
    for number, (debtor, due) in enumerate(dealt, start=1):
        plan = usual_charge(creditor, f"{mix.prefix}-{number:03}", debtor, due)
        yield _without_contract(plan) if plan.external_id in mix.without_contract else plan
    for number, (debtor, due) in enumerate(zip(debtors, mix.canceled, strict=False), start=1):
        plan = usual_charge(creditor, f"{mix.prefix}-C{number}", debtor, due)
        yield replace(plan, cancellation=mix.canceled[due])


def bucket_today(due: date) -> AgingBucket:
    """How late a debt with this nominal due date is on the day the demo starts."""
    effective = NATIONAL_WIDE.effective_due_date(due, DueDateRule.NEXT_BUSINESS_DAY)
    return aging_bucket(max(0, (TODAY - effective).days))


def _without_contract(plan: ChargePlan) -> ChargePlan:
    return replace(plan, new=replace(plan.new, contract_reference=None))


def _due_dates(creditor: Creditor, mix: _Mix) -> Iterator[date]:
    draw = draws(f"{creditor.key}/due_dates")
    for bucket, count in mix.overdue.items():
        yield from draw.choices([day for day in _PAST if _falls_due(day, bucket)], k=count)
    yield from mix.soon
    yield from draw.choices(_AHEAD, k=mix.later)


def _falls_due(day: date, bucket: AgingBucket) -> bool:
    return day.day in _DUE_DAYS and bucket_today(day) is bucket
