"""What holds for every reply, checked on each one that a test provokes."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from mcp_types import methods
from mcp_types.jsonrpc import JSONRPCError, JSONRPCResponse

from application.mcp.server import Reply

MODERN_ONLY = frozenset({"resultType", "ttlMs", "cacheScope", "_meta"})
CACHEABLE = frozenset({"server/discover", "tools/list"})
SERVER_INFO = "io.modelcontextprotocol/serverInfo"


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
        assert result["resultType"] == "complete"
        assert result["_meta"][SERVER_INFO]["name"]
        caching = {"ttlMs": 0, "cacheScope": "private"} if method in CACHEABLE else {}
        assert {key: result[key] for key in ("ttlMs", "cacheScope") if key in result} == caching
    else:
        assert not MODERN_ONLY & set(_keys(result))
    assert not {"structuredContent", "outputSchema"} & set(_keys(result))


def _check_error(reply: Reply, document: dict[str, Any]) -> None:
    error = document["error"]
    assert set(document) <= {"jsonrpc", "id", "error"}
    assert set(error) <= {"code", "message", "data"}
    assert isinstance(error["code"], int)
    assert error["message"]
    if document.get("id") is None:
        assert reply.status == 400
        assert document["jsonrpc"] == "2.0"
    else:
        JSONRPCError.model_validate(document, strict=True)


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
