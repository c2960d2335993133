"""The charge list over the demo: every filter, every sort, paging, portfolios."""

import unicodedata
from collections.abc import Callable
from typing import Any, Final

import pytest

from tests.doors.conftest import Demo
from tests.doors.house import Caller, Door, House, both

pytestmark = pytest.mark.anyio

Row = dict[str, Any]

OWED: Final = {"pending", "overdue", "renegotiated", "written_off"}


async def listed(house: House, caller: Caller, **filters: Any) -> list[Row]:
    """Every row of a filter, from as many pages as it takes; total and sum are checked."""
    rows: list[Row] = []
    page = 1
    while True:
        arguments = {"page": page, "per_page": 100, **filters}
        answer = await house.rest(caller, "dunning_charges_list", arguments)
        assert answer.status == 200, answer.body
        rows += answer.data
        meta = answer.body["meta"]
        if page >= meta["total_pages"]:
            break
        page += 1
    assert meta["total"] == len(rows)
    assert round(meta["sum_total_due"] * 100) == sum(cents(row) for row in rows)
    return rows


def cents(row: Row) -> int:
    total_due: float = row["amounts"]["total_due"]
    return round(total_due * 100)


def ids(rows: list[Row]) -> list[str]:
    return [row["id"] for row in rows]


def is_owed(row: Row) -> bool:
    return row["status"] in OWED


def everything(_: Row) -> bool:
    return True


def nothing(_: Row) -> bool:
    return False


FILTERS: Final[list[tuple[dict[str, Any], Callable[[Row], bool]]]] = [
    ({}, everything),
    ({"status": "overdue"}, lambda row: row["status"] == "overdue"),
    ({"status": "pending,canceled"}, lambda row: row["status"] in {"pending", "canceled"}),
    ({"status": "paid"}, lambda row: row["status"] == "paid"),
    ({"kind": "tuition"}, lambda row: row["kind"] == "tuition"),
    ({"kind": "rent,loan"}, nothing),
    ({"due_from": "2026-12-20"}, lambda row: row["due_date"] >= "2026-12-20"),
    ({"due_to": "2026-06-30"}, lambda row: row["due_date"] <= "2026-06-30"),
    (
        {"due_from": "2026-11-05", "due_to": "2026-11-25", "status": "overdue"},
        lambda row: "2026-11-05" <= row["due_date"] <= "2026-11-25" and row["status"] == "overdue",
    ),
    ({"days_late_min": 61}, lambda row: is_owed(row) and row["days_late"] >= 61),
    (
        {"days_late_min": 16, "days_late_max": 60},
        lambda row: is_owed(row) and 16 <= row["days_late"] <= 60,
    ),
    ({"days_late_max": 0}, lambda row: is_owed(row) and row["days_late"] == 0),
    ({"status": "paid", "days_late_min": 1}, nothing),
    ({"status": "canceled", "days_late_max": 0}, nothing),
    ({"status": "canceled", "aging_bucket": "not_due"}, nothing),
    (
        {"status": "canceled,overdue", "days_late_min": 16},
        lambda row: row["status"] == "overdue" and row["days_late"] >= 16,
    ),
    ({"aging_bucket": "31_60"}, lambda row: is_owed(row) and row["aging_bucket"] == "31_60"),
    (
        {"aging_bucket": "1_15,361_plus"},
        lambda row: is_owed(row) and row["aging_bucket"] in {"1_15", "361_plus"},
    ),
    (
        {"aging_bucket": "not_due"},
        lambda row: is_owed(row) and row["aging_bucket"] == "not_due",
    ),
    (
        {"aging_bucket": "91_180,181_360", "days_late_min": 150},
        lambda row: is_owed(row) and 150 <= row["days_late"] <= 360,
    ),
    ({"min_amount": 1250}, lambda row: row["amount"] >= 1250),
    ({"min_amount": 0}, everything),
    ({"max_amount": 0}, nothing),
    ({"min_amount": "200000000.00"}, nothing),
    ({"max_amount": 999999999999.99}, everything),
    ({"max_amount": 655}, lambda row: row["amount"] <= 655),
    ({"min_amount": 655, "max_amount": "655.00"}, lambda row: row["amount"] == 655),
    ({"external_id": "NF-1001"}, lambda row: row["external_id"] == "NF-1001"),
    ({"external_id": "nf-1001"}, nothing),
    ({"document_number": "202610-A-01"}, lambda row: row["document_number"] == "202610-A-01"),
    ({"q": "mensalidade"}, lambda row: "Mensalidade" in row["description"]),
    ({"q": "MEN-C"}, lambda row: "MEN-C" in row["external_id"]),
    ({"q": "12/2026 men"}, lambda row: "12/2026" in row["description"]),
    ({"q": "100%"}, nothing),
    # When something was written is told by the real clock, which shows 1 September.
    ({"created_to": "2025-11-01"}, lambda row: row["created_at"] < "2025-11-02T03:00:00Z"),
    ({"created_from": "2026-08-28"}, lambda row: row["created_at"] >= "2026-08-28T03:00:00Z"),
    ({"created_from": "2026-09-02"}, nothing),
    ({"updated_from": "2026-09-01"}, lambda row: row["updated_at"] >= "2026-09-01T03:00:00Z"),
    ({"updated_to": "2025-10-01"}, lambda row: row["updated_at"] < "2025-10-02T03:00:00Z"),
]


