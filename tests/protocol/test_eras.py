"""Which era and revision a request is of, and whether headers and body agree."""

from typing import Any

import pytest

from application.mcp.streams import Reply
from tests.protocol.checks import revision_of
from tests.protocol.fixtures import (
    ENVELOPE_VERSION,
    MODERN,
    PRODUCT,
    STRICT,
    House,
    error,
    header,
    legacy,
    modern,
    result,
    text,
)
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

CALL = {"name": "books_list", "arguments": {}}


def told(reply: Reply) -> tuple[int, int]:
    return reply.status, error(reply)["code"]


@proves("era.version-agrees", "era.mismatch-data", "version.header")
@pytest.mark.parametrize(
    ("in_header", "in_envelope"),
    [(MODERN, "2025-11-25"), ("2025-11-25", MODERN), ("2025-06-18", MODERN), ("foo", MODERN)],
)
async def test_d1_header_and_envelope_that_disagree_run_nothing(
    in_header: str, in_envelope: str
) -> None:
    house = House()
    sent = modern("tools/call", CALL).with_meta(version=in_envelope)
    reply = await sent.with_header("MCP-Protocol-Version", in_header).to(house)
    assert told(reply) == (400, -32020)
    assert error(reply)["data"]["mismatch"]["header"] == in_header
    assert revision_of(reply) == MODERN
    assert house.books.calls == []


@proves("era.initialize", "initialize")
@pytest.mark.parametrize(
    ("profile", "asked", "settled"),
    [
        (PRODUCT, "2025-03-26", "2025-03-26"),
        (PRODUCT, "2025-06-18", "2025-06-18"),
        (PRODUCT, "2025-11-25", "2025-06-18"),
        (PRODUCT, "1999-01-01", "2025-06-18"),
        (PRODUCT, MODERN, "2025-06-18"),
        (PRODUCT, 5, "2025-06-18"),
        (PRODUCT, None, "2025-06-18"),
        (PRODUCT, ["2025-03-26"], "2025-06-18"),
        (STRICT, "2025-11-25", "2025-11-25"),
        (STRICT, "2025-03-26", "2025-03-26"),
        (STRICT, MODERN, "2025-11-25"),
    ],
)
async def test_d2_initialize_gives_what_was_asked_or_the_default(
    profile: Any, asked: object, settled: str
) -> None:
    reply = await legacy("initialize", {"protocolVersion": asked}, version=None).to(House(profile))
    answered = result(reply)
    assert answered == {
        "protocolVersion": settled,
        "capabilities": profile.legacy_capabilities,
        "serverInfo": profile.server_info,
        "instructions": profile.instructions,
    }
    assert revision_of(reply) == settled


@proves("era.initialize")
@pytest.mark.parametrize("version", [None, "2025-06-18", "1999-01-01", "", "2025-11-25"])
async def test_initialize_ignores_its_version_header_but_for_a_modern_one(
    version: str | None,
) -> None:
    asked = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "a"}}
    answered = result(await legacy("initialize", asked, version=version).to(House()))
    assert answered["protocolVersion"] == "2025-03-26"


@proves("era.initialize")
async def test_initialize_without_any_parameter_gets_the_default() -> None:
    answered = result(await legacy("initialize", version=None).to(House()))
    assert answered["protocolVersion"] == "2025-06-18"


@proves("era.no-downgrade", "era.method-unknown")
async def test_d3_initialize_in_modern_dress_is_never_answered() -> None:
    house = House()
    header_only = await legacy("initialize", {"protocolVersion": MODERN}, version=MODERN).to(house)
    assert told(header_only) == (400, -32602)
    assert ENVELOPE_VERSION in error(header_only)["message"]
    with_envelope = await modern("initialize", {"protocolVersion": MODERN}).to(house)
    assert told(with_envelope) == (404, -32601)


@proves("era.legacy-version", "version.header")
@pytest.mark.parametrize(
    "versions", [("2024-11-05",), ("foo",), ("",), ("2025-06-18", "2025-06-18")]
)
async def test_d4_a_legacy_version_nobody_speaks_is_refused(versions: tuple[str, ...]) -> None:
    reply = await legacy("tools/list").with_header("MCP-Protocol-Version", *versions).to(House())
    assert told(reply) == (400, -32022)
    assert error(reply)["data"] == {
        "supported": [MODERN, "2025-06-18", "2025-03-26"],
        "requested": ", ".join(versions),
    }
    assert revision_of(reply) == MODERN


