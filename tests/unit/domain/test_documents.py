"""CPF and CNPJ are normalised, checked and masked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.documents import (
    Document,
    PersonType,
    cnpj_with_check_digits,
    cpf_with_check_digits,
    is_cpf,
    parse_document,
)
from domain.errors import ValidationError

cpf_bodies = st.from_regex(r"[0-9]{9}", fullmatch=True).filter(lambda body: len(set(body)) > 1)
cnpj_bodies = st.from_regex(r"[0-9A-Z]{12}", fullmatch=True).filter(lambda body: body != "0" * 12)


def test_edge_case_19_a_lower_case_cnpj_with_mask_is_normalised() -> None:
    document = parse_document("12.abc.345/01de-35")

    assert document.number == "12ABC34501DE35"
    assert document.person_type is PersonType.COMPANY


@pytest.mark.parametrize("typed", ["529.982.247-25", "52998224725", " 529 982 247 25 "])
def test_the_mask_of_a_cpf_is_ignored(typed: str) -> None:
    assert parse_document(typed) == Document("52998224725")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("529.982.247-25", True),
        (" 52998224725", True),
        ("52998224726", False),
        ("111.111.111-11", False),
        ("11.222.333/0001-81", False),
        ("NF-52998224725", False),
    ],
)
def test_a_cpf_is_told_from_any_other_text(typed: str, *, expected: bool) -> None:
    assert is_cpf(typed) is expected


@pytest.mark.parametrize("digit", "0123456789")
def test_edge_case_19_a_cpf_of_equal_digits_is_refused_though_its_sum_matches(digit: str) -> None:
    with pytest.raises(ValidationError):
        parse_document(digit * 11)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "529.982.247-26",
        "5299822472",
        "529982247255",
        "5299822472A",
        "12ABC34501DE36",
        "12ABC34501DEA5",
        "00000000000000",
        "١٢٣٤٥٦٧٨٩٠١",
        "12ABC34501ÇE35",
    ],
)
def test_what_is_no_document_is_refused_without_being_repeated(typed: str) -> None:
    with pytest.raises(ValidationError) as refused:
        parse_document(typed, "payer_document")

    (detail,) = refused.value.details
    assert (detail.field, detail.code) == ("payer_document", "invalid_document")
    assert not typed or typed not in detail.message.pt + detail.message.en


def test_only_the_middle_of_a_cpf_is_shown() -> None:
    assert Document("12345678909").masked == "***.456.789-**"


def test_a_cnpj_is_shown_whole_even_when_it_has_letters() -> None:
    assert parse_document("12ABC34501DE35").masked == "12.ABC.345/01DE-35"


def test_the_formatted_document_is_whole() -> None:
    assert Document("52998224725").formatted == "529.982.247-25"
    assert Document("11222333000181").formatted == "11.222.333/0001-81"


def test_a_document_does_not_leak_through_its_representation() -> None:
    assert "52998224725" not in f"{Document('52998224725')!r}"


def test_the_documents_of_the_demo_are_what_their_bodies_give() -> None:
    assert cpf_with_check_digits("529982247").number == "52998224725"
    assert cnpj_with_check_digits("112223330001").number == "11222333000181"
    assert cnpj_with_check_digits("7Z9K2M4P0001").number == "7Z9K2M4P000133"


@given(cpf_bodies)
def test_a_generated_cpf_is_valid_and_keeps_its_body(body: str) -> None:
    document = cpf_with_check_digits(body)

    assert document.number.startswith(body)
    assert parse_document(document.formatted) == document
    assert document.person_type is PersonType.INDIVIDUAL


@given(cnpj_bodies)
def test_a_generated_cnpj_is_valid_and_keeps_its_body(body: str) -> None:
    document = cnpj_with_check_digits(body)

    assert document.number.startswith(body)
    assert parse_document(document.formatted.lower()) == document
    assert document.person_type is PersonType.COMPANY


@given(cpf_bodies | cnpj_bodies, st.integers(1, 99))
def test_no_other_check_digits_belong_to_a_body(body: str, shift: int) -> None:
    complete = cpf_with_check_digits if len(body) == 9 else cnpj_with_check_digits
    wrong = (int(complete(body).number[-2:]) + shift) % 100

    with pytest.raises(ValidationError):
        parse_document(f"{body}{wrong:02}")
