"""Text that a model can take: long strings cut, rows dropped, still JSON."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from application.mcp import bounding
from application.mcp.bounding import as_text
from tests.protocol.fixtures import House, answer, modern, text
from tests.protocol.requirements import proves

CAP = 100_000


def bounded(document: object) -> Any:
    told = as_text(msgspec.json.encode(document))
    assert len(told) <= CAP
    return json.loads(told)


def page(rows: int, size: int, *, number: int = 1, per_page: int = 100) -> dict[str, Any]:
    return {
        "data": [{"id": row, "note": "x" * size} for row in range(rows)],
        "meta": {"total": 9000, "page": number, "per_page": per_page},
    }


@pytest.mark.anyio
@proves("call.bounded")
async def test_f6_a_long_page_is_bounded_and_says_how_to_go_on() -> None:
    house = House()
    house.books.behaviour = answer(page(100, 7_000))
    told = text(await modern("tools/call", {"name": "books_list"}).to(house))
    assert len(told.encode()) <= CAP
    shown = json.loads(told)
    assert 10 < len(shown["data"]) < 100
    assert shown["meta"]["truncated"] == {"shown": len(shown["data"]), "next_page": 2}
    assert shown["meta"]["total"] == 9000


@proves("call.bounded")
@pytest.mark.parametrize(("number", "per_page"), [(1, 100), (2, 100), (3, 50), (7, 97)])
def test_the_next_page_of_the_shown_size_begins_where_the_rows_end(
    number: int, per_page: int
) -> None:
    shown = bounded(page(per_page, 3_000, number=number, per_page=per_page))
    truncated = shown["meta"]["truncated"]
    assert truncated["shown"] == len(shown["data"]) > 0
    seen = (number - 1) * per_page + truncated["shown"]
    assert (truncated["next_page"] - 1) * truncated["shown"] == seen


@proves("call.bounded")
def test_as_many_rows_are_shown_as_fit() -> None:
    document = page(100, 3_000)
    shown = bounded(document)
    more = {**shown, "data": document["data"][: len(shown["data"]) + 1]}
    assert len(msgspec.json.format(msgspec.json.encode(more), indent=2)) > CAP


@proves("call.bounded")
@pytest.mark.parametrize("letter", ["x", "é", "€", '"', "\\", "\n", "\x00", "😀"])
def test_a_string_over_8_kb_is_cut_with_a_marker(letter: str) -> None:
    width = len(letter.encode())
    [cut] = bounded([letter * 9_000])
    kept, _, marker = cut.partition("…")
    assert kept == letter * (8_000 // width)
    assert marker == f"[cut, {9_000 - len(kept)} characters]"


@proves("call.bounded")
def test_a_string_of_8_kb_and_what_is_small_are_left_alone() -> None:
    document = {"a": "x" * 8_000, "b": ["y" * 7_999, '"' * 5_000], "c": 1.10}
    assert bounded(document) == document


@proves("call.bounded")
@pytest.mark.parametrize("before", range(0, 4_000, 397))
def test_a_long_string_is_found_wherever_it_begins(before: int) -> None:
    shown = bounded({"filler": "f" * before, "long": "x" * 8_001, "after": {"k": "v"}})
    assert shown["long"].endswith("…[cut, 1 characters]")
    assert shown["filler"] == "f" * before


@proves("call.bounded")
def test_rows_below_data_are_dropped_where_it_is_one_object() -> None:
    shown = bounded({"data": {"id": 1, "entries": [{"n": "x" * 900} for _ in range(500)]}})
    assert 0 < len(shown["data"]["entries"]) < 500
    truncated = {"shown": len(shown["data"]["entries"]), "next_page": None}
    assert shown["meta"] == {"truncated": truncated}


@proves("call.bounded")
@pytest.mark.parametrize(
    "document",
    [
        {f"field_{number}": "x" * 7_999 for number in range(40)},
        {"data": [{f"field_{number}": "x" * 7_999 for number in range(40)}], "meta": {}},
    ],
)
def test_many_strings_of_one_object_are_cut_shorter(document: dict[str, Any]) -> None:
    shown = bounded(document)
    fields = shown["data"][0] if "data" in shown else shown
    assert len(fields) == 40
    assert all("…[cut, " in value for value in fields.values())


@proves("call.bounded")
@pytest.mark.parametrize(
    "document",
    [
        {str(number): number for number in range(20_000)},
        [["x" * 100] * 2_000],
        {"meta": "odd", "data": list(range(50_000))},
        {"meta": {str(number): number for number in range(20_000)}, "data": [list(range(50_000))]},
    ],
)
def test_what_nothing_helps_is_told_to_be_too_long(document: object) -> None:
    assert bounded(document) == {"meta": {"truncated": {"shown": 0, "next_page": None}}}


@proves("call.bounded")
@pytest.mark.parametrize(("number", "per_page"), [(1, 25), (3, 10), (7, 1)])
def test_a_single_row_that_is_too_long_is_passed_over(number: int, per_page: int) -> None:
    meta = {"total": 9000, "page": number, "per_page": per_page}
    rows = [{"id": 1, "custom_data": list(range(50_000))}, {"id": 2}]
    shown = bounded({"data": rows[:per_page], "meta": meta})
    assert shown["data"] == []
    row_after = (number - 1) * per_page + 2
    assert shown["meta"] == {**meta, "truncated": {"shown": 0, "next_page": row_after}}


@proves("call.bounded")
@settings(max_examples=60, deadline=None, database=None)
@given(
    st.lists(st.text(max_size=200).map(lambda unit: unit * 90), max_size=20),
    st.integers(1, 30),
)
def test_whatever_the_strings_the_text_is_short_json(strings: list[str], per_page: int) -> None:
    rows = [{"a": string} for string in strings]
    shown = bounded({"data": rows, "meta": {"page": 2, "per_page": per_page}})
    assert len(shown["data"]) <= len(rows)


@proves("call.bounded")
def test_an_ordinary_answer_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    def must_not_be_asked(_body: bytes) -> bytes:
        raise AssertionError

    monkeypatch.setattr(bounding, "_bounded", must_not_be_asked)
    as_text(msgspec.json.encode(page(25, 500, per_page=25)))
