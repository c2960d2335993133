"""The keys that seal: one ring for all processes, of which the first seals and all open."""

import hashlib
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

ID_LENGTH: Final = 8
"""Characters of a key's id."""

_KEY_BYTES: Final = 32
_ID_BYTES: Final = 6


@dataclass(frozen=True, slots=True)
class SealingKey:
    """256 secret bits, from which a key of its own is derived for each purpose."""

    secret: bytes = field(repr=False)

    @property
    def id(self) -> str:
        """A digest that names the key and tells nothing of it, in base64url."""
        digest = hashlib.sha256(b"dunning sealing key id:" + self.secret).digest()
        return base64url(digest[:_ID_BYTES])

    def derived(self, algorithm: str, purpose: str, length: int) -> bytes:
        """`length` secret bytes for one algorithm and one purpose (HKDF, RFC 5869)."""
        # Without the algorithm the shorter of two keys would be the beginning of the longer one.
        info = f"{algorithm} {purpose}".encode()
        return HKDF(SHA256(), length, salt=None, info=info).derive(self.secret)


@dataclass(frozen=True, slots=True)
class SealingRing:
    """Keys of which the first seals and all open.

    Raises:
        ValueError: there is no key, or one is there twice; the text may be shown.
    """

    keys: tuple[SealingKey, ...]

    def __post_init__(self) -> None:
        if not self.keys:
            raise ValueError("has no key; `dunning keys add` makes one")
        if len({key.id for key in self.keys}) < len(self.keys):
            raise ValueError("has the same key twice; leave one of the two out")

    @classmethod
    def fresh(cls) -> "SealingRing":
        """A ring of one random key."""
        return cls((_random_key(),))

    @classmethod
    def read(cls, texts: Iterable[str]) -> "SealingRing":
        """The ring that `texts` gave.

        Raises:
            ValueError: as above, or one is not 32 bytes in canonical base64url without padding.
        """
        return cls(tuple(map(_read_key, texts)))

    @property
    def first(self) -> SealingKey:
        """The key that seals."""
        return self.keys[0]

    @property
    def texts(self) -> tuple[str, ...]:
        """The keys themselves, each in base64url: secret."""
        return tuple(base64url(key.secret) for key in self.keys)

    def with_another(self) -> "SealingRing":
        """The same with a random key behind the others: it opens, and does not seal yet."""
        return SealingRing((*self.keys, _random_key()))

    def promoted(self) -> "SealingRing":
        """The same with the last key in front."""
        *others, last = self.keys
        return SealingRing((last, *others))

    def reduced(self) -> "SealingRing":
        """Only the key that seals."""
        return SealingRing((self.first,))


def base64url(content: bytes) -> str:
    """`content` in base64url without padding (RFC 7515 §2)."""
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """What `base64url` made `text` of.

    Raises:
        ValueError: it would not have made this very text: bits behind the end, padding, whitespace.
    """
    content = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if base64url(content) != text:
        raise ValueError("The text is not canonical base64url")
    return content


def _random_key() -> SealingKey:
    return SealingKey(secrets.token_bytes(_KEY_BYTES))


def _read_key(text: str) -> SealingKey:
    try:
        secret = from_base64url(text)
    except ValueError:
        secret = b""
    if len(secret) != _KEY_BYTES:
        raise ValueError(
            "each key is 32 random bytes as 43 characters of base64url without padding; "
            "`SEALING_KEYS= dunning keys add` makes one"
        )
    return SealingKey(secret)
