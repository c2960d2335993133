from datetime import date

import pytest

from entrypoints.cli.output import brl, day, table


@pytest.mark.parametrize(
    ("cents", "shown"),
    [
        (0, "R$ 0,00"),
        (5, "R$ 0,05"),
        (1_250_00, "R$ 1.250,00"),
        (9_999_999_999, "R$ 99.999.999,99"),
        (-37_40, "-R$ 37,40"),
    ],
)
def test_money_is_written_as_brazil_writes_it(cents: int, shown: str) -> None:
    assert brl(cents) == shown


def test_dates_are_written_as_brazil_writes_them() -> None:
    assert day(date(2026, 10, 9)) == "09/10/2026"


def test_columns_are_aligned_and_long_values_are_never_cut(
    capsys: pytest.CaptureFixture[str],
) -> None:
    token = "x" * 700

    table(("name", "sum", "token"), [("Ação", "5", token), ("B", "1.250", "y")], right=("sum",))

    assert capsys.readouterr().out.splitlines() == [
        "name    sum  token",
        f"Ação      5  {token}",
        "B     1.250  y",
    ]
