"""The statement as a document: it says what the data say, to the cent, on however many pages."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final

import pytest

from domain.dunning.debtors import DebtorStatus
from domain.dunning.terms import DiscountType, RequestedDiscount, RequestedTerms
from tests.builders import a_debtor
from tests.doors.book import Book, a_book
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Door, House
from tests.papers import HOSTILE, pages_of, text_of, unbroken

pytestmark = pytest.mark.anyio

DATA: Final = "dunning_debtors_statement"
PDF: Final = "dunning_debtors_statement_pdf"


@pytest.fixture
async def book(house: House, ledger: Ledger, pair: Pair) -> Book:
    return await a_book(house, ledger, pair)


async def printed(book: Book, **asked: Any) -> bytes:
    answer = await book.house.rest(book.owner, PDF, {"id": book.debtor.id, **asked})
    assert (answer.status, answer.headers["content-type"]) == (200, "application/pdf")
    return answer.raw


def written(amount: float) -> str:
    """As Brazil writes it."""
    digits = f"{abs(amount):,.2f}".translate(str.maketrans(",.", ".,"))
    return f"\u2212{digits}" if amount < 0 else digits


async def test_example_5_with_the_calculation_of_what_is_left(book: Book) -> None:
    await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 10, 15))
    await book.pay(200.00, date(2026, 10, 15))
    book.today(date(2026, 11, 10))
    text = text_of(await printed(book))
    assert "Saldo em 10/11/2026 421,62" in text
    assert "15/10/2026 Pagamento Mensalidade de outubro 200,00 418,00" in text
    assert "15/10/2026 Multa por atraso Mensalidade de outubro 12,00 618,00" in text
    assert "Juros de mora simples de 1% ao mês, sobre R$ 418,00 por 26 dias: R$ 3,62." in text


async def test_there_is_none_of_somebody_who_was_forgotten(
    book: Book, ledger: Ledger, pair: Pair
) -> None:
    forgotten = a_debtor(pair.a.creditor)
    forgotten.status = DebtorStatus.ANONYMIZED
    await ledger.keep(pair.a, forgotten)
    refused = await book.house.rest(book.owner, PDF, {"id": forgotten.id})
    assert refused.code == "STATE_CONFLICT"


async def test_every_amount_of_the_data_is_printed(book: Book) -> None:
    for due in (date(2026, 10, 5), date(2026, 11, 5), date(2026, 12, 20)):
        await book.owes(due, 300_00)
    book.today(date(2026, 11, 25))
    await book.pay(500.00, date(2026, 11, 25))
    await book.pay(9_999.00, date(2026, 11, 25))
    for asked in ({}, {"include_paid": True}, {"from": "2026-11-01", "include_paid": True}):
        data = (await book.house.rest(book.owner, DATA, {"id": book.debtor.id, **asked})).data
        text = text_of(await printed(book, **asked))
        for line in data["lines"]:
            moved = line["debit"] or line["credit"]
            assert written(line["balance"]) in text
            assert moved == 0 or written(moved) in text
        totals = data["totals"]
        assert f"Saldo em 25/11/2026 {written(totals['closing'])}" in text
        assert f"Há crédito de R$ {written(totals['credit'])} em favor do devedor" in text
        taken_off = ("discounts", "paid", "forgiven", "canceled")
        for name, value in totals.items():
            if value and name not in ("written_off", "credit", "closing"):
                assert written(-value if name in taken_off else value) in text


async def test_a_period_is_named_and_what_is_left_out_is_told(book: Book) -> None:
    await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 11, 10))
    text = text_of(await printed(book, **{"from": "2026-10-16"}))
    assert "De 16/10/2026 a 10/11/2026" in text
    assert "16/10/2026 Saldo anterior 618,00" in text
    assert "Cobranças pagas ou canceladas até 10/11/2026 não constam deste extrato." in text
    everything = text_of(await printed(book, include_paid=True))
    assert "Desde o início, até 10/11/2026" in everything
    assert "não constam deste extrato" not in everything


async def test_creditor_and_debtor_are_named_and_no_whole_cpf_is(book: Book) -> None:
    await book.owes(date(2026, 9, 15), 600_00)
    text = text_of(await printed(book))
    creditor = book.pair.a.creditor.organization
    assert creditor.legal_name in text
    assert f"CNPJ {creditor.document.formatted}" in text
    assert "Rua das Acácias, 120 Centro, São Paulo/SP, CEP 01001-000" in text
    assert f"Paulo Nogueira CPF {book.debtor.document.masked}" in text
    assert book.debtor.document.formatted not in text
    assert book.debtor.document.number not in unbroken(text)


async def test_two_hundred_lines_are_all_there_and_every_page_has_the_head(book: Book) -> None:
    for number in range(100):
        await book.owes(date(2026, 7, 1) + timedelta(days=number % 28), 100_00 + number)
    book.today(date(2026, 11, 10))
    data = (await book.house.rest(book.owner, DATA, {"id": book.debtor.id})).data
    assert len(data["lines"]) > 200
    pages = pages_of(await printed(book))
    text = " ".join(pages)
    assert len(pages) > 10
    assert all(f"Página {n} de {len(pages)}" in page for n, page in enumerate(pages, 1))
    assert all(written(line["balance"]) in text for line in data["lines"])
    heads = ("Data Histórico Débito (R$) Crédito (R$) Saldo (R$)", "Cobrança Vencimento Atraso")
    assert all(any(head in page for head in heads) for page in pages[:-1])


async def test_what_others_wrote_is_text_and_hides_nothing(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    book = await a_book(house, ledger, pair)
    hostile = a_debtor(pair.a.creditor, name=f"{HOSTILE}\u202etxt"[:120])
    await ledger.keep(pair.a, hostile)
    book = Book(house, ledger, pair, hostile)
    await book.owes(date(2026, 8, 10), 600_00, description="W" * 200)
    await book.owes(date(2026, 8, 11), 600_00, description=f'a\u200bb {HOSTILE} "fim"')
    raw = await printed(book)
    text = unbroken(text_of(raw))
    assert unbroken(HOSTILE) in text
    assert unbroken(f'ab {HOSTILE} "fim"') in text
    assert "W" * 200 in text
    assert "\u202e" not in text


async def test_interest_that_payments_parted_is_told_step_by_step(book: Book) -> None:
    await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 10, 15))
    await book.pay(5.00, date(2026, 10, 15))
    book.today(date(2026, 11, 10))
    text = text_of(await printed(book))
    assert (
        "Juros de mora simples de 1% ao mês: de 15/09/2026 a 15/10/2026, R$ 600,00 por 30 dias; "
        "de 15/10/2026 a 10/11/2026, R$ 600,00 por 26 dias, já descontado o que foi pago. "
        "Total: R$ 6,20." in text
    )


async def test_a_discount_that_is_open_is_told(book: Book) -> None:
    early = RequestedDiscount(days_before=10, type=DiscountType.PERCENT, value=Decimal(10))
    await book.owes(date(2026, 12, 20), 800_00, terms=RequestedTerms(discounts=(early,)))
    book.today(date(2026, 12, 1))
    text = text_of(await printed(book))
    assert "Valor original R$ 800,00 20/12/2026 sem encargos até 21/12/2026 0 800,00 0,00" in text
    assert "Desconto por antecipação de 10%: R$ 80,00." in text
    assert "Saldo em 01/12/2026 720,00" in text


async def test_the_balance_is_parted_to_the_cent_in_what_is_past_due_and_what_is_not(
    book: Book,
) -> None:
    early = RequestedDiscount(days_before=10, type=DiscountType.PERCENT, value=Decimal(10))
    for due in (date(2026, 9, 15), date(2026, 10, 13)):
        await book.owes(due, 333_33)
    await book.owes(date(2026, 12, 20), 800_01, terms=RequestedTerms(discounts=(early,)))
    # A Sunday: on time until the day after it.
    await book.owes(date(2026, 11, 29), 77_77)
    book.today(date(2026, 11, 30))
    data = (await book.house.rest(book.owner, DATA, {"id": book.debtor.id})).data
    to_come = Decimal("720.01") + Decimal("77.77")
    past = Decimal(str(data["totals"]["closing"])) - to_come
    assert past > Decimal("666.66")
    text = text_of(await printed(book))
    assert f"Vencido: R$ {written(float(past))} A vencer: R$ {written(float(to_come))}" in text
    assert "descontos por antecipação deixam de valer depois do prazo de cada cobrança" in text


async def test_what_the_creditor_gave_up_is_told_as_still_owed(book: Book) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 11, 10))
    wanted = {"id": charge.id, "reason": "commercial", "note": "Sem resposta há um ano."}
    written_off = await book.house.rest(book.owner, "dunning_charges_write_off", wanted)
    assert written_off.status == 200
    data = (await book.house.rest(book.owner, DATA, {"id": book.debtor.id})).data
    text = text_of(await printed(book))
    told = written(data["totals"]["written_off"])
    assert f"Baixadas pelo credor (continuam devidas): R$ {told}, já" in text
    assert "perda" not in text


async def test_the_same_account_gives_the_same_bytes_and_name(book: Book) -> None:
    await book.owes(date(2026, 9, 15), 600_00)
    once, again = [await book.house.rest(book.owner, PDF, {"id": book.debtor.id}) for _ in range(2)]
    assert once.raw == again.raw
    assert once.headers["content-disposition"] == again.headers["content-disposition"]
    await book.owes(date(2026, 9, 16), 1_00)
    other = await book.house.rest(book.owner, PDF, {"id": book.debtor.id})
    assert other.headers["content-disposition"] != once.headers["content-disposition"]


async def test_another_organisation_and_another_portfolio_find_nobody(book: Book) -> None:
    narrowed = book.pair.a.person(book.pair.a.narrowed)
    for door in Door:
        for caller in (narrowed, book.pair.b.owner):
            refused = await book.house.call(door, caller, PDF, {"id": book.debtor.id})
            assert refused.code == "NOT_FOUND"


async def test_a_period_that_cannot_be_is_refused(book: Book) -> None:
    for door in Door:
        asked = {"id": book.debtor.id, "as_of": "2031-01-01"}
        refused = await book.house.call(door, book.owner, PDF, asked)
        assert refused.details == [("as_of", "out_of_range")]
