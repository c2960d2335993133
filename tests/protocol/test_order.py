"""The first failure answers: of two neighbouring faults the earlier one is told."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest

from domain.errors import NotFoundError
from tests.protocol.fixtures import (
    ENVELOPE_CAPABILITIES,
    ENVELOPE_CLIENT,
    ENVELOPE_VERSION,
    House,
    Reader,
    document,
    legacy,
    modern,
    refusal,
)
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio


@dataclass
class Attempt:
    """A right call of a tool, for faults to be put in."""

    message: dict[str, Any]
    headers: list[tuple[str, str]]
    query: str = ""
    caller: Reader = field(default_factory=Reader)
    house: House = field(default_factory=House)
    garbled: bool = False
    takes_json: bool = True

    @property
    def params(self) -> dict[str, Any]:
        params: dict[str, Any] = self.message["params"]
        return params

    def send_header(self, name: str, *values: str) -> None:
        self.headers = [pair for pair in self.headers if pair[0] != name]
        self.headers += [(name, value) for value in values]

    async def told(self) -> tuple[int, int | None, str]:
        """Status, code and text of the answer."""
        body = b"{" if self.garbled else self.message
        reply = await self.house.post(
            body,
            self.headers,
            query=self.query,
            caller=self.caller,
            takes_json=self.takes_json,
        )
        if reply.body is None:
            return reply.status, None, ""
        told = document(reply)
        if "result" in told:
            return reply.status, None, str(told["result"])
        return reply.status, told["error"]["code"], told["error"]["message"]


def right_modern_call() -> Attempt:
    sent = modern("tools/call", {"name": "shelf_find", "arguments": {"room": "a"}})
    return Attempt(sent.message, [*sent.headers, ("Mcp-Param-Room", "a")])


def right_legacy_call() -> Attempt:
    sent = legacy("tools/call", {"name": "books_list", "arguments": {}})
    return Attempt(sent.message, list(sent.headers))


def garbled(attempt: Attempt) -> None:
    attempt.garbled = True


def other_jsonrpc(attempt: Attempt) -> None:
    attempt.message["jsonrpc"] = "1.0"


def version_no_string(attempt: Attempt) -> None:
    attempt.params["_meta"][ENVELOPE_VERSION] = 20260728


def no_capabilities(attempt: Attempt) -> None:
    del attempt.params["_meta"][ENVELOPE_CAPABILITIES]


def odd_client(attempt: Attempt) -> None:
    attempt.params["_meta"][ENVELOPE_CLIENT] = {"name": "a"}


def header_twice(attempt: Attempt) -> None:
    attempt.send_header("Mcp-Name", "shelf_find", "shelf_find")


def other_version_header(attempt: Attempt) -> None:
    attempt.send_header("MCP-Protocol-Version", "2025-06-18")


def no_method_header(attempt: Attempt) -> None:
    attempt.send_header("Mcp-Method")


def no_name(attempt: Attempt) -> None:
    attempt.params.pop("name", None)


def other_name_header(attempt: Attempt) -> None:
    attempt.send_header("Mcp-Name", "books_list")


def version_unspoken(attempt: Attempt) -> None:
    attempt.params["_meta"][ENVELOPE_VERSION] = "1999-01-01"
    attempt.send_header("MCP-Protocol-Version", "1999-01-01")


def unknown_method(attempt: Attempt) -> None:
    attempt.message["method"] = "ping/pong"
    attempt.send_header("Mcp-Method", "ping/pong")


def unknown_toolset(attempt: Attempt) -> None:
    attempt.query = "toolsets=nothing"


def bucket_empty(attempt: Attempt) -> None:
    attempt.house.buckets.spent = True


def takes_no_json(attempt: Attempt) -> None:
    attempt.takes_json = False


def odd_arguments(attempt: Attempt) -> None:
    attempt.params["arguments"] = [1]


def hidden(attempt: Attempt) -> None:
    attempt.caller = Reader(shelves=frozenset(), scopes=attempt.caller.scopes)


def no_scope(attempt: Attempt) -> None:
    attempt.caller = Reader(shelves=attempt.caller.shelves, scopes=frozenset())


def other_param_header(attempt: Attempt) -> None:
    attempt.send_header("Mcp-Param-Room", "b")


def refused_by_the_tool(attempt: Attempt) -> None:
    attempt.house.books.behaviour = refusal(NotFoundError())


def meta_no_object(attempt: Attempt) -> None:
    attempt.params["_meta"] = "x"


def modern_header(attempt: Attempt) -> None:
    attempt.send_header("MCP-Protocol-Version", "2026-07-28")


def unspoken_header(attempt: Attempt) -> None:
    attempt.send_header("MCP-Protocol-Version", "2025-11-25")


Fault = Callable[[Attempt], None]
Told = tuple[int, int | None, str]

MODERN_ORDER: list[tuple[Fault, Told]] = [
    (garbled, (400, -32700, "Parse error")),
    (other_jsonrpc, (400, -32600, "jsonrpc")),
    (version_no_string, (400, -32602, "protocolVersion")),
    (no_capabilities, (400, -32602, "clientCapabilities")),
    (odd_client, (400, -32602, "clientInfo")),
    (header_twice, (400, -32020, "Mcp-Name header was sent twice")),
    (other_version_header, (400, -32020, "MCP-Protocol-Version")),
    (no_method_header, (400, -32020, "Mcp-Method")),
    (no_name, (400, -32602, "name must be a string")),
    (other_name_header, (400, -32020, "Mcp-Name")),
    (version_unspoken, (400, -32022, "Unsupported protocol version")),
    (unknown_method, (404, -32601, "Method not found")),
    (unknown_toolset, (400, -32602, "toolset")),
    (bucket_empty, (429, 429, "Too many requests")),
    (takes_no_json, (406, None, "")),
    (odd_arguments, (400, -32602, "arguments")),
    (hidden, (400, -32602, "Unknown tool: shelf_find")),
    (other_param_header, (400, -32020, "Mcp-Param-Room")),
    (no_scope, (403, 403, "Insufficient scope")),
    (refused_by_the_tool, (200, None, "NOT_FOUND")),
]
LEGACY_ORDER: list[tuple[Fault, Told]] = [
    (garbled, (400, -32700, "Parse error")),
    (other_jsonrpc, (400, -32600, "jsonrpc")),
    (meta_no_object, (400, -32602, "_meta")),
    (modern_header, (400, -32602, "protocolVersion")),
    (unknown_method, (200, -32601, "Method not found")),
    (unknown_toolset, (400, -32602, "toolset")),
    (bucket_empty, (429, 429, "Too many requests")),
    (takes_no_json, (406, None, "")),
    (no_name, (200, -32602, "name must be a string")),
    (odd_arguments, (200, -32602, "arguments")),
    (hidden, (200, -32602, "Unknown tool: books_list")),
    (no_scope, (403, 403, "Insufficient scope")),
    (refused_by_the_tool, (200, None, "NOT_FOUND")),
]


def name_of(case: object) -> str:
    return case[0].__name__ if isinstance(case, tuple) else str(case)


async def assert_told(attempt: Attempt, expected: Told) -> None:
    status, code, text = await attempt.told()
    assert (status, code) == expected[:2]
    assert expected[2] in text


@proves("order.modern")
async def test_a_right_modern_call_is_answered() -> None:
    assert (await right_modern_call().told())[:2] == (200, None)


@proves("order.modern")
@pytest.mark.parametrize("case", MODERN_ORDER, ids=name_of)
async def test_each_fault_of_a_modern_call_is_told(case: tuple[Fault, Told]) -> None:
    attempt = right_modern_call()
    case[0](attempt)
    await assert_told(attempt, case[1])


@proves("order.modern")
@pytest.mark.parametrize(("first", "second"), list(pairwise(MODERN_ORDER)), ids=name_of)
async def test_of_two_faults_of_a_modern_call_the_earlier_is_told(
    first: tuple[Fault, Told], second: tuple[Fault, Told]
) -> None:
    attempt = right_modern_call()
    second[0](attempt)
    first[0](attempt)
    await assert_told(attempt, first[1])


@proves("order.legacy")
async def test_a_right_legacy_call_is_answered() -> None:
    assert (await right_legacy_call().told())[:2] == (200, None)


@proves("order.legacy")
@pytest.mark.parametrize("case", LEGACY_ORDER, ids=name_of)
async def test_each_fault_of_a_legacy_call_is_told(case: tuple[Fault, Told]) -> None:
    attempt = right_legacy_call()
    case[0](attempt)
    await assert_told(attempt, case[1])


@proves("order.legacy")
@pytest.mark.parametrize(("first", "second"), list(pairwise(LEGACY_ORDER)), ids=name_of)
async def test_of_two_faults_of_a_legacy_call_the_earlier_is_told(
    first: tuple[Fault, Told], second: tuple[Fault, Told]
) -> None:
    attempt = right_legacy_call()
    second[0](attempt)
    first[0](attempt)
    await assert_told(attempt, first[1])


@proves("order.legacy")
async def test_a_version_nobody_speaks_is_told_before_an_unknown_method() -> None:
    attempt = right_legacy_call()
    unknown_method(attempt)
    unspoken_header(attempt)
    await assert_told(attempt, (400, -32022, "Unsupported protocol version"))
