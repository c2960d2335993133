"""Headers that repeat the body, and what a client takes."""

from base64 import b64encode
from typing import Any

import pytest

from application.mcp.streams import Reply
from tests.protocol.checks import revision_of
from tests.protocol.fixtures import (
    MODERN,
    PRODUCT,
    STRICT,
    House,
    Sent,
    document,
    error,
    legacy,
    modern,
)
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

CALL = {"name": "books_list", "arguments": {}}


def wrapped(value: str) -> str:
    return f"=?base64?{b64encode(value.encode()).decode()}?="


def told(reply: Reply) -> tuple[int, int]:
    return reply.status, error(reply)["code"]


@proves("era.name-encoded")
async def test_d5_an_encoded_name_is_decoded_before_it_is_compared() -> None:
    house = House()
    name = "livros_açúcar"
    sent = modern("tools/call", {"name": name})
    assert (await sent.with_header("Mcp-Name", wrapped(name)).to(house)).status == 200
    wrong = await sent.with_header("Mcp-Name", wrapped("livros_acucar")).to(house)
    assert told(wrong) == (400, -32020)
    plain = modern("tools/call", CALL)
    assert (await plain.with_header("Mcp-Name", wrapped("books_list")).to(house)).status == 200


@proves("era.name-encoded")
@pytest.mark.parametrize(
    "value",
    [
        "=?base64?Ym9va3NfbGlzdA?=",
        "=?base64?Ym9va3NfbGlzdA==",
        "=?BASE64?Ym9va3NfbGlzdA==?=",
        "=?base64?Ym9va3NfbGlzdB==?=",
        "=?base64?Ym9v a3NfbGlzdA==?=",
        "=?base64?!!!!?=",
        "=?base64?/w==?=",
        "=?base64??=",
        "=?base64?=",
    ],
)
async def test_a_name_in_bad_base64_is_a_mismatch(value: str) -> None:
    reply = await modern("tools/call", CALL).with_header("Mcp-Name", value).to(House())
    assert told(reply) == (400, -32020)
    assert error(reply)["data"]["mismatch"]["header"] == value


@proves("era.version-agrees", "era.method-agrees", "era.name-agrees", "era.mismatch-data")
@pytest.mark.parametrize(
    ("name", "sent_value"),
    [
        ("MCP-Protocol-Version", None),
        ("MCP-Protocol-Version", "2025-06-18"),
        ("MCP-Protocol-Version", ""),
        ("Mcp-Method", None),
        ("Mcp-Method", "tools/list"),
        ("Mcp-Method", "Tools/Call"),
        ("Mcp-Method", wrapped("tools/call")),
        ("Mcp-Name", None),
        ("Mcp-Name", "books_count"),
        ("Mcp-Name", "Books_List"),
        ("Mcp-Name", ""),
    ],
)
async def test_d7_each_routing_header_must_say_what_the_body_says(
    name: str, sent_value: str | None
) -> None:
    house = House()
    values = () if sent_value is None else (sent_value,)
    reply = await modern("tools/call", CALL).with_header(name, *values).to(house)
    assert told(reply) == (400, -32020)
    mismatch = error(reply)["data"]["mismatch"]
    assert mismatch["header"] == ("(missing)" if sent_value is None else sent_value)
    assert name in mismatch["body"]
    assert error(reply)["message"] == f"Header mismatch: {mismatch['body']}"
    assert house.books.calls == []


@proves("era.mismatch-data")
async def test_a_profile_words_its_mismatches() -> None:
    sent = modern("tools/call", CALL).with_header("Mcp-Method")
    told_by_strict = error(await sent.to(House(STRICT)))
    reason = "the body names method tools/call but the required Mcp-Method header is absent"
    assert told_by_strict == {
        "code": -32020,
        "message": f"Bad Request: the request headers and body disagree: {reason}",
        "data": {"mismatch": {"header": "(missing)", "body": reason}},
    }


@proves("era.header-values")
async def test_d7_header_names_come_in_any_case_and_values_between_blanks() -> None:
    sent = modern("tools/call", CALL)
    shouted = tuple((name.upper(), f" \t{value}\t ") for name, value in sent.headers)
    assert (await Sent(sent.message, shouted).to(House())).status == 200


@proves("era.name-agrees")
@pytest.mark.parametrize("profile", [PRODUCT, STRICT])
@pytest.mark.parametrize("values", [(), ("anything",)])
async def test_d7_a_list_needs_no_name(profile: Any, values: tuple[str, ...]) -> None:
    reply = await modern("tools/list").with_header("Mcp-Name", *values).to(House(profile))
    assert reply.status == 200


@proves("era.name-agrees")
@pytest.mark.parametrize("name", [..., None, 5, ["books_list"]])
async def test_a_call_without_a_name_is_told_so_before_its_header_is_missed(name: object) -> None:
    params = {} if name is ... else {"name": name}
    reply = await modern("tools/call", params).to(House())
    assert told(reply) == (400, -32602)
    assert "name" in error(reply)["message"]


@proves("era.routing-twice")
@pytest.mark.parametrize("name", ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"])
async def test_a_routing_header_sent_twice_is_a_mismatch(name: str) -> None:
    house = House()
    sent = modern("tools/call", CALL)
    value = dict(sent.headers)[name]
    reply = await sent.with_header(name, value, value).to(house)
    assert told(reply) == (400, -32020)
    assert "twice" in error(reply)["message"]
    assert house.books.calls == []


@proves("era.header-values")
@pytest.mark.parametrize("character", ["\x01", "\x7f", "é", "\xa0", "\u0085"])
async def test_characters_that_no_header_may_have_are_a_mismatch(character: str) -> None:
    house = House()
    for name in ("Mcp-Method", "Mcp-Name"):
        odd = f"books{character}list"
        sent = modern(odd) if name == "Mcp-Method" else modern("tools/call", {"name": odd})
        assert told(await sent.with_header(name, odd).to(house)) == (400, -32020)


@proves("accept", "limit.outside")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_a_client_that_takes_no_json_gets_406_and_nothing_is_done(make: Any) -> None:
    house = House()
    handshakes = (legacy("ping"), legacy("initialize"), modern("server/discover"))
    for sent in (make("tools/call", CALL), make("tools/list"), *handshakes):
        reply = await house.post(sent.message, sent.headers, takes_json=False)
        assert (reply.status, reply.body) == (406, None)
        assert revision_of(reply) is not None
    assert house.books.calls == []
    assert house.buckets.taken == ["read", "read"]


@proves("json.id-unknown")
@pytest.mark.parametrize(("version", "has_id"), [(MODERN, False), ("2025-06-18", True)])
def test_the_door_refuses_in_the_words_of_the_callers_era(version: str, *, has_id: bool) -> None:
    headers = [(b"mcp-protocol-version", version.encode())]
    reply = House().server.refuse(413, -32600, "Request body too large", headers)
    assert reply.status == 413
    assert error(reply) == {"code": -32600, "message": "Request body too large"}
    assert ("id" in document(reply)) is has_id
