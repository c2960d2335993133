"""Results as bytes, with what each era adds to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from application.mcp.cleaning import clean
from application.mcp.errors import RequestId, RpcError
from application.mcp.outcomes import Complete
from application.mcp.profile import ServerProfile
from application.mcp.revisions import REVISIONS

_SERVER_INFO_KEY: Final = "io.modelcontextprotocol/serverInfo"
_ENCODER: Final = msgspec.json.Encoder()

encode: Final = _ENCODER.encode


@dataclass(frozen=True, slots=True)
class Decoration:
    """Members that follow those of a result.

    Of any complete one, of one that may be cached, and of one that needs input first.
    """

    plain: bytes
    cacheable: bytes
    asking: bytes


_NONE: Final = Decoration(b"", b"", b"")


def decoration(profile: ServerProfile, revision: str) -> Decoration:
    """What a server adds to its results in `revision`; nothing in the legacy era."""
    if REVISIONS[revision] == "legacy":
        return _NONE
    members: dict[str, object] = {"resultType": "complete", "_meta": server_meta(profile)}
    # What a caller may see hangs on the caller, so nothing is kept and nothing is shared.
    caching = {"ttlMs": 0, "cacheScope": "private"}
    return Decoration(
        plain=_trailing(members),
        cacheable=_trailing({**members, **caching}),
        asking=_trailing({**members, "resultType": "input_required"}),
    )


def server_meta(profile: ServerProfile) -> dict[str, object]:
    """What every modern result says of its server."""
    return {_SERVER_INFO_KEY: profile.server_info}


def text_result(text: bytes, trailing: bytes, *, is_error: bool = False) -> Complete:
    """A result of one block of cleaned text; `trailing` is the decoration."""
    return Complete(
        (
            b'{"content":[{"type":"text","text":',
            encode(clean(text.decode())),
            b'}],"isError":true' if is_error else b"}]",
            trailing,
            b"}",
        )
    )


def closed(members: Mapping[str, object], trailing: bytes) -> Complete:
    """A result of cleaned `members`, of which there are some, with its decoration."""
    return Complete((clean(encode(members)[:-1].decode()).encode(), trailing, b"}"))


def error_message(error: RpcError, request_id: RequestId | None) -> bytes:
    """The JSON-RPC message of an error."""
    return encode({"jsonrpc": "2.0", "id": request_id, "error": error_object(error)})


def error_object(error: RpcError) -> dict[str, object]:
    """An error as a JSON-RPC message carries it."""
    members: dict[str, object] = {"code": error.code, "message": error.message}
    return members if error.data is None else {**members, "data": error.data}


def _trailing(members: dict[str, object]) -> bytes:
    return b"," + encode(members)[1:-1]