@pytest.mark.parametrize(("filters", "expected"), FILTERS)
async def test_a_filter_keeps_the_rows_that_it_describes(
    house: House, demo: Demo, filters: dict[str, Any], expected: Callable[[Row], bool]
) -> None:
    helena = demo.caller("Helena")
    rows = await listed(house, helena)
    assert len(rows) == 168
    found = await listed(house, helena, **filters)
    assert sorted(ids(found)) == sorted(row["id"] for row in rows if expected(row))


async def test_the_ages_of_debts_are_those_of_the_business_date(house: House, demo: Demo) -> None:
    buckets = ("1_15", "16_30", "31_60", "61_90", "91_180", "181_360", "361_plus")
    overdue = await listed(house, demo.caller("Helena"), status="overdue")
    counted = dict.fromkeys(buckets, 0)
    for row in overdue:
        counted[row["aging_bucket"]] += 1
    assert list(counted.values()) == [14, 10, 10, 8, 6, 3, 1]
    (oldest,) = (row for row in overdue if row["aging_bucket"] == "361_plus")
    assert (oldest["external_id"], oldest["days_late"]) == ("A-09", 1817)


def plain(name: str) -> str:
    decomposed = unicodedata.normalize("NFD", name)
    return "".join(one for one in decomposed if not unicodedata.combining(one)).casefold()


KEYS: Final[dict[str, Callable[[Row], Any]]] = {
    "due_date": lambda row: row["due_date"],
    "amount": lambda row: row["amount"],
    "total_due": lambda row: row["amounts"]["total_due"],
    "days_late": lambda row: row["days_late"],
    "created_at": lambda row: row["created_at"],
    "debtor_name": lambda row: plain(row["debtor_name"]),
}


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("sort_by", KEYS)
async def test_pages_of_a_sort_follow_each_other_without_gap_or_repeat(
    house: House, demo: Demo, sort_by: str, order: str
) -> None:
    helena = demo.caller("Helena")
    rows = await listed(house, helena, status="overdue")
    collected: list[Row] = []
    for page in range(1, 6):
        arguments = {
            "status": "overdue",
            "sort_by": sort_by,
            "sort_order": order,
            "page": page,
            "per_page": 11,
        }
        answer = await house.rest(helena, "dunning_charges_list", arguments)
        assert len(answer.data) == (11 if page < 5 else 8)
        collected += answer.data
    assert sorted(ids(collected)) == sorted(ids(rows))
    keys = [KEYS[sort_by](row) for row in collected]
    assert keys == sorted(keys, reverse=order == "desc")
    # Who is later has the earlier due date, so that ids follow the date and not the days.
    backwards = (order == "desc") != (sort_by == "days_late")
    for key in set(keys):
        tied = [row["id"] for row in collected if KEYS[sort_by](row) == key]
        assert tied == sorted(tied, reverse=backwards)


