"""Results as bytes, with what each era adds to them."""

from dataclasses import dataclass
from typing import Final

import msgspec

from application.mcp.cleaning import clean
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
    info = {_SERVER_INFO_KEY: profile.server_info}
    members: dict[str, object] = {"resultType": "complete", "_meta": info}
    # What a caller may see hangs on the caller, so nothing is kept and nothing is shared.
    caching = {"ttlMs": 0, "cacheScope": "private"}
    return Decoration(
        plain=_trailing(members),
        cacheable=_trailing({**members, **caching}),
        asking=_trailing({**members, "resultType": "input_required"}),
    )


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


def _trailing(members: dict[str, object]) -> bytes:
    return b"," + encode(members)[1:-1]
