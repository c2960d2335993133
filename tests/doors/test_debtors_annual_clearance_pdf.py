"""The annual clearance (Lei 12.007/2009): a year whose debts are all paid, by their due dates."""

from datetime import date
from typing import Any

import pytest

from tests.builders import a_debtor
from tests.doors.book import Book, a_book
from tests.doors.conftest import Demo
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Answer, Door, House
from tests.papers import HOSTILE, text_of, unbroken

pytestmark = pytest.mark.anyio

CLEARANCE = "dunning_debtors_annual_clearance_pdf"
REPLACES = "Esta declaração substitui, para a comprovação do cumprimento das obrigações"


@pytest.fixture
async def book(house: House, ledger: Ledger, pair: Pair) -> Book:
    return await a_book(house, ledger, pair)


async def asked(book: Book, year: Any = 2025, door: Door = Door.REST) -> Answer:
    return await book.house.call(door, book.owner, CLEARANCE, {"id": book.debtor.id, "year": year})


async def printed(book: Book, year: int = 2025) -> str:
    answer = await asked(book, year)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/pdf")
    return text_of(answer.raw)


async def owed_and_paid(book: Book, due: date, amount: int) -> None:
    """A debt that is paid today with whatever it has become."""
    charge = await book.owes(due, amount)
    owed = (await book.charge(charge))["amounts"]["total_due"]
    paid = await book.pay(owed, date(2026, 9, 1), charge_ids=[charge.id])
    assert paid.status == 201


async def test_it_lists_what_was_due_in_the_year_with_what_was_paid(book: Book) -> None:
    await owed_and_paid(book, date(2025, 3, 10), 100_00)
    await owed_and_paid(book, date(2025, 12, 31), 250_00)
    await owed_and_paid(book, date(2024, 12, 31), 9_000_00)
    text = await printed(book)
    listed = await book.house.rest(
        book.owner, "dunning_charges_list", {"debtor_id": book.debtor.id, "status": "paid"}
    )
    rows = [row for row in listed.data if row["due_date"].startswith("2025")]
    paid = f"{sum(row['amounts']['paid'] for row in rows):.2f}".replace(".", ",")
    assert len(rows) == 2
    assert f"Total 350,00 {paid}" in text
    for row in rows:
        assert f"{row['amounts']['paid']:.2f}".replace(".", ",") in text
    assert "9.000,00" not in text


async def test_it_says_what_the_law_wants_it_to_say(book: Book) -> None:
    await owed_and_paid(book, date(2025, 3, 10), 100_00)
    await owed_and_paid(book, date(2025, 5, 10), 100_00)
    text = await printed(book)
    creditor = book.pair.a.creditor.organization
    assert f"{creditor.legal_name}, CNPJ nº {creditor.document.formatted}, com endereço em" in text
    assert "nos termos da Lei nº 12.007, de 29 de julho de 2009" in text
    assert f"Paulo Nogueira, CPF nº {book.debtor.document.masked}, quitou todos os débitos" in text
    assert "os meses em que houve faturamento (art. 2º, § 2º): março e maio." in text
    assert f"{REPLACES} do consumidor, as quitações dos faturamentos mensais" in text
    assert "débitos do ano de 2025 e dos anos anteriores (art. 4º)" in text
    assert "Ressalva" not in text


async def test_a_whole_year_names_no_months(house: House, demo: Demo) -> None:
    helena = demo.caller("Helena")
    found = await house.rest(helena, "dunning_debtors_list", {"external_id": "A-20"})
    wanted = {"id": found.data[0]["id"], "year": 2025}
    text = text_of((await house.rest(helena, CLEARANCE, wanted)).raw)
    assert "os meses em que houve faturamento" not in text
    assert "Total 10.560,00 10.516,00" in text


async def test_one_unpaid_invoice_of_the_year_refuses_it(house: House, demo: Demo) -> None:
    helena = demo.caller("Helena")
    found = await house.rest(helena, "dunning_debtors_list", {"external_id": "A-21"})
    wanted = {"id": found.data[0]["id"], "year": 2025}
    for door in Door:
        refused = await house.call(door, helena, CLEARANCE, wanted)
        assert (refused.code, refused.error["current_status"]) == ("STATE_CONFLICT", "overdue")


