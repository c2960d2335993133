"""Who is let in: how a token may be sent, what it must say, and what a refusal tells."""

import httpx
import pytest

from tests.e2e.challenges import challenge_of, parameters_of
from tests.e2e.service import Service
from tests.protocol.fixtures import Sent, legacy, modern
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

ME = modern("tools/call", {"name": "dunning_me", "arguments": {}})
NO_ARGUMENTS = {"name": "dunning_charges_create", "arguments": {}}
CREATE = modern("tools/call", NO_ARGUMENTS)
LIST = modern("tools/list")


async def at_both_doors(service: Service, *authorization: str) -> list[httpx.Response]:
    """The answers to these Authorization headers at the MCP server and at `/v1`."""
    sent = [("Authorization", value) for value in authorization]
    return [
        await service.http.post("/mcp", json=ME.message, headers=[*ME.headers, *sent]),
        await service.http.get("/v1/me", headers=sent),
    ]


@proves("auth.header")
@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "bEaReR", "Bearer  "])
async def test_b16_the_scheme_is_read_in_any_case(service: Service, scheme: str) -> None:
    mcp, _ = await at_both_doors(service, f"{scheme} {await service.token()}")
    _, rest = await at_both_doors(service, f"{scheme} {await service.token(door='v1')}")

    assert (mcp.status_code, rest.status_code) == (200, 200)


@proves("auth.header", "auth.challenge")
@pytest.mark.parametrize("value", ["", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "Token abc"])
async def test_b16_what_is_no_bearer_token_is_401_without_an_error(
    service: Service, value: str
) -> None:
    for refused in await at_both_doors(service, value):
        assert refused.status_code == 401
        assert "error=" not in challenge_of(refused)


@proves("auth.header", "auth.challenge")
@pytest.mark.parametrize("separator", ["\t", " one ", ","])
async def test_b16_tabs_and_two_tokens_in_one_header_are_401(
    service: Service, separator: str
) -> None:
    token = await service.token()
    for refused in await at_both_doors(service, f"Bearer{separator}{token}"):
        assert refused.status_code == 401


@proves("auth.header")
async def test_b16_two_authorization_headers_are_400_even_if_both_are_good(
    service: Service,
) -> None:
    header = f"Bearer {await service.token()}"
    for refused in await at_both_doors(service, header, header):
        assert refused.status_code == 400
        assert refused.json()["error"]["code"] == "BAD_REQUEST"
        challenge = challenge_of(refused)
        assert parameters_of(challenge, "error") == ["invalid_request"]
        (address,) = parameters_of(challenge, "resource_metadata")
        assert address.startswith(f"{service.demo.public_url}/.well-known/")
        assert "scope=" not in challenge


@proves("auth.query")
async def test_a_token_in_the_query_or_the_body_is_never_read(service: Service) -> None:
    token = await service.token()
    asked = ME.with_params(access_token=token)
    refused = await service.post(asked, path=f"/mcp?access_token={token}")

    assert refused.status_code == 401
    assert "error=" not in challenge_of(refused)


@proves("auth.scope")
async def test_b13_one_of_two_scopes_is_not_enough(service: Service) -> None:
    reader = await service.token(scopes=("dunning.charges:read", "dunning.debtors:read"))
    refused = await service.post(CREATE, reader)

    assert refused.status_code == 403
    assert parameters_of(challenge_of(refused), "scope") == ["dunning.charges:create"]


@proves("auth.scope")
@pytest.mark.parametrize("sent", [CREATE, legacy("tools/call", NO_ARGUMENTS)])
async def test_a9_a_missing_scope_is_a_403_that_says_what_to_ask_for(
    service: Service, sent: Sent
) -> None:
    refused = await service.post(sent, await service.token(scopes=("dunning.read",)))

    assert refused.status_code == 403
    challenge = challenge_of(refused)
    assert parameters_of(challenge, "error") == ["insufficient_scope"]
    assert parameters_of(challenge, "scope") == ["dunning.charges:create"]
    (address,) = parameters_of(challenge, "resource_metadata")
    assert address.endswith("/.well-known/oauth-protected-resource/mcp")
    error = refused.json()["error"]
    assert (error["code"], error["message"]) == (403, "Insufficient scope")
    assert error["data"] == {"error": "insufficient_scope", "scope": "dunning.charges:create"}


