"""The issuer's one signing key, shared by all processes through the store."""

import hmac
import json
from typing import Any

from joserfc.jwk import ECKey, OctKey

from adapters.auth.embedded.settings import SIGNING_ALGORITHM
from domain.ports.issuer import IssuerStore


class SigningKeys:
    """Loads the key at its first use; the process that comes first has made it."""

    def __init__(self, store: IssuerStore) -> None:
        self._store = store
        self._key: ECKey | None = None

    async def key(self) -> ECKey:
        """The private key that signs access tokens."""
        if self._key is None:
            fresh = ECKey.generate_key("P-256", {"use": "sig", "alg": SIGNING_ALGORITHM})
            fresh.ensure_kid()
            stored = await self._store.signing_key(json.dumps(fresh.as_dict(private=True)))
            self._key = ECKey.import_key(json.loads(stored))
        return self._key

    async def form_key(self) -> OctKey:
        """The secret that seals sign-in forms, derived so that every process has the same."""
        key = await self.key()
        secret = hmac.digest(key.as_der(private=True), b"sign-in form", "sha256")
        return OctKey.import_key(secret)

    async def published(self) -> dict[str, Any]:
        """The public key set (RFC 7517 §5)."""
        key = await self.key()
        return {"keys": [key.as_dict(private=False)]}
