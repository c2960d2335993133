"""Public clients, and which addresses they may be sent back to."""

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import SplitResult, urlsplit

from authlib.oauth2.rfc6749 import ClientMixin

from domain.access.scopes import SCOPES, UMBRELLAS
from domain.ports.issuer import IssuerStore, RegisteredClient

_CLIENT_ID: Final = re.compile(r"[A-Za-z0-9._~-]{1,100}")
_URI: Final = re.compile(r"[A-Za-z0-9\-._~:/?\[\]@!$&'()*+,;=%]{1,2000}")
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


def is_client_id(text: str) -> bool:
    """Whether `text` could be an id that we issued; anything else is not looked up."""
    return _CLIENT_ID.fullmatch(text) is not None


def is_trustworthy(uri: str) -> bool:
    """Whether a code may travel to `uri`: https, or http on this machine (RFC 8252 §7.3)."""
    parts = _split(uri)
    if parts is None or parts.username is not None or not parts.hostname:
        return False
    return parts.scheme == "https" or _is_loopback(parts)


def is_same_redirect(registered: str, asked: str) -> bool:
    """Whether `asked` is the registered address; on this machine any port will do."""
    if registered == asked:
        return True
    one, other = _split(registered), _split(asked)
    if one is None or other is None or not is_trustworthy(asked):
        return False
    return _is_loopback(one) and _without_port(one) == _without_port(other)


class Clients:
    """Everybody who may ask for a code: the service's own client, and those that registered."""

    def __init__(self, store: IssuerStore, own: RegisteredClient | None) -> None:
        self._store = store
        self._own = own

    async def find(self, client_id: str) -> RegisteredClient | None:
        """The client of this id."""
        if self._own is not None and client_id == self._own.client_id:
            return self._own
        return await self._store.client(client_id) if is_client_id(client_id) else None


class PublicClient(ClientMixin):
    """A client as Authlib asks about it: no secret, one grant, one response type.

    `is_own`: it is the service's own, whose address has no port to choose.
    """

    def __init__(
        self, row: RegisteredClient, default_scopes: Iterable[str], *, is_own: bool = False
    ) -> None:
        self._row = row
        self._default_scopes = tuple(default_scopes)
        self._is_own = is_own

    def get_client_id(self) -> str:
        """Its id."""
        return self._row.client_id

    def get_default_redirect_uri(self) -> str | None:
        """The address to use when none is named, where there is only one."""
        uris = self._row.redirect_uris
        return uris[0] if len(uris) == 1 else None

    def get_allowed_scope(self, scope: str | None) -> str | None:
        """What of `scope` this issuer knows; the rest is ignored (RFC 6749 §3.3)."""
        asked = self._default_scopes if scope is None else scope.split(" ")
        known = [s for s in dict.fromkeys(asked) if s in SCOPES or s in UMBRELLAS]
        return " ".join(known) or None

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Whether the client registered this address."""
        if self._is_own:
            return redirect_uri in self._row.redirect_uris
        return any(is_same_redirect(uri, redirect_uri) for uri in self._row.redirect_uris)

    def check_client_secret(self, _client_secret: str) -> bool:
        """Never: it has none."""
        return False

    def check_endpoint_auth_method(self, method: str, _endpoint: str) -> bool:
        """Whether it says who it is in this way."""
        return method == "none"

    def check_response_type(self, response_type: str) -> bool:
        """Whether it may ask for this."""
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        """Whether it may redeem this."""
        return grant_type == "authorization_code"


def _split(uri: str) -> SplitResult | None:
    if _URI.fullmatch(uri) is None:
        return None
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _is_loopback(parts: SplitResult) -> bool:
    return parts.scheme == "http" and parts.hostname in _LOOPBACK


def _without_port(parts: SplitResult) -> tuple[str, str | None, str, str]:
    return parts.scheme, parts.hostname, parts.path, parts.query
