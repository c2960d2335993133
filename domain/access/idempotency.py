"""A key that makes a repeated write one effect: what it covers and what it gives back."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

RETENTION: Final = timedelta(hours=72)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyScope:
    """What one key belongs to: a person or client, an operation, and the ids in its path."""

    issuer: str
    subject: str
    operation: str
    path_ids: tuple[str, ...]
    key: str

    @property
    def digest(self) -> bytes:
        """The only form in which a key is stored."""
        parts = (self.issuer, self.subject, self.operation, *self.path_ids, self.key)
        return hashlib.sha256("\x1f".join(parts).encode()).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAnswer:
    """A finished write's answer, kept until `expires_at` (system time)."""

    fingerprint: bytes
    status: int
    body: bytes
    expires_at: datetime
