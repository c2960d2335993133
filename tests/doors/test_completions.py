"""Completions: only what the caller may read, the best first, and never a person's data."""

from datetime import date
from typing import Any, Final

import pytest

from adapters.persistence import suggestions
from domain.dunning.contact_points import ContactKind
from domain.dunning.debtors import Debtor
from tests.builders import IDS, a_charge, a_contact_point, a_debtor, a_payment
from tests.doors.firms import Firm, Ledger, Pair
from tests.doors.house import House
from tests.doors.librarian import ROOT, Client, Told
from tests.doors.requests import COLUMNS, EVERYBODY, MANAGING

pytestmark = pytest.mark.anyio

DEBTOR: Final = f"{ROOT}/debtors/{{id}}"
CHARGE: Final = f"{ROOT}/charges/{{id}}"
CLEARANCE: Final = f"{ROOT}/debtors/{{id}}/annual_clearance/{{year}}.pdf"
OF_DEBTORS: Final = (
    (DEBTOR, "id"),
    (f"{DEBTOR}/timeline", "id"),
    (f"{DEBTOR}/statement", "id"),
    (f"{DEBTOR}/statement.pdf", "id"),
    (CLEARANCE, "id"),
    ("debtor_briefing", "debtor_id"),
    ("call_script", "debtor_id"),
    ("reconcile_payment", "debtor_id"),
)
LETTER: Final = f"{CHARGE}/settlement_letter.pdf"
OF_CHARGES: Final = ((CHARGE, "id"), (LETTER, "id"))
# Whose what an argument belongs to is: written out independently of the declarations.
COLUMNS_OF: Final = {
    "call_script": MANAGING | {"collector"},
    "reconcile_payment": MANAGING,
}
SCOPE_OF: Final = {
    DEBTOR: "dunning.debtors:read",
    CHARGE: "dunning.charges:read",
    "reconcile_payment": ("dunning.debtors:read dunning.payments:read dunning.payments:write"),
}


async def debtors(ledger: Ledger, firm: Firm, *names: str, **fields: Any) -> list[str]:
    """Debtors with these names, in the order in which they are given."""
    made = [a_debtor(firm.creditor, name=name, **fields) for name in names]
    await ledger.keep(firm, *made)
    return [one.id for one in made]


async def charges(ledger: Ledger, firm: Firm, debtor: Debtor, *described: str) -> list[str]:
    made = [a_charge(debtor, description=one) for one in described]
    await ledger.keep(firm, *made)
    return [one.id for one in made]


def assert_unknown(told: Told) -> None:
    assert (told.http_status, told.code) == (400, -32602)
    assert told.error["message"] == "Invalid params: ref: no such prompt or template"


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize(("reference", "argument"), [*OF_DEBTORS, *OF_CHARGES])
async def test_whoever_has_what_it_belongs_to_completes_it_and_nobody_else(
    house: House, ledger: Ledger, pair: Pair, *, reference: str, argument: str, column: str
) -> None:
    for firm in (pair.a, pair.b):
        debtor = a_debtor(firm.creditor, name="Zélia Prado")
        paid = a_charge(debtor, description="Zelo do jardim")
        payment = a_payment(debtor, paid, amount=paid.total_due)
        await ledger.keep(firm, debtor, paid, payment)
    own = await ledger.rows(pair.a.id, "charges" if "charges" in reference else "debtors")

    told = await Client(house, pair.a.caller(column)).complete(reference, argument, "zel")

    if column in COLUMNS_OF.get(reference, EVERYBODY):
        assert told.result["completion"] == {
            "values": [one["id"] for one in own],
            "hasMore": False,
            "total": 1,
        }
    else:
        assert_unknown(told)


@pytest.mark.parametrize("reference", SCOPE_OF)
async def test_a_token_without_the_scope_is_told_what_to_ask_for(
    house: House, pair: Pair, reference: str
) -> None:
    client = Client(house, pair.a.owner.with_scopes("dunning.settings:read"))
    argument = "id" if reference.startswith(ROOT) else "debtor_id"
    told = await client.complete(reference, argument, "z")
    assert (told.http_status, told.code) == (403, 403)
    assert told.error["data"]["scope"] == SCOPE_OF[reference]


async def test_it_is_unknown_at_an_address_that_does_not_show_it(house: House, pair: Pair) -> None:
    client = Client(house, pair.a.owner, "?toolsets=charges")
    assert_unknown(await client.complete(DEBTOR, "id", "z"))
    assert_unknown(await client.complete("debtor_briefing", "debtor_id", "z"))
    assert (await client.complete(CHARGE, "id", "z")).values == []


