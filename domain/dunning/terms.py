"""The terms of one charge: what lateness adds, what paying early takes off, within the law.

They are a snapshot: a later change of the organisation's settings never touches them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Final

from domain.dunning.calendar import Calendar
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.correction import CorrectionIndex
from domain.dunning.legal_caps import LegalCap, above_cap, fine_cap, interest_cap
from domain.dunning.money import (
    Bounds,
    Cents,
    PercentUnits,
    RoundingMode,
    cents_from,
    percent_from,
    percent_of,
    round_cents,
)
from domain.dunning.organization_settings import Settings
from domain.errors import Detail, LegalLimitError, RoleLimitError, ValidationError
from domain.texts import Text

MAX_DISCOUNTS: Final = 3
DAYS_BEFORE: Final = Bounds(0, 60)

_FOR_ADMINS: Final = Text(
    "Juros acima de 1 % ao mês são combinados por um administrador.",
    "Interest above 1 % a month is agreed on by an admin.",
)
_FINE_FIELD: Final = "terms.fine_percent"
_MODE_FIELD: Final = "terms.interest_mode"
_INTEREST_FIELD: Final = "terms.interest_percent_month"
_INDEX_FIELD: Final = "terms.correction_index"
# Unless agreed otherwise the index is IPCA (CC art. 389, Lei 14.905/2024).
_AGREED_INDEXES: Final = frozenset({CorrectionIndex.INPC, CorrectionIndex.IGPM})


class InterestMode(StrEnum):
    """Where default interest comes from: the contract, the legal rate (CC 406), or nowhere."""

    CONTRACT = "contract"
    LEGAL_RATE = "legal_rate"
    NONE = "none"


class DiscountType(StrEnum):
    """Whether a discount is a share of the principal or a fixed amount."""

    PERCENT = "percent"
    AMOUNT = "amount"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscountTier:
    """What is taken off until `days_before` days before the due date.

    `value` is in ten-thousandths of a percent or in cents, as `type` says. `until` is the last day
    on which it is.
    """

    days_before: int
    type: DiscountType
    value: int
    until: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What applies to one charge; build it with `terms_for_charge`."""

    fine_percent: PercentUnits
    interest_mode: InterestMode
    interest_percent_month: PercentUnits
    correction_index: CorrectionIndex
    charges_on_corrected: bool
    discounts: tuple[DiscountTier, ...]
    rounding_mode: RoundingMode
    settlement_tolerance: Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedDiscount:
    """A discount as the caller writes it: `value` in percent or in reais, as `type` says."""

    days_before: int
    type: DiscountType
    value: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedTerms:
    """What the caller asks for; whatever is absent is decided by contract, settings and law."""

    fine_percent: PercentUnits | None = None
    interest_mode: InterestMode | None = None
    interest_percent_month: PercentUnits | None = None
    correction_index: CorrectionIndex | None = None
    charges_on_corrected: bool = False
    discounts: tuple[RequestedDiscount, ...] = ()
    rounding_mode: RoundingMode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InterestLimit:
    """Twice the legal rate of the month, 0 if unknown, and whether the caller may agree on it."""

    twice_legal: PercentUnits = 0
    may_exceed: bool = False


