"""The settlement letter: of a debt that is paid, with what paid it, and of no other."""

from datetime import date

import pytest
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.transaction import open_pinned
from domain.dunning.charges import Charge
from tests.builders import a_debtor
from tests.doors.book import Book, a_book
from tests.doors.firms import Ledger, Pair, settled_in_2025
from tests.doors.house import Door, House
from tests.papers import HOSTILE, text_of, unbroken

pytestmark = pytest.mark.anyio

LETTER = "dunning_charges_settlement_letter_pdf"


@pytest.fixture
async def book(house: House, ledger: Ledger, pair: Pair) -> Book:
    return await a_book(house, ledger, pair)


async def printed(book: Book, charge: Charge) -> str:
    answer = await book.house.rest(book.owner, LETTER, {"id": charge.id})
    assert (answer.status, answer.headers["content-type"]) == (200, "application/pdf")
    return text_of(answer.raw)


async def test_two_payments_and_what_each_of_them_settled(book: Book) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00, document_number="NF 17")
    book.today(date(2026, 11, 10))
    await book.pay(200.00, date(2026, 10, 15))
    await book.pay(421.62, date(2026, 11, 10), method="boleto", payer_name="Marta Nogueira")
    text = await printed(book, charge)
    assert "15/10/2026 Pix principal R$ 182,00; multa R$ 12,00; juros R$ 6,00 200,00" in text
    assert "principal R$ 418,00; juros R$ 3,62 Pago por Marta Nogueira 421,62" in text
    assert "Principal 600,00 Multa por atraso 12,00 Juros de mora 9,62 Valor pago 621,62" in text
    assert "se completou em 10 de novembro de 2026, no valor total de R$ 621,62" in text
    shown = (await book.charge(charge))["amounts"]
    assert shown["paid"] == 621.62


async def test_who_paid_is_told_only_to_those_who_may_read_payments(book: Book) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    await book.pay(600.00, date(2026, 9, 1), charge_ids=[charge.id], payer_name="Marta Nogueira")
    narrow = book.owner.with_scopes("dunning.charges:read")
    answer = await book.house.rest(narrow, LETTER, {"id": charge.id})
    assert answer.status == 200
    assert "Marta" not in text_of(answer.raw)
    assert "Marta" in await printed(book, charge)


async def test_it_names_debt_creditor_and_debtor_as_the_law_wants(book: Book) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    await book.pay(600.00, date(2026, 9, 1), charge_ids=[charge.id])
    text = await printed(book, charge)
    creditor = book.pair.a.creditor.organization
    assert f"{creditor.legal_name}, CNPJ nº {creditor.document.formatted}, com endereço em" in text
    assert f"Paulo Nogueira, CPF nº {book.debtor.document.masked}" in text
    assert book.debtor.document.number not in unbroken(text)
    assert "nos termos dos arts. 319 e 320 do Código Civil" in text
    assert "Descrição Mensalidade de outubro Espécie prestação de serviços" in text
    assert "Contrato Contrato 17/2026" in text
    assert "Vencimento 15/09/2026 Valor original R$ 600,00" in text
    assert charge.id in text


async def test_a_residual_that_was_forgiven_is_a_line_of_its_own(book: Book) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    await book.pay(599.96, date(2026, 9, 1), charge_ids=[charge.id])
    text = await printed(book, charge)
    assert "Principal 600,00 Resíduo dispensado pelo credor \u22120,04 Valor pago 599,96" in text


async def test_credit_that_paid_it_is_named_as_such(book: Book) -> None:
    await book.pay(100.00, date(2026, 9, 1))
    charge = await book.owes(date(2026, 9, 15), 60_00)
    await book.pay(60.00, date(2026, 9, 1), method="compensation", charge_ids=[charge.id])
    assert "compensação de crédito principal R$ 60,00 60,00" in await printed(book, charge)


@pytest.mark.parametrize("door", Door)
async def test_there_is_none_while_anything_is_owed_or_nothing_ever_was(
    book: Book, door: Door
) -> None:
    charge = await book.owes(date(2026, 8, 10), 600_00)
    await book.pay(200.00, date(2026, 9, 1))
    canceled = await book.owes(date(2026, 12, 10), 600_00)
    wanted = {"id": canceled.id, "reason": "issued_in_error"}
    await book.house.rest(book.owner, "dunning_charges_cancel", wanted)
    given_up = await book.owes(date(2026, 8, 11), 600_00)
    wanted = {"id": given_up.id, "reason": "commercial", "note": "Sem resposta há um ano."}
    await book.house.rest(book.owner, "dunning_charges_write_off", wanted)
    for one, status, told in (
        (charge, "overdue", "Record the payment; the letter exists once"),
        (canceled, "canceled", "nothing was owed and there is no settlement"),
        (given_up, "written_off", "is written off and not paid"),
    ):
        refused = await book.house.call(door, book.owner, LETTER, {"id": one.id})
        assert refused.code == "STATE_CONFLICT"
        assert refused.error["current_status"] == status
        assert refused.error["allowed_actions"] == []
        assert told in refused.error["message"]


