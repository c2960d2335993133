"""The timeline by both doors: what happened, by whom, in which order, and to whom it is shown."""

from datetime import date
from typing import Any, Final

import pytest

from tests.builders import a_charge, a_debtor
from tests.doors.book import Book, a_book
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Answer, Caller, Door, House, both
from tests.doors.requests import INTEGRATION, a_new_contact_point, an_interaction

pytestmark = pytest.mark.anyio

TIMELINE: Final = "dunning_debtors_timeline"


@pytest.fixture
async def book(house: House, ledger: Ledger, pair: Pair) -> Book:
    return await a_book(house, ledger, pair)


async def read(book: Book, **asked: Any) -> Answer:
    """The timeline of the book's debtor, the same through both doors."""
    rest, mcp = await both(book.house, book.owner, TIMELINE, {"id": book.debtor.id, **asked})
    assert rest.status == 200
    assert rest.body == mcp.body
    return rest


async def types(book: Book, **asked: Any) -> list[str]:
    return [item["type"] for item in (await read(book, **asked)).data]


async def logged(book: Book, caller: Caller | None = None, **fields: Any) -> Answer:
    wanted = an_interaction(book.debtor.id, **fields)
    return await book.house.rest(caller or book.owner, "dunning_interactions_create", wanted)


async def a_full_life(book: Book) -> str:
    """A charge that is paid in part, a reversal, a contact point and a call; a day for each."""
    charge = await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 10, 15))
    paid = await book.pay(200.00, date(2026, 10, 15))
    book.today(date(2026, 10, 16))
    await book.reverse(paid)
    book.today(date(2026, 10, 17))
    point = a_new_contact_point(book.debtor.id)
    await book.house.rest(book.owner, "dunning_contact_points_create", point)
    book.today(date(2026, 10, 18))
    await logged(book, charge_ids=[charge.id], note="Não atendeu.")
    return charge.id


async def test_everything_stands_there_newest_first(book: Book) -> None:
    await a_full_life(book)
    items = (await read(book)).data
    assert [(item["occurred_at"][:10], item["type"]) for item in items[:2]] == [
        ("2026-10-18", "interaction.created"),
        ("2026-10-17", "contact_point.created"),
    ]
    assert {item["type"] for item in items[2:4]} == {"charge.updated", "payment.reversed"}
    assert {item["type"] for item in items[4:]} == {"charge.partially_paid", "payment.confirmed"}
    assert (await read(book, sort_order="asc")).data == items[::-1]


async def test_an_item_says_what_happened_in_reais_and_by_whom(book: Book) -> None:
    charge = await book.owes(date(2026, 9, 15), 600_00)
    book.today(date(2026, 10, 15))
    paid = await book.pay(200.00, date(2026, 10, 15))
    items = (await read(book)).data
    (item,) = (one for one in items if one["type"] == "charge.partially_paid")
    (stored,) = (
        one
        for one in await book.ledger.events(book.pair.a.id)
        if one["type"] == "charge.partially_paid"
    )
    owner = book.pair.a.creditor.members
    assert item["resource"] == {"type": "charge", "id": charge.id}
    assert (item["data"]["amount"], item["data"]["total_due"]) == (600.0, 418.0)
    assert item["changes"]["paid"] == [0.0, 200.0]
    assert item["changes"]["principal_outstanding"] == [600.0, 418.0]
    assert item["actor"]["type"] == "member"
    assert item["actor"]["name"] in {member.name for member in owner.values()}
    assert (item["id"], item["request_id"]) == (stored["id"], stored["request_id"])
    assert item["occurred_at"] == "2026-10-15T13:00:00Z"
    assert item["interaction"] is None
    (payment,) = (one for one in items if one["type"] == "payment.confirmed")
    assert payment["resource"]["id"] == paid.data["id"]
    assert payment["data"]["amount"] == 200.0


async def test_a_call_is_one_item_with_its_note(book: Book) -> None:
    await logged(book, note="Ligou de volta: <b>pague já</b>", occurred_at="2026-08-30T12:00:00Z")
    (item,) = (await read(book, types="interaction")).data
    assert item["interaction"] == {
        "direction": "outbound",
        "channel": "voice",
        "outcome": "no_answer",
        "note": "Ligou de volta: <b>pague já</b>",
        "occurred_at": "2026-08-30T12:00:00Z",
    }
    assert item["occurred_at"] == "2026-09-01T13:00:00Z"


