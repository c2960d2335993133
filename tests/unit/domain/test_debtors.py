"""A debtor is who the document says, and protected as a consumer unless there is a reason."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from domain.dunning.debtors import Debtor, DebtorStatus
from domain.dunning.documents import Document, PersonType
from domain.dunning.languages import Language
from domain.dunning.restrictions import DoNotContact
from tests.unit.domain.builders import (
    ADDRESS,
    NEW_DEBTOR,
    NOW,
    TODAY,
    a_debtor,
    an_organization,
    the_detail_of,
)

CNPJ = "12.abc.345/01de-35"


def test_a_new_debtor_is_active_and_may_be_contacted() -> None:
    debtor = a_debtor()

    assert debtor.status is DebtorStatus.ACTIVE
    assert debtor.do_not_contact == DoNotContact(active=False)
    assert (debtor.opted_out_channels, debtor.flags) == ((), ())
    assert debtor.language is Language.PORTUGUESE
    assert (debtor.version, debtor.created_at, debtor.updated_at) == (1, NOW.instant, NOW.instant)


def test_a_debtor_belongs_to_the_organisation_that_registers_it() -> None:
    ours, theirs = an_organization(), an_organization()
    theirs.id = "org_2"

    assert a_debtor().organization_id == ours.id
    assert Debtor.register("dbt_2", NEW_DEBTOR, theirs, NOW).organization_id == "org_2"


@pytest.mark.parametrize(
    ("document", "person_type", "is_consumer"),
    [("529.982.247-25", PersonType.INDIVIDUAL, True), (CNPJ, PersonType.COMPANY, False)],
)
def test_the_document_decides_the_person_type_and_consumer_protection(
    document: str,
    person_type: PersonType,
    is_consumer: bool,  # noqa: FBT001 -- drawn from the table
) -> None:
    debtor = a_debtor(document=document)

    assert (debtor.person_type, debtor.is_consumer) == (person_type, is_consumer)


def test_a_document_is_stored_without_mask_in_upper_case() -> None:
    assert a_debtor(document=CNPJ).document == Document("12ABC34501DE35")


def test_a_person_type_that_contradicts_the_document_is_refused() -> None:
    detail = the_detail_of(lambda: a_debtor(person_type=PersonType.COMPANY))

    assert (detail.field, detail.code) == ("person_type", "conflicts_with")
    assert a_debtor(person_type=PersonType.INDIVIDUAL).person_type is PersonType.INDIVIDUAL


def test_an_individual_is_no_consumer_only_for_a_reason() -> None:
    detail = the_detail_of(lambda: a_debtor(is_consumer=False))
    debtor = a_debtor(is_consumer=False, is_consumer_reason=" Produtor rural, revenda ")

    assert (detail.field, detail.code) == ("is_consumer_reason", "required_with")
    assert not debtor.is_consumer
    assert debtor.is_consumer_reason == "Produtor rural, revenda"


def test_a_company_may_be_a_consumer() -> None:
    assert a_debtor(document=CNPJ, is_consumer=True).is_consumer


@pytest.mark.parametrize("days", [0, 1])
def test_nobody_is_born_today_or_later(days: int) -> None:
    detail = the_detail_of(lambda: a_debtor(birth_date=TODAY + timedelta(days=days)))

    assert (detail.field, detail.code) == ("birth_date", "out_of_range")
    assert a_debtor(birth_date=date(1980, 2, 29)).birth_date == date(1980, 2, 29)


def test_the_time_zone_is_that_of_the_state_else_of_the_organisation() -> None:
    in_amazonas = a_debtor(address=replace(ADDRESS, uf="am", zipcode="69005-010"))

    assert (in_amazonas.uf, in_amazonas.timezone) == ("AM", "America/Manaus")
    assert in_amazonas.address is not None
    assert in_amazonas.address.zipcode == "69005010"
    assert (a_debtor().uf, a_debtor().timezone) == (None, "America/Sao_Paulo")


@pytest.mark.parametrize(
    ("part", "value", "code"),
    [
        ("uf", "XX", "invalid_uf"),
        ("zipcode", "0100100", "invalid_zipcode"),
        ("street", " ", "out_of_range"),
    ],
)
def test_an_address_that_no_letter_finds_is_refused(part: str, value: str, code: str) -> None:
    address = replace(ADDRESS, **{part: value})

    detail = the_detail_of(lambda: a_debtor(address=address))

    assert (detail.field, detail.code) == (f"address.{part}", code)


def test_the_search_shadow_has_name_trade_name_and_external_id_and_never_the_document() -> None:
    debtor = a_debtor(name="José Ávila", trade_name="Padaria São José", external_id="NF-1001")

    assert debtor.search_text == "jose avila padaria sao jose nf-1001"


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"name": " x "}, "name", "out_of_range"),
        ({"name": "a" * 121}, "name", "out_of_range"),
        ({"name": "Ana\x00"}, "name", "invalid_characters"),
        ({"name": "Ana\nBcc: x"}, "name", "invalid_characters"),
        ({"notes": "n\x1b"}, "notes", "invalid_characters"),
        ({"name": "Ana \ud800"}, "name", "invalid_characters"),
        ({"document": "111.111.111-11"}, "document", "invalid_document"),
        ({"external_id": " "}, "external_id", "out_of_range"),
        ({"external_id": "529.982.247-25"}, "external_id", "personal_document"),
        ({"external_id": " 52998224725"}, "external_id", "personal_document"),
        ({"notes": "n" * 2001}, "notes", "out_of_range"),
        ({"tags": ("a" * 31,)}, "tags[0]", "out_of_range"),
        ({"tags": tuple(f"t{n}" for n in range(21))}, "tags", "too_many_items"),
        ({"custom_data": {"k": "v" * 8192}}, "custom_data", "too_large"),
        ({"custom_data": {"k": ["a", {"b\x00": 1}]}}, "custom_data", "invalid_characters"),
    ],
)
def test_a_field_that_cannot_be_kept_is_named(
    fields: dict[str, object], field: str, code: str
) -> None:
    detail = the_detail_of(lambda: a_debtor(**fields))

    assert (detail.field, detail.code) == (field, code)


@pytest.mark.parametrize(
    "external_id", ["52998224726", "111.111.111-11", "CLI-52998224725", "11.222.333/0001-81"]
)
def test_an_external_id_that_is_no_persons_document_is_kept(external_id: str) -> None:
    assert a_debtor(external_id=external_id).external_id == external_id


def test_tags_are_trimmed_and_kept_once_in_their_order() -> None:
    assert a_debtor(tags=(" vip", "norte", "vip ")).tags == ("vip", "norte")


def test_notes_may_have_several_lines() -> None:
    assert a_debtor(notes="Ligou.\nPediu prazo.").notes == "Ligou.\nPediu prazo."


def test_the_event_of_a_new_debtor_has_neither_name_nor_document_nor_the_clients_key() -> None:
    (event,) = a_debtor(external_id="NF-1001").events

    assert (event.type, event.resource_type, event.resource_id) == (
        "debtor.created",
        "debtor",
        "dbt_1",
    )
    assert "NF-1001" not in f"{event}"
    assert "Paulo" not in f"{event}"
    assert "982" not in f"{event}"


def test_free_data_of_any_depth_is_kept() -> None:
    data = {"contrato": {"parcelas": [1, 2], "nota": "linha 1\nlinha 2"}}

    assert a_debtor(custom_data=data).custom_data == data