@pytest.mark.parametrize(("reference", "argument"), [*OF_DEBTORS[:6], OF_CHARGES[0]])
async def test_a_portfolio_bounds_values_and_total(
    house: House, ledger: Ledger, pair: Pair, *, reference: str, argument: str
) -> None:
    mine = a_debtor(pair.a.creditor, name="Zélia", assigned_member_id=pair.a.narrowed.id)
    other = a_debtor(pair.a.creditor, name="Zélia")
    of_mine, of_other = a_charge(mine, description="Zelo"), a_charge(other, description="Zelo")
    await ledger.keep(pair.a, mine, other, of_mine, of_other)
    own = of_mine.id if "charges" in reference else mine.id

    told = await Client(house, pair.a.person(pair.a.narrowed)).complete(reference, argument, "ze")

    assert told.result["completion"] == {"values": [own], "hasMore": False, "total": 1}
    of_other_only = {"debtor_id": other.id}
    narrowed = await Client(house, pair.a.person(pair.a.narrowed)).complete(
        CHARGE, "id", "ze", **of_other_only
    )
    assert narrowed.values == []


async def test_what_begins_with_it_comes_before_what_has_it_inside(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    inside, word, first = await debtors(ledger, pair.a, "Joana Mariano", "Ana Maria", "Maria Alves")
    (trade,) = await debtors(ledger, pair.a, "Comércio Silva", trade_name="Casa Maria")
    (code,) = await debtors(ledger, pair.a, "Bento", external_id="xmaria-7")
    (gone,) = await debtors(ledger, pair.a, "Pedro")

    told = await Client(house, pair.a.owner).complete(DEBTOR, "id", "MÁRIA")

    assert told.values == [first, word, trade, inside, code]
    assert gone not in told.values


@pytest.mark.parametrize("typed", ["jose", "JOSÉ", "José", " josé ", "jose\u0301 a"])
async def test_case_and_accents_do_not_count(
    house: House, ledger: Ledger, pair: Pair, typed: str
) -> None:
    (found,) = await debtors(ledger, pair.a, "José Araújo")
    assert (await Client(house, pair.a.owner).complete(DEBTOR, "id", typed)).values == [found]


@pytest.mark.parametrize("typed", ["", " ", "\u0301", "\x00", "a\x00", "\x1b[2J", "a" * 201])
async def test_without_a_character_to_look_for_there_is_nothing(
    house: House, ledger: Ledger, pair: Pair, typed: str
) -> None:
    await debtors(ledger, pair.a, "Aline", "a" * 120)
    for reference in (DEBTOR, CHARGE):
        told = await Client(house, pair.a.owner).complete(reference, "id", typed)
        assert (told.values, told.result["completion"]["hasMore"]) == ([], False)


@pytest.mark.parametrize(
    ("typed", "name", "other"),
    [
        ("100%", "100% Sucos", "1000 Sucos"),
        ("%", "100% Sucos", "1000 Sucos"),
        ("a_b", "A_B", "AXB"),
        ("_", "A_B", "AXB"),
        ("c\\d", "C\\D", "CD"),
        ("\\", "C\\D", "CD"),
    ],
)
async def test_o6_every_sign_stands_for_itself(
    house: House, ledger: Ledger, pair: Pair, *, typed: str, name: str, other: str
) -> None:
    found, _ = await debtors(ledger, pair.a, name, other)
    await debtors(ledger, pair.b, name, other)
    assert (await Client(house, pair.a.owner).complete(DEBTOR, "id", typed)).values == [found]


async def test_o6_of_thousands_twenty_are_given_and_the_count_is_of_what_is_seen(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    for firm in (pair.a, pair.b):
        debtor = a_debtor(firm.creditor, name="Zilda")
        many = [a_charge(debtor, description="Zinco") for _ in range(250)]
        await ledger.keep(firm, debtor, *many)
    told = await Client(house, pair.a.owner).complete(CHARGE, "id", "zin")
    assert len(told.values) == len(set(told.values)) == 20
    assert told.result["completion"]["hasMore"] is True
    assert told.result["completion"]["total"] == 250


async def test_o6_no_more_rows_are_read_than_a_keystroke_is_worth(
    house: House, ledger: Ledger, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    debtor = a_debtor(pair.a.creditor)
    paid, newest = (a_charge(debtor, description="Zelo") for _ in range(2))
    payment = a_payment(debtor, paid, amount=paid.total_due)
    await ledger.keep(pair.a, debtor, paid, newest, payment)
    monkeypatch.setattr(suggestions, "LOOKED_AT", 0)
    client = Client(house, pair.a.owner)
    for reference, values in ((CHARGE, [newest.id]), (LETTER, [])):
        told = await client.complete(reference, "id", "z")
        assert told.result["completion"] == {"values": values, "hasMore": True}


async def test_a_debtor_is_found_by_the_beginning_of_the_name_among_however_many(
    house: House, ledger: Ledger, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    oldest, _, _ = await debtors(ledger, pair.a, "Ana Zeno", "Bia", "Caio")
    monkeypatch.setattr(suggestions, "LOOKED_AT", 0)
    client = Client(house, pair.a.owner)
    found = await client.complete(DEBTOR, "id", "ána z")
    assert found.result["completion"] == {"values": [oldest], "hasMore": True}
    inside = await client.complete(DEBTOR, "id", "zeno")
    assert inside.result["completion"] == {"values": [], "hasMore": True}


async def test_open_charges_come_first_and_are_found_by_what_they_are_called(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = a_debtor(pair.a.creditor)
    paid = a_charge(debtor, description="Taxa de janeiro", document_number="NF-12")
    payment = a_payment(debtor, paid, amount=paid.total_due)
    pending = a_charge(debtor, description="Taxa de março", external_id="erp-nf-12")
    await ledger.keep(pair.a, debtor, paid, pending, payment)
    client = Client(house, pair.a.owner)

    assert (await client.complete(CHARGE, "id", "taxa")).values == [pending.id, paid.id]
    assert (await client.complete(CHARGE, "id", "marco")).values == [pending.id]
    assert set((await client.complete(CHARGE, "id", "nf-12")).values) == {pending.id, paid.id}


async def test_a_settlement_letter_is_suggested_for_what_is_paid_only(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    paid_ids = []
    for firm in (pair.a, pair.a, pair.b):
        debtor = a_debtor(firm.creditor)
        paid, partly, pending = (a_charge(debtor, description="Zelo") for _ in range(3))
        whole = a_payment(debtor, paid, amount=paid.total_due)
        part = a_payment(debtor, partly, amount=1)
        await ledger.keep(firm, debtor, paid, partly, pending, whole, part)
        paid_ids.append((debtor.id, paid.id))
    (one, of_one), (_, of_other), (theirs, _) = paid_ids
    client = Client(house, pair.a.owner)

    told = await client.complete(LETTER, "id", "zelo")
    assert (set(told.values), told.result["completion"]["total"]) == ({of_one, of_other}, 2)
    assert (await client.complete(LETTER, "id", "zelo", debtor_id=one)).values == [of_one]
    assert (await client.complete(LETTER, "id", "zelo", debtor_id=theirs)).values == []
    assert len((await client.complete(CHARGE, "id", "zelo")).values) == 6


async def test_o4_what_is_filled_in_already_narrows_a_template(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    one, other = a_debtor(pair.a.creditor), a_debtor(pair.a.creditor)
    await ledger.keep(pair.a, one, other)
    (mine,) = await charges(ledger, pair.a, one, "Zelo")
    (others,) = await charges(ledger, pair.a, other, "Zelo")
    theirs = a_debtor(pair.b.creditor)
    await ledger.keep(pair.b, theirs)
    await charges(ledger, pair.b, theirs, "Zelo")
    client = Client(house, pair.a.owner)

    assert set((await client.complete(CHARGE, "id", "z")).values) == {mine, others}
    assert (await client.complete(CHARGE, "id", "z", debtor_id=one.id)).values == [mine]
    assert set((await client.complete(CHARGE, "id", "z", debtor_id="")).values) == {mine, others}
    for foreign in (theirs.id, IDS.new("dbt"), "Paulo", "dbt_\x00"):
        assert (await client.complete(CHARGE, "id", "z", debtor_id=foreign)).values == []


async def test_o4_what_is_typed_so_far_narrows_nothing_by_itself(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    (found,) = await debtors(ledger, pair.a, "Zeno")
    client = Client(house, pair.a.owner)
    told = await client.complete("call_script", "debtor_id", "ze", debtor_id="ze", tone="firm")
    assert told.values == [found]


@pytest.mark.parametrize(
    "reference",
    [
        "nothing",
        "daily_plan",
        f"{ROOT}/nothing/{{id}}",
        f"{ROOT}/debtors/{{debtor}}",
        f"{ROOT}/me",
        f"{ROOT}/debtors/dbt_1",
        "kobana://other/debtors/{id}",
    ],
)
async def test_o4_what_is_no_prompt_and_no_template_is_refused(
    house: House, pair: Pair, reference: str
) -> None:
    client = Client(house, pair.a.owner)
    if not reference.startswith(ROOT) and "://" in reference:
        params = {
            "ref": {"type": "ref/resource", "uri": reference},
            "argument": {"name": "id", "value": "z"},
        }
        assert_unknown(await client.ask("completion/complete", params))
    else:
        assert_unknown(await client.complete(reference, "id", "z"))


@pytest.mark.parametrize(
    ("reference", "argument"),
    [
        (DEBTOR, "year"),
        (DEBTOR, "nothing"),
        ("call_script", "id"),
        ("reconcile_payment", "amount"),
        ("reconcile_payment", "paid_at"),
    ],
)
async def test_o4_an_argument_without_suggestions_has_none(
    house: House, ledger: Ledger, pair: Pair, *, reference: str, argument: str
) -> None:
    await debtors(ledger, pair.a, "Zeno")
    told = await Client(house, pair.a.owner).complete(reference, argument, "z")
    assert told.result["completion"] == {"values": [], "hasMore": False}


@pytest.mark.parametrize(
    ("argument", "typed", "values"),
    [
        ("tone", "", ["firm", "friendly", "neutral"]),
        ("tone", "F", ["firm", "friendly"]),
        ("tone", "r", ["firm", "friendly", "neutral"]),
        ("tone", "n", ["neutral", "friendly"]),
        ("tone", "x", []),
        ("language", "", ["en", "es", "pt-BR"]),
        ("language", "PT", ["pt-BR"]),
    ],
)
async def test_words_are_completed_from_nothing_on(
    house: House, pair: Pair, *, argument: str, typed: str, values: list[str]
) -> None:
    told = await Client(house, pair.a.owner).complete("call_script", argument, typed)
    assert told.values == values


async def test_years_are_those_with_charges_that_are_over(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    one, other, theirs = (a_debtor(firm.creditor) for firm in (pair.a, pair.a, pair.b))
    due = {one: (2025, 2026, 2022), other: (2009, 2008), theirs: (2024,)}
    made = {
        debtor: [
            a_charge(debtor, due_date=date(year, 12, 31), issue_date=date(year, 1, 1))
            for year in years
        ]
        for debtor, years in due.items()
    }
    await ledger.keep(pair.a, one, other, *made[one], *made[other])
    await ledger.keep(pair.b, theirs, *made[theirs])
    client = Client(house, pair.a.owner)

    assert (await client.complete(CLEARANCE, "year", "")).values == ["2025", "2022", "2009"]
    assert (await client.complete(CLEARANCE, "year", "202")).values == ["2025", "2022"]
    assert (await client.complete(CLEARANCE, "year", "", id=one.id)).values == ["2025", "2022"]
    assert (await client.complete(CLEARANCE, "year", "", id=theirs.id)).values == []
    narrowed = Client(house, pair.a.person(pair.a.narrowed))
    assert (await narrowed.complete(CLEARANCE, "year", "")).values == []


async def test_nobody_is_found_by_a_document_a_contact_or_a_note(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = a_debtor(pair.a.creditor, notes="Zambeze")
    point = a_contact_point(debtor, kind=ContactKind.EMAIL, value="zebra@example.com")
    await ledger.keep(pair.a, debtor, point)
    client = Client(house, pair.a.owner)
    document = debtor.document.number
    for typed in (document, document[3:9], debtor.document.masked, "zebra", "zambeze"):
        assert (await client.complete(DEBTOR, "id", typed)).values == []


async def test_the_older_era_completes_as_well(house: House, ledger: Ledger, pair: Pair) -> None:
    (found,) = await debtors(ledger, pair.a, "Zeno")
    client = Client(house, pair.a.owner, is_modern=False)
    told = await client.complete("debtor_briefing", "debtor_id", "z")
    assert told.result == {"completion": {"values": [found], "hasMore": False, "total": 1}}


async def test_nothing_is_written_down_by_completing(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    await debtors(ledger, pair.a, "Zeno")
    before = await ledger.everything(pair.a.id)
    await Client(house, pair.a.owner).complete(DEBTOR, "id", "z")
    assert await ledger.everything(pair.a.id) == before
