"""Settings as answers show them, with the limits of law beside them."""

from datetime import date, datetime
from decimal import Decimal

from application.operations.fields import MoneyOut, PercentOut, View
from application.operations.numbers import percent, reais, reais_or_none
from domain.dunning.addresses import Address
from domain.dunning.contact_windows import LEGAL_WINDOWS, ContactWindows, LegalWindow, Window
from domain.dunning.legal_caps import LegalCap, legal_caps
from domain.dunning.organization_settings import (
    AgreementRules,
    FrequencyCaps,
    PromiseRules,
    Retention,
    RoleCeiling,
)
from domain.dunning.organizations import Organization
from domain.dunning.rates import IndexRate, RateCode, Rates


class AddressView(View):
    """A postal address in Brazil; the zip code has eight digits."""

    street: str
    number: str
    complement: str | None
    district: str
    city: str
    uf: str
    zipcode: str


class WindowView(View):
    """From `start` up to `end`, local time, as `HH:MM`."""

    start: str
    end: str


class FrequencyCapsView(View):
    """Outbound contacts to one debtor over all channels and charges."""

    per_day: int
    per_7_days: int
    voice_per_day: int


class AgreementRulesView(View):
    """What an agreement may look like."""

    max_installments: int
    min_installment: MoneyOut
    min_down_payment_percent: PercentOut
    max_first_due_days: int
    breach_missed_installments: int
    breach_days_late: int
    on_breach: str


class PromiseRulesView(View):
    """How far ahead a debtor may promise."""

    max_days_ahead: int
    grace_business_days: int
    max_open_per_debtor: int


class RoleCeilingView(View):
    """How far a role may go; null is the organisation's own rule, or no ceiling."""

    charges_discount_percent: PercentOut
    principal_discount_percent: PercentOut
    max_installments: int | None
    min_down_payment_percent: PercentOut
    write_off_amount: MoneyOut | None
    messages_per_hour: int
    bulk_charges_per_call: int


class RetentionView(View):
    """How long records are kept."""

    events_months: int
    notifications_months: int
    audit_months: int
    idempotency_hours: int


class LegalCapView(View):
    """A limit in law and the article it comes from."""

    item: str
    applies_to: str
    percent: PercentOut
    source: str


class LegalWindowView(View):
    """When a state lets debtors be called; null `uf` is every state without a law of its own."""

    uf: str | None
    weekdays: WindowView
    saturday: WindowView | None
    valid_from: date
    source: str


class IndexRateView(View):
    """The last month of a published rate; `month` is `YYYY-MM`."""

    code: RateCode
    month: str
    percent: Decimal
    published_on: date


class SettingsView(View):
    """An organisation with its defaults, active caps, contact windows and latest rates."""

    name: str
    legal_name: str
    document: str
    address: AddressView
    creditor_kind: str
    environment: str
    language: str
    timezone: str
    uf: str
    city: str
    default_fine_percent: PercentOut
    default_fine_percent_business: PercentOut
    default_interest_percent_month: PercentOut
    default_correction_index: str
    due_date_rule: str
    rounding_mode: str
    settlement_tolerance: MoneyOut
    contact_windows: dict[str, WindowView]
    frequency_caps: FrequencyCapsView
    negativation_notice_days: int
    negativation_notice_uf_overrides: dict[str, int]
    negativation_min_days_overdue: int
    negativation_min_amount: MoneyOut
    approval_required_for: list[str]
    agreement_rules: AgreementRulesView
    promise_rules: PromiseRulesView
    role_limits: dict[str, RoleCeilingView]
    auto_enroll: bool
    retention: RetentionView
    legal_caps: list[LegalCapView]
    contact_window_table: list[LegalWindowView]
    index_rates: list[IndexRateView]
    version: int
    created_at: datetime
    updated_at: datetime


def ceiling_view(ceiling: RoleCeiling) -> RoleCeilingView:
    """A role's ceilings as an answer shows them."""
    return RoleCeilingView(
        charges_discount_percent=percent(ceiling.charges_discount_percent),
        principal_discount_percent=percent(ceiling.principal_discount_percent),
        max_installments=ceiling.max_installments,
        min_down_payment_percent=percent(ceiling.min_down_payment_percent),
        write_off_amount=reais_or_none(ceiling.write_off_amount),
        messages_per_hour=ceiling.messages_per_hour,
        bulk_charges_per_call=ceiling.bulk_charges_per_call,
    )


