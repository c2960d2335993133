"""What holds for every reply, checked on each one that a test provokes."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from mcp_types import (
    InputRequiredResult,
    MissingRequiredClientCapabilityErrorData,
    methods,
)
from mcp_types.jsonrpc import JSONRPCError, JSONRPCResponse

from application.mcp.errors import MISSING_CAPABILITY
from application.mcp.streams import Reply

MODERN_ONLY = frozenset(
    {"resultType", "ttlMs", "cacheScope", "_meta", "inputRequests", "requestState"}
)
SERVER_INFO = "io.modelcontextprotocol/serverInfo"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
LONGEST_STATE = 4_096
SHORTEST_SECRET = 16


def check_reply(reply: Reply, body: bytes) -> None:
    """The reply is empty, or JSON-RPC that the public types of its revision accept."""
    if reply.body is None:
        assert reply.status == 406 or (reply.status, reply.headers) == (202, ())
        return
    document = msgspec.json.decode(reply.body)
    assert isinstance(document, dict)
    if "result" in document:
        _check_result(reply, document, json.loads(body))
    else:
        _check_error(reply, document)
        _check_silence(reply.body, body)


def revision_of(reply: Reply) -> str | None:
    return dict(reply.headers).get(b"mcp-protocol-version", b"").decode() or None


def _check_result(reply: Reply, document: dict[str, Any], message: Mapping[str, Any]) -> None:
    JSONRPCResponse.model_validate(document, strict=True)
    revision, method = revision_of(reply), message["method"]
    assert reply.status == 200
    assert revision is not None
    assert document["id"] == message["id"]
    result = document["result"]
    methods.validate_server_result(method, revision, result)
    if revision == "2026-07-28":
        assert result["resultType"] in {"complete", "input_required"}
        assert result["_meta"][SERVER_INFO]["name"]
        is_asking = result["resultType"] == "input_required"
        is_cacheable = method in methods.CACHEABLE_METHODS and not is_asking
        caching = {"ttlMs": 0, "cacheScope": "private"} if is_cacheable else {}
        if is_asking:
            _check_asking(result, message)
        assert {key: result[key] for key in ("ttlMs", "cacheScope") if key in result} == caching
    else:
        assert not MODERN_ONLY & set(_keys(result))
    assert "outputSchema" not in set(_keys(result))
    if revision == "2025-03-26" or result.get("isError"):
        assert "structuredContent" not in result


def _check_asking(result: dict[str, Any], message: Mapping[str, Any]) -> None:
    """What is asked for is what the client of this very request has declared."""
    assert message["method"] in methods.INPUT_REQUIRED_METHODS
    assert set(result) <= {"resultType", "inputRequests", "requestState", "_meta"}
    assert 0 < len(result["requestState"]) <= LONGEST_STATE
    asked = InputRequiredResult.model_validate(result, strict=True)
    declared = message["params"]["_meta"][CAPABILITIES]
    for request in (asked.input_requests or {}).values():
        capability, *mode = _needed(request.model_dump(by_alias=True))
        assert isinstance(declared[capability], dict)
        modes = {name: declared[capability].get(name) for name in ("form", "url")}
        if mode != ["form"] or any(named is not None for named in modes.values()):
            assert all(isinstance(modes[name], dict) for name in mode)


def _needed(request: Mapping[str, Any]) -> tuple[str, ...]:
    if request["method"] == "elicitation/create":
        return "elicitation", request["params"]["mode"]
    return {"sampling/createMessage": ("sampling",), "roots/list": ("roots",)}[request["method"]]


def _check_error(reply: Reply, document: dict[str, Any]) -> None:
    error = document["error"]
    assert set(document) <= {"jsonrpc", "id", "error"}
    assert set(error) <= {"code", "message", "data"}
    assert isinstance(error["code"], int)
    assert error["message"]
    if error["code"] == MISSING_CAPABILITY:
        MissingRequiredClientCapabilityErrorData.model_validate(error["data"], strict=True)
    if document.get("id") is None:
        assert reply.status == 400
        assert document["jsonrpc"] == "2.0"
    else:
        JSONRPCError.model_validate(document, strict=True)


def _check_silence(answer: bytes, body: bytes) -> None:
    """No error repeats what only the server can read."""
    try:
        state = json.loads(body)["params"]["requestState"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return
    if isinstance(state, str) and len(state) >= SHORTEST_SECRET:
        assert state[:SHORTEST_SECRET].encode() not in answer
        assert state[-SHORTEST_SECRET:].encode() not in answer


def _keys(value: object) -> Iterator[str]:
    """Every member name of a result, but for those of schemas' properties."""
    if isinstance(value, list):
        for inner in value:
            yield from _keys(inner)
    elif isinstance(value, dict):
        yield from value
        for key, inner in value.items():
            if key != "properties":
                yield from _keys(inner)
