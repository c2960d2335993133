"""Signing a person in at somebody else's issuer: what is sent there, and what is believed."""

import base64
import hashlib
import logging
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from authlib.oauth2.client import DEFAULT_HEADERS

from adapters.auth.sign_in import IssuerSignIn, SignInSettings
from adapters.auth.verifier import OidcVerifier
from domain.errors import UnauthenticatedError, UnavailableError
from domain.ports.sign_in import Attempt
from tests.auth.issuer import AUDIENCE, ISSUER, FakeIssuer

pytestmark = pytest.mark.anyio

ATTEMPT = Attempt("s" * 22, "v" * 43)
BACK = "https://dunning.example.com/confirm/signed-in"
GOOD = {"state": ATTEMPT.state, "code": "c-1", "iss": ISSUER}


class CodeIssuer(FakeIssuer):
    """A provider that also gives tokens for codes, and keeps what it was sent."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.metadata |= {
            "authorization_endpoint": f"{ISSUER}/authorize?tenant=a",
            "token_endpoint": f"{ISSUER}/token",
        }
        self.answered: Any = {"access_token": self.token(), "token_type": "Bearer"}
        self.status = 200
        self.form: dict[str, str] = {}
        self.credentials: str | None = None

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.path != "/realms/aurora/token" or self.is_down or self.hangs:
            return await super()._answer(request)
        self.form = dict(parse_qsl(request.content.decode(), strict_parsing=True))
        self.credentials = request.headers.get("authorization")
        return httpx.Response(self.status, json=self.answered)


@pytest.fixture
def issuer(clock: Any) -> CodeIssuer:
    return CodeIssuer(clock)


def sign_in_at(issuer: CodeIssuer, verify: OidcVerifier, **changes: Any) -> IssuerSignIn:
    usual: dict[str, Any] = {
        "issuer": ISSUER,
        "client_id": "page",
        "client_secret": "",
        "redirect_uri": BACK,
        "resource": AUDIENCE,
    }
    return IssuerSignIn(SignInSettings(**{**usual, **changes}), issuer.http, verify)


@pytest.fixture
def sign_in(issuer: CodeIssuer, verify: OidcVerifier) -> IssuerSignIn:
    return sign_in_at(issuer, verify)


async def test_the_person_is_sent_to_the_issuers_own_endpoint(sign_in: IssuerSignIn) -> None:
    digest = hashlib.sha256(ATTEMPT.verifier.encode()).digest()
    address = urlsplit(await sign_in.begin(ATTEMPT, afresh=False))

    assert f"{address.scheme}://{address.netloc}{address.path}" == f"{ISSUER}/authorize"
    assert dict(parse_qsl(address.query)) == {
        "tenant": "a",
        "response_type": "code",
        "client_id": "page",
        "redirect_uri": BACK,
        "scope": "dunning.read",
        "state": ATTEMPT.state,
        "resource": AUDIENCE,
        "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
        "code_challenge_method": "S256",
    }


async def test_an_issuer_is_told_to_ask_afresh(sign_in: IssuerSignIn) -> None:
    assert "prompt=login" in await sign_in.begin(ATTEMPT, afresh=True)


async def test_a_code_becomes_a_person(sign_in: IssuerSignIn, issuer: CodeIssuer) -> None:
    principal = await sign_in.finish(ATTEMPT, GOOD)

    assert (principal.issuer, principal.subject, principal.organization) == (
        ISSUER, "user-1", "org_aurora"
    )  # fmt: skip
    assert issuer.form == {
        "grant_type": "authorization_code",
        "code": "c-1",
        "redirect_uri": BACK,
        "code_verifier": ATTEMPT.verifier,
        "resource": AUDIENCE,
        "client_id": "page",
    }
    assert issuer.credentials is None


@pytest.mark.parametrize(
    ("methods", "is_basic"),
    [
        (None, True),
        (["client_secret_basic", "client_secret_post"], True),
        (["client_secret_post"], False),
        ("odd", True),
    ],
)
async def test_a_secret_is_sent_in_the_way_that_the_issuer_takes(
    issuer: CodeIssuer, verify: OidcVerifier, methods: object, *, is_basic: bool
) -> None:
    if methods is not None:
        issuer.metadata["token_endpoint_auth_methods_supported"] = methods

    await sign_in_at(issuer, verify, client_secret="s3cret").finish(ATTEMPT, GOOD)

    basic = "Basic " + base64.b64encode(b"page:s3cret").decode()
    assert issuer.credentials == (basic if is_basic else None)
    assert issuer.form.get("client_secret") == (None if is_basic else "s3cret")
    assert "Authorization" not in DEFAULT_HEADERS


@pytest.mark.parametrize(
    "changes",
    [
        {"state": "another"},
        {"state": "é"},
        {"state": ...},
        {"code": ...},
        {"code": ""},
        {"error": "access_denied"},
        {"iss": "https://id.example.com/realms/pampa"},
        {"iss": ""},
    ],
)
async def test_an_answer_that_does_not_fit_never_reaches_the_issuer(
    sign_in: IssuerSignIn, issuer: CodeIssuer, changes: dict[str, Any]
) -> None:
    answer = {name: value for name, value in {**GOOD, **changes}.items() if value is not ...}

    with pytest.raises(UnauthenticatedError):
        await sign_in.finish(ATTEMPT, answer)

    assert issuer.form == {}


async def test_an_issuer_that_says_it_names_itself_has_to(
    sign_in: IssuerSignIn, issuer: CodeIssuer
) -> None:
    unnamed = {name: value for name, value in GOOD.items() if name != "iss"}
    assert (await sign_in.finish(ATTEMPT, unnamed)).subject == "user-1"

    issuer.metadata["authorization_response_iss_parameter_supported"] = True
    with pytest.raises(UnauthenticatedError):
        await sign_in.finish(ATTEMPT, unnamed)


@pytest.mark.parametrize(
    "changes",
    [{"aud": "page"}, {"aud": "https://dunning.example.com/v1"}, {"exp": 1}, {"typ": "ID"}],
)
async def test_a_token_counts_only_as_any_callers_would(
    sign_in: IssuerSignIn, issuer: CodeIssuer, changes: dict[str, Any]
) -> None:
    issuer.answered = {"access_token": issuer.token(**changes)}

    with pytest.raises(UnauthenticatedError):
        await sign_in.finish(ATTEMPT, GOOD)


@pytest.mark.parametrize(
    ("status", "answered", "error"),
    [
        (400, {"error": "invalid_grant"}, UnauthenticatedError),
        (401, {"error": "invalid_client"}, UnauthenticatedError),
        (200, {"token_type": "Bearer"}, UnauthenticatedError),
        (200, {"access_token": 7}, UnauthenticatedError),
        (200, [], UnavailableError),
        (502, {}, UnavailableError),
        (429, "slow down", UnavailableError),
    ],
)
async def test_odd_answers_for_a_code(
    sign_in: IssuerSignIn,
    issuer: CodeIssuer,
    status: int,
    answered: object,
    error: type[Exception],
) -> None:
    issuer.status, issuer.answered = status, answered

    with pytest.raises(error):
        await sign_in.finish(ATTEMPT, GOOD)


async def test_a_refused_client_is_told_to_the_operator(
    sign_in: IssuerSignIn, issuer: CodeIssuer, caplog: pytest.LogCaptureFixture
) -> None:
    issuer.status, issuer.answered = 401, {"error": "invalid_client", "error_description": "x"}

    with pytest.raises(UnauthenticatedError):
        await sign_in.finish(ATTEMPT, GOOD)

    errors = [one.getMessage() for one in caplog.records if one.levelno == logging.ERROR]
    assert errors == ["The issuer refuses CONFIRM_CLIENT_ID, or its secret"]


async def test_l2_no_log_holds_a_token_a_code_or_a_secret(
    issuer: CodeIssuer, verify: OidcVerifier, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    await sign_in_at(issuer, verify, client_secret="s3cret").finish(ATTEMPT, GOOD)

    token = issuer.answered["access_token"]
    for secret in (token, token[-8:], "c-1", "s3cret", ATTEMPT.verifier, ATTEMPT.state):
        assert secret not in caplog.text


@pytest.mark.parametrize("trouble", ["is_down", "hangs", "no_endpoint", "plain_http", "other_name"])
async def test_an_issuer_in_trouble_is_unavailable_within_the_bound(
    issuer: CodeIssuer, verify: OidcVerifier, trouble: str
) -> None:
    sign_in = sign_in_at(issuer, verify, timeout=timedelta(milliseconds=50))
    if trouble in {"is_down", "hangs"}:
        setattr(issuer, trouble, True)
    elif trouble == "other_name":
        issuer.metadata["issuer"] = "https://id.example.com"
    else:
        odd = {"no_endpoint": 7, "plain_http": "http://id.example.com/x"}[trouble]
        issuer.metadata |= {"authorization_endpoint": odd, "token_endpoint": odd}

    with pytest.raises(UnavailableError):
        await sign_in.begin(ATTEMPT, afresh=False)
    with pytest.raises(UnavailableError):
        await sign_in.finish(ATTEMPT, GOOD)


async def test_nobody_can_sign_in_without_a_client(
    issuer: CodeIssuer, verify: OidcVerifier
) -> None:
    assert not sign_in_at(issuer, verify, client_id="").is_configured
    assert sign_in_at(issuer, verify).is_configured
