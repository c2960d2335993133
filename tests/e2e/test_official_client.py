"""The official Python client finds its way in with nothing but the address, in both eras."""

import json

import pytest
from mcp_types import TextContent

from tests.e2e.named import (
    completes_an_argument,
    debtor_of,
    finds_nothing_of_the_other,
    reads_a_pdf,
    reads_resources,
    runs_a_prompt,
)
from tests.e2e.official_client import signed_in
from tests.e2e.service import Demo

pytestmark = pytest.mark.anyio

SIGN_IN = [
    "GET /.well-known/oauth-authorization-server/issuer 200",
    "POST /issuer/register 201",
    "POST /issuer/token 200",
]


@pytest.mark.parametrize(("mode", "version"), [("auto", "2026-07-28"), ("legacy", "2025-06-18")])
@pytest.mark.parametrize("path", ["/mcp", "/", ""])
async def test_a24_the_address_is_enough_from_the_first_401_to_the_list_of_charges(
    live: str, demo: Demo, mode: str, version: str, path: str
) -> None:
    steps: list[str] = []
    async with signed_in(f"{live}{path}", demo.person("Bianca"), mode, steps) as client:
        tools = (await client.list_tools()).tools
        answer = await client.call_tool("dunning_charges_list", {"per_page": 3})

        assert client.protocol_version == version
    endpoint = path or "/"
    metadata = f"/.well-known/oauth-protected-resource{path.rstrip('/')}"
    assert steps[:2] == [f"POST {endpoint} 401", f"GET {metadata} 200"]
    assert steps[2:5] == SIGN_IN
    assert {step for step in steps[5:] if step.startswith("POST")} <= {
        f"POST {endpoint} 200", f"POST {endpoint} 202"
    }  # fmt: skip
    assert "dunning_charges_cancel" in {tool.name for tool in tools}
    (block,) = answer.content
    assert isinstance(block, TextContent)
    assert len(json.loads(block.text)["data"]) == 3


async def test_two_people_of_two_organisations_each_see_their_own(live: str, demo: Demo) -> None:
    seen = {}
    for first_name in ("Helena", "Vera"):
        person = demo.person(first_name)
        async with signed_in(f"{live}/mcp", person, "auto", []) as client:
            (block,) = (await client.call_tool("dunning_me", {})).content
        assert isinstance(block, TextContent)
        seen[person.organization_name] = block.text
    (aurora, pampa) = seen
    assert aurora in seen[aurora]
    assert pampa not in seen[aurora]
    assert pampa in seen[pampa]
    assert aurora not in seen[pampa]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_it_reads_resources_and_a_pdf_runs_a_prompt_and_completes_an_argument(
    live: str, demo: Demo, mode: str
) -> None:
    async with signed_in(f"{live}/mcp", demo.person("Helena"), mode, []) as client:
        await reads_resources(client, "Colégio Aurora")
        await reads_a_pdf(client)
        await runs_a_prompt(client)
        await completes_an_argument(client)
        debtor = await debtor_of(client)
    async with signed_in(f"{live}/mcp", demo.person("Vera"), mode, []) as client:
        await finds_nothing_of_the_other(client, debtor)