@proves("era.version-spoken", "version.header")
@pytest.mark.parametrize("version", ["2025-06-18", "2025-03-26", "1999-01-01", "", "x" * 1000])
async def test_d4_an_envelope_of_another_version_is_refused(version: str) -> None:
    sent = modern("tools/call", CALL).with_meta(version=version)
    house = House()
    reply = await sent.with_header("MCP-Protocol-Version", version).to(house)
    assert told(reply) == (400, -32022)
    assert error(reply)["message"] == "Unsupported protocol version"
    assert error(reply)["data"]["supported"] == [MODERN, "2025-06-18", "2025-03-26"]
    assert error(reply)["data"]["requested"][:100] == version[:100]
    assert len(error(reply)["data"]["requested"]) < 200
    assert revision_of(reply) == MODERN
    assert house.books.calls == []


@proves("era.legacy-version")
async def test_d4_no_version_header_means_the_revision_that_had_none() -> None:
    reply = await legacy("tools/list", version=None).to(House())
    assert (reply.status, revision_of(reply)) == (200, "2025-03-26")


@proves("era.no-downgrade", "era.envelope", "era.envelope-shape")
async def test_d9_half_a_modern_request_is_never_served_as_legacy() -> None:
    house = House()
    no_envelope = await legacy("tools/call", CALL, version=MODERN).to(house)
    no_header = await modern("tools/call", CALL).with_header("MCP-Protocol-Version").to(house)
    no_capabilities = await modern("tools/call", CALL).with_meta(capabilities=...).to(house)
    assert [told(no_envelope), told(no_header), told(no_capabilities)] == [
        (400, -32602),
        (400, -32020),
        (400, -32602),
    ]
    assert house.books.calls == []


@proves("era.envelope", "era.envelope-shape")
@pytest.mark.parametrize(
    ("meta", "named"),
    [
        ({"version": None}, "protocolVersion"),
        ({"version": 20260728}, "protocolVersion"),
        ({"version": {}}, "protocolVersion"),
        ({"capabilities": ...}, "clientCapabilities"),
        ({"capabilities": None}, "clientCapabilities"),
        ({"capabilities": []}, "clientCapabilities"),
        ({"capabilities": True}, "clientCapabilities"),
        ({"client": None}, "clientInfo"),
        ({"client": "a-client"}, "clientInfo"),
        ({"client": {"name": "a"}}, "clientInfo"),
        ({"client": {"name": "a", "version": 1}}, "clientInfo"),
    ],
)
async def test_an_envelope_of_the_wrong_shape_names_its_key(
    meta: dict[str, object], named: str
) -> None:
    sent = modern("tools/list")
    for name, value in meta.items():
        sent = sent.with_meta(**{name: value})
    for request in (sent, sent.with_header("MCP-Protocol-Version")):
        reply = await request.to(House())
        assert told(reply) == (400, -32602)
        assert f"io.modelcontextprotocol/{named}" in error(reply)["message"]
        assert revision_of(reply) == MODERN


@proves("era.envelope-shape")
async def test_a_client_may_leave_its_name_out() -> None:
    assert (await modern("tools/list").with_meta(client=...).to(House())).status == 200


@proves("era.envelope-shape", "era.no-downgrade")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_meta_that_is_no_object_is_refused_in_both_eras(make: Any) -> None:
    reply = await make("tools/list").with_params(_meta="x").to(House())
    assert told(reply) == (400, -32602)
    assert "_meta" in error(reply)["message"]


@proves("era.envelope")
async def test_null_meta_is_no_envelope() -> None:
    house = House()
    assert (await legacy("tools/list").with_params(_meta=None).to(house)).status == 200
    assert told(await modern("tools/list").with_params(_meta=None).to(house)) == (400, -32602)


