"""Who may be forgotten: confirmed by name, five years after the last movement."""

import unicodedata
from datetime import date

import pytest

from domain.dunning.documents import Document
from domain.dunning.erasure import checked_reference, refuse_other_name, refuse_within_retention
from domain.errors import ComplianceBlockedError
from tests.unit.domain.builders import the_detail_of

CPF = Document("52998224725")


@pytest.mark.parametrize(
    "confirmed", ["José Ávila", "  José Ávila ", unicodedata.normalize("NFD", "José Ávila")]
)
def test_the_name_is_confirmed_however_its_accents_are_written(confirmed: str) -> None:
    refuse_other_name(confirmed, "José Ávila")
    refuse_other_name("José Ávila", confirmed)


@pytest.mark.parametrize("confirmed", ["josé ávila", "Jose Avila", "José", "José  Ávila", "*"])
def test_another_name_confirms_nothing(confirmed: str) -> None:
    detail = the_detail_of(lambda: refuse_other_name(confirmed, "José Ávila"))

    assert (detail.field, detail.code) == ("confirm_name", "conflicts_with")
    assert "Ávila" not in f"{detail}"


@pytest.mark.parametrize(
    ("last", "first_day"),
    [
        (date(2021, 8, 31), "2026-09-01T00:00:00-03:00"),
        (date(2024, 2, 29), "2029-03-02T00:00:00-03:00"),
    ],
)
def test_five_years_after_the_last_movement_it_may_be(last: date, first_day: str) -> None:
    day = date.fromisoformat(first_day[:10])
    refuse_within_retention(last, day, "America/Sao_Paulo")

    with pytest.raises(ComplianceBlockedError) as refused:
        refuse_within_retention(last, day.replace(year=day.year - 1), "America/Sao_Paulo")
    assert refused.value.extras() == {"reasons": ("retention",), "next_allowed_at": first_day}


def test_on_the_last_day_it_may_not_be() -> None:
    with pytest.raises(ComplianceBlockedError):
        refuse_within_retention(date(2021, 9, 1), date(2026, 9, 1), "America/Sao_Paulo")


@pytest.mark.parametrize(
    "reference",
    ["Pedido de josé ávila", "CPF 529.982.247-25", "52998224725", "529 982 247/25 ok"],
)
def test_a_reference_that_would_keep_name_or_document_is_refused(reference: str) -> None:
    detail = the_detail_of(lambda: checked_reference(reference, "José Ávila", CPF))

    assert (detail.field, detail.code) == ("request_reference", "names_the_debtor")


def test_a_reference_is_kept_trimmed() -> None:
    assert checked_reference(" LGPD-17 ", "José Ávila", CPF) == "LGPD-17"


@pytest.mark.parametrize("reference", ["ab", "x" * 101, "a\nb\nc"])
def test_a_reference_is_one_line_of_3_to_100_characters(reference: str) -> None:
    detail = the_detail_of(lambda: checked_reference(reference, "José Ávila", CPF))

    assert detail.field == "request_reference"
