"""Values in the Portuguese of a document."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from application.dunning.paper_words import (
    KINDS,
    LINES,
    METHODS,
    address_lines,
    amount,
    day,
    instant,
    listed,
    long_day,
    money,
    percent,
    zipcode,
)
from domain.dunning.account import LineType
from domain.dunning.addresses import Address
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.payments import PaymentMethod


@pytest.mark.parametrize(
    ("cents", "column", "sentence"),
    [
        (0, "0,00", "R$\u00a00,00"),
        (5, "0,05", "R$\u00a00,05"),
        (1_250_00, "1.250,00", "R$\u00a01.250,00"),
        (9_999_999_999_99, "9.999.999.999,99", "R$\u00a09.999.999.999,99"),
        (-50, "\u22120,50", "\u2212R$\u00a00,50"),
        (-1_000_01, "\u22121.000,01", "\u2212R$\u00a01.000,01"),
    ],
)
def test_amounts(cents: int, column: str, sentence: str) -> None:
    assert amount(cents) == column
    assert money(cents) == sentence


@pytest.mark.parametrize(
    ("units", "text"), [(2_0000, "2%"), (5000, "0,5%"), (333, "0,0333%"), (0, "0%")]
)
def test_percentages(units: int, text: str) -> None:
    assert percent(units) == text


def test_dates() -> None:
    assert day(date(2026, 3, 1)) == "01/03/2026"
    assert long_day(date(2026, 3, 1)) == "1º de março de 2026"
    assert long_day(date(2026, 12, 31)) == "31 de dezembro de 2026"


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (
            datetime(2026, 12, 1, 10, 0, tzinfo=ZoneInfo("America/Sao_Paulo")),
            "01/12/2026, 10:00:00 (UTC\u22123)",
        ),
        (datetime(2026, 12, 1, 10, 0, 7, 999_999, tzinfo=UTC), "01/12/2026, 10:00:07 (UTC+0)"),
        (
            datetime(2026, 12, 1, 10, 0, tzinfo=timezone(-timedelta(hours=3, minutes=30))),
            "01/12/2026, 10:00:00 (UTC\u22123:30)",
        ),
    ],
)
def test_a_moment_says_how_far_from_utc_it_is(at: datetime, text: str) -> None:
    assert instant(at) == text


def test_words_in_a_row() -> None:
    assert listed(["maio"]) == "maio"
    assert listed(["maio", "junho"]) == "maio e junho"
    assert listed(["maio", "junho", "julho"]) == "maio, junho e julho"


def test_an_address_has_two_lines() -> None:
    address = Address(
        street="Rua das Acácias",
        number="120",
        complement="sala 3",
        district="Centro",
        city="São Paulo",
        uf="SP",
        zipcode="01001000",
    )
    assert address_lines(address) == [
        "Rua das Acácias, 120, sala 3",
        "Centro, São Paulo/SP",
    ]
    assert zipcode(address) == "01001-000"


def test_every_code_has_its_words() -> None:
    assert set(KINDS) == set(ChargeKind)
    assert set(METHODS) == set(PaymentMethod)
    assert set(LINES) == set(LineType)
