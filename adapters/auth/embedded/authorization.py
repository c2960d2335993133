"""The authorization endpoint: shows who may sign in, and acts on what the person chooses."""

# Authlib is not typed.

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import InvalidRequestError

from adapters.auth.embedded.clients import Clients
from adapters.auth.embedded.consent import ScopeOffer, offer
from adapters.auth.embedded.exchange import Exchange
from adapters.auth.embedded.grants import CodeGrant, resource_of
from adapters.auth.embedded.keys import SigningKeys
from adapters.auth.embedded.messages import (
    Answer,
    IncomingRequest,
    IssuerRequest,
    Parameters,
    form_parameters,
    parameters,
)
from adapters.auth.embedded.pages import Pages, SignIn, person_key
from adapters.auth.embedded.seal import browser_value, seal, unseal
from adapters.auth.embedded.server import IssuerServer
from adapters.auth.embedded.settings import EmbeddedSettings
from domain.ports.clocks import SystemClock
from domain.ports.issuer import DemoPerson, IssuerStore

COOKIE: Final = "dunning_sign_in"
_LONGEST_QUERY: Final = 8_192


@dataclass(frozen=True, slots=True)
class _Asked:
    """A valid authorization request, and the server that found it so."""

    sent: Parameters
    server: IssuerServer
    grant: CodeGrant

    @property
    def offer(self) -> ScopeOffer:
        return offer(self.grant.request.scope.split(" "))


class _RefusedError(Exception):
    """The request is answered already."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer


class AuthorizationEndpoint:
    """Authorization requests of RFC 6749 §4.1.1, decided by a person."""

    def __init__(
        self, settings: EmbeddedSettings, store: IssuerStore, clock: SystemClock, keys: SigningKeys
    ) -> None:
        self._settings = settings
        self._store = store
        self._clients = Clients(store, settings.own_client)
        self._clock = clock
        self._keys = keys
        self._pages = Pages(settings)

    async def show(self, request: IncomingRequest) -> Answer:
        """The sign-in page, or the refusal of the request."""
        try:
            asked = await self._read(request)
        except _RefusedError as refused:
            return refused.answer
        browser = browser_value(request.browser)
        until = self._clock.now() + self._settings.form_lifetime
        sealed = seal(asked.sent, browser, until, await self._keys.form_key())
        page = self._pages.sign_in(await self._sign_in(asked, sealed), request.language)
        return Answer(page.status, page.body, {**page.headers, "Set-Cookie": self._cookie(browser)})

    async def decide(self, request: IncomingRequest) -> Answer:
        """Send the browser back with a code, or with the person's refusal."""
        try:
            form = form_parameters(request)
        except InvalidRequestError:
            return self._pages.stale(request.language)
        sent = unseal(
            form.get("request", [""])[0],
            request.browser,
            self._clock.now(),
            await self._keys.form_key(),
        )
        if sent is None:
            return self._pages.stale(request.language)
        try:
            asked = await self._validated(sent, request)
        except _RefusedError as refused:
            return refused.answer
        if form.get("action") != ["allow"]:
            return await self._answered(asked, None)
        return await self._allowed(asked, form, request)

    async def _allowed(self, asked: _Asked, form: Parameters, request: IncomingRequest) -> Answer:
        person = await self._person(form.get("person", [""])[0])
        umbrella = form.get("umbrella", [None])[0]
        extras = {name.removeprefix("extra.") for name in form}
        chosen = asked.offer.narrowed_to(umbrella, extras)
        if person is None or chosen is None:
            return self._pages.incomplete(request.language)
        asked.server.exchange.chosen_scopes = chosen
        return await self._answered(asked, person)

    async def _answered(self, asked: _Asked, person: DemoPerson | None) -> Answer:
        exchange = asked.server.exchange
        exchange.person = person
        answer: Answer = asked.server.create_authorization_response(
            asked.grant.request, grant_user=person, grant=asked.grant
        )
        if exchange.issued is not None:
            await self._store.save_code(exchange.issued)
        return answer

    async def _read(self, request: IncomingRequest) -> _Asked:
        if len(request.query) > _LONGEST_QUERY:
            raise _RefusedError(self._pages.too_long(request.language))
        try:
            sent = parameters(request.query)
        except InvalidRequestError as error:
            raise _RefusedError(self._pages.refused(error, request.language)) from error
        return await self._validated(sent, request)

    async def _validated(self, sent: Parameters, request: IncomingRequest) -> _Asked:
        client = await self._clients.find(sent.get("client_id", [""])[0])
        now = self._clock.now()
        server = IssuerServer(Exchange(settings=self._settings, now=now, client=client))
        oauth = IssuerRequest("GET", f"{self._settings.issuer}/authorize", sent)
        try:
            grant: CodeGrant = server.get_consent_grant(oauth)
        except OAuth2Error as error:
            # RFC 6749 §4.1.2.1: never to an address that is not the client's.
            answer = (
                server.refuse(oauth, error)
                if error.redirect_uri
                else self._pages.refused(error, request.language)
            )
            raise _RefusedError(answer) from error
        return _Asked(sent, server, grant)

    async def _sign_in(self, asked: _Asked, sealed: str) -> SignIn:
        exchange = asked.server.exchange
        assert exchange.client is not None  # noqa: S101 - the request is valid
        return SignIn(
            client_name=exchange.client.name,
            is_own=exchange.client == self._settings.own_client,
            returns_to=urlsplit(asked.grant.redirect_uri).netloc,
            resource=resource_of(asked.grant.request, exchange),
            people=tuple(await self._store.people()),
            offer=asked.offer,
            sealed=sealed,
        )

    async def _person(self, chosen: str) -> DemoPerson | None:
        people = await self._store.people()
        return next((person for person in people if person_key(person) == chosen), None)

    def _cookie(self, browser: str) -> str:
        # Lax: it comes along when an app opens this page, never with a form of another site.
        secure = "; Secure" if self._settings.issuer.startswith("https:") else ""
        path = self._settings.path
        return f"{COOKIE}={browser}; Path={path}; HttpOnly; SameSite=Lax{secure}"
