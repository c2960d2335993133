"""Which access tokens count, and on which surface."""

import hashlib
import hmac
import json
import time
from typing import Any

import pytest
from joserfc.jwk import ECKey, RSAKey

from adapters.auth.key_ring import KeyRing
from adapters.auth.settings import OidcSettings
from adapters.auth.verifier import OidcVerifier
from domain.access.principal import Principal
from tests.auth.clock import FakeSystemClock
from tests.auth.issuer import AUDIENCE, EC, ISSUER, RSA, FakeIssuer, segment, sign
from tests.auth.refusals import refusal

pytestmark = pytest.mark.anyio


async def test_a_good_token_becomes_a_principal(verify: OidcVerifier, issuer: FakeIssuer) -> None:
    token = issuer.token(email="lia@example.com", email_verified=True)

    assert await verify(token, "mcp") == Principal(
        issuer=ISSUER,
        subject="user-1",
        client_id="some-client",
        organization="org_aurora",
        scopes=frozenset({"dunning.read", "dunning.write"}),
        expires_at=issuer.clock.timestamp() + 600,
        email="lia@example.com",
        email_verified=True,
    )


async def test_rsa_and_elliptic_keys_both_verify(verify: OidcVerifier, issuer: FakeIssuer) -> None:
    for key in (RSA, EC):
        assert (await verify(issuer.token(key=key), "mcp")).subject == "user-1"


