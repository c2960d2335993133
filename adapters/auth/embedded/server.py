"""Authlib's authorization server, made for one request over what was read for it."""

# Authlib is not typed.

from http import HTTPStatus
from typing import Any

import msgspec
from authlib.common.urls import add_params_to_uri
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import (
    AuthorizationServer,
    InvalidClientError,
    InvalidRequestError,
    UnsupportedResponseTypeError,
)

from adapters.auth.embedded.clients import PublicClient
from adapters.auth.embedded.exchange import Exchange
from adapters.auth.embedded.grants import CodeGrant, RequiredS256, ResourceIndicator
from adapters.auth.embedded.messages import Answer, IssuerRequest, redirect
from adapters.auth.embedded.tokens import Bearer, access_token
from domain.ports.issuer import DemoPerson


class IssuerServer(AuthorizationServer):
    """Decides one request; reads and writes nothing but `exchange`."""

    def __init__(self, exchange: Exchange) -> None:
        super().__init__()
        self.exchange = exchange
        self.register_grant(CodeGrant, [RequiredS256(), ResourceIndicator()])
        self.register_token_generator("default", self._bearer_token)

    def query_client(self, client_id: str) -> PublicClient | None:
        """The client that was read for this request."""
        row = self.exchange.client
        if row is None or row.client_id != client_id:
            return None
        settings = self.exchange.settings
        return PublicClient(row, settings.default_scopes, is_own=row == settings.own_client)

    def save_token(self, _token: dict[str, Any], _request: IssuerRequest) -> None:
        """Keep nothing: a token carries all that there is to know about it."""

    def send_signal(self, name: str, *args: object, **kwargs: object) -> None:
        """Tell nobody."""
        del name, args, kwargs

    def create_oauth2_request(self, request: IssuerRequest) -> IssuerRequest:
        """It already is one."""
        return request

    def get_authorization_grant(self, request: IssuerRequest) -> CodeGrant:
        """The code grant; unlike Authlib's, the refusal of any other repeats nothing."""
        asked = request.payload.response_type
        if asked == "code":
            grant: CodeGrant = super().get_authorization_grant(request)
            return grant
        client = self.query_client(request.payload.client_id)
        if client is None:
            raise InvalidClientError(description="The client is not registered here.")
        where = CodeGrant.validate_authorization_redirect_uri(request, client)
        if asked is None:
            raise InvalidRequestError("The response_type is missing.", redirect_uri=where)
        raise UnsupportedResponseTypeError(None, redirect_uri=where)

    def authenticate_client(
        self, request: IssuerRequest, methods: tuple[str, ...], endpoint: str = "token"
    ) -> PublicClient:
        """The public client that names itself; one that tries anything else must be told 401."""
        if request.has_authorization:  # RFC 6749 §5.2
            raise InvalidClientError("This issuer has public clients only.", status_code=401)
        client: PublicClient = super().authenticate_client(request, methods, endpoint)
        return client

    def handle_response(self, status: int, body: object, headers: list[tuple[str, str]]) -> Answer:
        """The answer; a redirect names the issuer, errors included (RFC 9207 §2)."""
        location = dict(headers).get("Location")
        if location is not None:
            named = add_params_to_uri(location, [("iss", self.exchange.settings.issuer)])
            return redirect(named)
        return Answer(HTTPStatus(status), msgspec.json.encode(body), dict(headers))

    def refuse(self, request: IssuerRequest, error: OAuth2Error) -> Answer:
        """Tell the client about `error` by the way the error names."""
        answer: Answer = self.handle_error_response(request, error)
        return answer

    def _bearer_token(
        self, *, client: PublicClient, user: DemoPerson, scope: str, **_unused: object
    ) -> dict[str, Any]:
        exchange = self.exchange
        assert exchange.code is not None  # noqa: S101 - Authlib validated it just before
        assert exchange.key is not None  # noqa: S101 - read with the code
        lifetime = exchange.settings.token_lifetime
        bearer = Bearer(
            subject=user.subject,
            client_id=client.get_client_id(),
            organization_id=user.organization_id,
            scopes=exchange.code.scopes,
            resource=exchange.code.resource,
            lifetime=lifetime,
            email=user.email,
        )
        return {
            "access_token": access_token(exchange.settings, exchange.key, exchange.now, bearer),
            "token_type": "Bearer",
            "expires_in": int(lifetime.total_seconds()),
            "scope": scope,
        }
