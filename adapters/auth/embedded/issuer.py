"""The embedded issuer as a whole: its documents, its endpoints, and minting without a browser."""

# Authlib is not typed.

from http import HTTPStatus
from typing import Any

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import InvalidRequestError

from adapters.auth.embedded.authorization import AuthorizationEndpoint
from adapters.auth.embedded.clients import Clients
from adapters.auth.embedded.exchange import Exchange
from adapters.auth.embedded.grants import code_digest
from adapters.auth.embedded.keys import SigningKeys
from adapters.auth.embedded.messages import (
    Answer,
    IncomingRequest,
    IssuerRequest,
    Parameters,
    error_answer,
    form_parameters,
    json_answer,
)
from adapters.auth.embedded.metadata import oauth_metadata, openid_metadata
from adapters.auth.embedded.registration import read_registration, registration_body
from adapters.auth.embedded.server import IssuerServer
from adapters.auth.embedded.settings import EmbeddedSettings
from adapters.auth.embedded.tokens import Bearer, access_token
from domain.ports.clocks import SystemClock
from domain.ports.issuer import DemoPerson, IssuedCode, IssuerStore


class EmbeddedIssuer:
    """An authorization server whose rows are in `store`; for development only."""

    def __init__(self, settings: EmbeddedSettings, store: IssuerStore, clock: SystemClock) -> None:
        self.settings = settings
        self._store = store
        self._clients = Clients(store, settings.own_client)
        self._clock = clock
        self._keys = SigningKeys(store)
        self.authorization = AuthorizationEndpoint(settings, store, clock, self._keys)

    def oauth_metadata(self) -> dict[str, Any]:
        """Authorization server metadata (RFC 8414)."""
        return oauth_metadata(self.settings)

    def openid_metadata(self) -> dict[str, Any]:
        """The same as OpenID Connect Discovery has it."""
        return openid_metadata(self.settings)

    async def key_set(self) -> dict[str, Any]:
        """The public keys (RFC 7517)."""
        return await self._keys.published()

    async def mint(self, bearer: Bearer) -> str:
        """An access token for `bearer`, with no questions asked."""
        return access_token(self.settings, await self._keys.key(), self._clock.now(), bearer)

    async def register(self, request: IncomingRequest) -> Answer:
        """The registration endpoint (RFC 7591 §3)."""
        try:
            client = read_registration(request.body, self._clock.now())
        except OAuth2Error as error:
            return error_answer(error)
        await self._store.save_client(client)
        return json_answer(HTTPStatus.CREATED, registration_body(client))

    async def token(self, request: IncomingRequest) -> Answer:
        """The token endpoint (RFC 6749 §4.1.3)."""
        try:
            form = form_parameters(request)
            if "grant_type" not in form:
                raise InvalidRequestError("The grant_type is missing.")
            server = IssuerServer(await self._exchange(form))
            oauth = IssuerRequest(
                "POST",
                f"{self.settings.issuer}/token",
                form,
                has_authorization=request.has_authorization,
            )
            answer: Answer = server.create_token_response(oauth)
        except OAuth2Error as error:
            return error_answer(error)
        return answer

    async def _exchange(self, form: Parameters) -> Exchange:
        code = await self._taken(form)
        return Exchange(
            settings=self.settings,
            now=self._clock.now(),
            client=await self._clients.find(form.get("client_id", [""])[0]),
            code=code,
            person=None if code is None else await self._holder(code),
            key=await self._keys.key(),
        )

    async def _taken(self, form: Parameters) -> IssuedCode | None:
        if "code" not in form or form.get("grant_type") != ["authorization_code"]:
            return None
        return await self._store.take_code(code_digest(form["code"][0]))

    async def _holder(self, code: IssuedCode) -> DemoPerson | None:
        for person in await self._store.people():
            if (person.subject, person.organization_id) == (code.subject, code.organization_id):
                return person
        return None
