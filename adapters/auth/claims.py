"""Reads the claims of a genuine token, whatever their shape; what is wrong is refused by name."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from joserfc.errors import ClaimError, ExpiredTokenError
from joserfc.jwt import JWTClaimsRegistry

from domain.errors import UnauthenticatedError

Claims = Mapping[str, Any]

_REFUSALS: Final = {
    "iss": "The token is from another issuer.",
    "aud": "The token is for another audience.",
    "exp": "The token has no usable expiry.",
    "nbf": "The token is not valid yet.",
    "iat": "The token was issued in the future.",
    "sub": "The token names no usable subject.",
}
_LONGEST: Final = 1_000
_LAST_SECOND: Final = 253_402_300_799  # of the year 9999


def check_claims(
    claims: Claims, *, issuer: str, audiences: frozenset[str], now: datetime, leeway: timedelta
) -> None:
    """Let only an access token through that `issuer` made, for one of `audiences`, for now.

    Raises:
        UnauthenticatedError: anything else; the reason names the first thing that is wrong.
    """
    _refuse_id_token(claims)
    registry = JWTClaimsRegistry(
        now=int(now.timestamp()),
        leeway=int(leeway.total_seconds()),
        iss={"essential": True, "value": issuer},
        aud={"essential": True, "values": sorted(audiences)},
        exp={"essential": True},
    )
    try:
        registry.validate(dict(claims))
    except ExpiredTokenError:
        raise UnauthenticatedError("The token has expired.") from None
    except ClaimError as error:
        # Several missing claims are reported as one comma-separated name.
        first = error.claim.split(",")[0]
        raise UnauthenticatedError(
            _REFUSALS.get(first, "A claim of the token is not usable.")
        ) from None
    if text_of(claims, "sub") is None:
        raise UnauthenticatedError(_REFUSALS["sub"])


def scopes_of(claims: Claims) -> frozenset[str]:
    """The scopes of a token: RFC 9068 `scope`, or `scp`, as one string or a list of strings.

    Raises:
        UnauthenticatedError: both are there and differ, so nobody can say which was meant.
    """
    named = [_scopes(claims[name]) for name in ("scope", "scp") if claims.get(name) is not None]
    if len(set(named)) > 1:
        raise UnauthenticatedError("The scope and scp claims of the token differ.")
    return named[0] if named else frozenset()


def client_of(claims: Claims) -> str | None:
    """The client that the token was issued to: RFC 9068 `client_id`, or OpenID Connect's `azp`."""
    return text_of(claims, "client_id") or text_of(claims, "azp")


def text_of(claims: Claims, name: str) -> str | None:
    """A claim's text; None where there is none, or something no identifier is made of."""
    value = claims.get(name)
    # Not printable: NUL and lone surrogates, which PostgreSQL refuses, and what nobody can see.
    usable = isinstance(value, str) and 0 < len(value) <= _LONGEST and value.isprintable()
    return value if usable else None


def expiry_of(claims: Claims) -> float:
    """The end of a checked token in Unix seconds, no later than any calendar reaches."""
    return float(min(claims["exp"], _LAST_SECOND))


def _refuse_id_token(claims: Claims) -> None:
    client = client_of(claims)
    typ = claims.get("typ")
    is_id_token = (
        (isinstance(typ, str) and typ.upper() == "ID")
        or "at_hash" in claims
        or "c_hash" in claims
        or (client is not None and claims.get("aud") in (client, [client]))
    )
    if is_id_token:
        raise UnauthenticatedError("An ID token is not an access token.")


def _scopes(value: object) -> frozenset[str]:
    if isinstance(value, str):
        value = value.split(" ")
    if isinstance(value, list) and all(isinstance(scope, str) for scope in value):
        return frozenset(scope for scope in value if scope)
    return frozenset()