async def test_it_has_a_place_for_the_signature_that_an_acquittance_needs(book: Book) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    await book.pay(600.00, date(2026, 9, 1), charge_ids=[charge.id])
    text = await printed(book, charge)
    assert "Assinatura do credor ou de seu representante Nome: Cargo:" in text
    assert "Documento emitido eletronicamente." in text
    assert "sem assinatura" not in text


async def test_there_is_none_any_more_once_the_payment_is_undone(book: Book) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    paid = await book.pay(600.00, date(2026, 9, 1), charge_ids=[charge.id])
    await printed(book, charge)
    await book.reverse(paid)
    refused = await book.house.rest(book.owner, LETTER, {"id": charge.id})
    assert (refused.status, refused.code) == (409, "STATE_CONFLICT")


async def test_what_others_wrote_is_text(house: House, ledger: Ledger, pair: Pair) -> None:
    hostile = a_debtor(pair.a.creditor, name=HOSTILE)
    await ledger.keep(pair.a, hostile)
    book = Book(house, ledger, pair, hostile)
    charge = await book.owes(
        date(2026, 9, 15), 600_00, description=HOSTILE, contract_reference='"] #panic()'
    )
    await book.pay(600.00, date(2026, 9, 1), payer_name=HOSTILE, charge_ids=[charge.id])
    text = unbroken(await printed(book, charge))
    assert text.count(unbroken(HOSTILE)) == 3
    assert '"]#panic()' in text


async def test_nobody_s_debt_is_declared_paid_once_they_are_forgotten(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor, charge, payment = settled_in_2025(pair.a)
    await ledger.keep(pair.a, debtor, charge, payment)
    house.clock.time = house.clock.time.replace(year=2037)
    wanted = {
        "id": debtor.id,
        "confirm_name": debtor.name,
        "request_reference": "LGPD-2037/1",
    }
    forgotten = await house.rest(pair.a.owner, "dunning_debtors_anonymize", wanted)
    assert forgotten.status == 200
    refused = await house.rest(pair.a.owner, LETTER, {"id": charge.id})
    assert (refused.code, refused.error["current_status"]) == ("STATE_CONFLICT", "anonymized")


async def test_another_organisation_and_another_portfolio_find_nothing(book: Book) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    await book.pay(600.00, date(2026, 9, 1), charge_ids=[charge.id])
    narrowed = book.pair.a.person(book.pair.a.narrowed)
    for door in Door:
        for caller in (narrowed, book.pair.b.owner):
            refused = await book.house.call(door, caller, LETTER, {"id": charge.id})
            assert refused.code == "NOT_FOUND"


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        ("legal_name = ' '", ["legal_name"]),
        ("address = jsonb_set(address, '{street}', '\"\"')", ["address"]),
        (
            "legal_name = '', address = jsonb_set(address, '{zipcode}', '\"\"')",
            ["legal_name", "address"],
        ),
    ],
)
async def test_a_creditor_who_cannot_be_named_issues_nothing(
    book: Book, doors_owner: AsyncEngine, change: str, missing: list[str]
) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    await book.pay(600.00, date(2026, 9, 1), charge_ids=[charge.id])
    async with open_pinned(doors_owner, book.pair.a.id) as transaction:
        await transaction.connection.execute(
            sql(f"UPDATE organization_settings SET {change} WHERE organization_id = :own"),  # noqa: S608 -- ours
            {"own": book.pair.a.id},
        )
        await transaction.commit()
    for name, wanted in (
        (LETTER, {"id": charge.id}),
        ("dunning_debtors_statement_pdf", {"id": book.debtor.id}),
    ):
        for door in Door:
            refused = await book.house.call(door, book.owner, name, wanted)
            assert refused.code == "COMPLIANCE_BLOCKED"
            assert refused.error["reasons"] == missing
            assert all(one in refused.error["message"] for one in missing)
