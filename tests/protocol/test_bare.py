"""Connections without headers: what the message does not say, the connection has settled on."""

import json
from typing import Any

import pytest

from application.mcp.envelope import Message, decode
from application.mcp.ports import Context
from application.mcp.streams import Reply
from domain.access.audit import Origin
from tests.protocol.checks import check_reply
from tests.protocol.fixtures import MODERN, PRODUCT, STRICT, House, Reader, Sent, legacy, modern
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

CALL = {"name": "books_count", "arguments": {}}
NOBODY = Reader(scopes=frozenset())


async def told(
    house: House, sent: Sent, settled: str | None = None, caller: Reader | None = None
) -> dict[str, Any]:
    raw = json.dumps(sent.message).encode()
    message = decode(raw)
    assert isinstance(message, Message)
    context = Context(Origin(request_id="req_1", via="mcp"), "en")
    reply = await house.server.handle_bare(message, settled, caller or Reader(), context)
    assert isinstance(reply, Reply)
    check_reply(reply, raw)
    assert reply.body is not None
    document: dict[str, Any] = json.loads(reply.body)
    assert document["id"] == 7
    return document


def refusal(document: dict[str, Any]) -> dict[str, Any]:
    """What a tool's error result says."""
    assert document["result"]["isError"] is True
    (block,) = document["result"]["content"]
    error: dict[str, Any] = json.loads(block["text"])["error"]
    return error


@proves("stdio.version", "stdio.headers")
@pytest.mark.parametrize("profile", [PRODUCT, STRICT])
@pytest.mark.parametrize("settled", [None, "2025-03-26"])
async def test_an_envelope_says_the_version_and_no_header_has_to_repeat_it(
    profile: Any, settled: str | None
) -> None:
    house = House(profile)
    for name in ("books_count", "livros_açúcar"):
        answer = await told(house, modern("tools/call", {**CALL, "name": name}), settled)
        assert answer["result"]["resultType"] == "complete"
    strange = await told(house, modern("livros/açúcar"), settled)

    assert strange["error"]["code"] == -32601


@proves("stdio.version")
async def test_without_an_envelope_the_settled_version_counts_and_before_it_the_default() -> None:
    house = House()
    at_first = await told(house, legacy("ping"))
    later = await told(house, legacy("ping"), "2025-03-26")
    discover = await told(house, legacy("server/discover"))

    assert at_first["result"] == later["result"] == {}
    assert discover["error"]["code"] == -32601


@proves("stdio.version")
@pytest.mark.parametrize(
    ("asked", "settled"),
    [("2025-03-26", "2025-03-26"), (MODERN, "2025-06-18"), ("1999-01-01", "2025-06-18")],
)
async def test_initialize_settles_as_it_does_over_http(asked: str, settled: str) -> None:
    answer = await told(House(), legacy("initialize", {"protocolVersion": asked}))

    assert answer["result"]["protocolVersion"] == settled


@proves("stdio.version")
async def test_an_envelope_of_a_version_that_is_not_spoken_is_refused() -> None:
    sent = modern("tools/list").with_meta(version="2031-01-01")
    error = (await told(House(), sent))["error"]

    assert error["code"] == -32022
    assert error["data"]["requested"] == "2031-01-01"


@proves("stdio.headers")
async def test_arguments_that_headers_repeat_over_http_are_taken_as_they_are() -> None:
    house = House()
    arguments = {"room": "Sala 1", "at": {"row": 3, "lit": True}}
    answer = await told(house, modern("tools/call", {"name": "shelf_find", "arguments": arguments}))

    assert "isError" not in answer["result"]
    assert house.books.calls[0][2] == arguments


@proves("stdio.scope")
@pytest.mark.parametrize("sent", [modern("tools/call", CALL), legacy("tools/call", CALL)])
async def test_a_tool_says_itself_which_scopes_the_token_lacks(sent: Sent) -> None:
    house = House()
    error = refusal(await told(house, sent, caller=NOBODY))

    assert error["code"] == "SCOPE_MISSING"
    assert [detail["field"] for detail in error["details"]] == ["library.read", "library.write"]
    assert error["request_id"] == "req_1"
    assert house.books.calls == []


@proves("stdio.limit")
@pytest.mark.parametrize("sent", [modern("tools/call", CALL), legacy("tools/call", CALL)])
async def test_a_tool_says_itself_when_to_come_again(sent: Sent) -> None:
    house = House()
    house.buckets.spent = True
    error = refusal(await told(house, sent))

    assert error["code"] == "RATE_LIMITED"
    assert error["retry_after"] == 2
    assert house.books.calls == []


@proves("stdio.limit")
@pytest.mark.parametrize("sent", [modern("tools/list"), legacy("tools/list")])
async def test_a_list_cannot_and_is_refused_with_the_seconds_to_wait(sent: Sent) -> None:
    house = House()
    house.buckets.spent = True
    error = (await told(house, sent))["error"]

    assert error["code"] == 429
    assert error["data"] == {"code": "RATE_LIMITED", "retry_after": 2}
