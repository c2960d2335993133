"""Mints JWT access tokens (RFC 9068)."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from joserfc import jwt
from joserfc.jwk import ECKey

from adapters.auth.embedded.settings import (
    ORGANIZATION_CLAIM,
    SIGNING_ALGORITHM,
    EmbeddedSettings,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearer:
    """Whom a token is for and what it allows.

    An API client's `subject` is its client id. `resource` None is the issuer's default; a negative
    `lifetime` makes a token that has expired.
    """

    subject: str
    client_id: str
    organization_id: str | None
    scopes: Iterable[str]
    resource: str | None = None
    lifetime: timedelta = timedelta(hours=1)
    email: str | None = None
    email_verified: bool = True


def access_token(settings: EmbeddedSettings, key: ECKey, now: datetime, bearer: Bearer) -> str:
    """A token for `bearer`, signed with `key` and issued `now`."""
    header = {"alg": SIGNING_ALGORITHM, "typ": "at+jwt", "kid": key.kid}
    return jwt.encode(header, _claims(settings, now, bearer), key)


def _claims(settings: EmbeddedSettings, now: datetime, bearer: Bearer) -> dict[str, Any]:
    ends = now + bearer.lifetime
    claims = {
        "iss": settings.issuer,
        "aud": bearer.resource or settings.resources[0],
        "sub": bearer.subject,
        "client_id": bearer.client_id,
        "scope": " ".join(bearer.scopes),
        "iat": int(min(now, ends).timestamp()),
        "exp": int(ends.timestamp()),
        "jti": secrets.token_urlsafe(16),
    }
    if bearer.organization_id is not None:
        claims[ORGANIZATION_CLAIM] = bearer.organization_id
    if bearer.email is not None:
        claims |= {"email": bearer.email, "email_verified": bearer.email_verified}
    return claims
