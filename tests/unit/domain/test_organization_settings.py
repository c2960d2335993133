"""Settings start at the documented defaults, know their ranges and stay within the law."""

from dataclasses import replace
from datetime import date, time

import pytest

from domain.dunning.brazil import UFS
from domain.dunning.contact_windows import (
    DAYS,
    LEGAL_WINDOWS,
    ContactWindows,
    Window,
    legal_windows_of,
)
from domain.dunning.legal_caps import CapItem, CapSubject, legal_caps
from domain.dunning.organization_settings import (
    AgreementRules,
    FrequencyCaps,
    Retention,
    RoleLimits,
    Settings,
    UfNoticeDays,
    refuse_settings,
    settings_changes,
)
from domain.errors import Detail, LegalLimitError, ValidationError
from tests.unit.domain.builders import TODAY


def the_refusal_of(settings: Settings, uf: str = "SP") -> ValidationError:
    with pytest.raises(ValidationError) as refused:
        refuse_settings(settings, uf, TODAY)
    return refused.value


def illegal(settings: Settings, uf: str = "SP") -> list[Detail]:
    refused = the_refusal_of(settings, uf)
    assert isinstance(refused, LegalLimitError)
    return list(refused.details)


@pytest.mark.parametrize("uf", sorted(UFS))
def test_the_defaults_are_allowed_everywhere(uf: str) -> None:
    refuse_settings(Settings(), uf, TODAY)


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        (Settings(default_fine_percent=-1), "default_fine_percent"),
        (Settings(default_interest_percent_month=100_0001), "default_interest_percent_month"),
        (Settings(settlement_tolerance=5_01), "settlement_tolerance"),
        (Settings(negativation_notice_days=9), "negativation_notice_days"),
        (
            Settings(negativation_notice_uf_overrides=(UfNoticeDays(uf="SP", days=61),)),
            "negativation_notice_uf_overrides[0].days",
        ),
        (Settings(frequency_caps=FrequencyCaps(per_day=3)), "frequency_caps.per_day"),
        (
            Settings(agreement_rules=AgreementRules(max_installments=0)),
            "agreement_rules.max_installments",
        ),
        (Settings(retention=Retention(audit_months=12)), "retention.audit_months"),
        (
            Settings(
                role_limits=RoleLimits(manager=replace(RoleLimits().manager, max_installments=61))
            ),
            "role_limits.manager.max_installments",
        ),
    ],
)
def test_a_setting_outside_its_range_is_named_by_its_path(settings: Settings, field: str) -> None:
    refused = the_refusal_of(settings)

    assert not isinstance(refused, LegalLimitError)
    assert [(detail.field, detail.code) for detail in refused.details] == [(field, "out_of_range")]


@pytest.mark.parametrize(
    ("settings", "field", "cap"),
    [
        (
            Settings(default_fine_percent=2_0001),
            "default_fine_percent",
            "The cap is 2 % (CDC 52 §1).",
        ),
        (
            Settings(default_fine_percent_business=10_0001),
            "default_fine_percent_business",
            "The cap is 10 % (CC 412, 413).",
        ),
        (
            Settings(default_interest_percent_month=1_0001),
            "default_interest_percent_month",
            "The cap is 1 % (CC 406; Decreto 22.626/1933).",
        ),
    ],
)
def test_a_percentage_above_its_cap_is_refused_with_cap_and_source(
    settings: Settings, field: str, cap: str
) -> None:
    (detail,) = illegal(settings)

    assert (detail.field, detail.code) == (field, "legal_limit")
    assert detail.message.en == cap


def test_the_caps_themselves_may_be_set() -> None:
    at_the_cap = Settings(
        default_fine_percent=2_0000,
        default_fine_percent_business=10_0000,
        default_interest_percent_month=1_0000,
    )

    refuse_settings(at_the_cap, "SP", TODAY)


def windows(**days: tuple[time, time]) -> Settings:
    return Settings(
        contact_windows=ContactWindows(**{day: Window(*hours) for day, hours in days.items()})
    )


@pytest.mark.parametrize(
    ("uf", "days"),
    [
        ("SP", {"monday": (time(8), time(20)), "saturday": (time(8), time(14))}),
        ("SP", {"friday": (time(9, 30), time(12))}),
        ("RJ", {"tuesday": (time(9), time(19))}),
        ("MG", {"saturday": (time(10), time(14))}),
    ],
)
def test_own_contact_hours_may_be_the_legal_ones_or_fewer(
    uf: str, days: dict[str, tuple[time, time]]
) -> None:
    refuse_settings(windows(**days), uf, TODAY)