@proves("auth.scope", "auth.challenge")
async def test_a11_a_step_up_may_be_asked_for_again_and_again(service: Service) -> None:
    reader = await service.token(scopes=("dunning.read",))
    refusals = [await service.post(CREATE, reader) for _ in range(5)]
    (scope,) = parameters_of(challenge_of(await service.post(ME)), "scope")
    first = await service.token(scopes=tuple(scope.split()))
    charges = modern("tools/call", {"name": "dunning_charges_list", "arguments": {}})

    assert {(one.status_code, one.content) for one in refusals} == {(403, refusals[0].content)}
    assert (await service.post(LIST, first)).status_code == 200
    assert "isError" not in (await service.post(charges, first)).json()["result"]


@proves("auth.challenge")
async def test_a18_an_expired_token_is_a_401_and_no_result(service: Service) -> None:
    for sent in (ME, legacy("initialize"), legacy("ping")):
        refused = await service.post(sent, await service.expired_token())
        assert refused.status_code == 401
        assert parameters_of(challenge_of(refused), "error") == ["invalid_token"]
        assert parameters_of(challenge_of(refused), "resource_metadata")
        assert "result" not in refused.json()


@proves("auth.surfaces")
async def test_a_token_of_one_door_is_refused_at_the_other(service: Service) -> None:
    for_mcp, for_rest = await service.token(), await service.token(door="v1")
    mcp, _ = await at_both_doors(service, f"Bearer {for_rest}")
    _, rest = await at_both_doors(service, f"Bearer {for_mcp}")

    for refused, path in ((mcp, "/mcp"), (rest, "/v1")):
        assert refused.status_code == 401
        assert parameters_of(challenge_of(refused), "error") == ["invalid_token"]
        (address,) = parameters_of(challenge_of(refused), "resource_metadata")
        assert address.endswith(path)


@proves("auth.surfaces")
@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.parametrize("path", ["", "/mcp"])
async def test_a_token_for_one_address_of_the_server_counts_at_both(
    service: Service, path: str, slash: str
) -> None:
    resource = f"{service.demo.public_url}{path}{slash}"
    token = await service.mint(service.demo.bearer("Helena", resource=resource))

    for address in ("/", "/mcp"):
        assert (await service.post(ME, token, path=address)).status_code == 200


@proves("auth.no-scope")
async def test_a_token_without_a_scope_is_shown_what_needs_none(service: Service) -> None:
    answer = await service.post(LIST, await service.token(scopes=()))

    assert answer.status_code == 200
    assert [tool["name"] for tool in answer.json()["result"]["tools"]] == ["dunning_me"]


@proves("auth.program", "auth.challenge")
@pytest.mark.parametrize("name", ["portal-expirado", "loja-revogada"])
async def test_a_program_that_is_revoked_or_expired_is_401(service: Service, name: str) -> None:
    for door in ("mcp", "v1"):
        resource = f"{service.demo.public_url}/{door}"
        token = await service.mint(service.demo.program(name, resource=resource))
        refused = (await at_both_doors(service, f"Bearer {token}"))[door == "v1"]
        assert refused.status_code == 401
        assert parameters_of(challenge_of(refused), "error") == ["invalid_token"]


@proves("auth.program")
async def test_a_program_in_force_is_let_in_as_itself(service: Service) -> None:
    resource = f"{service.demo.public_url}/v1"
    token = await service.mint(service.demo.program("erp-sync", resource=resource))
    answer = await service.http.get("/v1/me", headers={"Authorization": f"Bearer {token}"})

    assert answer.status_code == 200
    assert "erp-sync" in answer.text
