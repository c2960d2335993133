"""From the bytes of a request to one JSON-RPC message, or to the reason why it is none."""

from typing import Any, Final

import msgspec

from application.mcp.errors import INVALID_REQUEST, PARSE_ERROR, RequestId, RpcError
from application.strict_json import NotJsonError, strict_json

VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
CLIENT_KEY: Final = "io.modelcontextprotocol/clientInfo"
LOG_LEVEL_KEY: Final = "io.modelcontextprotocol/logLevel"

_LARGEST_ID: Final = 2**53 - 1
_LONGEST_ID: Final = 256


class Message(msgspec.Struct, frozen=True):
    """A request, or a notification where `id` is None. Absent `params` are empty."""

    id: RequestId | None
    method: str
    params: dict[str, Any]


class Malformed(msgspec.Struct, frozen=True):
    """Bytes that are no message; `id` is the request's where it can be told."""

    error: RpcError
    id: RequestId | None = None


def decode(body: bytes) -> Message | Malformed:
    """Read one message; integers are int, other numbers Decimal."""
    try:
        document = strict_json(body)
    except NotJsonError:
        return Malformed(RpcError(PARSE_ERROR, "Parse error"))
    if document.__class__ is dict:
        return _message(document)
    what = "batches are not supported" if isinstance(document, list) else "not an object"
    return _invalid(what)


def _message(document: dict[str, Any]) -> Message | Malformed:
    identifier = document.get("id")
    if "id" in document and not _is_id(identifier):
        return _invalid("id must be an integer or a string")
    method = document.get("method")
    if method is None and ("result" in document or "error" in document):
        return _invalid("responses are not accepted")
    params = document.get("params")
    if params is None:
        params = {}
    if document.get("jsonrpc") != "2.0":
        return _invalid('jsonrpc must be "2.0"', identifier)
    if not isinstance(method, str):
        return _invalid("method must be a string", identifier)
    if not isinstance(params, dict):
        return _invalid("params must be an object", identifier)
    return Message(identifier, method, params)


def _invalid(reason: str, identifier: RequestId | None = None) -> Malformed:
    return Malformed(RpcError(INVALID_REQUEST, f"Invalid Request: {reason}"), identifier)


def _is_id(value: object) -> bool:
    if value.__class__ is int:
        return -_LARGEST_ID <= value <= _LARGEST_ID
    return isinstance(value, str) and len(value) <= _LONGEST_ID
