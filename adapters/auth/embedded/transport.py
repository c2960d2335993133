"""Reads the embedded issuer's documents in the process, where its public address may not lead."""

from http import HTTPStatus
from typing import Any

import httpx

from adapters.auth.discovery import metadata_addresses
from adapters.auth.embedded.issuer import EmbeddedIssuer


class EmbeddedIssuerTransport(httpx.AsyncBaseTransport):
    """Answers what a key ring asks an issuer for, from the issuer itself."""

    def __init__(self, issuer: EmbeddedIssuer) -> None:
        self._issuer = issuer

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The metadata or the key set; anything else does not exist."""
        document = await self._document(str(request.url))
        if document is None:
            return httpx.Response(HTTPStatus.NOT_FOUND, request=request)
        return httpx.Response(HTTPStatus.OK, json=document, request=request)

    async def _document(self, address: str) -> dict[str, Any] | None:
        metadata = self._issuer.openid_metadata()
        if address in metadata_addresses(self._issuer.settings.issuer):
            return metadata
        return await self._issuer.key_set() if address == metadata["jwks_uri"] else None