async def test_each_surface_refuses_the_tokens_of_the_other(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    for_v1 = issuer.token(aud="https://dunning.example.com/v1")

    assert (await verify(for_v1, "v1")).subject == "user-1"
    assert await refusal(verify, for_v1, "mcp") == "The token is for another audience."
    assert await refusal(verify, issuer.token(), "v1") == "The token is for another audience."


@pytest.mark.parametrize("aud", ["account", ["account"], ["account", "broker"]])
async def test_b1_the_default_audience_of_a_realm_is_not_ours(
    verify: OidcVerifier, issuer: FakeIssuer, aud: object
) -> None:
    assert await refusal(verify, issuer.token(aud=aud)) == "The token is for another audience."


async def test_b2_a_token_without_an_audience_is_refused(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    assert await refusal(verify, issuer.token(aud=...)) == "The token is for another audience."


@pytest.mark.parametrize("accepted", [frozenset(), frozenset({""}), frozenset({AUDIENCE, " "})])
async def test_b2_a_surface_that_accepts_no_audience_cannot_be_made(
    settings: OidcSettings, keys: KeyRing, clock: FakeSystemClock, accepted: frozenset[str]
) -> None:
    with pytest.raises(ValueError, match="'mcp' accepts no audience"):
        OidcVerifier(settings, keys, clock, {"mcp": accepted})


async def test_b3_one_accepted_audience_in_a_list_is_enough(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    assert (await verify(issuer.token(aud=[AUDIENCE, "other"]), "mcp")).subject == "user-1"


@pytest.mark.parametrize(
    "aud", [["other"], "", [], [""], 123, True, {}, {AUDIENCE: 1}, None, [[AUDIENCE]], [None]]
)
async def test_b3_any_other_shape_of_audience_is_refused(
    verify: OidcVerifier, issuer: FakeIssuer, aud: object
) -> None:
    assert await refusal(verify, issuer.token(aud=aud)) == "The token is for another audience."


@pytest.mark.parametrize("aud", [AUDIENCE, f"{AUDIENCE}/", "api://0d1e", "0d1e"])
async def test_b4_each_configured_audience_counts(
    verify: OidcVerifier, issuer: FakeIssuer, aud: str
) -> None:
    assert (await verify(issuer.token(aud=aud), "mcp")).subject == "user-1"


@pytest.mark.parametrize("aud", ["api://0d1", "api://0d1e/x", AUDIENCE[:-1], "0D1E", "d1e"])
async def test_b4_what_only_resembles_a_configured_audience_does_not(
    verify: OidcVerifier, issuer: FakeIssuer, aud: str
) -> None:
    assert await refusal(verify, issuer.token(aud=aud)) == "The token is for another audience."


def hmac_signed(issuer: FakeIssuer, secret: bytes, algorithm: str) -> str:
    header = {"alg": algorithm, "kid": RSA.kid, "typ": "JWT"}
    content = ".".join(segment(json.dumps(part).encode()) for part in (header, issuer.claims()))
    return f"{content}.{segment(hmac.digest(secret, content.encode(), hashlib.sha256))}"


async def test_b6_a_public_key_is_never_a_shared_secret(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    secrets = [
        RSA.as_pem(private=False),
        RSA.as_der(private=False),
        json.dumps(RSA.as_dict(private=False)).encode(),
    ]
    for secret in secrets:
        for algorithm in ("HS256", "RS256"):
            await refusal(verify, hmac_signed(issuer, secret, algorithm))


@pytest.mark.parametrize("algorithm", ["none", "None", "nOnE", "rs256", "HS256", "RS512", "", None])
async def test_b6_only_configured_algorithms_are_read_and_in_their_own_case(
    verify: OidcVerifier, issuer: FakeIssuer, algorithm: object
) -> None:
    signed = issuer.token(header={"alg": algorithm})
    unsigned = signed.rpartition(".")[0] + "."

    for token in (signed, unsigned):
        assert await refusal(verify, token) == "The token's algorithm is not accepted."
    assert issuer.requests == 0


async def test_b6_a_key_is_not_used_with_the_algorithm_of_another_family(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    token = issuer.token(key=EC, header={"alg": "RS256"})

    assert await refusal(verify, token) == "The token's signature is not valid."


@pytest.mark.parametrize("algorithms", [(), ("HS256",), ("RS256", "none"), ("rs256",)])
def test_b6_settings_name_asymmetric_algorithms_only(algorithms: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="algorithm"):
        OidcSettings(issuer=ISSUER, algorithms=algorithms)


def test_settings_name_an_issuer() -> None:
    with pytest.raises(ValueError, match="issuer"):
        OidcSettings(issuer=" ")


async def test_keys_and_addresses_in_the_header_are_ignored(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    mine = RSAKey.generate_key(2048, {"kid": RSA.kid or ""})
    offers = {
        "jwk": mine.as_dict(private=False),
        "jku": "https://attacker.example.com/keys",
        "x5u": "https://attacker.example.com/chain",
        "x5c": ["MIIC" * 200],
    }

    assert (await verify(issuer.token(header=offers), "mcp")).subject == "user-1"
    forged = issuer.token(key=mine, header=offers)
    assert await refusal(verify, forged) == "The token's signature is not valid."


@pytest.mark.parametrize("crit", [["exp"], ["b64"], ["kid"], [], "exp", 5, None, [1], {}])
async def test_a_critical_header_is_refused_whatever_it_says(
    verify: OidcVerifier, issuer: FakeIssuer, crit: object
) -> None:
    await refusal(verify, issuer.token(header={"crit": crit, "exp": 1}))


@pytest.mark.parametrize(
    "typ", [..., "JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt", "Application/AT+jwt"]
)
async def test_the_type_may_be_absent_or_one_of_three_in_any_case(
    verify: OidcVerifier, issuer: FakeIssuer, typ: object
) -> None:
    assert (await verify(issuer.token(header={"typ": typ}), "mcp")).subject == "user-1"


@pytest.mark.parametrize("typ", ["logout+jwt", "dpop+jwt", "id_token", "", 5, None, ["JWT"]])
async def test_any_other_type_is_refused(
    verify: OidcVerifier, issuer: FakeIssuer, typ: object
) -> None:
    reason = await refusal(verify, issuer.token(header={"typ": typ}))

    assert reason == "The token is not of the access token type."


@pytest.mark.parametrize(
    "signs",
    [
        {"typ": "ID"},
        {"at_hash": "x"},
        {"c_hash": "x"},
        {"aud": "0d1e", "client_id": "0d1e"},
        {"aud": ["0d1e"], "client_id": ..., "azp": "0d1e"},
    ],
)
async def test_an_id_token_is_refused(
    verify: OidcVerifier, issuer: FakeIssuer, signs: dict[str, Any]
) -> None:
    reason = await refusal(verify, issuer.token(**signs))

    assert reason == "An ID token is not an access token."


@pytest.mark.parametrize(
    "token",
    ["abc", "a.b.c", "..", "", ".", "." * 20_000, "a" * 20_000, "é.é.é", "e30.e30.", "\udcff.a.b"],
)
async def test_b15_what_is_no_jwt_is_refused_at_once_and_asks_nobody(
    verify: OidcVerifier, issuer: FakeIssuer, token: str
) -> None:
    started = time.perf_counter()
    await refusal(verify, token)

    assert time.perf_counter() - started < 0.1
    assert issuer.requests == 0


@pytest.mark.parametrize(
    "header",
    [b"[]", b'["alg"]', b"5", b"null", b'"alg"', b"{", b"\xff", b"[" * 9_000, b'{"alg": []}',
     b'{"alg":"RS256","kid":5}', b'{"alg":"RS256","kid":["rsa-1"]}', b'{"alg":"RS256","b64":false}',
     b'{"alg":"RS256","b64":"x"}', b'{"alg":"RS256","crit":5,"b64":false}'],
)  # fmt: skip
async def test_no_shape_of_header_is_more_than_a_refusal(
    verify: OidcVerifier, issuer: FakeIssuer, header: bytes
) -> None:
    _, claims, signature = issuer.token().split(".")

    await refusal(verify, f"{segment(header)}.{claims}.{signature}")
    assert issuer.requests == 0


@pytest.mark.parametrize(
    "payload",
    [b"", b"[]", b"5", b"null", b'"x"', b"{", b"\xff\xfe", b"[" * 9_000, b'{"exp":' + b"9" * 5000],
)
async def test_no_shape_of_payload_is_more_than_a_refusal(
    verify: OidcVerifier, issuer: FakeIssuer, payload: bytes
) -> None:
    await refusal(verify, issuer.signed(payload))


async def test_a_changed_payload_or_another_key_breaks_the_signature(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    header, _, signature = issuer.token().split(".")
    claims = segment(json.dumps(issuer.claims(org_id="org_pampa")).encode())
    stranger = ECKey.generate_key("P-256")
    forged = sign({"alg": "ES256", "kid": EC.kid}, json.dumps(issuer.claims()).encode(), stranger)

    for token in (f"{header}.{claims}.{signature}", f"{header}.{claims}.", forged):
        assert await refusal(verify, token) == "The token's signature is not valid."


async def test_a_refusal_repeats_nothing_of_the_token(
    verify: OidcVerifier, issuer: FakeIssuer
) -> None:
    for changes in ({"aud": "s3cret"}, {"iss": "s3cret"}, {"scp": "s3cret"}, {"sub": ["s3cret"]}):
        assert "s3cret" not in await refusal(verify, issuer.token(**changes))


async def test_a_bare_verifier_remembers_nothing(verify: OidcVerifier, issuer: FakeIssuer) -> None:
    token = issuer.token()
    await verify(token, "mcp")

    assert not verify.recall(token, "mcp")
