"""Bytes that are no message, ids, and notifications."""

from typing import Any

import pytest

from tests.protocol.fixtures import MODERN, House, document, error, legacy, modern, result
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

MODERN_HEADER = (("MCP-Protocol-Version", MODERN),)
PING = '"jsonrpc":"2.0","method":"ping"'


def nested(depth: int, opening: str = "[", closing: str = "]") -> bytes:
    inner = f"{opening * (depth - 2)}1{closing * (depth - 2)}"
    return f'{{{PING},"id":1,"params":{{"deep":{inner}}}}}'.encode()


@proves("json.refused")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nul",
        b"\xff",
        b'{"jsonrpc":"2.0","id":"\xff","method":"ping"}',
        b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"\\u0061":2}}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"a":"\\u003a"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":-Infinity}}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1e99999999999999999999}}',
        b'{"jsonrpc":"2.0","id":' + b"1" * 5000 + b',"method":"ping"}',
        b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping"} {}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        nested(65),
        nested(65, '{"a":', "}"),
    ],
)
async def test_c6_c21_bytes_that_are_no_json_text_are_a_parse_error(body: bytes) -> None:
    reply = await House().post(body)
    assert (reply.status, error(reply)["code"]) == (400, -32700)
    assert document(reply)["id"] is None


@proves("json.refused")
@pytest.mark.parametrize(
    "body",
    [
        nested(64),
        nested(64, '{"a":', "}"),
        f'{{{PING},"id":1,"params":{{"brackets":"{"[" * 500}"}}}}'.encode(),
        f'{{{PING},"id":1,"params":{{"many":[{",".join(["[]"] * 200)}]}}}}'.encode(),
        f'{{{PING},"id":1,"params":{{"a:b":"c:d","escaped":"\\u003a:\\\\u003a"}}}}'.encode(),
        f'{{{PING},"id":1,"params":{{"n":123456789012345678901234567890,"x":1e400}}}}'.encode(),
        f' \n{{{PING},"id":1}}\t'.encode(),
    ],
)
async def test_unusual_but_right_json_is_taken(body: bytes) -> None:
    assert result(await House().post(body)) == {}


@proves("json.batch")
@pytest.mark.parametrize("body", [b"[]", b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', b"[1,2]"])
@pytest.mark.parametrize("version", [None, MODERN, "2025-06-18", "2025-03-26", "1999-01-01"])
async def test_c14_batches_are_refused_in_every_revision(body: bytes, version: str | None) -> None:
    headers = () if version is None else (("MCP-Protocol-Version", version),)
    reply = await House().post(body, headers)
    assert (reply.status, error(reply)["code"]) == (400, -32600)


@proves("json.batch", "notification.accepted")
async def test_c14_an_array_of_notifications_is_refused_too() -> None:
    reply = await House().post(b'[{"jsonrpc":"2.0","method":"notifications/initialized"}]')
    assert (reply.status, error(reply)["code"]) == (400, -32600)


@proves("json.envelope")
@pytest.mark.parametrize(
    "body",
    [
        None,
        5,
        "x",
        True,
        {},
        {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        {"jsonrpc": 2.0, "id": 1, "method": "ping"},
        {"id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1},
        {"jsonrpc": "2.0", "id": 1, "method": 5},
        {"jsonrpc": "2.0", "id": 1, "method": None},
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": "x"},
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []},
        {"jsonrpc": "2.0", "method": "notifications/initialized", "params": 0},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}},
    ],
)
async def test_c6_a_wrong_envelope_is_an_invalid_request(body: object) -> None:
    reply = await House().post(body)
    assert (reply.status, error(reply)["code"]) == (400, -32600)


@proves("json.envelope")
async def test_null_params_are_absent() -> None:
    assert (
        result(await House().post({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": None}))
        == {}
    )


@proves("json.id")
@pytest.mark.parametrize(
    "identifier",
    ["null", "true", "1.0", "1.5", "1e2", "[]", "{}", "9007199254740992", "-9007199254740992"],
)
async def test_c10_an_id_that_is_none_is_refused_and_nothing_runs(identifier: str) -> None:
    house = House()
    call = '"jsonrpc":"2.0","method":"tools/call","params":{"name":"books_list"}'
    reply = await house.post(f'{{{call},"id":{identifier}}}'.encode())
    assert (reply.status, error(reply)["code"]) == (400, -32600)
    assert document(reply)["id"] is None
    assert house.books.calls == []


@proves("json.id")
async def test_a_string_id_may_have_256_characters_and_no_more() -> None:
    house = House()
    longest = {"jsonrpc": "2.0", "id": "é" * 256, "method": "ping"}
    assert (await house.post(longest)).status == 200
    assert (await house.post({**longest, "id": "é" * 257})).status == 400


@proves("id.echo")
@pytest.mark.parametrize(
    "identifier",
    [0, "0", "1", -1, "", 2**53 - 1, -(2**53 - 1), "a0a3f5d2-6b5e-4c55-9d3c-0f3f4f0f1f2e", '"\\\n'],
)
async def test_c8_ids_come_back_with_type_and_value(identifier: int | str) -> None:
    house = House()
    for sent in (modern("tools/list"), legacy("tools/list"), modern("no/such")):
        reply = await house.post({**sent.message, "id": identifier}, sent.headers)
        echoed = document(reply)["id"]
        assert (type(echoed), echoed) == (type(identifier), identifier)


@proves("json.id-unknown")
@pytest.mark.parametrize(
    "body", [b"{", b"[]", b"null", b'{"jsonrpc":"2.0","id":null,"method":"x"}']
)
async def test_errors_before_the_id_is_known_have_the_form_of_their_era(body: bytes) -> None:
    house = House()
    assert "id" not in document(await house.post(body, MODERN_HEADER))
    old = (("MCP-Protocol-Version", "2025-06-18"),)
    for headers in ((), old, (("MCP-Protocol-Version", "2099-01-01"),)):
        reply = document(await house.post(body, headers))
        assert "id" in reply
        assert reply["id"] is None


@proves("json.id-unknown")
async def test_a_wrong_envelope_with_a_right_id_is_answered_with_that_id() -> None:
    reply = await House().post({"jsonrpc": "1.0", "id": "a", "method": "ping"}, MODERN_HEADER)
    assert document(reply)["id"] == "a"


@proves("notification.accepted")
@pytest.mark.parametrize("version", [None, MODERN, "2025-06-18", "2025-03-26"])
async def test_c12_a_notification_is_accepted_with_nothing(version: str | None) -> None:
    headers = () if version is None else (("MCP-Protocol-Version", version),)
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    reply = await House().post(note, headers)
    assert (reply.status, reply.body, reply.headers) == (202, None, ())


@proves("notification.accepted")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_c13_a_call_without_id_does_not_run(make: Any) -> None:
    house = House()
    sent = make("tools/call", {"name": "loans_create", "arguments": {"book": "b"}})
    message = {key: value for key, value in sent.message.items() if key != "id"}
    reply = await house.post(message, sent.headers)
    assert (reply.status, reply.body) == (202, None)
    assert house.books.calls == []
    assert house.buckets.taken == []


@proves("notification.version", "version.header")
@pytest.mark.parametrize("version", ["1999-01-01", "", "2025-11-25", "2026-07-28, 2026-07-28"])
async def test_a_notification_in_a_version_nobody_speaks_is_refused(version: str) -> None:
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    reply = await House().post(note, (("MCP-Protocol-Version", version),))
    assert (reply.status, error(reply)["code"]) == (400, -32022)
    assert error(reply)["data"]["requested"] == version
    assert document(reply)["id"] is None
