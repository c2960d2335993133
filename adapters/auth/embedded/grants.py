"""The authorization code grant with what is stricter here: PKCE S256 always, and one resource."""

# Authlib is not typed.

import hashlib
import logging
import secrets
from typing import Any, Final

from authlib.oauth2 import OAuth2Error, OAuth2Request
from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, InvalidRequestError
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant
from authlib.oauth2.rfc7636 import CodeChallenge

from adapters.auth.embedded.clients import PublicClient
from adapters.auth.embedded.exchange import Exchange
from adapters.auth.embedded.messages import IssuerRequest
from domain.ports.issuer import DemoPerson, IssuedCode

_METHOD: Final = "S256"

# Authlib writes the token it issues to its log at DEBUG.
logging.getLogger("authlib").setLevel(logging.INFO)


class InvalidTargetError(OAuth2Error):
    """The resource is missing, unknown, or not the one the code was issued for (RFC 8707 §2)."""

    error = "invalid_target"


class TakenCode(AuthorizationCodeMixin):
    """A code as Authlib asks about it."""

    code_challenge_method = _METHOD

    def __init__(self, issued: IssuedCode) -> None:
        self.issued = issued
        self.code_challenge = issued.code_challenge

    def get_redirect_uri(self) -> str | None:
        """The address named when the code was asked for."""
        return self.issued.redirect_uri

    def get_scope(self) -> str:
        """What the person allowed."""
        return " ".join(self.issued.scopes)


class CodeGrant(AuthorizationCodeGrant):
    """Codes of public clients; a code is used up by the first who presents it, right or wrong."""

    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]  # noqa: RUF012 - as Authlib declares it
    request: IssuerRequest
    redirect_uri: Any

    @property
    def exchange(self) -> Exchange:
        """What was read for this request."""
        exchange: Exchange = self.server.exchange
        return exchange

    @staticmethod
    def validate_authorization_redirect_uri(request: OAuth2Request, client: PublicClient) -> str:
        """Where the answer goes; unlike Authlib's, the refusal repeats nothing."""
        payload: Any = request.payload
        asked: str | None = payload.redirect_uri
        if asked and client.check_redirect_uri(asked):
            return asked
        only = None if asked else client.get_default_redirect_uri()
        if only is None:
            raise InvalidRequestError("The redirect_uri is not one the client registered.")
        return only

    def generate_authorization_code(self) -> str:
        """256 random bits."""
        return secrets.token_urlsafe(32)

    def save_authorization_code(self, code: str, request: IssuerRequest) -> None:
        """Bind `code` to client, address, challenge, resource, scopes and person."""
        exchange, sent = self.exchange, request.payload.data
        assert exchange.client is not None  # noqa: S101 - validated by Authlib just before
        assert exchange.person is not None  # noqa: S101 - else the request was denied
        exchange.issued = IssuedCode(
            digest=code_digest(code),
            client_id=exchange.client.client_id,
            redirect_uri=sent.get("redirect_uri"),
            code_challenge=sent["code_challenge"],
            resource=resource_of(request, exchange),
            scopes=exchange.chosen_scopes,
            subject=exchange.person.subject,
            organization_id=exchange.person.organization_id,
            expires_at=exchange.now + exchange.settings.code_lifetime,
        )

    def query_authorization_code(self, code: str, client: PublicClient) -> TakenCode | None:
        """The code that was taken for this request, if it is this client's and still good."""
        taken = self.exchange.code
        if taken is None or taken.digest != code_digest(code):
            return None
        is_good = taken.client_id == client.get_client_id() and self.exchange.now < taken.expires_at
        return TakenCode(taken) if is_good else None

    def delete_authorization_code(self, _authorization_code: TakenCode) -> None:
        """Done already: it was taken from the store before it was looked at."""

    def authenticate_user(self, _authorization_code: TakenCode) -> DemoPerson | None:
        """Whom the code was given to, unless they are gone since."""
        return self.exchange.person


class RequiredS256(CodeChallenge):
    """PKCE as OAuth 2.1 wants it: always, and never `plain` (RFC 7636, RFC 9700 §2.1.1)."""

    SUPPORTED_CODE_CHALLENGE_METHOD = [_METHOD]  # noqa: RUF012 - as Authlib declares it

    def validate_code_challenge(self, grant: CodeGrant, redirect_uri: str) -> None:
        """Let a request through that has an S256 challenge.

        Raises:
            InvalidRequestError: none, or by another method.
        """
        sent = grant.request.payload.data
        if not sent.get("code_challenge") or sent.get("code_challenge_method") != _METHOD:
            raise InvalidRequestError("A code_challenge with the method S256 is required.")
        super().validate_code_challenge(grant, redirect_uri)


class ResourceIndicator:
    """RFC 8707, which Authlib lacks: one known resource a request, the same when redeemed."""

    def __call__(self, grant: CodeGrant) -> None:
        """Add both checks to `grant`."""
        grant.register_hook("after_validate_authorization_request_payload", self.check_asked)
        grant.register_hook("after_validate_token_request", self.check_redeemed)

    def check_asked(self, grant: CodeGrant, _result: Any) -> None:  # noqa: ANN401 - Authlib's hook
        """Refuse an unknown resource while the person is still asked."""
        resource_of(grant.request, grant.exchange)

    def check_redeemed(self, grant: CodeGrant, _result: Any) -> None:  # noqa: ANN401 - Authlib's hook
        """Refuse another resource than the code was issued for."""
        code: TakenCode = grant.request.authorization_code
        asked = grant.request.payload.datalist.get("resource")
        if asked and resource_of(grant.request, grant.exchange) != code.issued.resource:
            raise InvalidTargetError("The code was issued for another resource.")


def code_digest(code: str) -> str:
    """The SHA-256 of a code in hex, the only form it is kept in."""
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).hexdigest()


def resource_of(request: IssuerRequest, exchange: Exchange) -> str:
    """The resource that is asked for, or the default; a slash at its end does not count.

    Raises:
        InvalidTargetError: an unknown one, or several.
    """
    known = exchange.settings.resources
    asked = request.payload.datalist.get("resource") or [known[0]]
    by_bare = {resource.rstrip("/"): resource for resource in known}
    found = {by_bare.get(resource.rstrip("/")) for resource in asked}
    resource = found.pop()
    if resource is None or found:
        raise InvalidTargetError("The resource must be one that this issuer serves.")
    return resource
