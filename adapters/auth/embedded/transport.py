"""Asks the embedded issuer in the process, where its public address may not lead."""

from http import HTTPStatus
from typing import Any

import httpx

from adapters.auth.discovery import metadata_addresses
from adapters.auth.embedded.issuer import EmbeddedIssuer
from adapters.auth.embedded.messages import IncomingRequest


class EmbeddedIssuerTransport(httpx.AsyncBaseTransport):
    """Answers what we ask an issuer for, from the issuer itself."""

    def __init__(self, issuer: EmbeddedIssuer) -> None:
        self._issuer = issuer

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The metadata, the key set, or a token for a code; anything else does not exist."""
        address = str(request.url)
        if request.method == "POST" and address == self._issuer.openid_metadata()["token_endpoint"]:
            return await self._token(request)
        document = await self._document(address)
        if document is None:
            return httpx.Response(HTTPStatus.NOT_FOUND, request=request)
        return httpx.Response(HTTPStatus.OK, json=document, request=request)

    async def _token(self, request: httpx.Request) -> httpx.Response:
        answer = await self._issuer.token(
            IncomingRequest(
                body=await request.aread(),
                content_type=request.headers.get("content-type", ""),
                has_authorization="authorization" in request.headers,
            )
        )
        return httpx.Response(
            answer.status, content=answer.body, headers=dict(answer.headers), request=request
        )

    async def _document(self, address: str) -> dict[str, Any] | None:
        metadata = self._issuer.openid_metadata()
        if address in metadata_addresses(self._issuer.settings.issuer):
            return metadata
        return await self._issuer.key_set() if address == metadata["jwks_uri"] else None