async def test_the_refusal_names_what_is_open_in_the_order_of_due_dates(book: Book) -> None:
    later, first = [await book.owes(date(2025, month, 10), 100_00) for month in (5, 3)]
    await owed_and_paid(book, date(2025, 4, 10), 100_00)
    await book.owes(date(2026, 3, 10), 100_00)
    for door in Door:
        refused = await asked(book, door=door)
        assert refused.details == [("year", "unpaid")] * 2
        messages = [one["message"] for one in refused.error["details"]]
        assert [first.id in messages[0], later.id in messages[1]] == [True, True]
        assert f"once these are paid: {first.id}, {later.id}." in refused.error["message"]


async def test_the_refusal_names_twenty_and_counts_the_others(book: Book) -> None:
    for number in range(22):
        await book.owes(date(2025, 3, 1 + number), 100_00)
    refused = await asked(book)
    assert len(refused.details) == 20
    assert refused.error["message"].endswith(" and 2 more.")


async def test_a_debt_that_was_given_up_is_not_paid(book: Book) -> None:
    charge = await book.owes(date(2025, 3, 10), 100_00)
    wanted = {"id": charge.id, "reason": "commercial", "note": "Sem resposta há um ano."}
    written_off = await book.house.rest(book.owner, "dunning_charges_write_off", wanted)
    assert written_off.status == 200
    refused = await asked(book)
    assert (refused.code, refused.error["current_status"]) == ("STATE_CONFLICT", "written_off")


async def test_what_is_open_of_earlier_years_is_told_and_of_later_ones_is_not(book: Book) -> None:
    await owed_and_paid(book, date(2025, 3, 10), 100_00)
    await book.owes(date(2023, 3, 10), 100_00)
    await book.owes(date(2024, 3, 10), 100_00)
    await book.owes(date(2026, 3, 10), 100_00)
    text = await printed(book)
    assert "dos faturamentos mensais dos débitos do ano de 2025 (art. 4º)" in text
    assert "Ressalva: há débitos em aberto com vencimento em 2023 e 2024, que esta" in text
    assert "anos anteriores" not in text


async def test_a_year_in_which_nothing_was_due_has_nothing_to_declare(book: Book) -> None:
    refused = await asked(book)
    assert refused.code == "STATE_CONFLICT"
    charge = await book.owes(date(2025, 3, 10), 100_00)
    wanted = {"id": charge.id, "reason": "issued_in_error"}
    await book.house.rest(book.owner, "dunning_charges_cancel", wanted)
    assert (await asked(book)).code == "STATE_CONFLICT"


async def test_a_company_is_no_consumer_and_its_cnpj_is_shown(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    company = a_debtor(pair.a.creditor, name="Pampa Ltda.", document="12.ABC.345/01DE-35")
    await ledger.keep(pair.a, company)
    book = Book(house, ledger, pair, company)
    await owed_and_paid(book, date(2025, 3, 10), 100_00)
    text = await printed(book)
    assert "Pampa Ltda., CNPJ nº 12.ABC.345/01DE-35, quitou" in text
    assert f"{REPLACES} do devedor" in text


async def test_what_others_wrote_is_text(house: House, ledger: Ledger, pair: Pair) -> None:
    hostile = a_debtor(pair.a.creditor, name=HOSTILE)
    await ledger.keep(pair.a, hostile)
    book = Book(house, ledger, pair, hostile)
    await owed_and_paid(book, date(2025, 3, 10), 100_00)
    assert unbroken(HOSTILE) in unbroken(await printed(book))


@pytest.mark.parametrize("door", Door)
@pytest.mark.parametrize(
    ("year", "code"),
    [
        (2026, "out_of_range"),
        (2027, "out_of_range"),
        (2008, "out_of_range"),
        (10_000, "out_of_range"),
        ("2025.5", "wrong_type"),
        ("MMXXV", "wrong_type"),
    ],
)
async def test_a_year_that_is_not_over_or_no_year_is_refused(
    book: Book, door: Door, year: Any, code: str
) -> None:
    assert (await asked(book, year, door)).details == [("year", code)]


async def test_another_organisation_and_another_portfolio_find_nobody(book: Book) -> None:
    await owed_and_paid(book, date(2025, 3, 10), 100_00)
    narrowed = book.pair.a.person(book.pair.a.narrowed)
    for door in Door:
        for caller in (narrowed, book.pair.b.owner):
            wanted = {"id": book.debtor.id, "year": 2025}
            refused = await book.house.call(door, caller, CLEARANCE, wanted)
            assert refused.code == "NOT_FOUND"
