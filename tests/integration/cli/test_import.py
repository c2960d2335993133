"""Files of debtors and charges: every fault by its line, and nothing twice."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from sqlalchemy import text

from adapters.persistence.database import open_engine
from adapters.persistence.transaction import open_pinned
from application.dunning.imports import ImportFile
from domain.dunning.documents import cpf_with_check_digits
from tests.command_line import Ran
from tests.database import Database
from tests.integration.cli.conftest import Command

Bring: TypeAlias = Callable[..., Ran]
Rows: TypeAlias = Callable[..., list[dict[str, Any]]]

DEBTORS: Final = (
    "name;document;external_id;tags;address.street;address.number;address.district;"
    "address.city;address.uf;address.zipcode;birth_date\n"
)
CHARGES: Final = "debtor_document;description;amount;due_date;external_id\n"


def cpf(number: int) -> str:
    return cpf_with_check_digits(f"{number:09d}").formatted


@pytest.fixture
def organization_id(create: Callable[..., str]) -> str:
    return create("Colégio Manacá")


@pytest.fixture
def other_id(create: Callable[..., str]) -> str:
    return create("Mercado Jatobá")


@pytest.fixture
def bring(run: Command, tmp_path: Path, organization_id: str) -> Bring:
    """Imports text or bytes as a file."""

    def brought(what: str, content: str | bytes, *more: str) -> Ran:
        path = tmp_path / "file.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return run("import", what, str(path), "--organization", organization_id, *more)

    return brought


@pytest.fixture
def rows(cli_database: Database, organization_id: str) -> Rows:
    def found(table: str, owner: str = organization_id) -> list[dict[str, Any]]:
        return asyncio.run(rows_of(cli_database, owner, table))

    return found


def test_debtors_come_in_with_their_fields_and_only_where_they_belong(
    bring: Bring, rows: Rows, other_id: str
) -> None:
    ran = bring(
        "debtors",
        DEBTORS
        + f"Rita Amaral;{cpf(1)};C-1;integral|médio;Rua A;1;Centro;Santos;SP;11010-000;09/10/1980\n"
        + f"=HYPERLINK(1);{cpf(2)};;;;;;;;;\n",
    )

    assert ran.exit_code == 0, ran.err
    assert summary_of(ran) == ["2", "0", "0"]
    first, second = sorted(rows("debtors"), key=lambda row: row["document"])
    assert (first["name"], first["external_id"], first["tags"]) == (
        "Rita Amaral",
        "C-1",
        ["integral", "médio"],
    )
    assert (first["address"]["zipcode"], first["birth_date"]) == ("11010000", "1980-10-09")
    # What looks like a formula is a name like any other.
    assert second["name"] == "=HYPERLINK(1)"
    assert rows("debtors", other_id) == []
    assert [event["actor_type"] for event in rows("events")] == ["system", "system"]
    (line,) = [one for one in rows("audit_entries") if one["via"] == "job"]
    assert (line["action"], line["outcome"]) == ("dunning_debtors_create", "ok")


def test_charges_find_their_debtor_by_document_or_external_id(bring: Bring, rows: Rows) -> None:
    bring("debtors", f"name,document,external_id\nRita Amaral,{cpf(1)},C-1\n")

    ran = bring(
        "charges",
        "debtor_document;debtor_external_id;description;amount;due_date;contract_reference;"
        "terms.fine_percent\n"
        f"{cpf(1)};;Mensalidade;1.234,56;09/10/2030;17/2026;1,5\n"
        ";C-1;Mensalidade;1234.5;2030-10-09;;\n",
        "--dry-run",
    )
    assert summary_of(ran) == ["2", "0", "0"]
    assert rows("charges") == []
    ran = bring(
        "charges",
        "debtor_document;debtor_external_id;description;amount;due_date;contract_reference;"
        "terms.fine_percent\n"
        f"{cpf(1)};;Mensalidade;1.234,56;09/10/2030;17/2026;1,5\n"
        ";C-1;Mensalidade;1234.5;2030-10-09;;\n",
    )

    assert ran.exit_code == 0, ran.out + ran.err
    found = sorted(rows("charges"), key=lambda row: row["amount"])
    assert [(one["amount"], one["due_date"]) for one in found] == [
        (1_234_50, "2030-10-09"),
        (1_234_56, "2030-10-09"),
    ]
    assert found[1]["terms"]["fine_percent"] == 15_000


def test_every_fault_is_told_by_line_and_the_good_lines_come_in(bring: Bring, rows: Rows) -> None:
    bring("debtors", f"name,document\nRita Amaral,{cpf(1)}\n")
    lines = [
        f"{cpf(1)};Mensalidade;100,00;09/10/2030;NF-1",
        f"{cpf(1)};Mensalidade;1.234;09/10/2030;NF-2",
        f"{cpf(1)};Mensalidade;muito;31/02/2030;",
        f"{cpf(2)};Mensalidade;10;2030-10-09;",
        f"{cpf(1)};;10;2030-10-09;",
        f"{cpf(1)};Mensalidade;0;2030-10-09;",
        f"{cpf(1)};Mensalidade;10;2030-10-09;;;",
        f"{cpf(1)};Mensalidade;10;2001-10-09;",
        f"{cpf(1)};Com\0nulo;10;2030-10-09;",
        f"{cpf(1)};{'x' * 1_000_000};10;2030-10-09;",
        ";Mensalidade;10;2030-10-09;",
    ]

    ran = bring("charges", CHARGES + "\n".join(lines) + "\n")

    assert ran.exit_code == 1
    assert [
        row.split()[:2] for row in ran.out.splitlines()[1 : ran.out.splitlines().index("")]
    ] == [
        ["3", "amount"],
        ["4", "amount"],
        ["4", "due_date"],
        ["5", "debtor_document"],
        ["6", "description"],
        ["7", "amount"],
        ["8", "–"],  # noqa: RUF001 -- what stands for nothing
        ["9", "due_date"],
        ["10", "description"],
        ["11", "description"],
        ["12", "debtor_id"],
    ]
    assert "one or a thousand" in ran.out
    assert "import the debtor first" in ran.out
    assert "debtor_document, debtor_external_id or debtor_id" in ran.out
    assert summary_of(ran) == ["1", "0", "10"]
    assert "10 lines were refused" in ran.err
    assert cpf(2) not in ran.out + ran.err
    assert [row["external_id"] for row in rows("charges")] == ["NF-1"]


def test_a_second_run_creates_only_what_was_missing(bring: Bring, rows: Rows) -> None:
    content = CHARGES + f"{cpf(1)};Mensalidade;10;2030-10-09;\n{cpf(2)};Taxa;20;2030-10-09;\n"
    bring("debtors", f"name,document\nRita Amaral,{cpf(1)}\n")

    first = bring("charges", content)
    bring("debtors", f"name,document\nOtto Lima,{cpf(2)}\n")
    rehearsed = bring("charges", content, "--dry-run")
    second = bring("charges", content)
    third = bring("charges", content)

    runs = (first, rehearsed, second, third)
    assert [summary_of(ran) for ran in runs] == [
        ["1", "0", "1"],
        ["1", "1", "0"],
        ["1", "1", "0"],
        ["0", "2", "0"],
    ]
    assert len(rows("charges")) == len(rows("debtors")) == 2


def test_a_changed_file_is_a_new_run_in_which_known_ids_stay(bring: Bring, rows: Rows) -> None:
    bring("debtors", f"name,document\nRita Amaral,{cpf(1)}\n")
    line = f"{cpf(1)};Mensalidade;10;2030-10-09;NF-1\n"

    bring("charges", CHARGES + line)
    again = bring("charges", CHARGES + line + line.replace("NF-1", "NF-2"))
    debtors = bring("debtors", f"name,document\nOutro Nome,{cpf(1)}\n")

    assert summary_of(again) == ["1", "1", "0"]
    assert summary_of(debtors) == ["0", "1", "0"]
    assert [row["name"] for row in rows("debtors")] == ["Rita Amaral"]


@pytest.mark.parametrize(
    "other",
    [
        f"{cpf(2)};Mensalidade;5000;2030-10-09;NF-1",
        f"{cpf(1)};Mensalidade;5000;2030-10-09;NF-1",
        f"{cpf(1)};Mensalidade;10;2030-11-09;NF-1",
    ],
)
def test_another_debt_with_a_known_id_is_told_and_not_passed_over(
    bring: Bring, rows: Rows, other: str
) -> None:
    bring("debtors", f"name,document\nRita Amaral,{cpf(1)}\nOtto Lima,{cpf(2)}\n")
    line = f"{cpf(1)};Mensalidade;10;2030-10-09;NF-1\n"

    at_once = bring("charges", CHARGES + line + f"{other}\n" + line)
    later = bring("charges", CHARGES + f"{other}\n" + line)

    assert [summary_of(ran) for ran in (at_once, later)] == [["1", "1", "1"], ["0", "1", "1"]]
    for ran, number in ((at_once, "3"), (later, "2")):
        assert ran.exit_code == 1
        assert ran.out.splitlines()[1].split()[:2] == [number, "external_id"]
        assert "a charge with another debtor, amount or due date" in ran.out
    assert [row["amount"] for row in rows("charges")] == [10_00]


def test_a_run_that_was_interrupted_goes_on_where_it_was(
    bring: Bring, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = "name,document\n" + "".join(f"Rita Amaral,{cpf(n)}\n" for n in range(1, 451))
    stopping = ImportFile.__call__

    async def stopped(self: ImportFile, tenant: Any, file: Any, done: Any) -> Any:
        def stop(lines: int) -> None:
            done(lines)
            raise KeyboardInterrupt

        return await stopping(self, tenant, file, stop)

    with monkeypatch.context() as patched:
        patched.setattr(ImportFile, "__call__", stopped)
        interrupted = bring("debtors", content)
    assert interrupted.exit_code not in (0, None)
    assert len(rows("debtors")) == 200
    ran = bring("debtors", content)

    assert summary_of(ran) == ["250", "200", "0"]
    assert len(rows("debtors")) == 450


def test_the_same_new_debtor_twice_in_a_file_is_one(bring: Bring, rows: Rows) -> None:
    ran = bring(
        "debtors",
        "name,document,external_id\n"
        f"Rita Amaral,{cpf(1)},C-1\nRita A.,{cpf(1)},\n"
        f"Otto Lima,{cpf(2)},C-1\nIvo Reis,{cpf(3)},\n",
    )

    assert summary_of(ran) == ["2", "1", "1"]
    assert ran.out.splitlines()[1].split()[:2] == ["4", "external_id"]
    assert len(rows("debtors")) == 2


def test_a_cpf_is_nobodys_own_id_and_is_not_repeated(bring: Bring, rows: Rows) -> None:
    debtors = bring(
        "debtors",
        f"name,document,external_id\nRita Amaral,{cpf(1)},{cpf(1)}\nOtto Lima,{cpf(2)},C-2\n",
    )
    charges = bring("charges", CHARGES + f"{cpf(2)};Mensalidade;10;2030-10-09;{cpf(2)}\n")

    for ran in (debtors, charges):
        assert ran.out.splitlines()[1].split()[:2] == ["2", "external_id"]
        assert cpf(1) not in ran.out + ran.err
        assert cpf(2) not in ran.out + ran.err
    assert [row["external_id"] for row in rows("debtors")] == ["C-2"]
    assert rows("charges") == []


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("name;document;nmae", "column 3: is not known; is it name?"),
        ("name;document;xyz", "known columns: name, document, person_type"),
        ("name;document;name", "name: stands there 2 times"),
        ("document;tags", "name: is missing"),
        ("", "name: is missing"),
        ('"name;document', "name: is missing"),
    ],
)
def test_a_header_that_is_not_right_keeps_the_whole_file_out(
    bring: Bring, rows: Rows, *, header: str, told: str
) -> None:
    ran = bring("debtors", f"{header}\nRita Amaral;{cpf(1)};x\n")

    assert ran.exit_code == 2
    assert told in ran.err
    assert rows("debtors") == []


@pytest.mark.parametrize(
    ("codec", "options"),
    [("utf-8", ()), ("utf-8-sig", ()), ("cp1252", ()), ("cp1252", ("--encoding=latin-1",))],
)
def test_accents_come_in_as_they_were_written(
    bring: Bring, rows: Rows, codec: str, options: tuple[str, ...]
) -> None:
    ran = bring("debtors", f"name\tdocument\nJoão Conceição\t{cpf(1)}\n".encode(codec), *options)

    assert ran.exit_code == 0, ran.err
    assert [row["name"] for row in rows("debtors")] == ["João Conceição"]


def test_a_file_in_another_encoding_or_place_is_refused(
    bring: Bring, run: Command, organization_id: str
) -> None:
    content = f"name;document\nJoão;{cpf(1)}\n"

    assert "UTF-16" in bring("debtors", content.encode("utf-16")).err
    assert "encoding" in bring("debtors", content.encode("cp1252"), "--encoding=utf-8").err
    absent = run("import", "debtors", "/nowhere.csv", "--organization", organization_id)
    assert (absent.exit_code, "cannot be read" in absent.err) == (2, True)
    nobody = bring("debtors", content, "--organization", "org_nobody")
    assert nobody.exit_code != 0


def test_quotes_hold_delimiters_and_lines_and_an_open_one_is_told(bring: Bring, rows: Rows) -> None:
    ran = bring(
        "debtors",
        "name;document;notes\n"
        f'"Amaral; Rita ""Rê""";{cpf(1)};"uma\nduas"\n'
        f"Otto Lima;{cpf(2)}\n"
        f'"Ivo Reis;{cpf(3)};\n',
    )

    assert [row.split()[0] for row in ran.out.splitlines()[1:3]] == ["4", "5"]
    assert summary_of(ran) == ["1", "0", "2"]
    (row,) = rows("debtors")
    assert (row["name"], row["notes"]) == ('Amaral; Rita "Rê"', "uma\nduas")


def test_a_hundred_faults_are_shown_and_all_are_counted(bring: Bring) -> None:
    ran = bring("debtors", "name,document\n" + "Rita Amaral,123\n" * 150)

    assert "150 faults in all; the first 100 are shown." in ran.out
    assert summary_of(ran) == ["0", "0", "150"]


def summary_of(ran: Ran) -> list[str]:
    """Created, already there, failed."""
    lines = ran.out.splitlines()
    (place,) = (n for n, one in enumerate(lines) if "already there" in one)
    return lines[place + 1].split()


async def rows_of(database: Database, owner: str, table: str) -> list[dict[str, Any]]:
    engine = open_engine(database.owner)
    async with open_pinned(engine, owner, read_only=True) as transaction:
        found = await transaction.connection.scalars(
            text(
                f"SELECT row_to_json(t)::text FROM {table} t"  # noqa: S608 -- our own names
                " WHERE organization_id = :own ORDER BY id"
            ),
            {"own": owner},
        )
        rows = [json.loads(row) for row in found]
    await engine.dispose()
    return rows