@pytest.mark.parametrize(
    ("uf", "day", "hours", "allowed"),
    [
        ("SP", "monday", (time(7, 59), time(20)), "Allowed is 08:00-20:00 (Lei 15.426/2014)."),
        ("SP", "saturday", (time(8), time(14, 1)), "Allowed is 08:00-14:00 (Lei 15.426/2014)."),
        ("RJ", "wednesday", (time(8), time(19)), "Allowed is 09:00-19:00 (Lei 7.868/2018)."),
        (
            "RJ",
            "saturday",
            (time(9), time(10)),
            "There is no contact on this day (Lei 7.868/2018).",
        ),
        (
            "MG",
            "friday",
            (time(8), time(21)),
            "Allowed is 08:00-20:00 (CDC 42, 71 (no hour set: the rule of SP)).",
        ),
    ],
)
def test_hours_wider_than_the_law_are_refused_with_what_it_allows(
    uf: str, day: str, hours: tuple[time, time], allowed: str
) -> None:
    (detail,) = illegal(windows(**{day: hours}), uf)

    assert (detail.field, detail.code) == (f"contact_windows.{day}", "legal_limit")
    assert detail.message.en == allowed


@pytest.mark.parametrize("end", [time(9), time(8, 30)])
def test_hours_end_after_they_start(end: time) -> None:
    refused = the_refusal_of(windows(monday=(time(9), end)))

    assert [(detail.field, detail.code) for detail in refused.details] == [
        ("contact_windows.monday.end", "out_of_range")
    ]


def test_every_day_but_sunday_can_have_hours_of_its_own() -> None:
    whole = ContactWindows(**dict.fromkeys(DAYS, Window(time(9), time(12))))

    assert [day for day, _ in whole.by_day()] == list(DAYS)
    assert list(ContactWindows().by_day()) == []


def test_a_law_binds_from_its_first_day_on() -> None:
    assert [law.uf for law in legal_windows_of("RJ", date(2017, 12, 31))] == [None]
    assert [law.uf for law in legal_windows_of("RJ", date(2018, 1, 1))] == ["RJ", None]


def test_a_change_is_told_by_setting_with_plain_values() -> None:
    before = Settings()
    after = replace(
        before,
        settlement_tolerance=1_00,
        frequency_caps=FrequencyCaps(per_day=2),
        approval_required_for=frozenset(),
        contact_windows=ContactWindows(monday=Window(time(9), time(18))),
        negativation_notice_uf_overrides=(),
    )

    assert settings_changes(before, before) == {}
    changes = settings_changes(before, after)
    assert changes["settlement_tolerance"] == (5, 1_00)
    assert changes["frequency_caps"] == (
        {"per_day": 1, "per_7_days": 3, "voice_per_day": 1},
        {"per_day": 2, "per_7_days": 3, "voice_per_day": 1},
    )
    assert changes["approval_required_for"] == (["negativate", "protest"], [])
    assert changes["negativation_notice_uf_overrides"] == ([{"uf": "SP", "days": 15}], [])
    _, own = changes["contact_windows"]
    assert own == dict.fromkeys(DAYS) | {"monday": {"start": "09:00", "end": "18:00"}}
    assert len(changes) == 5


def test_an_owner_and_an_admin_write_off_without_a_ceiling_and_a_collector_never() -> None:
    limits = RoleLimits()

    assert limits.admin.write_off_amount is None
    assert limits.manager.write_off_amount == 500_00
    assert limits.collector.write_off_amount == 0


def test_every_cap_carries_its_article() -> None:
    caps = {(cap.item, cap.applies_to): cap for cap in legal_caps()}

    assert caps[CapItem.LATE_FINE, CapSubject.CONSUMER].source == "CDC 52 §1"
    assert caps[CapItem.LATE_FINE, CapSubject.NON_CONSUMER].percent == 10_0000
    assert caps[CapItem.LATE_FINE, CapSubject.CONDO].percent == 2_0000
    assert caps[CapItem.DEFAULT_INTEREST_MONTH, CapSubject.ANY].percent == 1_0000


def test_the_contact_window_table_has_one_default_and_the_five_states_with_a_law() -> None:
    assert [window.uf for window in LEGAL_WINDOWS] == ["SP", "RJ", "ES", "AM", "AL", None]
    assert all(window.source for window in LEGAL_WINDOWS)
    assert all(window.weekdays.start < window.weekdays.end for window in LEGAL_WINDOWS)
