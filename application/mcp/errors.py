"""JSON-RPC errors, and the HTTP status that each code has."""

from collections.abc import Mapping
from typing import Final

import msgspec

from application.mcp.cleaning import clean
from application.mcp.revisions import Era

RequestId = int | str

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
RESOURCE_NOT_FOUND: Final = -32002
HEADER_MISMATCH: Final = -32020
MISSING_CAPABILITY: Final = -32021
UNSUPPORTED_VERSION: Final = -32022
INSUFFICIENT_SCOPE: Final = 403
TOO_MANY_REQUESTS: Final = 429
UNAVAILABLE: Final = 503

_HTTP_STATUS: Final[Mapping[int, int]] = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    METHOD_NOT_FOUND: 404,
    INVALID_PARAMS: 400,
    INTERNAL_ERROR: 500,
    RESOURCE_NOT_FOUND: 404,
    HEADER_MISMATCH: 400,
    MISSING_CAPABILITY: 400,
    UNSUPPORTED_VERSION: 400,
    INSUFFICIENT_SCOPE: 403,
    TOO_MANY_REQUESTS: 429,
    UNAVAILABLE: 503,
}
_STATUS_FROM_METHOD: Final[Mapping[Era, Mapping[int, int]]] = {
    "modern": _HTTP_STATUS,
    "legacy": {
        **_HTTP_STATUS,
        METHOD_NOT_FOUND: 200,
        INVALID_PARAMS: 200,
        MISSING_CAPABILITY: 200,
        RESOURCE_NOT_FOUND: 200,
        INTERNAL_ERROR: 200,
    },
}
_LONGEST_ECHO: Final = 128


class RpcError(msgspec.Struct, frozen=True):
    """An error of the protocol. Its message is English and ours."""

    code: int
    message: str
    data: Mapping[str, object] | None = None


def status_of_malformed(error: RpcError) -> int:
    """HTTP status of a message that is refused before its method is looked at."""
    return _HTTP_STATUS[error.code]


def status_from_method(error: RpcError, era: Era) -> int:
    """HTTP status of what a method answers: the legacy era keeps 200 for protocol errors."""
    return _STATUS_FROM_METHOD[era][error.code]


def echo(sent: str) -> str:
    """A name that the caller sent, cleaned and short enough to be sent back."""
    cleaned = clean(sent)
    return cleaned if len(cleaned) <= _LONGEST_ECHO else f"{cleaned[:_LONGEST_ECHO]}…"


def invalid_params(reason: str, data: Mapping[str, object] | None = None) -> RpcError:
    """Parameters that the method cannot take."""
    return RpcError(INVALID_PARAMS, f"Invalid params: {reason}", data)


def resource_not_found(uri: str, era: Era) -> RpcError:
    """Nothing under this address for this caller; each era has a code for it (server/resources)."""
    code = INVALID_PARAMS if era == "modern" else RESOURCE_NOT_FOUND
    return RpcError(code, "Resource not found", {"uri": uri})


def missing_capability(required: Mapping[str, object]) -> RpcError:
    """The method has to ask something that the client has not said it can be asked."""
    data = {"requiredCapabilities": required}
    return RpcError(MISSING_CAPABILITY, "Missing required client capability", data)


def insufficient_scope(scopes: tuple[str, ...]) -> RpcError:
    """A token without the scopes of what it asks for (RFC 6750 section 3.1)."""
    data = {"error": "insufficient_scope", "scope": " ".join(scopes)}
    return RpcError(INSUFFICIENT_SCOPE, "Insufficient scope", data)
