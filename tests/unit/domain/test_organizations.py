"""A creditor is set up whole: document, place, time zone and settings within their ranges."""

import pytest

from domain.access.grant import Environment
from domain.dunning.organization_settings import Settings
from domain.dunning.organizations import CreditorKind
from tests.unit.domain.builders import NOW, an_organization, the_detail_of


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
