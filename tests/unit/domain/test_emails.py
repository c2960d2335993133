"""An e-mail address is the plain kind that every provider delivers."""

import pytest

from domain.dunning.emails import email_address, masked_email
from tests.unit.domain.builders import the_detail_of


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("ana@example.com", "ana@example.com"),
        (" Ana.Lima+casa@EXAMPLE.com ", "Ana.Lima+casa@example.com"),
        ("o'neil@sub.example.com.br", "o'neil@sub.example.com.br"),
        ("ana@xn--caf-dma.com", "ana@xn--caf-dma.com"),
        (f"{'a' * 64}@example.com", f"{'a' * 64}@example.com"),
    ],
)
def test_an_address_keeps_its_name_and_has_its_domain_in_lower_case(
    written: str, kept: str
) -> None:
    assert email_address(written, "value") == kept


@pytest.mark.parametrize(
    "written",
    [
        "",
        "ana",
        "ana@",
        "@example.com",
        "ana@@example.com",
        "ana@example",
        "ana@-example.com",
        "ana@example-.com",
        "ana@exa_mple.com",
        "ana@.example.com",
        "ana@example.com.",
        "ana@192.0.2.1",
        "ana@[192.0.2.1]",
        ".ana@example.com",
        "ana.@example.com",
        "ana..lima@example.com",
        "ana lima@example.com",
        '"ana lima"@example.com',
        "ana\r\nbcc: eva@example.com",
        "ana@example.com\nbcc: eva@example.com",
        "ana@example.com,eva@example.com",
        "Ana <ana@example.com>",
        "aná@example.com",
        "ana@exámple.com",
        "ana\u200b@example.com",
        f"{'a' * 65}@example.com",
        f"ana@{'a' * 64}.com",
        f"ana@{'.'.join(['a' * 60] * 5)}.com",
    ],
)
def test_anything_else_is_refused(written: str) -> None:
    detail = the_detail_of(lambda: email_address(written, "value"))
    assert (detail.field, detail.code) == ("value", "invalid_email")


@pytest.mark.parametrize(
    ("address", "masked"),
    [
        ("maria@dominio.com.br", "m***@d***.com.br"),
        ("a@example.com", "a***@e***.com"),
        ("ana@mail.example.com", "a***@m***.com"),
        ("ana@uol.com.br", "a***@u***.com.br"),
        ("ana@ab.br", "a***@a***.br"),
    ],
)
def test_a_masked_address_shows_two_letters_and_the_ending(address: str, masked: str) -> None:
    assert masked_email(address) == masked
