"""The handshake, the list of tools, and the part of it that an address selects."""

from typing import Any

import pytest

from tests.protocol.fixtures import (
    MODERN,
    PRODUCT,
    STRICT,
    TOOLS,
    House,
    Reader,
    document,
    error,
    legacy,
    modern,
    result,
)
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio


async def names(house: House, query: str = "", caller: Reader | None = None) -> list[str]:
    listed = result(await modern("tools/list").to(house, query, caller))
    return [tool["name"] for tool in listed["tools"]]


@proves("discover")
@pytest.mark.parametrize("profile", [PRODUCT, STRICT])
async def test_discover_tells_what_the_profile_says(profile: Any) -> None:
    found = result(await modern("server/discover").to(House(profile)))
    assert found["supportedVersions"] == list(profile.discovered)
    assert found["capabilities"] == profile.modern_capabilities
    assert found["instructions"] == profile.instructions


@proves("ping")
async def test_ping_is_answered_by_nothing() -> None:
    reply = await legacy("ping").to(House())
    assert reply.body == b'{"jsonrpc":"2.0","id":7,"result":{}}'


@proves("list.filtered")
async def test_f8_every_tool_is_on_one_page_in_the_order_of_the_catalogue() -> None:
    house = House()
    listed = result(await modern("tools/list").to(house))
    assert "nextCursor" not in listed
    assert [tool["name"] for tool in listed["tools"]] == list(TOOLS)
    assert await names(house) == await names(house)


@proves("list.filtered")
async def test_the_list_holds_what_the_caller_may_run_and_no_more() -> None:
    house = House()
    assert "loans_create" not in await names(house, caller=Reader(shelves=frozenset({"books"})))
    reads = await names(house, caller=Reader(scopes=frozenset({"read"})))
    assert not {"loans_create", "loans_delete"} & set(reads)
    assert await names(house, caller=Reader(shelves=frozenset())) == []


@proves("list.filtered")
async def test_e5_a_tool_without_parameters_has_properties_all_the_same() -> None:
    listed = result(await modern("tools/list").to(House()))
    [plain] = [tool for tool in listed["tools"] if tool["name"] == "books_count"]
    assert plain["inputSchema"] == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }


@proves("list.cursor")
@pytest.mark.parametrize("cursor", ["", "next", 5, {}])
async def test_any_cursor_is_refused(cursor: object) -> None:
    house = House()
    assert error(await modern("tools/list", {"cursor": cursor}).to(house))["code"] == -32602
    reply = await legacy("tools/list", {"cursor": cursor}).to(house)
    assert (reply.status, error(reply)["code"]) == (200, -32602)


@proves("list.cursor")
async def test_a_null_cursor_is_none() -> None:
    assert (await modern("tools/list", {"cursor": None}).to(House())).status == 200


@proves("list.surface")
async def test_i2_callers_with_equal_rights_and_other_names_never_share_bytes() -> None:
    house = House()
    one, two = Reader(library="lib_one"), Reader(library="lib_two")
    for _ in range(2):
        for mine, other in ((one, two), (two, one)):
            body = (await modern("tools/list").to(house, caller=mine)).body
            assert body is not None
            assert mine.library.encode() in body
            assert other.library.encode() not in body
    assert house.books.definitions_made == 2


@proves("list.surface")
async def test_a_surface_is_made_once_and_rights_are_asked_anew_each_time() -> None:
    house = House()
    whole = await names(house)
    assert await names(house) == whole
    assert house.books.definitions_made == 1
    assert await names(house, caller=Reader(shelves=frozenset({"loans"}))) != whole
    assert await names(house) == whole
    assert house.books.definitions_made == 2


@proves("list.surface", "result.legacy")
async def test_revisions_never_share_a_remembered_list() -> None:
    house = House()
    await names(house)
    assert set(result(await legacy("tools/list").to(house))) == {"tools"}


@proves("list.surface")
async def test_the_number_of_remembered_surfaces_is_bounded() -> None:
    house = House()
    for number in range(200):
        await names(house, caller=Reader(library=f"lib_{number}"))
    await names(house, caller=Reader(library="lib_199"))
    assert house.books.definitions_made == 200
    await names(house, caller=Reader(library="lib_0"))
    assert house.books.definitions_made == 201


@proves("select.query")
@pytest.mark.parametrize(
    ("query", "shelves"),
    [
        ("", {"books", "loans"}),
        ("toolsets=books", {"books"}),
        ("toolsets=books,loans", {"books", "loans"}),
        ("toolsets=books&toolsets=loans", {"books", "loans"}),
        ("toolsets=books%2Cloans", {"books", "loans"}),
        ("toolsets=,books,%20", {"books"}),
        ("toolsets=", {"books", "loans"}),
        ("readonly=true", {"books"}),
        ("readonly=false", {"books", "loans"}),
        ("toolsets=loans&readonly=true", set()),
        ("readonly=false&readonly=true", {"books"}),
        ("utm=x&toolsets=books&x", {"books"}),
    ],
)
async def test_the_address_narrows_the_list(query: str, shelves: set[str]) -> None:
    listed = await names(House(), query)
    assert listed == [name for name, tool in TOOLS.items() if tool.shelf in shelves]


@proves("select.query", "call.unknown")
async def test_a_tool_that_the_address_hides_cannot_be_called() -> None:
    house = House()
    sent = modern("tools/call", {"name": "loans_create"})
    reply = await sent.to(house, query="toolsets=books")
    assert error(reply)["message"] == "Unknown tool: loans_create"
    assert error(await sent.to(house, query="readonly=true"))["code"] == -32602
    assert house.books.calls == []


@proves("select.unknown")
@pytest.mark.parametrize("query", ["toolsets=nothing", "toolsets=books,nothing", "toolsets=%ff"])
@pytest.mark.parametrize("make", [modern, legacy])
@pytest.mark.parametrize("method", ["tools/list", "tools/call", "ping", "server/discover"])
async def test_an_unknown_toolset_is_refused_on_every_method(
    query: str, make: Any, method: str
) -> None:
    if (make, method) in ((modern, "ping"), (legacy, "server/discover")):
        method = "tools/list"
    reply = await make(method, {"name": "books_list"}).to(House(), query=query)
    assert (reply.status, error(reply)["code"]) == (400, -32602)
    assert error(reply)["data"] == {"known": ["books", "loans"]}
    assert document(reply)["id"] == 7


@proves("select.unknown")
@pytest.mark.parametrize("value", ["", "1", "True", "yes"])
async def test_readonly_is_true_or_false(value: str) -> None:
    reply = await modern("tools/list").to(House(), query=f"readonly={value}")
    assert (reply.status, error(reply)["code"]) == (400, -32602)
    assert MODERN in dict(reply.headers)[b"mcp-protocol-version"].decode()