@proves("result.modern", "result.legacy")
@pytest.mark.parametrize("profile", [PRODUCT, STRICT])
async def test_d10_each_result_is_dressed_for_its_era(profile: Any) -> None:
    house = House(profile)
    listed = result(await modern("tools/list").to(house))
    called = result(await modern("tools/call", CALL).to(house))
    found = result(await modern("server/discover").to(house))
    info = {"io.modelcontextprotocol/serverInfo": profile.server_info}
    for answered in (listed, called, found):
        assert answered["resultType"] == "complete"
        assert answered["_meta"] == info
    for answered in (listed, found):
        assert (answered["ttlMs"], answered["cacheScope"]) == (0, "private")
    assert "ttlMs" not in called
    for version in profile.legacy:
        for sent in (
            legacy("tools/list", version=version),
            legacy("tools/call", CALL, version=version),
            legacy("ping", version=version),
            legacy("initialize", {"protocolVersion": version}),
        ):
            plain = result(await sent.to(house))
            assert not {"resultType", "ttlMs", "cacheScope", "_meta"} & set(plain)


@proves("result.unstructured")
async def test_d10_the_oldest_revision_has_nothing_structured() -> None:
    house = House()
    listed = result(await legacy("tools/list", version="2025-03-26").to(house))
    called = result(await legacy("tools/call", CALL, version="2025-03-26").to(house))
    assert all("outputSchema" not in tool for tool in listed["tools"])
    assert set(called) == {"content"}


@proves("era.legacy-version", "version.header")
@pytest.mark.parametrize("version", ["2025-06-18", "2025-03-26"])
async def test_d12_an_old_version_header_is_enough_without_initialize(version: str) -> None:
    reply = await legacy("tools/call", CALL, version=version).to(House())
    assert text(reply)
    assert revision_of(reply) == version


@proves("era.legacy-headers")
async def test_a_legacy_request_may_carry_any_routing_header() -> None:
    sent = legacy("tools/call", CALL).with_header("Mcp-Method", "x", "y")
    reply = await sent.with_header("Mcp-Name", "é").to(House())
    assert reply.status == 200


@proves("era.method-unknown")
@pytest.mark.parametrize(
    "method", ["initialize", "ping", "tools/nope", "", "subscriptions/listen", "resources/list"]
)
async def test_methods_that_the_modern_era_lacks_are_not_found(method: str) -> None:
    reply = await modern(method).to(House())
    assert told(reply) == (404, -32601)
    assert error(reply)["message"] == "Method not found"


@proves("era.method-unknown", "features.off")
@pytest.mark.parametrize(
    "method", ["server/discover", "tools/nope", "logging/setLevel", "prompts/get"]
)
async def test_methods_that_the_legacy_era_lacks_are_errors_in_a_200(method: str) -> None:
    reply = await legacy(method).to(House())
    assert told(reply) == (200, -32601)


@proves("era.method-unknown", "era.name-agrees")
async def test_an_unknown_method_is_not_asked_for_a_name() -> None:
    assert told(await modern("prompts/get").to(House(STRICT))) == (404, -32601)


@proves("era.capabilities-odd")
@pytest.mark.parametrize("odd", [True, [], "x", None, {}, {"url": {}}, {"form": 1}])
async def test_g7_odd_capabilities_count_as_absent(odd: object) -> None:
    sent = modern("tools/call", CALL).with_meta(capabilities={"elicitation": odd, "roots": odd})
    assert (await sent.to(House())).status == 200


@proves("session.ignored")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_c24_sessions_and_event_ids_are_ignored_and_never_made(make: Any) -> None:
    sent = make("tools/list").with_header("Mcp-Session-Id", "a").with_header("Last-Event-ID", "5")
    reply = await sent.to(House())
    assert reply.status == 200
    assert header(reply, b"mcp-session-id") is None


@proves("version.header")
async def test_the_version_in_use_is_on_errors_of_methods_too() -> None:
    house = House()
    assert revision_of(await modern("tools/nope").to(house)) == MODERN
    assert revision_of(await legacy("tools/nope").to(house)) == "2025-06-18"
    unknown = legacy("tools/call", {"name": "nope"}, version="2025-03-26")
    assert revision_of(await unknown.to(house)) == "2025-03-26"
    assert revision_of(await unknown.to(house, query="toolsets=x")) == "2025-03-26"
