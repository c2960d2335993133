"""Header values that repeat what the body says (streamable HTTP, 2026-07-28)."""

import binascii
from base64 import b64decode
from collections.abc import Sequence
from typing import Final

import msgspec

RawHeaders = Sequence[tuple[bytes, bytes]]

VERSION: Final = "MCP-Protocol-Version"
METHOD: Final = "Mcp-Method"
NAME: Final = "Mcp-Name"

_ROUTING: Final = {header.lower().encode(): header for header in (VERSION, METHOD, NAME)}
_BLANKS: Final = b" \t"
_ENCODED_START: Final = "=?base64?"
_ENCODED_END: Final = "?="


class Routing(msgspec.Struct, frozen=True):
    """What the routing headers say; None where one was not sent.

    `are_headers` is False on connections without headers: nothing repeats the message there, and
    `version` is the one that the connection has settled on.
    """

    version: str | None = None
    method: str | None = None
    name: str | None = None
    repeated: str | None = None
    are_headers: bool = True

    def value_of(self, header: str) -> str | None:
        """What the routing header called `header` says."""
        return {VERSION: self.version, METHOD: self.method, NAME: self.name}[header]


def read_routing(headers: RawHeaders) -> Routing:
    """Read the routing headers; names are lower case already, as in ASGI.

    Lines of one header are joined by a comma, as RFC 9110 section 5.3 has it; `repeated` names
    a header that had several.
    """
    sent: dict[str, str] = {}
    repeated = None
    for raw_name, raw in headers:
        header = _ROUTING.get(raw_name)
        if header is None:
            continue
        value = raw.strip(_BLANKS).decode("latin-1")
        if header in sent:
            repeated = repeated or header
            value = f"{sent[header]}, {value}"
        sent[header] = value
    return Routing(sent.get(VERSION), sent.get(METHOD), sent.get(NAME), repeated)


def read_all(headers: RawHeaders, name: str) -> list[str]:
    """Every value of the header that is called `name`, in any case."""
    wanted = name.lower().encode()
    return [raw.strip(_BLANKS).decode("latin-1") for header, raw in headers if header == wanted]


def is_plain(value: str) -> bool:
    """Whether every character is one that a header value may have."""
    return value.isascii() and value.replace("\t", " ").isprintable()


def decoded(value: str) -> str | None:
    """The value that `=?base64?…?=` stands for, other values as they are, None for a bad one."""
    if not is_plain(value):
        return None
    if not (value.startswith(_ENCODED_START) and value.endswith(_ENCODED_END)):
        return value
    return _from_base64(value[len(_ENCODED_START) : -len(_ENCODED_END)])


def _from_base64(text: str) -> str | None:
    try:
        raw = b64decode(text, validate=True)
        return raw.decode() if binascii.b2a_base64(raw, newline=False).decode() == text else None
    except ValueError:
        return None
