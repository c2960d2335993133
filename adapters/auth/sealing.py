"""Seals over one key ring: what leaves the service and has to come back unread and unchanged."""

import logging
from collections.abc import Callable
from typing import Final

from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from joserfc import jwe
from joserfc.jwk import GuestProtocol, OctKey

from adapters.auth.seal_keys import ID_LENGTH, SealingRing, base64url, from_base64url
from domain.ports.sealing import ContentTooLongError

log = logging.getLogger(__name__)

_ALGORITHM: Final = "dir"
_ENCRYPTION: Final = "A256GCM"
_ENCRYPTION_KEY_BYTES: Final = 32
_LONGEST_JWE: Final = 4_096

_STEADY: Final = "AES-SIV"
_STEADY_KEY_BYTES: Final = 64
_LONGEST_STEADY: Final = 6_144


class JweSeal:
    """Seals as JWE in compact form (RFC 7516 §3.1), never twice the same.

    What would be longer than 4096 characters is not sealed and not opened.
    """

    def __init__(self, ring: SealingRing, purpose: str) -> None:
        self._sealing_id = ring.first.id
        self._keys = {
            key.id: OctKey.import_key(key.derived(_ENCRYPTION, purpose, _ENCRYPTION_KEY_BYTES))
            for key in ring.keys
        }

    def seal(self, content: bytes, /) -> str:
        """`content` under the first key of the ring."""
        header = _header(self._sealing_id)
        key = self._keys[self._sealing_id]
        sealed = jwe.encrypt_compact(header, content, key, [_ALGORITHM, _ENCRYPTION])
        return _bounded(sealed, _LONGEST_JWE)

    def open(self, sealed: str, /) -> bytes | None:
        """The content; None for anything that no key of the ring sealed for this purpose."""
        return _opened(self._unseal, sealed, _LONGEST_JWE)

    def _unseal(self, sealed: str) -> bytes | None:
        return jwe.decrypt_compact(sealed, self._key_of, [_ALGORITHM, _ENCRYPTION]).plaintext

    def _key_of(self, asked: GuestProtocol) -> OctKey:
        header = asked.headers()
        kid = header["kid"]
        if header != _header(kid):
            raise ValueError("The header is not one of ours")
        return self._keys[kid]


class SteadySeal:
    """Seals the same content as the same text each time (AES-SIV, RFC 5297), for addresses.

    The text is base64url and begins with the id of its key. Whoever sees two texts sees whether
    their contents are equal. What would be longer than 6144 characters is not sealed and not
    opened.
    """

    def __init__(self, ring: SealingRing, purpose: str) -> None:
        self._associated = [purpose.encode()]
        self._sealing_id = ring.first.id
        self._ciphers = {
            key.id: AESSIV(key.derived(_STEADY, purpose, _STEADY_KEY_BYTES)) for key in ring.keys
        }

    def seal(self, content: bytes, /) -> str:
        """`content` under the first key of the ring."""
        encrypted = self._ciphers[self._sealing_id].encrypt(content, self._associated)
        return _bounded(self._sealing_id + base64url(encrypted), _LONGEST_STEADY)

    def open(self, sealed: str, /) -> bytes | None:
        """The content; None for anything that no key of the ring sealed for this purpose."""
        return _opened(self._unseal, sealed, _LONGEST_STEADY)

    def _unseal(self, sealed: str) -> bytes:
        cipher = self._ciphers[sealed[:ID_LENGTH]]
        return cipher.decrypt(from_base64url(sealed[ID_LENGTH:]), self._associated)


def _header(kid: str) -> dict[str, str]:
    return {"alg": _ALGORITHM, "enc": _ENCRYPTION, "kid": kid}


def _bounded(sealed: str, longest: int) -> str:
    if len(sealed) > longest:
        raise ContentTooLongError(f"Sealed it has more than {longest} characters")
    return sealed


def _opened(unseal: Callable[[str], bytes | None], sealed: str, longest: int) -> bytes | None:
    try:
        return unseal(_bounded(sealed, longest))
    except Exception as refused:  # noqa: BLE001 - whatever a hostile text makes the parser raise
        log.debug("Nothing that was sealed here: %s", type(refused).__name__)
        return None
