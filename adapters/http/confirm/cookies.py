"""Cookies of the confirmation page: how they are named, marked and read."""

from typing import Final, TypeVar
from urllib.parse import urlsplit

import msgspec

from adapters.http.messages import Headers

T = TypeVar("T")
SetCookie = tuple[bytes, bytes]

PIECE: Final = 3_500
"""Characters of a value that one cookie holds; browsers keep 4096 bytes with name and marks."""


class Cookies:
    """Cookies that scripts cannot read and that come with no form of another site.

    Over https they are bound to this very host (`__Host-`, RFC 6265bis §4.1.3); on http, where all
    ports of a machine share theirs, to the page's path.
    """

    def __init__(self, public_url: str) -> None:
        parts = urlsplit(public_url)
        is_secure = parts.scheme == "https"
        self._prefix = "__Host-dunning_confirm" if is_secure else "dunning_confirm"
        path = "/; Secure" if is_secure else f"{parts.path}/confirm"
        self._marks = f"Path={path}; HttpOnly; SameSite=Lax"

    def sent(self, headers: Headers) -> dict[str, str]:
        """Ours of the request by their name here, in the browser's order: the oldest first."""
        found: dict[str, str] = {}
        for header in headers.all(b"cookie"):
            for pair in header.split(";"):
                name, _, value = pair.strip().partition("=")
                if name.startswith(self._prefix):
                    found.setdefault(name.removeprefix(self._prefix), value)
        return found

    def keep(self, name: str, value: str, seconds: int) -> SetCookie:
        """Let the browser keep `value`, at most PIECE characters, for so long."""
        return self._header(f"{self._prefix}{name}={value}; Max-Age={seconds}; {self._marks}")

    def drop(self, name: str) -> SetCookie:
        """Let the browser forget it."""
        return self._header(f"{self._prefix}{name}=; Max-Age=0; {self._marks}")

    @staticmethod
    def _header(line: str) -> SetCookie:
        return b"set-cookie", line.encode("latin-1")


def opened_as(kind: type[T], opened: bytes | None) -> T | None:
    """What was sealed in a cookie, if it is of this kind: the browser may have moved it."""
    try:
        return None if opened is None else msgspec.msgpack.decode(opened, type=kind)
    except msgspec.DecodeError:
        return None
