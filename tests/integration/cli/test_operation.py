"""What an operator runs: migrations, the demo's data, the daily clock, the checks."""

import asyncio
import re
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import text

from adapters.persistence.database import open_engine
from entrypoints.cli.output import brl
from entrypoints.seed.totals import EXPECTED_TOTALS
from tests.database import Database, migrated_database
from tests.integration.cli.conftest import Command

CELLS = re.compile(r"(?<=\S) {2,}")
"""What parts the columns of a table; a name may be indented."""

FAR = "2999-01-01"
"""A date that every sandbox may be taken to."""


@pytest.fixture
def _other_database(worker_id: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """A database that a test may leave in any state."""
    with migrated_database(f"{worker_id}_op") as database:
        monkeypatch.setenv("DATABASE_URL", database.app)
        monkeypatch.setenv("MIGRATION_DATABASE_URL", database.owner)
        monkeypatch.setenv("PORT", "0")
        yield database


@pytest.mark.usefixtures("_other_database")
def test_the_service_does_not_start_before_the_schema_is_its_own(run: Command) -> None:
    back = run("migrate", "--down", "base")
    refused, checked = run("serve"), run("check-config")
    empty = run("org", "list")
    forth = run("migrate")

    assert (empty.exit_code, "has no tables yet" in empty.err) == (1, True)
    assert (back.exit_code, forth.exit_code) == (0, 0)
    assert refused.exit_code == 1
    assert "`dunning migrate`" in refused.err
    assert checked.exit_code == 1
    assert marks(checked.out)["schema"] == "✗"
    assert marks(checked.out)["database"] == "✓"
    assert run("check-config").exit_code == 0


def test_migrating_again_changes_nothing(run: Command) -> None:
    assert run("migrate").out == "The schema was up to date already.\n"


def test_a_revision_that_does_not_exist_is_a_misuse(run: Command) -> None:
    ran = run("migrate", "--down=nowhere")

    assert ran.exit_code == 2
    assert ran.err.startswith("dunning: --down: ")


def test_an_issuer_that_does_not_answer_is_found_before_the_first_request(
    run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTH_PROVIDER", "oidc")
    monkeypatch.setenv("AUTH_ISSUER", "http://127.0.0.1:1")

    ran = run("check-config")

    assert ran.exit_code == 1
    assert [name for name, mark in marks(ran.out).items() if mark == "✗"] == ["issuer"]
    assert marks(ran.out)["confirmation"] == "!"


def test_a_role_that_row_level_security_does_not_bind_is_refused(
    run: Command, cli_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", cli_database.owner)
    monkeypatch.setenv("PORT", "0")

    refused, checked = run("serve"), run("check-config")

    assert refused.exit_code == 2
    assert "owns a table" in refused.err
    assert checked.exit_code == 1
    assert marks(checked.out)["database"] == "✗"


def test_the_demo_is_planted_with_the_expected_totals(run: Command) -> None:
    ran = run("seed")

    assert ran.exit_code == 0
    shown = {words[0].strip(): words[1:] for words in map(CELLS.split, ran.out.splitlines())}
    for column, totals in enumerate(EXPECTED_TOTALS):
        assert shown["debtors"][column] == str(totals.debtors)
        assert shown["payments"][column] == str(totals.payments)
        assert shown["received"][column] == brl(totals.received)
        for status, count in totals.charges.items():
            assert shown[status][column] == str(count)
    assert "sample values" in ran.out


def test_a_demo_that_is_there_already_can_be_left_as_it_is(run: Command) -> None:
    run("seed")
    run("run-jobs", f"--date={FAR}")

    ran = run("seed", "--if-missing")

    assert ran.out == "The demo organisations are there already.\n"
    assert "Nothing was due" in run("run-jobs", f"--date={FAR}").out


def test_the_daily_clock_visits_every_active_organisation(
    run: Command, create: Callable[..., str]
) -> None:
    run("seed")
    create("Colégio Sem Cobranças")

    first, again = run("run-jobs", f"--date={FAR}"), run("run-jobs", f"--date={FAR}")

    busy = [line for line in first.out.splitlines() if "01/01/2999" in line]
    assert [line.split()[0] for line in busy] == ["Colégio", "Pampa"]
    assert int(busy[0].split()[-3]) == 48
    assert int(busy[0].split()[-2]) == 106
    assert "Nothing was due" in again.out


def test_what_fails_in_one_organisation_stops_no_other(
    run: Command, cli_database: Database
) -> None:
    run("seed")
    asyncio.run(spoil_a_charge_of(cli_database, "Colégio Aurora"))

    ran = run("run-jobs", f"--date={FAR}")

    assert ran.exit_code == 1
    assert "Colégio Aurora: Something failed inside: " in ran.err
    assert "Pampa" in ran.out
    assert "Colégio Aurora" not in ran.out


def test_a_suspended_organisation_is_left_alone(run: Command) -> None:
    run("seed")
    listed = run("org", "list").out.splitlines()
    (pampa,) = [line.split()[0] for line in listed if "Pampa Distribuidora" in line]
    run("org", "suspend", pampa)

    ran = run("run-jobs", f"--date={FAR}")

    assert "Colégio Aurora" in ran.out
    assert "Pampa" not in ran.out


def test_a_live_organisation_is_not_taken_beyond_its_date(
    run: Command, create: Callable[..., str]
) -> None:
    run("seed")
    create("Colégio Verdadeiro", "--live")

    ran = run("run-jobs", f"--date={FAR}")

    assert ran.exit_code == 0
    assert ran.err == (
        "A live organisation cannot be taken beyond its own date. Left alone: Colégio Verdadeiro\n"
    )
    assert "Colégio Aurora" in ran.out


def test_no_organisation_is_taken_back_behind_its_date(run: Command) -> None:
    run("seed")

    ran = run("run-jobs", "--date=2020-01-01")

    assert ran.exit_code == 1
    assert "The organisation is past this date already. Left alone: " in ran.err
    assert "Colégio Aurora" in ran.err
    assert "No organisation could keep this date." in ran.err
    assert "Nothing was due" not in ran.out


async def spoil_a_charge_of(database: Database, name: str) -> None:
    """Leave a charge in the organisation that cannot be read."""
    spoilt = text(
        "UPDATE charges SET terms = '{}' WHERE organization_id ="
        " (SELECT organization_id FROM organization_settings WHERE name LIKE :name)"
    )
    engine = open_engine(database.owner)
    async with engine.connect() as connection:
        await connection.execute(spoilt, {"name": f"{name}%"})
    await engine.dispose()


def marks(checked: str) -> dict[str, str]:
    return {line.split()[1]: line.split()[0] for line in checked.splitlines()[1:]}
