"""Signs a person in at the issuer whose tokens count, as a client of it; keeps who they are only.

Authlib's client without its httpx layer: that one is built on whichever of two libraries happens to
be installed, and could not use the way to the issuer that everything else uses.
"""

# Authlib is not typed.

import asyncio
import hmac
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeAlias

import httpx
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.auth import ClientAuth
from authlib.oauth2.client import OAuth2Client

from adapters.auth.discovery import (
    IssuerConfigurationError,
    IssuerUnreachableError,
    published_address,
    published_metadata,
)
from domain.access.principal import Principal
from domain.access.scopes import READ
from domain.errors import UnauthenticatedError, UnavailableError
from domain.ports.sign_in import Attempt
from domain.ports.tokens import VerifyToken

Metadata: TypeAlias = dict[str, Any]

log = logging.getLogger(__name__)

_SURFACE: Final = "mcp"
_BASIC: Final = "client_secret_basic"
_POST: Final = "client_secret_post"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInSettings:
    """Who we are at the issuer. Without a `client_id` nobody can sign in.

    `client_secret` is empty for a public client; `resource` is what the token is asked for, and
    `timeout` bounds each step at the issuer.
    """

    issuer: str
    client_id: str
    client_secret: str
    redirect_uri: str
    resource: str
    timeout: timedelta = timedelta(seconds=3)


class IssuerSignIn:
    """Code flow with PKCE S256, `state`, the issuer's name and a resource (RFC 9700 §2.1).

    The token is verified as any caller's and then forgotten.
    """

    def __init__(
        self, settings: SignInSettings, http: httpx.AsyncClient, verify: VerifyToken
    ) -> None:
        self._settings = settings
        self._http = http
        self._verify = verify

    @property
    def is_configured(self) -> bool:
        """Whether the issuer knows us."""
        return bool(self._settings.client_id)

    async def begin(self, attempt: Attempt, /, *, afresh: bool) -> str:
        """The address to sign in at. Raises UnavailableError when the issuer does not answer."""
        async with self._bounded():
            metadata = await self._metadata()
            endpoint = self._endpoint(metadata, "authorization_endpoint")
        address, _ = self._client(metadata).create_authorization_url(
            endpoint,
            state=attempt.state,
            code_verifier=attempt.verifier,
            resource=self._settings.resource,
            **({"prompt": "login"} if afresh else {}),
        )
        return str(address)

    async def finish(self, attempt: Attempt, answer: Mapping[str, str], /) -> Principal:
        """Who has signed in.

        Raises:
            UnauthenticatedError: the answer is another attempt's or another issuer's, the person or
                the issuer refused, or the token does not count here.
            UnavailableError: the issuer does not answer.
        """
        if not hmac.compare_digest(answer.get("state", "").encode(), attempt.state.encode()):
            raise UnauthenticatedError("The answer belongs to another attempt.")
        async with self._bounded():
            metadata = await self._metadata()
            self._check_issuer(metadata, answer)
            token = await self._token(metadata, attempt, _code(answer))
        return await self._verify(token, _SURFACE)

    def _check_issuer(self, metadata: Metadata, answer: Mapping[str, str]) -> None:
        """RFC 9207 §2.4: an issuer that says it names itself has to."""
        is_promised = metadata.get("authorization_response_iss_parameter_supported") is True
        named = answer.get("iss")
        if named != self._settings.issuer and (is_promised or named is not None):
            raise UnauthenticatedError("The answer is from another issuer.")

    async def _token(self, metadata: Metadata, attempt: Attempt, code: str) -> str:
        try:
            answered = await self._client(metadata).fetch_token(
                self._endpoint(metadata, "token_endpoint"),
                grant_type="authorization_code",
                code=code,
                code_verifier=attempt.verifier,
                resource=self._settings.resource,
            )
        except OAuth2Error as refused:
            if refused.error == "invalid_client":
                log.error("The issuer refuses CONFIRM_CLIENT_ID, or its secret")  # noqa: TRY400 - the sentence says it all
            raise UnauthenticatedError("The issuer refuses the code.") from None
        except ValueError:
            raise IssuerUnreachableError("The issuer's answer cannot be read") from None
        token = answered.get("access_token")
        if not isinstance(token, str):
            raise UnauthenticatedError("The issuer gave no access token.")
        return token

    async def _metadata(self) -> Metadata:
        return await published_metadata(self._http, self._settings.issuer)

    def _endpoint(self, metadata: Metadata, name: str) -> str:
        return published_address(metadata, name, self._settings.issuer)

    def _client(self, metadata: Metadata) -> "_Client":
        return _Client(
            self._http,
            client_id=self._settings.client_id,
            client_secret=self._settings.client_secret or None,
            token_endpoint_auth_method=_auth_method(self._settings, metadata),
            scope=READ,
            redirect_uri=self._settings.redirect_uri,
            code_challenge_method="S256",
        )

    @asynccontextmanager
    async def _bounded(self) -> AsyncIterator[None]:
        """One step at the issuer, within the time it has; whatever is wrong there is a 503."""
        try:
            async with asyncio.timeout(self._settings.timeout.total_seconds()):
                yield
        except (IssuerUnreachableError, httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            log.warning("Nobody can sign in at the issuer: %s", type(error).__name__)
            raise UnavailableError from None
        except IssuerConfigurationError as error:
            log.error("%s", error)  # noqa: TRY400 - the sentence says it all
            raise UnavailableError from None


class _Client(OAuth2Client):
    """Authlib's client for one exchange: the token that it holds goes with it."""

    def __init__(self, http: httpx.AsyncClient, **kwargs: Any) -> None:  # noqa: ANN401 - Authlib's own
        super().__init__(None, **kwargs)
        self._http = http

    async def _fetch_token(  # type: ignore[override] # Authlib's own asynchronous client does the same
        self,
        url: str,
        body: str,
        headers: Mapping[str, str],
        auth: ClientAuth,
        method: str,
    ) -> Mapping[str, Any]:
        # A copy: the headers are those of every client, and a secret is about to be added.
        url, signed, body = auth.prepare(method, url, dict(headers), body)
        response = await self._http.post(url, content=body, headers=signed)
        answered: Mapping[str, Any] = self.parse_response_token(response)
        return answered


def _auth_method(settings: SignInSettings, metadata: Metadata) -> str:
    """How we say who we are; basic unless the issuer lists only the other way (RFC 8414 §2)."""
    if not settings.client_secret:
        return "none"
    offered = metadata.get("token_endpoint_auth_methods_supported")
    if isinstance(offered, list) and _POST in offered and _BASIC not in offered:
        return _POST
    return _BASIC


def _code(answer: Mapping[str, str]) -> str:
    code = answer.get("code")
    if not code or "error" in answer:
        raise UnauthenticatedError("Nobody signed in at the issuer.")
    return code
