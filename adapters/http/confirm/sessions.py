"""Who is signed in at the confirmation page: a sealed cookie, and nothing kept here."""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import msgspec

from adapters.http.confirm.cookies import Cookies, SetCookie, opened_as
from domain.access.principal import Principal
from domain.errors import UnauthenticatedError
from domain.ports.clocks import SystemClock
from domain.ports.sealing import Seal

LIFETIME: Final = timedelta(minutes=15)
MOST_BYTES: Final = 2_400
"""Bytes of a session: sealed, and with its name and marks, it fits into one cookie."""

_NAME: Final = ""


class _Content(msgspec.Struct, frozen=True, array_like=True, tag="session"):
    issuer: str
    subject: str
    client_id: str | None
    organization: str | None
    email: str | None
    email_verified: bool
    secret: bytes
    ends: datetime


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who has signed in; `secret` is what their forms are marked with."""

    principal: Principal
    secret: bytes

    def form_token(self, link: str) -> str:
        """What a form of this session on the page of `link` has to carry."""
        return hmac.digest(self.secret, link.encode(), hashlib.sha256).hex()

    def is_own_form(self, token: str, link: str) -> bool:
        """Whether a form with `token` was shown in this session, on the page of `link`."""
        return hmac.compare_digest(token.encode(), self.form_token(link).encode())


class Sessions:
    """Kept by the browser, sealed; a person is signed in for a quarter of an hour.

    Scopes are left out: they say what a client may do, and the page is none.
    """

    def __init__(self, seal: Seal, cookies: Cookies, clock: SystemClock) -> None:
        self._seal = seal
        self._cookies = cookies
        self._clock = clock

    def begin(self, principal: Principal) -> SetCookie:
        """The cookie of a new session. Raises UnauthenticatedError where it would be too large."""
        content = _Content(
            issuer=principal.issuer,
            subject=principal.subject,
            client_id=principal.client_id,
            organization=principal.organization,
            email=principal.email,
            email_verified=principal.email_verified,
            secret=secrets.token_bytes(32),
            ends=self._clock.now() + LIFETIME,
        )
        encoded = msgspec.msgpack.encode(content)
        if len(encoded) > MOST_BYTES:
            raise UnauthenticatedError("The token says more than a session can hold.")
        return self._cookies.keep(_NAME, self._seal.seal(encoded), int(LIFETIME.total_seconds()))

    def find(self, sent: Mapping[str, str]) -> Session | None:
        """The session of the request, if there is one and its time is not up."""
        content = opened_as(_Content, self._seal.open(sent.get(_NAME, "")))
        if content is None or content.ends <= self._clock.now():
            return None
        return Session(_principal(content), content.secret)


def _principal(content: _Content) -> Principal:
    return Principal(
        issuer=content.issuer,
        subject=content.subject,
        client_id=content.client_id,
        organization=content.organization,
        scopes=frozenset(),
        expires_at=content.ends.timestamp(),
        email=content.email,
        email_verified=content.email_verified,
    )
