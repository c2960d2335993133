"""Carries an authorization request through the sign-in form, for one browser and a short while."""

import hashlib
import re
import secrets
from datetime import datetime
from typing import Final

from joserfc import jwt
from joserfc.jwk import OctKey
from joserfc.jwt import JWTClaimsRegistry

from adapters.auth.embedded.messages import Parameters

_ALGORITHM: Final = "HS256"
_BROWSER: Final = re.compile(r"[A-Za-z0-9_-]{43}")


def browser_value(sent: str | None) -> str:
    """The value that marks a browser: the one it sent, so that its other tabs stay good, or new."""
    if sent is not None and _BROWSER.fullmatch(sent):
        return sent
    return secrets.token_urlsafe(32)


def seal(asked: Parameters, browser: str, until: datetime, key: OctKey) -> str:
    """`asked` as text that only the same browser can hand back, until `until`."""
    claims = {"asked": asked, "browser": _digest(browser), "exp": int(until.timestamp())}
    return jwt.encode({"alg": _ALGORITHM}, claims, key)


def unseal(sealed: str, browser: str | None, now: datetime, key: OctKey) -> Parameters | None:
    """What was sealed; None when it is forged, too old, or comes from another browser."""
    if browser is None:
        return None
    registry = JWTClaimsRegistry(
        now=int(now.timestamp()), exp={"essential": True}, browser={"value": _digest(browser)}
    )
    try:
        claims = jwt.decode(sealed, key, [_ALGORITHM]).claims
        registry.validate(claims)
    except Exception:  # noqa: BLE001 - whatever a hostile form makes the parser raise
        return None
    asked: Parameters = claims["asked"]
    return asked


def _digest(browser: str) -> str:
    return hashlib.sha256(browser.encode()).hexdigest()