async def test_a_model_and_a_program_are_known_for_what_they_are(book: Book) -> None:
    await logged(book, book.pair.a.caller(INTEGRATION))
    await book.house.tool(book.owner, "dunning_interactions_create", an_interaction(book.debtor.id))
    actors = {item["actor"]["type"]: item["actor"] for item in (await read(book)).data}
    assert set(actors) == {"api_client", "mcp"}
    assert actors["api_client"]["name"] == book.pair.a.client.name
    assert actors["mcp"]["name"].startswith("Ana ")


async def test_types_are_whole_ones_or_what_they_happen_to(book: Book) -> None:
    await a_full_life(book)
    assert await types(book, types="payment") == ["payment.reversed", "payment.confirmed"]
    assert await types(book, types="payment.reversed,contact_point") == [
        "contact_point.created",
        "payment.reversed",
    ]
    assert await types(book, types="debtor.archived") == []


async def test_what_happened_because_of_a_charge(book: Book) -> None:
    charge_id = await a_full_life(book)
    other = await book.owes(date(2026, 9, 20), 80_00)
    await book.pay(10.00, date(2026, 10, 18), charge_ids=[other.id])
    assert sorted(await types(book, charge_id=charge_id)) == [
        "charge.partially_paid",
        "charge.updated",
        "interaction.created",
        "payment.confirmed",
        "payment.reversed",
    ]
    assert sorted(await types(book, charge_id=other.id)) == [
        "charge.partially_paid",
        "payment.confirmed",
    ]


async def test_days_are_those_of_the_organisations_zone(book: Book) -> None:
    book.house.clock.time = book.house.clock.time.replace(day=11, hour=2, minute=59)
    await logged(book)
    book.house.clock.time = book.house.clock.time.replace(day=11, hour=3, minute=0)
    await logged(book, outcome="callback")

    async def outcomes(**asked: str) -> list[str]:
        return [item["interaction"]["outcome"] for item in (await read(book, **asked)).data]

    assert await outcomes(to="2026-09-10") == ["no_answer"]
    assert await outcomes(**{"from": "2026-09-11"}) == ["callback"]
    assert await outcomes(**{"from": "2026-09-10", "to": "2026-09-11"}) == ["callback", "no_answer"]
    assert await outcomes(**{"from": "2026-09-12"}) == []


async def test_pages_are_stable_where_everything_happened_at_once(book: Book) -> None:
    for _ in range(7):
        await logged(book)
    whole = [item["id"] for item in (await read(book)).data]
    pages = [await read(book, page=page, per_page=3) for page in (1, 2, 3, 4)]
    assert [item["id"] for page in pages for item in page.data] == whole
    assert whole == sorted(whole, reverse=True)
    assert pages[3].body["meta"] == {"total": 7, "page": 4, "per_page": 3, "total_pages": 3}


async def test_another_organisation_and_another_portfolio_find_nobody(book: Book) -> None:
    await a_full_life(book)
    narrowed = book.pair.a.person(book.pair.a.narrowed)
    for door in Door:
        for caller in (narrowed, book.pair.b.owner):
            refused = await book.house.call(door, caller, TIMELINE, {"id": book.debtor.id})
            assert refused.code == "NOT_FOUND"
    mine = a_debtor(book.pair.a.creditor, assigned_member_id=book.pair.a.narrowed.id)
    await book.ledger.keep(book.pair.a, mine, a_charge(mine))
    await book.house.rest(book.owner, "dunning_interactions_create", an_interaction(mine.id))
    own = await book.house.rest(narrowed, TIMELINE, {"id": mine.id})
    assert [item["type"] for item in own.data] == ["interaction.created"]


@pytest.mark.parametrize(
    ("asked", "detail"),
    [
        ({"types": "paymnt"}, ("types", "not_allowed")),
        ({"types": "payment.lost"}, ("types", "not_allowed")),
        ({"from_": "2026-08-01"}, ("from_", "unknown_field")),
        ({"to": "01/08/2026"}, ("to", "invalid_date")),
        ({"charge_id": "dbt_" + "0" * 26}, ("charge_id", "wrong_id_type")),
        ({"page": 101, "per_page": 100}, ("page", "window_too_large")),
    ],
)
async def test_a_bad_question_is_refused_in_the_same_words(
    book: Book, asked: dict[str, Any], detail: tuple[str, str]
) -> None:
    rest, mcp = await both(book.house, book.owner, TIMELINE, {"id": book.debtor.id, **asked})
    assert rest.details == mcp.details == [detail]
    assert rest.refusal == mcp.refusal
