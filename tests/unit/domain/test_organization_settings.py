"""Settings start at the documented defaults and know their ranges."""

from dataclasses import replace

import pytest

from domain.dunning.contact_windows import LEGAL_WINDOWS
from domain.dunning.legal_caps import CapItem, CapSubject, legal_caps
from domain.dunning.organization_settings import (
    AgreementRules,
    FrequencyCaps,
    Retention,
    RoleLimits,
    Settings,
    UfNoticeDays,
    settings_out_of_range,
)


def test_the_defaults_are_within_their_ranges() -> None:
    assert settings_out_of_range(Settings()) == ()


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        (Settings(default_fine_percent=2_0001), "default_fine_percent"),
        (Settings(default_fine_percent_business=10_0001), "default_fine_percent_business"),
        (Settings(default_interest_percent_month=1_0001), "default_interest_percent_month"),
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
    (detail,) = settings_out_of_range(settings)

    assert (detail.field, detail.code) == (field, "out_of_range")


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
