"""A change of the settings as a caller states it."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from datetime import time
from typing import Annotated, Any, Final, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict

from application.operations.fields import Input, Money, Percent, about, one_of
from domain.dunning.addresses import Address
from domain.dunning.brazil import UFS
from domain.dunning.calendar import DueDateRule
from domain.dunning.contact_windows import ContactWindows, Window
from domain.dunning.correction import CorrectionIndex
from domain.dunning.languages import Language
from domain.dunning.money import RoundingMode
from domain.dunning.organization_settings import (
    AgreementRules,
    ApprovalAct,
    FrequencyCaps,
    OnBreach,
    PromiseRules,
    Retention,
    RoleCeiling,
    RoleLimits,
    Settings,
    UfNoticeDays,
)
from domain.dunning.organizations import CreditorKind, OrganizationChange

T = TypeVar("T")

Line = Annotated[str, Meta(min_length=2, max_length=120)]
AddressLine = Annotated[str, Meta(min_length=1, max_length=120)]
HouseNumber = Annotated[str, Meta(min_length=1, max_length=20)]
ZipCode = Annotated[str, Meta(max_length=9, pattern="^[0-9]{5}-?[0-9]{3}$")]
DocumentText = Annotated[str, Meta(min_length=11, max_length=18)]
TimeZone = Annotated[str, Meta(min_length=3, max_length=64)]
Uf = Annotated[str, one_of(UFS)]
Clock = Annotated[str, Meta(max_length=5, pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$")]
NoticeDays = Annotated[int, Meta(ge=10, le=60)]
AnyAmount = Annotated[Money, Meta(ge=0)]


class AddressInput(Struct, kw_only=True, forbid_unknown_fields=True):
    """A postal address in Brazil."""

    street: Annotated[AddressLine, about("Street.")]
    number: Annotated[HouseNumber, about("Number in the street.")]
    complement: Annotated[AddressLine | None, about("Flat, floor, block.")] = None
    district: Annotated[AddressLine, about("District.")]
    city: Annotated[AddressLine, about("City.")]
    uf: Annotated[Uf, about("State.")]
    zipcode: Annotated[ZipCode, about("CEP.")]


class WindowInput(Struct, kw_only=True, forbid_unknown_fields=True):
    """When debtors may be contacted on one day."""

    start: Annotated[Clock, about("From, as HH:MM in the debtor's local time.")]
    end: Annotated[Clock, about("Up to, as HH:MM in the debtor's local time.")]


class ContactWindowsInput(Struct, kw_only=True, forbid_unknown_fields=True):
    """Hours of each day; a day that is left out keeps the legal window."""

    monday: Annotated[WindowInput | None, about("Monday.")] = None
    tuesday: Annotated[WindowInput | None, about("Tuesday.")] = None
    wednesday: Annotated[WindowInput | None, about("Wednesday.")] = None
    thursday: Annotated[WindowInput | None, about("Thursday.")] = None
    friday: Annotated[WindowInput | None, about("Friday.")] = None
    saturday: Annotated[WindowInput | None, about("Saturday.")] = None


class FrequencyCapsInput(Struct, kw_only=True, forbid_unknown_fields=True):
    """Outbound contacts to one debtor, over all channels and charges."""

    per_day: Annotated[int, Meta(ge=1, le=2), about("Contacts a day.")]
    per_7_days: Annotated[int, Meta(ge=1, le=7), about("Contacts in 7 days.")]
    voice_per_day: Annotated[int, Meta(ge=1, le=1), about("Calls a day.")]


class AgreementRulesInput(Struct, kw_only=True, forbid_unknown_fields=True):
    """What an agreement may look like."""

    max_installments: Annotated[int, Meta(ge=1, le=60), about("Most instalments.")]
    min_installment: Annotated[AnyAmount, about("Least instalment.")]
    min_down_payment_percent: Annotated[Percent, about("Least down payment.")]
    max_first_due_days: Annotated[
        int, Meta(ge=1, le=45), about("Most days until the first instalment.")
    ]
    breach_missed_installments: Annotated[
        int, Meta(ge=1, le=3), about("So many missed instalments break it.")
    ]
    breach_days_late: Annotated[int, Meta(ge=5, le=60), about("So many days late break it.")]
    on_breach: Annotated[OnBreach, about("What a broken agreement leaves behind.")]


class PromiseRulesInput(Struct, kw_only=True, forbid_unknown_fields=True):
    """How far ahead a debtor may promise."""

    max_days_ahead: Annotated[int, Meta(ge=1, le=60), about("Most days ahead.")]
    grace_business_days: Annotated[
        int, Meta(ge=0, le=5), about("Business days until a promise is broken.")
    ]
    max_open_per_debtor: Annotated[int, Meta(ge=1, le=3), about("Open promises of one debtor.")]


class RoleCeilingInput(Struct, kw_only=True, forbid_unknown_fields=True):
    """How far a role may go."""

    charges_discount_percent: Annotated[
        Percent, about("Most discount on fine, interest and correction.")
    ]
    principal_discount_percent: Annotated[Percent, about("Most discount on the principal.")]
    max_installments: Annotated[int, Meta(ge=1, le=60), about("Most instalments.")]
    min_down_payment_percent: Annotated[Percent, about("Least down payment.")]
    write_off_amount: Annotated[AnyAmount, about("Most that is written off a charge.")]
    messages_per_hour: Annotated[int, Meta(ge=0, le=1_000_000), about("Manual messages an hour.")]
    bulk_charges_per_call: Annotated[int, Meta(ge=0, le=200), about("Charges in one bulk call.")]


class AdminCeilingInput(Struct, kw_only=True, forbid_unknown_fields=True):
    """How far an admin and an owner may go."""

    charges_discount_percent: Annotated[
        Percent, about("Most discount on fine, interest and correction.")
    ]
    principal_discount_percent: Annotated[Percent, about("Most discount on the principal.")]
    max_installments: Annotated[
        Annotated[int, Meta(ge=1, le=60)] | None,
        about("Most instalments; those of agreement_rules unless given."),
    ] = None
    min_down_payment_percent: Annotated[Percent, about("Least down payment.")]
    write_off_amount: Annotated[
        AnyAmount | None, about("Most that is written off a charge; no ceiling unless given.")
    ] = None
    messages_per_hour: Annotated[int, Meta(ge=0, le=1_000_000), about("Manual messages an hour.")]
    bulk_charges_per_call: Annotated[int, Meta(ge=0, le=200), about("Charges in one bulk call.")]


class RoleLimitsInput(Struct, kw_only=True, forbid_unknown_fields=True):
    """Ceilings by role; a role that is left out keeps its own."""

    collector: Annotated[RoleCeilingInput | None, about("Ceilings of collectors.")] = None
    manager: Annotated[RoleCeilingInput | None, about("Ceilings of managers.")] = None
    admin: Annotated[AdminCeilingInput | None, about("Ceilings of admins and owners.")] = None


class RetentionInput(Struct, kw_only=True, forbid_unknown_fields=True):
    """How long records are kept."""

    events_months: Annotated[int, Meta(ge=1, le=120), about("Months of events.")]
    notifications_months: Annotated[int, Meta(ge=60, le=120), about("Months of messages.")]
    audit_months: Annotated[int, Meta(ge=60, le=120), about("Months of the audit trail.")]
    idempotency_hours: Annotated[int, Meta(ge=24, le=720), about("Hours of idempotency keys.")]


class SettingsUpdate(Input):
    """What is to be different; what is left out stays."""

    version: Annotated[
        Annotated[int, Meta(ge=1)] | None, about("The version you have read, to lose no change.")
    ] = None
    name: Annotated[Line | UnsetType, about("Name on messages and documents.")] = UNSET
    legal_name: Annotated[Line | UnsetType, about("Registered name.")] = UNSET
    document: Annotated[DocumentText | UnsetType, about("CPF or CNPJ of the creditor.")] = UNSET
    address: Annotated[AddressInput | UnsetType, about("Address on documents.")] = UNSET
    creditor_kind: Annotated[CreditorKind | UnsetType, about("Sets the cap of agreements.")] = UNSET
    language: Annotated[Language | UnsetType, about("Language of pages and documents.")] = UNSET
    timezone: Annotated[TimeZone | UnsetType, about("IANA zone; decides what today is.")] = UNSET
    uf: Annotated[Uf | UnsetType, about("State of the creditor.")] = UNSET
    city: Annotated[Line | UnsetType, about("City of the creditor.")] = UNSET
    default_fine_percent: Annotated[
        Percent | UnsetType, about("Late fine for consumers, at most 2 by law.")
    ] = UNSET
    default_fine_percent_business: Annotated[
        Percent | UnsetType, about("Late fine for businesses, at most 10 by law.")
    ] = UNSET
    default_interest_percent_month: Annotated[
        Percent | UnsetType, about("Interest a month, at most 1 by law.")
    ] = UNSET
    default_correction_index: Annotated[
        CorrectionIndex | UnsetType, about("Index of monetary correction.")
    ] = UNSET
    due_date_rule: Annotated[
        DueDateRule | UnsetType, about("Whether a due date rolls to a business day.")
    ] = UNSET
    rounding_mode: Annotated[
        RoundingMode | UnsetType, about("How an exact half cent is rounded.")
    ] = UNSET
    settlement_tolerance: Annotated[
        Annotated[Money, Meta(ge=0, le=5_00)] | UnsetType, about("Residue that is forgiven.")
    ] = UNSET
    contact_windows: Annotated[
        ContactWindowsInput | UnsetType, about("Own contact hours, within the legal ones.")
    ] = UNSET
    frequency_caps: Annotated[FrequencyCapsInput | UnsetType, about("Most contacts.")] = UNSET
    negativation_notice_days: Annotated[
        NoticeDays | UnsetType, about("Days of notice before a bureau listing.")
    ] = UNSET
    negativation_notice_uf_overrides: Annotated[
        dict[Uf, NoticeDays] | UnsetType, about("Days of notice by state, 10 to 60.")
    ] = UNSET
    negativation_min_days_overdue: Annotated[
        Annotated[int, Meta(ge=1, le=1_825)] | UnsetType, about("Least days late of a listed debt.")
    ] = UNSET
    negativation_min_amount: Annotated[
        AnyAmount | UnsetType, about("Least amount of a listed debt.")
    ] = UNSET
    approval_required_for: Annotated[
        tuple[ApprovalAct, ...] | UnsetType, about("Acts that need a second person.")
    ] = UNSET
    agreement_rules: Annotated[AgreementRulesInput | UnsetType, about("Agreements.")] = UNSET
    promise_rules: Annotated[PromiseRulesInput | UnsetType, about("Promises to pay.")] = UNSET
    role_limits: Annotated[RoleLimitsInput | UnsetType, about("Ceilings by role.")] = UNSET
    auto_enroll: Annotated[
        bool | UnsetType, about("Whether new charges enter the matching policy.")
    ] = UNSET
    retention: Annotated[RetentionInput | UnsetType, about("How long records are kept.")] = UNSET


def wanted_change(wanted: SettingsUpdate, present: Settings) -> OrganizationChange:
    """What the caller wants, in the words of the rules, with the whole of the settings after it."""
    address = _sent(wanted.address)
    return OrganizationChange(
        name=_sent(wanted.name),
        legal_name=_sent(wanted.legal_name),
        document=_sent(wanted.document),
        uf=_sent(wanted.uf),
        city=_sent(wanted.city),
        address=None if address is None else Address(**asdict(address)),
        creditor_kind=_sent(wanted.creditor_kind),
        language=_sent(wanted.language),
        timezone=_sent(wanted.timezone),
        settings=_settings(wanted, present),
    )


def _sent(value: T | UnsetType) -> T | None:
    return None if isinstance(value, UnsetType) else value


def _settings(wanted: SettingsUpdate, present: Settings) -> Settings:
    sent = {one.name: getattr(wanted, one.name) for one in fields(Settings)}
    changed: dict[str, Any] = {
        name: _IN_RULES[name](value, present) if name in _IN_RULES else value
        for name, value in sent.items()
        if value is not UNSET
    }
    return replace(present, **changed)


def _contact_windows(wanted: ContactWindowsInput, _: Settings) -> ContactWindows:
    days: dict[str, WindowInput | None] = asdict(wanted)
    return ContactWindows(
        **{
            day: Window(time.fromisoformat(window.start), time.fromisoformat(window.end))
            for day, window in days.items()
            if window is not None
        }
    )


def _notice_days(wanted: Mapping[str, int], _: Settings) -> tuple[UfNoticeDays, ...]:
    return tuple(UfNoticeDays(uf=uf, days=days) for uf, days in sorted(wanted.items()))


def _role_limits(wanted: RoleLimitsInput, present: Settings) -> RoleLimits:
    roles: dict[str, Struct | None] = asdict(wanted)
    return replace(
        present.role_limits,
        **{role: RoleCeiling(**asdict(its)) for role, its in roles.items() if its is not None},
    )


_IN_RULES: Final[Mapping[str, Callable[[Any, Settings], object]]] = {
    "contact_windows": _contact_windows,
    "frequency_caps": lambda wanted, _: FrequencyCaps(**asdict(wanted)),
    "negativation_notice_uf_overrides": _notice_days,
    "approval_required_for": lambda wanted, _: frozenset(wanted),
    "agreement_rules": lambda wanted, _: AgreementRules(**asdict(wanted)),
    "promise_rules": lambda wanted, _: PromiseRules(**asdict(wanted)),
    "role_limits": _role_limits,
    "retention": lambda wanted, _: Retention(**asdict(wanted)),
}
"""How the settings are made that a caller states in another form than the rules hold them."""