def settings_view(organization: Organization, rates: Rates, today: date) -> SettingsView:
    """An organisation with what is in force `today` beside its own settings."""
    settings = organization.settings
    limits = settings.role_limits
    return SettingsView(
        name=organization.name,
        legal_name=organization.legal_name,
        document=organization.document.masked,
        address=address_view(organization.address),
        creditor_kind=organization.creditor_kind,
        environment=organization.environment,
        language=organization.language,
        timezone=organization.timezone,
        uf=organization.uf,
        city=organization.city,
        default_fine_percent=percent(settings.default_fine_percent),
        default_fine_percent_business=percent(settings.default_fine_percent_business),
        default_interest_percent_month=percent(settings.default_interest_percent_month),
        default_correction_index=settings.default_correction_index,
        due_date_rule=settings.due_date_rule,
        rounding_mode=settings.rounding_mode,
        settlement_tolerance=reais(settings.settlement_tolerance),
        contact_windows=_own_windows(settings.contact_windows),
        frequency_caps=_frequency_caps(settings.frequency_caps),
        negativation_notice_days=settings.negativation_notice_days,
        negativation_notice_uf_overrides={
            notice.uf: notice.days for notice in settings.negativation_notice_uf_overrides
        },
        negativation_min_days_overdue=settings.negativation_min_days_overdue,
        negativation_min_amount=reais(settings.negativation_min_amount),
        approval_required_for=sorted(settings.approval_required_for),
        agreement_rules=_agreement_rules(settings.agreement_rules),
        promise_rules=_promise_rules(settings.promise_rules),
        role_limits={
            "collector": ceiling_view(limits.collector),
            "manager": ceiling_view(limits.manager),
            "admin": ceiling_view(limits.admin),
        },
        auto_enroll=settings.auto_enroll,
        retention=_retention(settings.retention),
        legal_caps=[_cap(cap) for cap in legal_caps()],
        contact_window_table=[_legal_window(window) for window in LEGAL_WINDOWS],
        index_rates=[_rate(rate) for rate in rates.latest(today)],
        version=organization.version,
        created_at=organization.created_at,
        updated_at=organization.updated_at,
    )


def address_view(address: Address) -> AddressView:
    """An address as an answer shows it."""
    return AddressView(
        street=address.street,
        number=address.number,
        complement=address.complement,
        district=address.district,
        city=address.city,
        uf=address.uf,
        zipcode=address.zipcode,
    )


def _window(window: Window) -> WindowView:
    return WindowView(start=f"{window.start:%H:%M}", end=f"{window.end:%H:%M}")


def _own_windows(windows: ContactWindows) -> dict[str, WindowView]:
    return {day: _window(window) for day, window in windows.by_day()}


def _frequency_caps(caps: FrequencyCaps) -> FrequencyCapsView:
    return FrequencyCapsView(
        per_day=caps.per_day, per_7_days=caps.per_7_days, voice_per_day=caps.voice_per_day
    )


def _agreement_rules(rules: AgreementRules) -> AgreementRulesView:
    return AgreementRulesView(
        max_installments=rules.max_installments,
        min_installment=reais(rules.min_installment),
        min_down_payment_percent=percent(rules.min_down_payment_percent),
        max_first_due_days=rules.max_first_due_days,
        breach_missed_installments=rules.breach_missed_installments,
        breach_days_late=rules.breach_days_late,
        on_breach=rules.on_breach,
    )


def _promise_rules(rules: PromiseRules) -> PromiseRulesView:
    return PromiseRulesView(
        max_days_ahead=rules.max_days_ahead,
        grace_business_days=rules.grace_business_days,
        max_open_per_debtor=rules.max_open_per_debtor,
    )


def _retention(retention: Retention) -> RetentionView:
    return RetentionView(
        events_months=retention.events_months,
        notifications_months=retention.notifications_months,
        audit_months=retention.audit_months,
        idempotency_hours=retention.idempotency_hours,
    )


def _cap(cap: LegalCap) -> LegalCapView:
    return LegalCapView(
        item=cap.item, applies_to=cap.applies_to, percent=percent(cap.percent), source=cap.source
    )


def _legal_window(window: LegalWindow) -> LegalWindowView:
    return LegalWindowView(
        uf=window.uf,
        weekdays=_window(window.weekdays),
        saturday=None if window.saturday is None else _window(window.saturday),
        valid_from=window.valid_from,
        source=window.source,
    )


def _rate(rate: IndexRate) -> IndexRateView:
    return IndexRateView(
        code=rate.code,
        month=f"{rate.month:%Y-%m}",
        percent=rate.percent,
        published_on=rate.published_on,
    )
