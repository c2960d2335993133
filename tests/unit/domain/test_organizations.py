"""A creditor is set up whole and changed within the law, and says what has changed."""

from dataclasses import replace
from datetime import date, time
from typing import Any

import pytest

from domain.access.grant import Environment
from domain.dunning.contact_windows import ContactWindows, Window
from domain.dunning.languages import Language
from domain.dunning.organization_settings import Settings
from domain.dunning.organizations import CreditorKind, Organization, OrganizationChange
from domain.errors import ComplianceBlockedError, LegalLimitError, VersionConflictError
from tests.unit.domain.builders import ADDRESS, NOW, an_organization, on, the_detail_of

LATER = on(date(2026, 9, 2))


def changed(version: int | None = None, **wanted: Any) -> Organization:
    """An organisation after a change."""
    organization = an_organization()
    organization.change(OrganizationChange(**wanted), version, LATER)
    return organization


def test_a_new_organisation_starts_with_the_documented_defaults() -> None:
    organization = an_organization()

    assert organization.settings == Settings()
    assert organization.creditor_kind is CreditorKind.NON_FINANCIAL
    assert organization.environment is Environment.SANDBOX
    assert organization.timezone == "America/Sao_Paulo"
    assert (organization.version, organization.created_at) == (1, NOW.instant)


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"timezone": "America/Lugar_Nenhum"}, "timezone", "invalid_timezone"),
        ({"timezone": "../etc"}, "timezone", "invalid_timezone"),
        ({"timezone": "localtime"}, "timezone", "invalid_timezone"),
        ({"uf": "XX"}, "uf", "invalid_uf"),
        ({"document": "11.222.333/0001-82"}, "document", "invalid_document"),
        (
            {"settings": Settings(settlement_tolerance=6_00)},
            "settlement_tolerance",
            "out_of_range",
        ),
    ],
)
def test_an_organisation_is_not_set_up_with_what_does_not_exist(
    fields: dict[str, object], field: str, code: str
) -> None:
    detail = the_detail_of(lambda: an_organization(**fields))

    assert (detail.field, detail.code) == (field, code)


def test_an_organisation_is_not_set_up_with_more_than_the_law_allows() -> None:
    with pytest.raises(LegalLimitError):
        an_organization(settings=Settings(default_fine_percent=2_0001))


def test_every_field_but_the_environment_can_be_changed() -> None:
    address = replace(ADDRESS, street="Rua das Palmeiras")
    organization = changed(
        name=" Colégio Poente ",
        legal_name="Colégio Poente Ltda.",
        document="12.ABC.345/01DE-35",
        uf="rj",
        city="Niterói",
        address=address,
        creditor_kind=CreditorKind.FINANCIAL_INSTITUTION,
        language=Language.ENGLISH,
        timezone="America/Manaus",
        settings=Settings(auto_enroll=False),
    )

    assert (organization.name, organization.legal_name) == (
        "Colégio Poente",
        "Colégio Poente Ltda.",
    )
    assert organization.document.number == "12ABC34501DE35"
    assert (organization.uf, organization.city, organization.address) == ("RJ", "Niterói", address)
    assert organization.creditor_kind is CreditorKind.FINANCIAL_INSTITUTION
    assert (organization.language, organization.timezone) == (Language.ENGLISH, "America/Manaus")
    assert organization.settings.auto_enroll is False
    assert organization.environment is Environment.SANDBOX
    assert (organization.version, organization.updated_at) == (2, LATER.instant)
    assert organization.created_at == NOW.instant


def test_a_change_is_one_event_without_names_documents_and_addresses() -> None:
    organization = changed(
        name="Colégio Poente",
        document="529.982.247-25",
        address=replace(ADDRESS, number="7"),
        timezone="America/Manaus",
        settings=Settings(settlement_tolerance=1_00),
    )

    (event,) = organization.events
    assert (event.type, event.resource_type, event.resource_id) == (
        "settings.updated",
        "organization",
        organization.id,
    )
    assert event.data == {
        "id": organization.id,
        "changed": ["address", "document", "name", "settlement_tolerance", "timezone"],
        "version": 2,
    }
    assert event.changes == {
        "name": (None, None),
        "document": (None, None),
        "address": (None, None),
        "timezone": ("America/Sao_Paulo", "America/Manaus"),
        "settlement_tolerance": (5, 1_00),
    }


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"name": " Colégio Aurora "},
        {"uf": "sp"},
        {"address": ADDRESS},
        {"settings": Settings()},
    ],
)
def test_what_is_so_already_is_no_change(wanted: dict[str, Any]) -> None:
    organization = changed(**wanted)

    assert organization.events == []
    assert (organization.version, organization.updated_at) == (1, NOW.instant)


def test_a_change_of_another_version_is_refused_with_the_present_one() -> None:
    with pytest.raises(VersionConflictError) as refused:
        changed(version=2, city="Niterói")

    (detail,) = refused.value.details
    assert (detail.field, "1" in detail.message.en) == ("version", True)
    assert changed(version=1, city="Niterói").version == 2


@pytest.mark.parametrize(
    ("wanted", "field", "code"),
    [
        ({"name": "x"}, "name", "out_of_range"),
        ({"uf": "XX"}, "uf", "invalid_uf"),
        ({"document": "11.222.333/0001-82"}, "document", "invalid_document"),
        ({"timezone": "America/Lugar_Nenhum"}, "timezone", "invalid_timezone"),
        ({"address": replace(ADDRESS, zipcode="1")}, "address.zipcode", "invalid_zipcode"),
        ({"settings": Settings(settlement_tolerance=6_00)}, "settlement_tolerance", "out_of_range"),
        (
            {"settings": Settings(default_fine_percent=3_0000)},
            "default_fine_percent",
            "legal_limit",
        ),
    ],
)
def test_a_refused_change_leaves_everything_as_it_was(
    wanted: dict[str, Any], field: str, code: str
) -> None:
    organization = an_organization()

    detail = the_detail_of(
        lambda: organization.change(OrganizationChange(city="Niterói", **wanted), None, LATER)
    )

    assert (detail.field, detail.code) == (field, code)
    assert (organization.city, organization.version) == ("São Paulo", 1)
    assert organization.events == []


def test_moving_to_a_stricter_state_asks_for_narrower_hours() -> None:
    on_saturdays = ContactWindows(saturday=Window(time(9), time(12)))
    organization = an_organization(settings=Settings(contact_windows=on_saturdays))

    def move() -> None:
        organization.change(OrganizationChange(uf="RJ"), None, LATER)

    assert the_detail_of(move).field == "contact_windows.saturday"
    narrower = OrganizationChange(uf="RJ", settings=Settings())
    organization.change(narrower, None, LATER)
    assert organization.uf == "RJ"


@pytest.mark.parametrize(
    ("fields", "missing"),
    [
        ({"legal_name": " "}, ("legal_name",)),
        ({"address": replace(ADDRESS, street="")}, ("address",)),
        ({"address": replace(ADDRESS, zipcode="")}, ("address",)),
        ({"legal_name": "", "address": replace(ADDRESS, city="")}, ("legal_name", "address")),
    ],
)
def test_who_cannot_be_named_on_a_document_is_told_what_is_missing(
    fields: dict[str, Any], missing: tuple[str, ...]
) -> None:
    organization = an_organization()
    organization.refuse_unidentified()
    for name, value in fields.items():
        setattr(organization, name, value)
    with pytest.raises(ComplianceBlockedError) as refused:
        organization.refuse_unidentified()
    assert tuple(refused.value.reasons) == missing
    assert all(name in refused.value.message.pt for name in missing)
