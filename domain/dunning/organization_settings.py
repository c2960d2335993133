"""An organisation's defaults: every setting with its default, and its range beside its type."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date, time
from enum import StrEnum
from functools import cache
from typing import Annotated, Final, TypeAlias, get_type_hints

from domain.dunning.calendar import DueDateRule
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.contact_windows import ContactWindows, empty_windows, wider_than_law
from domain.dunning.correction import CorrectionIndex
from domain.dunning.legal_caps import above_cap, fine_cap, interest_cap
from domain.dunning.money import (
    HUNDRED_PERCENT,
    ONE_PERCENT,
    Bounds,
    Cents,
    PercentUnits,
    RoundingMode,
)
from domain.errors import Detail, LegalLimitError, ValidationError
from domain.texts import Text

_Percentage: TypeAlias = Annotated[PercentUnits, Bounds(0, HUNDRED_PERCENT)]
_AnyCount: TypeAlias = Annotated[int, Bounds(0, 1_000_000)]
_AnyAmount: TypeAlias = Annotated[Cents, Bounds(0, 9_999_999_999)]

_OUT_OF_RANGE: Final = Text(
    "Valor fora da faixa permitida.", "The value is outside the allowed range."
)


class ApprovalAct(StrEnum):
    """An act that an organisation may want a second person to approve."""

    NEGATIVATE = "negativate"
    PROTEST = "protest"
    WRITE_OFF = "write_off"
    AGREEMENT_DISCOUNT = "agreement_discount"


class OnBreach(StrEnum):
    """What a broken agreement leaves behind: the old charges, or one new charge."""

    REOPEN_CHARGES = "reopen_charges"
    ACCELERATE = "accelerate"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrequencyCaps:
    """Outbound contacts to one debtor, over all channels and charges."""

    per_day: Annotated[int, Bounds(1, 2)] = 1
    per_7_days: Annotated[int, Bounds(1, 7)] = 3
    voice_per_day: Annotated[int, Bounds(1, 1)] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class UfNoticeDays:
    """The notice before a bureau listing that one state's law asks for."""

    uf: str
    days: Annotated[int, Bounds(10, 60)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementRules:
    """What an agreement may look like; missed instalments or days late, either one breaks it."""

    max_installments: Annotated[int, Bounds(1, 60)] = 12
    min_installment: _AnyAmount = 20_00
    min_down_payment_percent: _Percentage = 10 * ONE_PERCENT
    max_first_due_days: Annotated[int, Bounds(1, 45)] = 45
    breach_missed_installments: Annotated[int, Bounds(1, 3)] = 2
    breach_days_late: Annotated[int, Bounds(5, 60)] = 15
    on_breach: OnBreach = OnBreach.REOPEN_CHARGES


@dataclass(frozen=True, slots=True, kw_only=True)
class PromiseRules:
    """How far ahead a debtor may promise, and how long we wait."""

    max_days_ahead: Annotated[int, Bounds(1, 60)] = 15
    grace_business_days: Annotated[int, Bounds(0, 5)] = 1
    max_open_per_debtor: Annotated[int, Bounds(1, 3)] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleCeiling:
    """How far one role may go; an absent ceiling is the organisation's own rule or none."""

    charges_discount_percent: _Percentage
    principal_discount_percent: _Percentage
    max_installments: Annotated[int, Bounds(1, 60)] | None
    min_down_payment_percent: _Percentage
    write_off_amount: _AnyAmount | None
    messages_per_hour: _AnyCount
    bulk_charges_per_call: Annotated[int, Bounds(0, 200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleLimits:
    """The ceilings; an owner has an admin's. Above an admin's discounts an approval is needed."""

    collector: RoleCeiling = RoleCeiling(
        charges_discount_percent=50 * ONE_PERCENT,
        principal_discount_percent=0,
        max_installments=6,
        min_down_payment_percent=10 * ONE_PERCENT,
        write_off_amount=0,
        messages_per_hour=30,
        bulk_charges_per_call=0,
    )
    manager: RoleCeiling = RoleCeiling(
        charges_discount_percent=100 * ONE_PERCENT,
        principal_discount_percent=10 * ONE_PERCENT,
        max_installments=12,
        min_down_payment_percent=0,
        write_off_amount=500_00,
        messages_per_hour=100,
        bulk_charges_per_call=200,
    )
    admin: RoleCeiling = RoleCeiling(
        charges_discount_percent=100 * ONE_PERCENT,
        principal_discount_percent=30 * ONE_PERCENT,
        max_installments=None,
        min_down_payment_percent=0,
        write_off_amount=None,
        messages_per_hour=100,
        bulk_charges_per_call=200,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How long records are kept; notices and the audit for the limitation period."""

    events_months: Annotated[int, Bounds(1, 120)] = 12
    notifications_months: Annotated[int, Bounds(60, 120)] = 60
    audit_months: Annotated[int, Bounds(60, 120)] = 60
    idempotency_hours: Annotated[int, Bounds(24, 720)] = 72


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The defaults of one organisation. A change never rewrites a charge that exists."""

    default_fine_percent: _Percentage = 2 * ONE_PERCENT
    default_fine_percent_business: _Percentage = 2 * ONE_PERCENT
    default_interest_percent_month: _Percentage = ONE_PERCENT
    default_correction_index: CorrectionIndex = CorrectionIndex.NONE
    due_date_rule: DueDateRule = DueDateRule.NEXT_BUSINESS_DAY
    rounding_mode: RoundingMode = RoundingMode.HALF_EVEN
    settlement_tolerance: Annotated[Cents, Bounds(0, 5_00)] = 5
    contact_windows: ContactWindows = field(default_factory=ContactWindows)
    frequency_caps: FrequencyCaps = FrequencyCaps()
    negativation_notice_days: Annotated[int, Bounds(10, 60)] = 10
    negativation_notice_uf_overrides: tuple[UfNoticeDays, ...] = (UfNoticeDays(uf="SP", days=15),)
    negativation_min_days_overdue: Annotated[int, Bounds(1, 1_825)] = 30
    negativation_min_amount: _AnyAmount = 50_00
    approval_required_for: frozenset[ApprovalAct] = frozenset(
        {ApprovalAct.NEGATIVATE, ApprovalAct.PROTEST}
    )
    agreement_rules: AgreementRules = AgreementRules()
    promise_rules: PromiseRules = PromiseRules()
    role_limits: RoleLimits = RoleLimits()
    auto_enroll: bool = True
    retention: Retention = Retention()


def refuse_settings(settings: Settings, uf: str, on: date) -> None:
    """Refuse what cannot be set, by its path, for a creditor of `uf` under the law of a day.

    Raises:
        ValidationError: `out_of_range`.
        LegalLimitError: a percentage above its cap, or a contact window wider than the law's.
    """
    impossible = [*_out_of_range(settings, ""), *empty_windows(settings.contact_windows)]
    if impossible:
        raise ValidationError(*impossible)
    illegal = [*_above_caps(settings), *wider_than_law(settings.contact_windows, uf, on)]
    if illegal:
        raise LegalLimitError(*illegal)


def settings_changes(before: Settings, after: Settings) -> dict[str, tuple[object, object]]:
    """Old and new value of each setting that differs, as JSON values; money in cents."""
    names = [one.name for one in fields(Settings)]
    pairs = {name: (_plain(getattr(before, name)), _plain(getattr(after, name))) for name in names}
    return {name: (old, new) for name, (old, new) in pairs.items() if old != new}


def _above_caps(settings: Settings) -> Iterator[Detail]:
    caps = {
        "default_fine_percent": fine_cap(ChargeKind.SERVICE, is_consumer=True),
        "default_fine_percent_business": fine_cap(ChargeKind.SERVICE, is_consumer=False),
        "default_interest_percent_month": interest_cap(),
    }
    for name, cap in caps.items():
        if getattr(settings, name) > cap.percent:
            yield above_cap(name, cap)


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, frozenset):
        return sorted(value)
    return f"{value:%H:%M}" if isinstance(value, time) else value


def _out_of_range(value: object, path: str) -> Iterator[Detail]:
    if isinstance(value, tuple):
        for index, member in enumerate(value):
            yield from _out_of_range(member, f"{path.removesuffix('.')}[{index}].")
    if not is_dataclass(value) or isinstance(value, type):
        return
    for name, bounds in _bounds_of(type(value)).items():
        member = getattr(value, name)
        if bounds is None:
            yield from _out_of_range(member, f"{path}{name}.")
        elif member is not None and member not in bounds:
            yield Detail(f"{path}{name}", "out_of_range", _OUT_OF_RANGE)


@cache
def _bounds_of(kind: type) -> dict[str, Bounds | None]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: _bounds_in(hint) for name, hint in hints.items()}


def _bounds_in(hint: object) -> Bounds | None:
    options = (hint, *getattr(hint, "__args__", ()))
    notes = (note for option in options for note in getattr(option, "__metadata__", ()))
    return next((note for note in notes if isinstance(note, Bounds)), None)
