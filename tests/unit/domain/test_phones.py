"""A Brazilian number has an area code that exists, and is written in one way."""

import pytest

from domain.dunning.brazil import UFS
from domain.dunning.phones import (
    UF_OF_DDD,
    landline_number,
    masked_phone,
    mobile_number,
    uf_of_phone,
)
from tests.unit.domain.builders import the_detail_of


@pytest.mark.parametrize(
    "written",
    [
        "+5511912345678",
        "+55 11 91234-5678",
        "(11) 91234-5678",
        "11.91234.5678",
        "5511912345678",
        "11912345678",
    ],
)
def test_a_mobile_is_written_in_one_way(written: str) -> None:
    assert mobile_number(written, "value") == "+5511912345678"


def test_an_area_code_of_55_is_not_taken_for_the_country() -> None:
    assert mobile_number("55912345678", "value") == "+5555912345678"
    assert landline_number("5532123456", "value") == "+555532123456"
    assert landline_number("555532123456", "value") == "+555532123456"


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("+5511812345678", "invalid_mobile"),
        ("+551132123456", "invalid_mobile"),
        ("+5520912345678", "invalid_ddd"),
        ("+5500912345678", "invalid_ddd"),
        ("912345678", "invalid_phone"),
        ("+1 202 555 0100", "invalid_phone"),
        ("++5511912345678", "invalid_phone"),
        ("11+55912345678", "invalid_phone"),
        ("+55119123456789", "invalid_phone"),
        ("+55119123456\uff17\uff18", "invalid_phone"),  # full-width digits
        ("11912345678 ramal 2", "invalid_phone"),
        ("11912345678\n", "invalid_phone"),
        ("", "invalid_phone"),
    ],
)
def test_what_is_no_mobile_is_refused(written: str, code: str) -> None:
    detail = the_detail_of(lambda: mobile_number(written, "value"))
    assert (detail.field, detail.code) == ("value", code)


@pytest.mark.parametrize("first", ["0", "1", "6", "7", "8", "9"])
def test_a_landline_begins_with_2_to_5(first: str) -> None:
    detail = the_detail_of(lambda: landline_number(f"+5511{first}2123456", "value"))
    assert detail.code == "invalid_landline"


def test_a_landline_has_no_ninth_digit() -> None:
    assert landline_number("(21) 3212-3456", "value") == "+552132123456"
    detail = the_detail_of(lambda: landline_number("+5521932123456", "value"))
    assert detail.code == "invalid_landline"


def test_every_state_has_area_codes_and_each_belongs_to_one() -> None:
    assert set(UF_OF_DDD.values()) == UFS
    assert len(UF_OF_DDD) == 67
    assert uf_of_phone("+5592912345678") == "AM"
    assert uf_of_phone("+5561912345678") == "DF"


def test_a_masked_number_shows_its_area_and_its_end() -> None:
    assert masked_phone("+5511912341234") == "+55 11 9****-1234"
    assert masked_phone("+552132121234") == "+55 21 3***-1234"
