"""From the bytes of a request to one JSON-RPC message, or to the reason why it is none."""

import json
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Final

import msgspec

from application.mcp.errors import INVALID_REQUEST, PARSE_ERROR, RequestId, RpcError

_DEEPEST: Final = 64
_LARGEST_ID: Final = 2**53 - 1
_LONGEST_ID: Final = 256
_ESCAPED_COLON: Final = re.compile(rb"\\u003[aA]")
_DECODER: Final = msgspec.json.Decoder(float_hook=Decimal)
_ENCODER: Final = msgspec.json.Encoder()


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
    """Read one message. Numbers are int or Decimal, so that `1.0` stays apart from `1`.

    The decoder refuses what is not UTF-8, lone surrogates, NaN and infinities.
    """
    try:
        document = _DECODER.decode(body)
        _refuse_depth(body, document)
        _refuse_duplicates(body, document)
    except (ValueError, ArithmeticError, RecursionError):
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


def _refuse_depth(body: bytes, document: object) -> None:
    """Levels are counted only where there are enough brackets to go too deep."""
    if body.count(b"[") + body.count(b"{") <= _DEEPEST:
        return
    level: list[Any] = [document]
    for _ in range(_DEEPEST):
        level = [inner for outer in level for inner in _inner(outer) if _is_container(inner)]
        if not level:
            return
    raise ValueError


def _inner(container: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return container.values() if isinstance(container, dict) else container


def _is_container(value: object) -> bool:
    return value.__class__ is dict or value.__class__ is list


def _refuse_duplicates(body: bytes, document: object) -> None:
    """A decoded object keeps one of the members of a name, so its colons are fewer than sent.

    Only an escaped colon could make up for one that is missing; then members are compared.
    """
    if _ESCAPED_COLON.search(body):
        json.loads(body, object_pairs_hook=_without_duplicates)
    elif _ENCODER.encode(document).count(b":") != body.count(b":"):
        raise ValueError


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError
    return members
