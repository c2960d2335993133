"""Checks JWT access tokens of one OpenID Connect provider (RFC 9068, RFC 8725)."""

import json
from collections.abc import Mapping
from typing import Any, Final

from joserfc import jws
from joserfc.jwk import Key

from adapters.auth.claims import check_claims, client_of, expiry_of, scopes_of, text_of
from adapters.auth.key_ring import KeyRing
from adapters.auth.settings import OidcSettings
from domain.access.principal import Principal
from domain.errors import UnauthenticatedError
from domain.ports.clocks import SystemClock

_MAX_LENGTH: Final = 16_384
_TYPES: Final = frozenset({"jwt", "at+jwt", "application/at+jwt"})
_NOT_A_TOKEN: Final = "The token is not a signed JWT."  # noqa: S105 - a sentence


class _Registry(jws.JWSRegistry):
    """Unknown header members are ignored (RFC 7515 §4), and so are certificates in the header."""

    max_header_length = _MAX_LENGTH


class OidcVerifier:
    """Verifies tokens of one provider against the audiences that each surface accepts.

    Raises:
        ValueError: a surface with no audience, or a blank one, would accept any token.
    """

    def __init__(
        self,
        settings: OidcSettings,
        keys: KeyRing,
        clock: SystemClock,
        audiences: Mapping[str, frozenset[str]],
    ) -> None:
        for surface, accepted in audiences.items():
            if not accepted or not all(audience.strip() for audience in accepted):
                raise ValueError(f"The surface {surface!r} accepts no audience, or a blank one")
        self._settings = settings
        self._keys = keys
        self._clock = clock
        self._audiences = dict(audiences)
        self._registry = _Registry(algorithms=settings.algorithms, strict_check_header=False)

    async def __call__(self, token: str, surface: str, /) -> Principal:
        """The principal of `token` on `surface`.

        Raises:
            UnauthenticatedError: the token is refused; `reason` says why, and nothing of the token.
            UnavailableError: the provider's keys are not to be had.
        """
        signed = self._read(token)
        header = signed.headers()
        self._check_header(header)
        claims = _claims_of(signed)
        # Another provider's token must not make us ask ours for a key.
        if claims.get("iss") != self._settings.issuer:
            raise UnauthenticatedError("The token is from another issuer.")
        key = await self._keys.find(header.get("kid"), header["alg"])
        self._check_signature(signed, key)
        check_claims(
            claims,
            issuer=self._settings.issuer,
            audiences=self._audiences[surface],
            now=self._clock.now(),
            leeway=self._settings.leeway,
        )
        return self._principal(claims)

    def recall(self, _token: str, _surface: str, /) -> Principal | None:
        """Nothing: each check costs a signature."""
        return None

    def _read(self, token: str) -> jws.CompactSignature:
        if len(token) > _MAX_LENGTH or token.count(".") != 2 or not token.isascii():  # noqa: PLR2004 - header.claims.signature
            raise UnauthenticatedError(_NOT_A_TOKEN)
        try:
            signed = jws.extract_compact(token.encode(), None, self._registry)
        except Exception:  # noqa: BLE001 - whatever a hostile token makes the parser raise
            raise UnauthenticatedError(_NOT_A_TOKEN) from None
        if not isinstance(signed.headers(), dict):
            raise UnauthenticatedError(_NOT_A_TOKEN)
        return signed

    def _check_header(self, header: Mapping[str, Any]) -> None:
        if header.get("alg") not in self._settings.algorithms:
            raise UnauthenticatedError("The token's algorithm is not accepted.")
        if "crit" in header:  # RFC 7515 §4.1.11: we understand no extension
            raise UnauthenticatedError("The token has a critical header we do not know.")
        typ = header.get("typ", "JWT")
        if not isinstance(typ, str) or typ.lower() not in _TYPES:
            raise UnauthenticatedError("The token is not of the access token type.")
        if not isinstance(header.get("kid", ""), str):
            raise UnauthenticatedError(_NOT_A_TOKEN)

    def _check_signature(self, signed: jws.CompactSignature, key: Key) -> None:
        try:
            genuine = jws.validate_compact(signed, key, registry=self._registry)
        except Exception:  # noqa: BLE001 - a key and a signature that do not fit are a refusal
            genuine = False
        if not genuine:
            raise UnauthenticatedError("The token's signature is not valid.")

    def _principal(self, claims: Mapping[str, Any]) -> Principal:
        return Principal(
            issuer=self._settings.issuer,
            subject=claims["sub"],
            client_id=client_of(claims),
            organization=text_of(claims, self._settings.organization_claim),
            scopes=scopes_of(claims),
            expires_at=expiry_of(claims),
            email=text_of(claims, "email"),
            email_verified=claims.get("email_verified") is True,
        )


def _claims_of(signed: jws.CompactSignature) -> Mapping[str, Any]:
    try:
        claims = json.loads(signed.payload)
    except (ValueError, RecursionError):
        raise UnauthenticatedError(_NOT_A_TOKEN) from None
    if not isinstance(claims, dict):
        raise UnauthenticatedError(_NOT_A_TOKEN)
    return claims
