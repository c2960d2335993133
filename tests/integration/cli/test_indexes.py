"""Rates are loaded by the operator, for all organisations at once, and all of a file or none."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from sqlalchemy import text

from adapters.persistence.database import open_engine
from adapters.persistence.failures import StatementFailedError
from adapters.persistence.rates import SqlRates
from adapters.persistence.transaction import open_pinned
from domain.dunning.correction import CorrectionIndex
from domain.dunning.rates import Rates
from tests.database import Database
from tests.integration.cli.conftest import Command

HEADER = "code;month;percent;published_on\n"
LINES = [
    "ipca;2026-09;0,48;2026-10-09\n",
    "ipca;2026-10;-0,20;2026-11-10\n",
    "taxa_legal;2026-12;0,12345678;2026-12-01\n",
]
TODAY = date(2026, 12, 1)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rates.csv"
    path.write_text(HEADER + "".join(LINES))
    return path


@pytest.fixture(autouse=True)
def _no_rates(cli_database: Database) -> Iterator[None]:
    yield
    asyncio.run(as_owner(cli_database, "DELETE FROM index_rates"))


def test_a_file_is_loaded_and_each_organisation_sees_the_same(
    run: Command, create: Callable[..., str], cli_database: Database, file: Path
) -> None:
    ran = run("index", "load", str(file))

    seen = [
        asyncio.run(rates_in(cli_database, create(name)))
        for name in ("Colégio Paineira", "Mercado Embaúba")
    ]
    assert ran.exit_code == 0, ran.err
    for rates in seen:
        assert len(list(rates)) == 3
        assert rates.correction(CorrectionIndex.IPCA, date(2026, 10, 1), TODAY) == Fraction(
            -2, 1000
        )
        assert rates.legal(date(2026, 12, 1), TODAY) == Fraction(12345678, 10**10)


def test_what_is_new_changed_and_unchanged_is_counted_by_code(run: Command, file: Path) -> None:
    first = run("index", "load", str(file))
    file.write_text(HEADER + LINES[0] + LINES[1].replace("-0,20", "0,20"))
    second = run("index", "load", str(file))

    assert rows_of(first.out)["ipca"] == ["2", "0", "0"]
    assert rows_of(first.out)["taxa_legal"] == ["1", "0", "0"]
    assert rows_of(second.out)["ipca"] == ["0", "1", "1"]
    assert "taxa_legal" not in rows_of(second.out)
    assert "`dunning run-jobs`" in second.out


def test_loading_again_changes_nothing(run: Command, file: Path) -> None:
    run("index", "load", str(file))

    again = run("index", "load", str(file))

    assert again.exit_code == 0
    assert rows_of(again.out)["ipca"] == ["0", "0", "2"]
    assert "run-jobs" not in again.out


def test_a_dry_run_counts_and_loads_nothing(
    run: Command, cli_database: Database, file: Path
) -> None:
    ran = run("index", "load", str(file), "--dry-run")

    assert ran.exit_code == 0
    assert rows_of(ran.out)["ipca"] == ["2", "0", "0"]
    assert "Nothing was loaded" in ran.out
    assert asyncio.run(known(cli_database)) == []


def test_one_bad_line_keeps_the_whole_file_out(
    run: Command, cli_database: Database, file: Path
) -> None:
    file.write_text(HEADER + LINES[0] + "ipca;2026-10;muito;2026-11-10\n")

    ran = run("index", "load", str(file))

    assert ran.exit_code == 2
    assert ran.out == ""
    assert ran.err.splitlines()[1].startswith("dunning: line 3, percent: ")
    assert asyncio.run(known(cli_database)) == []


def test_the_list_shows_the_last_month_of_each_code(run: Command, file: Path) -> None:
    run("index", "load", str(file))

    rows = rows_of(run("index", "list").out)

    assert rows["ipca"] == ["2", "10/2026", "-0,2", "10/11/2026"]
    assert rows["taxa_legal"] == ["1", "12/2026", "0,12345678", "01/12/2026"]
    assert rows["igpm"] == ["0", "–", "–", "–"]  # noqa: RUF001 -- what stands for nothing


def test_a_rate_is_kept_as_it_was_written(run: Command, cli_database: Database, file: Path) -> None:
    run("index", "load", str(file))

    assert asyncio.run(known(cli_database)) == [
        ("ipca", date(2026, 9, 1), Decimal("0.48"), date(2026, 10, 9)),
        ("ipca", date(2026, 10, 1), Decimal("-0.20"), date(2026, 11, 10)),
        ("taxa_legal", date(2026, 12, 1), Decimal("0.12345678"), date(2026, 12, 1)),
    ]


def test_the_service_reads_rates_once_a_transaction_and_cannot_write_them(
    run: Command, create: Callable[..., str], cli_database: Database, file: Path
) -> None:
    run("index", "load", str(file))
    organization_id = create("Colégio Guapuruvu")

    assert asyncio.run(is_remembered(cli_database, organization_id))
    with pytest.raises(StatementFailedError, match="42501"):
        asyncio.run(write_as_app(cli_database, organization_id))


def rows_of(out: str) -> dict[str, list[str]]:
    return {line.split()[0]: line.split()[1:] for line in out.splitlines()}


async def as_owner(database: Database, statement: str) -> None:
    engine = open_engine(database.owner)
    async with engine.connect() as connection:
        await connection.execute(text(statement))
    await engine.dispose()


async def known(database: Database) -> list[tuple[object, ...]]:
    engine = open_engine(database.app)
    async with engine.connect() as connection:
        wanted = text(
            "SELECT code, month, percent, published_on FROM index_rates ORDER BY code, month"
        )
        rows = [tuple(row) for row in await connection.execute(wanted)]
    await engine.dispose()
    return rows


async def rates_in(database: Database, organization_id: str) -> Rates:
    engine = open_engine(database.app)
    async with open_pinned(engine, organization_id, read_only=True) as transaction:
        rates = await SqlRates(transaction).all()
    await engine.dispose()
    return rates


async def is_remembered(database: Database, organization_id: str) -> bool:
    engine = open_engine(database.app)
    async with open_pinned(engine, organization_id, read_only=True) as transaction:
        rates = SqlRates(transaction)
        same = await rates.all() is await rates.all()
    await engine.dispose()
    return same


async def write_as_app(database: Database, organization_id: str) -> None:
    engine = open_engine(database.app)
    try:
        async with open_pinned(engine, organization_id) as transaction:
            await transaction.driver.fetch("UPDATE index_rates SET percent = 0")
    finally:
        await engine.dispose()
