"""A file of rates is read whole or refused whole, with each fault at its line and a fix."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from domain.dunning.rates import IndexRate, RateCode
from entrypoints.cli.failures import MisuseError
from entrypoints.cli.index_file import read_rates

HEADER = "code,month,percent,published_on\n"
GOOD = "ipca,2026-10,0.48,2026-11-10\n"
THE_RATE = IndexRate(
    code=RateCode.IPCA,
    month=date(2026, 10, 1),
    percent=Decimal("0.48"),
    published_on=date(2026, 11, 10),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rates.csv"


def faults_of(file: Path) -> list[str]:
    with pytest.raises(MisuseError) as refused:
        read_rates(file)
    first, *faults = str(refused.value).splitlines()
    assert first.startswith("FILE: nothing was loaded")
    return faults


@pytest.mark.parametrize(
    "text",
    [
        HEADER + GOOD,
        "code;month;percent;published_on\nipca;2026-10;0,48;2026-11-10\n",
        "code;month;percent;published_on\nipca;2026-10;0.48;2026-11-10",
        HEADER + 'ipca,2026-10,"0,48",2026-11-10\n',
        HEADER + " ipca , 2026-10 ,\t0.48, 2026-11-10 \n",
        (HEADER + GOOD).replace("\n", "\r\n"),
        HEADER + "\n" + GOOD + "\n\n",
        "\ufeff" + HEADER + GOOD,
    ],
)
def test_what_spreadsheets_write_is_read_alike(file: Path, text: str) -> None:
    file.write_bytes(text.encode())

    assert read_rates(file) == [THE_RATE]


@pytest.mark.parametrize(
    ("percent", "exact"),
    [("-0,02", "-0.02"), ("0", "0"), ("100", "100"), ("0.12345678", "0.12345678")],
)
def test_percentages_are_read_exactly(file: Path, percent: str, exact: str) -> None:
    file.write_text(f"code;month;percent;published_on\nigpm;2026-10;{percent};2026-10-29\n")

    (rate,) = read_rates(file)

    assert str(rate.percent) == exact


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("selic,2026-10,0.48,2026-11-10", "line 2, code: give one of ipca, inpc"),
        ("IPCA\x00,2026-10,0.48,2026-11-10", "line 2, code: give one of"),
        (",2026-10,0.48,2026-11-10", "line 2, code: give one of"),
        ("ipca,2026-13,0.48,2026-11-10", "line 2, month: give YYYY-MM"),
        ("ipca,2026-10-01,0.48,2026-11-10", "line 2, month: give YYYY-MM"),
        ("ipca,10/2026,0.48,2026-11-10", "line 2, month: give YYYY-MM"),
        ("ipca,2126-10,0.48,2026-11-10", "line 2, month: give YYYY-MM"),
        ("ipca,2026-10,0.48%,2026-11-10", "line 2, percent: give a number"),
        ("ipca,2026-10,NaN,2026-11-10", "line 2, percent: give a number"),
        ("ipca,2026-10,4.8e-1,2026-11-10", "line 2, percent: give a number"),
        ("ipca,2026-10,\u0660.\u0664,2026-11-10", "line 2, percent: give a number"),
        ("ipca,2026-10,0.123456789,2026-11-10", "line 2, percent: Use at most 8 decimal"),
        ("ipca,2026-10,100.5,2026-11-10", "line 2, percent: Give from -100 to 100"),
        ("taxa_legal,2026-10,-0.1,2026-11-10", "line 2, percent: The legal rate is never"),
        ("ipca,2026-10,0.48,10/11/2026", "line 2, published_on: give YYYY-MM-DD"),
        ("ipca,2026-10,0.48,2026-02-30", "line 2, published_on: give YYYY-MM-DD"),
        ("ipca,2026-10,0.48,20261110", "line 2, published_on: give YYYY-MM-DD"),
        ("ipca,2026-10,0.48,2025-11-10", "line 2, published_on: It lies before"),
        ("ipca,2026-10,0,48,2026-11-10", "line 2: has 5 columns instead of 4"),
        ("ipca;2026-10;0.48;2026-11-10", "line 2: has 1 column instead of 4"),
        ('ipca,2026-10,"0.48,2026-11-10', "line 2: a quotation mark is not closed"),
    ],
)
def test_a_bad_line_is_named_with_its_fix(file: Path, line: str, told: str) -> None:
    file.write_text(f"{HEADER}{line}\n", encoding="utf-8")

    (fault,) = faults_of(file)

    assert fault.startswith(told)


def test_a_cell_that_never_ends_is_named_by_its_line(file: Path) -> None:
    file.write_text(f"{HEADER}{GOOD}ipca,2026-09,{'9' * 200_000},2026-10-09\n")

    (fault,) = faults_of(file)

    assert fault.startswith("line 3: ")
    assert fault.endswith("a cell is too long")


def test_every_fault_of_every_line_is_told_at_once_and_no_value_is_repeated(file: Path) -> None:
    file.write_text(f"{HEADER}{GOOD}\nselic,outubro,muito,ontem\n{GOOD}")

    faults = faults_of(file)

    assert [fault.partition(":")[0] for fault in faults] == [
        "line 4, code",
        "line 4, month",
        "line 4, percent",
        "line 4, published_on",
        "line 5",
    ]
    assert "line 2" in faults[-1]
    assert not any(word in "".join(faults) for word in ("selic", "outubro", "muito", "ontem"))


def test_a_month_cannot_be_given_twice_not_even_with_one_value(file: Path) -> None:
    file.write_text(HEADER + GOOD + "inpc,2026-10,0.48,2026-11-10\n" + GOOD)

    assert faults_of(file) == ["line 4: has the code and month of line 2; keep one of the two"]


def test_a_file_that_is_bad_all_over_is_told_in_few_lines(file: Path) -> None:
    file.write_text(HEADER + "x,x,x,x\n" * 1000)

    faults = faults_of(file)

    assert len(faults) == 21
    assert faults[-1] == "and 3980 more faults"


@pytest.mark.parametrize(
    "text",
    ["", "\n", GOOD, "code,month,percent\n", "month,code,percent,published_on\n" + GOOD],
)
def test_the_header_says_which_columns_there_are(file: Path, text: str) -> None:
    file.write_text(text)

    (fault,) = faults_of(file)

    assert fault.startswith("line 1: the header has to be code,month,percent,published_on")


def test_a_file_without_rates_is_no_success(file: Path) -> None:
    file.write_text(HEADER + "\n\n")

    (fault,) = faults_of(file)

    assert fault.endswith("there is no rate below the header")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ((HEADER + GOOD).encode("utf-16"), "FILE: is not text in UTF-8"),
        ("código".encode("latin-1"), "FILE: is not text in UTF-8"),
        (HEADER.encode() + b"9" * 10_000_000, "FILE: is larger than 1 MB"),
    ],
)
def test_what_is_no_such_file_is_refused_before_it_is_read(
    file: Path, content: bytes, told: str
) -> None:
    file.write_bytes(content)

    with pytest.raises(MisuseError, match=told):
        read_rates(file)


def test_a_file_that_is_not_there_is_a_misuse(file: Path) -> None:
    for path in (file, file.parent):
        with pytest.raises(MisuseError, match="FILE: cannot be read"):
            read_rates(path)
