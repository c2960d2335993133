"""Documents as files: the same bytes, whatever is written in them as text, and never too many."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

import pytest

from adapters.documents import press
from adapters.documents.typst_documents import (
    AT_ONCE,
    IN_LINE,
    OF_ONE,
    DocumentError,
    TypstDocuments,
    order_of,
)
from domain.errors import UnavailableError
from domain.ports.documents import Document
from tests.papers import HOSTILE, catalog_of, pages_of, read, text_of, unbroken
from tests.unit.documents.samples import (
    AT,
    COMMON,
    a_clearance,
    a_document,
    a_letter,
    a_statement,
)

EVERY_KIND: Final[tuple[Callable[..., Document], ...]] = (a_statement, a_letter, a_clearance)

kinds = pytest.mark.parametrize("a_kind", EVERY_KIND)


def lay_out(document: Document) -> bytes:
    return press.lay_out(order_of(document))


def with_debtor(name: str) -> dict[str, Any]:
    return {"debtor": {**COMMON["debtor"], "name": name}}


@kinds
def test_the_same_values_give_the_same_bytes(a_kind: Callable[..., Document]) -> None:
    once, again = lay_out(a_kind()), lay_out(a_kind())
    assert once == again
    assert lay_out(replace(a_kind(), at=AT + timedelta(seconds=1))) != once
    assert lay_out(a_kind(number="ABCD-1234-EF57")) != once


@kinds
def test_it_says_who_made_it_when_and_in_which_language(
    a_kind: Callable[..., Document],
) -> None:
    pdf = lay_out(a_kind())
    said = read(pdf).metadata
    assert said is not None
    assert said.author == "Colégio Aurora Ltda."
    assert (said.title or "").endswith("nº ABCD-1234-EF56")
    assert said.creation_date == AT
    assert catalog_of(pdf)["/Lang"] == "pt-BR"


@kinds
def test_it_is_tagged_and_fit_for_archives(a_kind: Callable[..., Document]) -> None:
    root = catalog_of(lay_out(a_kind()))
    said = root["/Metadata"].get_data()
    assert root["/MarkInfo"]["/Marked"]
    assert b"<pdfaid:part>2</pdfaid:part>" in said
    assert b"<pdfuaid:part>1</pdfuaid:part>" in said


@kinds
def test_the_creditor_stands_on_the_first_page_and_the_number_on_every_one(
    a_kind: Callable[..., Document],
) -> None:
    first = pages_of(lay_out(a_kind()))[0]
    for said in ("Colégio Aurora Ltda.", "CNPJ 11.222.333/0001-81", "Rua do Amanhecer, 450"):
        assert said in first
    assert "Documento nº ABCD-1234-EF56, gerado em 01/12/2026, 10:00:00 (UTC\u22123)" in first
    assert "emitido eletronicamente" in first
    assert "Página 1 de 1" in first


@kinds
def test_a_test_document_says_so_and_a_real_one_does_not(
    a_kind: Callable[..., Document],
) -> None:
    assert "DOCUMENTO SEM VALIDADE" in text_of(lay_out(a_kind(is_sandbox=True)))
    assert "DOCUMENTO SEM VALIDADE" not in text_of(lay_out(a_kind()))


@kinds
@pytest.mark.parametrize(
    "text",
    [
        HOSTILE,
        '#eval("1+1")',
        "*bold* _under_ = heading",
        "$x$ #pagebreak()",
        'back\\slash "quotes" \\u{41}',
        "// comment /* more */",
        '#import "/etc/passwd"',
        "{{value}} {% if %} <script>",
        "- item + item / term: text",
        "https://example.com @cite <label>",
    ],
)
def test_what_would_be_markup_comes_out_as_text(a_kind: Callable[..., Document], text: str) -> None:
    shown = text_of(lay_out(a_kind(**with_debtor(text))))
    assert unbroken(text) in unbroken(shown)


@kinds
def test_two_thousand_characters_without_a_blank_stay_on_the_page(
    a_kind: Callable[..., Document],
) -> None:
    pdf = lay_out(a_kind(**with_debtor("W" * 2000)))
    shown = unbroken(text_of(pdf))
    assert shown.count("W") >= 2000
    longest = max(len(word) for page in read(pdf).pages for word in page.extract_text().split())
    assert longest < 120


def test_a_long_number_is_copied_as_it_was_written() -> None:
    number = "chg_01JABCDEFGHJKMNPQRSTVWXYZ-202611-MEN-009"
    row = {"label": "Identificador", "value": number, "is_code": True}
    assert number in text_of(lay_out(a_letter(debt=[row])))


@kinds
@pytest.mark.parametrize("name", ["فاطمة", "שלום", "देवनागरी", "Ñandú Ação Ωμέγα Ёлка"])
def test_these_scripts_have_their_letters(a_kind: Callable[..., Document], name: str) -> None:
    said = catalog_of(lay_out(a_kind(**with_debtor(name))))["/Metadata"]
    # The standard for archives refuses what has no glyph.
    assert b"pdfaid" in said.get_data()


@kinds
@pytest.mark.parametrize("name", ["山本 太郎", "Ana 😀", "Ana \U0001f469\u200d\U0001f467"])
def test_what_no_font_has_is_a_box_and_no_failure(
    a_kind: Callable[..., Document], name: str
) -> None:
    pdf = lay_out(a_kind(**with_debtor(name)))
    assert "Documento nº ABCD-1234-EF56" in text_of(pdf)
    assert lay_out(a_kind(**with_debtor(name))) == pdf


def test_a_table_of_many_pages_repeats_its_head_and_counts_them() -> None:
    pages = pages_of(lay_out(a_statement(lines=200)))
    assert len(pages) > 5
    assert all("Data Histórico Débito (R$)" in page for page in pages[:-1])
    assert all(f"Página {n} de {len(pages)}" in page for n, page in enumerate(pages, 1))
    assert all("Colégio Aurora Ltda., CNPJ 11.222.333/0001-81" in page for page in pages[1:])


def test_a_number_that_goes_on_in_the_next_line_gets_no_second_hyphen() -> None:
    wide = dict.fromkeys(("principal", "fees", "discount", "total"), "99.999.999.999,99")
    owed: dict[str, Any] = {
        "description": "Mensalidade",
        "document_number": "202611-MEN-009",
        "due_date": "10/11/2026",
        "last_day_on_time": None,
        "days_late": 21,
        "original": "R$ 100,00",
        "memory": [],
        **wide,
    }
    text = text_of(lay_out(a_statement(owed=[owed])))
    assert "202611-MEN-009" not in text
    assert "202611-MEN-009" in unbroken(text)


@pytest.mark.anyio
async def test_a_document_is_rendered_under_its_name() -> None:
    file = await TypstDocuments().render(a_letter(), whose="org_a")
    assert (file.content_type, file.name) == ("application/pdf", "settlement_letter.pdf")
    assert file.content == lay_out(a_letter())


@pytest.mark.anyio
async def test_what_takes_too_long_is_given_up() -> None:
    documents = TypstDocuments(patience=timedelta(milliseconds=10))
    with pytest.raises(UnavailableError):
        await documents.render(a_statement(lines=1000), whose="org_a")


@pytest.mark.anyio
async def test_values_that_no_template_takes_are_our_failure_and_say_nothing_of_them() -> None:
    with pytest.raises(DocumentError) as failed:
        await TypstDocuments().render(
            a_document("statement", with_debtor("Paulo Nogueira")), whose="org_a"
        )
    assert "Paulo" not in str(failed.value)


@pytest.mark.anyio
async def test_beyond_a_short_queue_nobody_waits() -> None:
    documents = TypstDocuments()
    places = AT_ONCE + IN_LINE
    long = a_statement(lines=300)
    outcomes = await asyncio.gather(
        *(documents.render(long, whose=f"org_{n}") for n in range(places + 1)),
        return_exceptions=True,
    )
    assert [isinstance(one, UnavailableError) for one in outcomes] == [False] * places + [True]
    assert (await documents.render(a_letter(), whose="org_a")).content


@pytest.mark.anyio
async def test_no_organisation_takes_every_place() -> None:
    documents = TypstDocuments()
    long = a_statement(lines=300)
    theirs = [asyncio.ensure_future(documents.render(long, whose="org_a")) for _ in range(OF_ONE)]
    await asyncio.sleep(0)
    with pytest.raises(UnavailableError):
        await documents.render(a_letter(), whose="org_a")
    assert (await documents.render(a_letter(), whose="org_b")).content
    await asyncio.gather(*theirs)
    assert (await documents.render(a_letter(), whose="org_a")).content


@pytest.mark.anyio
async def test_who_goes_away_leaves_the_queue() -> None:
    documents = TypstDocuments()
    waiting = [
        asyncio.ensure_future(documents.render(a_statement(lines=1000), whose=f"org_{n}"))
        for n in range(AT_ONCE + IN_LINE)
    ]
    await asyncio.sleep(0)
    for one in waiting[AT_ONCE:]:
        one.cancel()
    await asyncio.gather(*waiting[AT_ONCE:], return_exceptions=True)
    assert (await documents.render(a_letter(), whose="org_a")).content
    await asyncio.gather(*waiting[:AT_ONCE])