NO_INTEREST_ABOVE: Final = InterestLimit()
"""Nothing above 1 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsBasis:
    """The facts of a debt on which the terms that the law allows depend."""

    amount: Cents
    kind: ChargeKind
    is_consumer: bool
    contract_reference: str | None
    due_date: date
    calendar: Calendar
    interest: InterestLimit = NO_INTEREST_ABOVE


def terms_for_charge(requested: RequestedTerms, basis: TermsBasis, settings: Settings) -> Terms:
    """The terms that will hold, absent ones filled in.

    With a contract reference the organisation's defaults fill the gaps. Without one there is no
    fine, and interest is the legal rate corrected by IPCA (CC 389 and 406, Lei 14.905/2024).

    Raises:
        LegalLimitError: a fine or a monthly interest above its cap.
        RoleLimitError: interest above 1 %, by somebody who may not agree on it.
        ValidationError: `required_with` for a fine or a contract rate without a contract reference,
            `conflicts_with` for a rate beside another interest mode, or a discount that is none.
    """
    _refuse_above_caps(requested, basis)
    _refuse_without_contract(requested, basis)
    mode = _interest_mode(requested, basis)
    rounding_mode = requested.rounding_mode or settings.rounding_mode
    return Terms(
        fine_percent=_fine(requested, basis, settings),
        interest_mode=mode,
        interest_percent_month=_interest(requested, mode, settings),
        correction_index=requested.correction_index or _correction(mode, basis, settings),
        charges_on_corrected=requested.charges_on_corrected,
        discounts=_discounts(requested.discounts, basis, rounding_mode),
        rounding_mode=rounding_mode,
        settlement_tolerance=settings.settlement_tolerance,
    )


def discount_until(days_before: int, due: date, calendar: Calendar) -> date:
    """The last day of an early discount: rolled to a business day, never beyond the due date."""
    nominal = due - timedelta(days=days_before)
    return min(calendar.next_business_day_on_or_after(nominal), due)


def discount_of(tier: DiscountTier, principal: Cents, mode: RoundingMode) -> Cents:
    """Cents that `tier` takes off `principal`, rounded once."""
    if tier.type is DiscountType.AMOUNT:
        return tier.value
    return round_cents(percent_of(principal, tier.value), mode)


def _refuse_above_caps(requested: RequestedTerms, basis: TermsBasis) -> None:
    asked = (
        (_FINE_FIELD, requested.fine_percent, fine_cap(basis.kind, is_consumer=basis.is_consumer)),
        (_INTEREST_FIELD, requested.interest_percent_month, _interest_cap(basis)),
    )
    above = [
        above_cap(field, cap)
        for field, percent, cap in asked
        if percent is not None and percent > cap.percent
    ]
    if above:
        raise LegalLimitError(*above)
    wanted = requested.interest_percent_month or 0
    if wanted > interest_cap().percent and not basis.interest.may_exceed:
        raise RoleLimitError("admin", Detail(_INTEREST_FIELD, "role_limit", _FOR_ADMINS))


def _interest_cap(basis: TermsBasis) -> LegalCap:
    if basis.is_consumer or not basis.contract_reference:
        return interest_cap()
    return interest_cap(basis.interest.twice_legal)


def _refuse_without_contract(requested: RequestedTerms, basis: TermsBasis) -> None:
    if basis.contract_reference:
        return
    needs_contract = {
        _FINE_FIELD: bool(requested.fine_percent),
        _MODE_FIELD: requested.interest_mode is InterestMode.CONTRACT,
        _INTEREST_FIELD: bool(requested.interest_percent_month),
        _INDEX_FIELD: requested.correction_index in _AGREED_INDEXES,
    }
    if details := [_contract_missing(field) for field, needed in needs_contract.items() if needed]:
        raise ValidationError(*details)


def _contract_missing(field: str) -> Detail:
    return Detail(
        field,
        "required_with",
        Text(
            "Exige contract_reference: multa, juros e índice próprios dependem de contrato.",
            "Needs contract_reference: fine, interest and index of one's own rest on a contract.",
        ),
    )


def _interest_mode(requested: RequestedTerms, basis: TermsBasis) -> InterestMode:
    has_contract = bool(basis.contract_reference)
    mode = requested.interest_mode or (
        InterestMode.CONTRACT if has_contract else InterestMode.LEGAL_RATE
    )
    if mode is not InterestMode.CONTRACT and requested.interest_percent_month:
        raise ValidationError(
            Detail(
                _INTEREST_FIELD,
                "conflicts_with",
                Text(
                    "Só tem efeito com interest_mode contract.",
                    "It only has an effect with interest_mode contract.",
                ),
            )
        )
    return mode


def _fine(requested: RequestedTerms, basis: TermsBasis, settings: Settings) -> PercentUnits:
    if requested.fine_percent is not None:
        return requested.fine_percent
    if not basis.contract_reference:
        return 0
    default = (
        settings.default_fine_percent
        if basis.is_consumer
        else settings.default_fine_percent_business
    )
    return min(default, fine_cap(basis.kind, is_consumer=basis.is_consumer).percent)


def _interest(requested: RequestedTerms, mode: InterestMode, settings: Settings) -> PercentUnits:
    if mode is not InterestMode.CONTRACT:
        return 0
    if requested.interest_percent_month is not None:
        return requested.interest_percent_month
    return min(settings.default_interest_percent_month, interest_cap().percent)


def _correction(mode: InterestMode, basis: TermsBasis, settings: Settings) -> CorrectionIndex:
    if mode is InterestMode.LEGAL_RATE:
        return CorrectionIndex.IPCA
    if basis.contract_reference:
        return settings.default_correction_index
    return CorrectionIndex.NONE


def _discounts(
    requested: Sequence[RequestedDiscount], basis: TermsBasis, mode: RoundingMode
) -> tuple[DiscountTier, ...]:
    if len(requested) > MAX_DISCOUNTS:
        raise ValidationError(
            Detail(
                "terms.discounts",
                "too_many_items",
                Text(
                    f"Informe no máximo {MAX_DISCOUNTS} descontos.",
                    f"Give at most {MAX_DISCOUNTS} discounts.",
                ),
            )
        )
    _refuse_bad_days(requested)
    return tuple(
        _discount(tier, f"terms.discounts[{index}].value", basis, mode)
        for index, tier in enumerate(requested)
    )


def _refuse_bad_days(requested: Sequence[RequestedDiscount]) -> None:
    seen: set[int] = set()
    for index, tier in enumerate(requested):
        field = f"terms.discounts[{index}].days_before"
        if tier.days_before not in DAYS_BEFORE:
            text = Text(
                f"Informe de {DAYS_BEFORE.low} a {DAYS_BEFORE.high} dias.",
                f"Give {DAYS_BEFORE.low} to {DAYS_BEFORE.high} days.",
            )
            raise ValidationError(Detail(field, "out_of_range", text))
        if tier.days_before in seen:
            text = Text("Cada desconto tem o seu prazo.", "Each discount has its own day.")
            raise ValidationError(Detail(field, "duplicate", text))
        seen.add(tier.days_before)


def _discount(
    requested: RequestedDiscount, field: str, basis: TermsBasis, mode: RoundingMode
) -> DiscountTier:
    read = percent_from if requested.type is DiscountType.PERCENT else cents_from
    tier = DiscountTier(
        days_before=requested.days_before,
        type=requested.type,
        value=read(requested.value, field),
        until=discount_until(requested.days_before, basis.due_date, basis.calendar),
    )
    if not 0 < discount_of(tier, basis.amount, mode) < basis.amount:
        text = Text(
            "O desconto deve ser maior que zero e menor que o valor.",
            "The discount must be more than zero and less than the amount.",
        )
        raise ValidationError(Detail(field, "out_of_range", text))
    return tier
