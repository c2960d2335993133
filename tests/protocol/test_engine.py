"""The engine as a whole: it knows no product, it takes any bytes, it refuses senseless profiles."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from application import mcp
from application.mcp.envelope import Message
from application.mcp.headers import Routing
from application.mcp.ladder import Ladder, Refusal, Route
from tests.protocol.anything import fast, json_values, now
from tests.protocol.fixtures import MODERN, PRODUCT, STRICT, House, Sent, legacy, modern
from tests.protocol.requirements import proves


@proves("engine.blind")
@pytest.mark.parametrize("word", ["dunning", "debtor", "charge", "kobana"])
def test_no_module_of_the_engine_knows_the_product(word: str) -> None:
    modules = list(Path(mcp.__path__[0]).rglob("*.py"))
    assert len(modules) > 10
    assert [module.name for module in modules if word in module.read_text().lower()] == []


header_values = st.text(
    st.characters(min_codepoint=0x20, max_codepoint=0xFF), max_size=20
) | st.sampled_from([MODERN, "2025-06-18", "2025-03-26", "tools/call", "books_list"])
right_ones = st.sampled_from(
    [
        modern("tools/call", {"name": "books_list", "arguments": {}}),
        modern("tools/list"),
        modern("server/discover"),
        legacy("tools/call", {"name": "shelf_find", "arguments": {}}),
        legacy("tools/list", version=None),
        legacy("initialize", version=None),
    ]
)


@proves("engine.total")
@fast
@given(st.binary(max_size=200))
def test_any_bytes_get_a_json_rpc_error(body: bytes) -> None:
    assert now(House().post(body)).status == 400


@proves("engine.total")
@fast
@given(json_values)
def test_any_json_gets_an_answer(value: object) -> None:
    assert now(House().post(value)).status in {200, 202, 400}


@proves("engine.total")
@fast
@given(right_ones, st.sampled_from(["id", "jsonrpc", "method", "params"]), json_values)
def test_any_member_may_be_anything(sent: Sent, member: str, value: object) -> None:
    house = House()
    reply = now(house.post({**sent.message, member: value}, sent.headers))
    assert reply.status in {200, 202, 400, 404}
    assert house.failures == []


@proves("engine.total")
@fast
@given(
    right_ones,
    st.sampled_from(["name", "arguments", "cursor", "_meta", "protocolVersion"]),
    json_values,
)
def test_any_parameter_may_be_anything(sent: Sent, name: str, value: object) -> None:
    house = House()
    now(sent.with_params(**{name: value}).to(house))
    assert house.failures == []


@proves("engine.total")
@fast
@given(
    right_ones,
    st.sampled_from(["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Param-Room"]),
    st.lists(header_values, max_size=2),
    st.text(max_size=20) | st.sampled_from(["toolsets=books", "readonly=x", "%", "&&=;="]),
)
def test_any_header_and_query_may_be_anything(
    sent: Sent, name: str, values: list[str], query: str
) -> None:
    house = House()
    now(sent.with_header(name, *values).to(house, query=query))
    assert house.failures == []


@proves("features.off")
@pytest.mark.parametrize(
    "change",
    [
        {"modern": ()},
        {"modern": ("2025-06-18",)},
        {"legacy": (MODERN,)},
        {"initialize_default": "2025-11-25"},
        {"discovered": (MODERN, "2025-11-25")},
        {"modern_capabilities": {"prompts": {}}},
        {"modern_capabilities": {"resources": {}}},
        {"legacy_capabilities": {"tools": {}, "completions": {}}},
        {"legacy_capabilities": {"tools": {}, "sampling": {}}},
        {"streams": True},
    ],
)
def test_a_profile_that_no_server_can_keep_stops_the_start(change: dict[str, Any]) -> None:
    with pytest.raises(
        ValueError, match=next(iter(change)).removeprefix("modern_").removeprefix("legacy_")
    ):
        House(replace(PRODUCT, **change))


@proves("features.off")
def test_a_server_without_tools_has_no_methods_for_them() -> None:
    bare = House(replace(PRODUCT, modern_capabilities={}, legacy_capabilities={}))
    assert now(modern("tools/list").to(bare)).status == 404
    assert b"-32601" in (now(legacy("tools/list").to(bare)).body or b"")
    assert now(modern("server/discover").to(bare)).status == 200


@proves("era.name-agrees")
@pytest.mark.parametrize("method", ["prompts/get", "resources/read"])
@pytest.mark.parametrize("profile", [PRODUCT, STRICT])
@pytest.mark.parametrize("name", [None, "file:///a", "file:///b"])
def test_d7_prompts_and_resources_need_a_name_where_the_profile_is_strict(
    method: str, profile: Any, name: str | None
) -> None:
    ladder = Ladder(profile, [(method, MODERN)])
    member = "uri" if method == "resources/read" else "name"
    params = modern(method, {member: "file:///a"}).message["params"]
    answered = ladder.climb(Message(1, method, params), Routing(MODERN, method, name))
    right = name == "file:///a" or (name is None and not profile.strict_mcp_name)
    assert isinstance(answered, Route if right else Refusal)
    if isinstance(answered, Refusal):
        assert answered.error.code == -32020
    nameless = {"_meta": params["_meta"]}
    refused = ladder.climb(Message(1, method, nameless), Routing(MODERN, method, name))
    assert isinstance(refused, Refusal)
    assert (refused.error.code, member in refused.error.message) == (-32602, True)
