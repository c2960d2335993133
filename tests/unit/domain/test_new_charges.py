"""What a caller says of a charge is held to its ranges, field by field."""

from datetime import date, timedelta
from typing import Any

import pytest

from domain.dunning.new_charges import PaymentMethods
from tests.unit.domain.builders import TODAY, a_charge, the_detail_of


def test_a_blank_contract_reference_is_none_at_all() -> None:
    detail = the_detail_of(lambda: a_charge(contract_reference="   "))

    assert detail.field == "contract_reference"


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"amount": 0}, "amount", "out_of_range"),
        ({"amount": 10_000_000_000}, "amount", "out_of_range"),
        ({"description": "x"}, "description", "out_of_range"),
        ({"description": "\u200b\u2060"}, "description", "invalid_characters"),
        ({"description": "\u3164\u0301"}, "description", "invalid_characters"),
        ({"tags": ("ok", "a,b")}, "tags[1]", "invalid_characters"),
        ({"external_id": "529.982.247-25"}, "external_id", "personal_document"),
        ({"due_date": TODAY - timedelta(days=1)}, "due_date", "out_of_range"),
        ({"due_date": date(2036, 9, 2)}, "due_date", "out_of_range"),
        ({"issue_date": date(1949, 12, 31)}, "issue_date", "out_of_range"),
        ({"issue_date": date(9999, 12, 31)}, "issue_date", "out_of_range"),
        (
            {"payment_methods": PaymentMethods(payment_url="javascript:alert(1)")},
            "payment_methods.payment_url",
            "invalid_url",
        ),
        (
            {"payment_methods": PaymentMethods(boleto_line=" ")},
            "payment_methods.boleto_line",
            "out_of_range",
        ),
    ],
)
def test_a_field_outside_its_range_is_named(fields: dict[str, Any], field: str, code: str) -> None:
    detail = the_detail_of(lambda: a_charge(**fields))

    assert (detail.field, detail.code) == (field, code)


@pytest.mark.parametrize(
    "link",
    [
        "https:///pagar",
        "https://?a=1",
        "https://[",
        "http://example.com",
        "https://example.com/a b",
        "https://example.com/\u00a0a",
        "https://example.com/<b>",
        'https://example.com/"',
        "https://example.com/\u202e",
        "https://example\u200b.com/",
    ],
)
def test_a_link_to_pay_has_a_host_and_nothing_that_ends_or_hides_a_part_of_it(link: str) -> None:
    detail = the_detail_of(lambda: a_charge(payment_methods=PaymentMethods(payment_url=link)))

    assert (detail.field, detail.code) == ("payment_methods.payment_url", "invalid_url")


@pytest.mark.parametrize(
    "link", ["https://example.com", "HTTPS://pagar.example.com:8443/cobrança?id=1&b=%20#fim"]
)
def test_a_link_to_pay_is_kept_as_it_is(link: str) -> None:
    charge = a_charge(payment_methods=PaymentMethods(payment_url=link))

    assert charge.payment_methods.payment_url == link


def test_the_number_on_an_invoice_may_look_like_a_cpf() -> None:
    assert a_charge(document_number="52998224725").document_number == "52998224725"


def test_a_due_date_before_the_issue_says_which_issue_date_counts() -> None:
    message = the_detail_of(lambda: a_charge(due_date=TODAY - timedelta(days=1))).message

    assert "(hoje, se ausente)" in message.pt
    assert "(today when absent)" in message.en


def test_a_charge_may_fall_due_on_its_day_of_issue() -> None:
    assert a_charge(due_date=TODAY).due_date == TODAY


def test_a_charge_may_fall_due_ten_years_after_its_issue() -> None:
    assert a_charge(due_date=date(2036, 9, 1)).due_date == date(2036, 9, 1)
