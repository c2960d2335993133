"""Cents and percentages are read from decimal text and rounded once."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.money import (
    CHARGE_AMOUNT,
    PERCENTAGE,
    Bounds,
    RoundingMode,
    cents_from,
    decimal_text,
    percent_from,
    percent_of,
    round_cents,
)
from domain.errors import ValidationError
from domain.texts import Text

exact_cents = st.fractions(min_value=0, max_value=10**10, max_denominator=10**7)


@pytest.mark.parametrize(
    ("base", "half_even", "half_up"),
    [(112_25, 2_24, 2_25), (112_75, 2_26, 2_26), (149_90, 3_00, 3_00)],
)
def test_example_2_ties_go_to_the_even_cent_unless_the_organisation_rounds_up(
    base: int, half_even: int, half_up: int
) -> None:
    exact = percent_of(base, 2_0000)

    assert round_cents(exact, RoundingMode.HALF_EVEN) == half_even
    assert round_cents(exact, RoundingMode.HALF_UP) == half_up


@given(exact_cents)
def test_rounding_moves_an_amount_by_half_a_cent_at_most(exact: Fraction) -> None:
    for mode in RoundingMode:
        assert abs(round_cents(exact, mode) - exact) <= Fraction(1, 2)


@given(exact_cents | st.integers(0, 10**10).map(lambda n: n + Fraction(1, 2)))
def test_the_two_modes_differ_only_on_an_exact_tie_below_which_the_cent_is_even(
    exact: Fraction,
) -> None:
    even, up = (round_cents(exact, mode) for mode in RoundingMode)

    is_tie_over_an_even_cent = exact % 1 == Fraction(1, 2) and exact // 1 % 2 == 0
    assert up - even == int(is_tie_over_an_even_cent)


@given(st.integers(CHARGE_AMOUNT.low, CHARGE_AMOUNT.high))
def test_every_amount_in_range_survives_its_decimal_text(cents: int) -> None:
    assert cents_from(Decimal(decimal_text(cents, 2).en), "amount") == cents


@given(st.integers(PERCENTAGE.low, PERCENTAGE.high))
def test_every_percentage_in_range_survives_its_decimal_text(percent: int) -> None:
    assert percent_from(Decimal(decimal_text(percent, 4).en), "fine_percent") == percent


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("0.001", "too_many_decimals"),
        ("10.005", "too_many_decimals"),
        ("1.500", "too_many_decimals"),
        ("1E-999999999999", "too_many_decimals"),
        ("0", "out_of_range"),
        ("-0.01", "out_of_range"),
        ("100000000.00", "out_of_range"),
        ("1E+999999999999", "out_of_range"),
        ("9" * 400, "out_of_range"),
        ("NaN", "out_of_range"),
        ("-Infinity", "out_of_range"),
    ],
)
def test_an_amount_that_is_not_reais_and_cents_is_refused(text: str, code: str) -> None:
    with pytest.raises(ValidationError) as refused:
        cents_from(Decimal(text), "amount")

    (detail,) = refused.value.details
    assert (detail.field, detail.code) == ("amount", code)


@pytest.mark.parametrize(
    ("text", "code"), [("2.00001", "too_many_decimals"), ("100.0001", "out_of_range")]
)
def test_a_percentage_has_four_decimals_and_stays_within_its_bounds(text: str, code: str) -> None:
    with pytest.raises(ValidationError) as refused:
        percent_from(Decimal(text), "fine_percent")

    assert refused.value.details[0].code == code


def test_a_refusal_names_the_bounds_and_not_what_was_sent() -> None:
    with pytest.raises(ValidationError) as refused:
        cents_from(Decimal("7.31"), "settlement_tolerance", Bounds(0, 5_00))

    assert refused.value.details[0].message == Text(
        "Informe um valor entre 0 e 5.", "Give a value between 0 and 5."
    )


def test_an_exponent_is_only_another_way_to_write_the_same_amount() -> None:
    assert cents_from(Decimal("1.25E+3"), "amount") == 1_250_00


def test_a_decimal_text_uses_the_comma_in_portuguese() -> None:
    assert decimal_text(12_5000, 4) == Text("12,5", "12.5")
