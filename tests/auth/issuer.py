"""A signing OpenID Connect provider that answers without a socket and counts what it is asked."""

import asyncio
import base64
import json
from collections import Counter
from typing import Any

import httpx
from joserfc.jwk import ECKey, Key, RSAKey
from joserfc.jws import JWSRegistry

from tests.auth.clock import FakeSystemClock

ISSUER = "https://id.example.com/realms/aurora"
AUDIENCE = "https://dunning.example.com/mcp"
RSA = RSAKey.generate_key(2048, {"use": "sig", "kid": "rsa-1"})
EC = ECKey.generate_key("P-256", {"use": "sig", "kid": "ec-1"})

Headers = dict[str, Any]
Claims = dict[str, Any]


class FakeIssuer:
    def __init__(self, clock: FakeSystemClock, issuer: str = ISSUER) -> None:
        self.clock = clock
        self.issuer = issuer
        self.keys: list[Key] = [RSA, EC]
        self.odd_entries: list[Any] = []
        self.metadata: dict[str, Any] = {"issuer": issuer, "jwks_uri": f"{issuer}/keys"}
        self.metadata_paths = {"/realms/aurora/.well-known/openid-configuration"}
        self.odd_answers: dict[str, httpx.Response] = {}
        self.is_down = False
        self.hangs = False
        self.asked: Counter[str] = Counter()
        self.http = httpx.AsyncClient(transport=httpx.MockTransport(self._answer))

    @property
    def key_fetches(self) -> int:
        return self.asked["/realms/aurora/keys"]

    @property
    def requests(self) -> int:
        return self.asked.total()

    def claims(self, **changes: object) -> Claims:
        now = self.clock.timestamp()
        claims: Claims = {
            "iss": self.issuer,
            "aud": AUDIENCE,
            "sub": "user-1",
            "client_id": "some-client",
            "scope": "dunning.read dunning.write",
            "org_id": "org_aurora",
            "iat": now,
            "exp": now + 600,
            "jti": "one",
        }
        claims.update(changes)
        return {name: value for name, value in claims.items() if value is not ...}

    def token(self, *, key: Key = RSA, header: Headers | None = None, **changes: object) -> str:
        """A token with usual claims, changed by keyword; `...` leaves a claim out."""
        return self.signed(self.claims(**changes), key=key, header=header)

    def signed(self, claims: object, *, key: Key = RSA, header: Headers | None = None) -> str:
        """Exactly these claims under a genuine signature, whatever their shape."""
        algorithm = "ES256" if key.key_type == "EC" else "RS256"
        protected = {"alg": algorithm, "kid": key.kid, "typ": "at+jwt", **(header or {})}
        protected = {name: value for name, value in protected.items() if value is not ...}
        payload = claims if isinstance(claims, bytes) else json.dumps(claims).encode()
        return sign(protected, payload, key)

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        assert "authorization" not in request.headers
        self.asked[request.url.path] += 1
        await asyncio.sleep(0)
        if self.hangs:
            await asyncio.Event().wait()
        if self.is_down:
            raise httpx.ConnectError("refused", request=request)
        if request.url.path in self.odd_answers:
            return self.odd_answers[request.url.path]
        if request.url.path in self.metadata_paths:
            return httpx.Response(200, json=self.metadata)
        if request.url.path == "/realms/aurora/keys":
            published = [key.as_dict(private=False) for key in self.keys]
            return httpx.Response(200, json={"keys": [*self.odd_entries, *published]})
        return httpx.Response(404, text="<html>not here</html>")


def sign(header: Headers, payload: bytes, key: Key) -> str:
    """A compact JWS of any header, which the library would refuse to make."""
    signing_input = f"{segment(json.dumps(header).encode())}.{segment(payload)}"
    algorithm = JWSRegistry.algorithms["ES256" if key.key_type == "EC" else "RS256"]
    return f"{signing_input}.{segment(algorithm.sign(signing_input.encode(), key))}"


def segment(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