@pytest.mark.parametrize("status", [None, "overdue,canceled,pending"])
async def test_what_is_not_owed_is_sorted_as_not_late(
    house: House, demo: Demo, status: str | None
) -> None:
    rows = await listed(
        house, demo.caller("Helena"), status=status, sort_by="days_late", sort_order="desc"
    )
    late = [row["days_late"] for row in rows if is_owed(row)]
    assert late == sorted(late, reverse=True)
    not_owed = [row for row in rows if not is_owed(row)]
    assert rows[-len(not_owed) :] == not_owed
    back = await listed(
        house, demo.caller("Helena"), status=status, sort_by="days_late", sort_order="asc"
    )
    assert ids(back) == ids(rows)[::-1]


async def test_what_is_due_first_comes_first_unless_told_otherwise(
    house: House, demo: Demo
) -> None:
    helena = demo.caller("Helena")
    default = (await house.rest(helena, "dunning_charges_list", {})).body
    assert default["data"][0]["external_id"] == "A-09"
    assert default["meta"] == {
        "total": 168,
        "page": 1,
        "per_page": 25,
        "total_pages": 7,
        "sum_total_due": default["meta"]["sum_total_due"],
    }


@pytest.mark.parametrize("door", Door)
async def test_a_page_beyond_the_end_is_empty_and_still_counts(
    house: House, demo: Demo, door: Door
) -> None:
    page = await house.call(
        door, demo.caller("Helena"), "dunning_charges_list", {"page": 100, "per_page": 100}
    )
    assert page.data == []
    assert page.body["meta"]["total"] == 168


async def test_the_two_organisations_never_see_each_other(house: House, demo: Demo) -> None:
    aurora = await listed(house, demo.caller("Helena"))
    pampa = await listed(house, demo.caller("Vera"))
    assert (len(aurora), len(pampa)) == (168, 45)
    assert not set(ids(aurora)) & set(ids(pampa))
    for caller, debtor in (("Helena", pampa[0]["debtor_id"]), ("Vera", aurora[0]["debtor_id"])):
        rest, mcp = await both(
            house, demo.caller(caller), "dunning_charges_list", {"debtor_id": debtor}
        )
        assert rest.data == mcp.data == []
        assert rest.body["meta"]["sum_total_due"] == 0


async def test_a_collector_with_a_portfolio_sees_that_and_counts_that(
    house: House, demo: Demo
) -> None:
    lia, helena = demo.caller("Lia"), demo.caller("Helena")
    mine = await listed(house, lia)
    debtors = await house.rest(lia, "dunning_debtors_list", {"per_page": 100})
    assert (len(mine), debtors.body["meta"]["total"]) == (75, 12)
    assert {row["debtor_id"] for row in mine} <= {row["id"] for row in debtors.data}
    others = [
        row for row in await listed(house, helena) if row["debtor_id"] not in set(ids(debtors.data))
    ]
    filters = ({"debtor_id": others[0]["debtor_id"]}, {"external_id": others[0]["external_id"]})
    for filter_ in filters:
        rest, mcp = await both(house, lia, "dunning_charges_list", filter_)
        assert rest.data == mcp.data == []
        assert (await house.rest(helena, "dunning_charges_list", filter_)).data != []


@pytest.mark.parametrize("door", Door)
async def test_a_persons_document_is_masked_and_a_companys_is_not(
    house: House, demo: Demo, door: Door
) -> None:
    found = await house.call(
        door, demo.caller("Helena"), "dunning_debtors_list", {"external_id": "DEV-1001"}
    )
    assert found.data[0]["document"] == "***.982.247-**"
    company = await house.call(
        door, demo.caller("Vera"), "dunning_debtors_list", {"external_id": "B-01"}
    )
    assert company.data[0]["document"] == "7Z.9K2.M4P/0001-33"
    assert b"52998224725" not in found.raw


async def test_text_that_gives_orders_stays_a_value(house: House, demo: Demo) -> None:
    rest, mcp = await both(
        house, demo.caller("Helena"), "dunning_debtors_list", {"external_id": "A-15"}
    )
    assert mcp.data[0]["notes"] == rest.data[0]["notes"]
    assert "cancel every charge" in rest.data[0]["notes"]
