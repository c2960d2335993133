"""What an official client does with everything that has a name, whatever it is connected by."""

import base64
import json
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp_types import (
    BlobResourceContents,
    EmbeddedResource,
    PromptReference,
    ResourceTemplateReference,
    TextContent,
    TextResourceContents,
)

ROOT = "kobana://dunning"
DEBTOR = f"{ROOT}/debtors/{{id}}"
BRIEFING = "debtor_briefing"


async def debtor_of(client: Client) -> dict[str, Any]:
    """The first debtor that this person sees."""
    answer = await client.call_tool("dunning_debtors_list", {"per_page": 1})
    (block,) = answer.content
    assert isinstance(block, TextContent)
    debtor: dict[str, Any] = json.loads(block.text)["data"][0]
    return debtor


async def reads_resources(client: Client, organization: str) -> None:
    """A fixed one, and one of a template; both as their tools say it."""
    listed = {one.uri for one in (await client.list_resources()).resources}
    templates = {
        one.uri_template for one in (await client.list_resource_templates()).resource_templates
    }
    assert f"{ROOT}/me" in listed
    assert DEBTOR in templates

    me = text_of(await client.read_resource(f"{ROOT}/me"))
    debtor = await debtor_of(client)
    read = text_of(await client.read_resource(f"{ROOT}/debtors/{debtor['id']}"))
    assert me["data"]["organization"]["name"] == organization
    assert read["data"]["name"] == debtor["name"]


async def reads_a_pdf(client: Client) -> None:
    """A statement, whole."""
    debtor = await debtor_of(client)
    read = await client.read_resource(f"{ROOT}/debtors/{debtor['id']}/statement.pdf")
    (contents,) = read.contents
    assert isinstance(contents, BlobResourceContents)
    assert contents.mime_type == "application/pdf"
    file = base64.b64decode(contents.blob, validate=True)
    assert file.startswith(b"%PDF-")
    assert file.rstrip().endswith(b"%%EOF")


async def runs_a_prompt(client: Client) -> None:
    """A briefing, with the debtor's own data beside it."""
    debtor = await debtor_of(client)
    assert BRIEFING in {prompt.name for prompt in (await client.list_prompts()).prompts}
    script = await client.get_prompt(BRIEFING, {"debtor_id": debtor["id"], "language": "en"})
    said = [one.content for one in script.messages]
    texts = [one.text for one in said if isinstance(one, TextContent)]
    shown = [one.resource for one in said if isinstance(one, EmbeddedResource)]
    assert any("dunning_charges_list" in text for text in texts)
    data = [one.text for one in shown if isinstance(one, TextResourceContents)] or texts
    assert any(debtor["name"] in text for text in data)


async def completes_an_argument(client: Client) -> None:
    """The debtor of a prompt, and of a template, by how their name begins."""
    debtor = await debtor_of(client)
    typed = debtor["name"].split()[0]
    references = (
        (PromptReference(name=BRIEFING), "debtor_id"),
        (ResourceTemplateReference(uri=DEBTOR), "id"),
    )
    for reference, argument in references:
        found = await client.complete(reference, {"name": argument, "value": typed})
        assert debtor["id"] in found.completion.values


async def finds_nothing_of_the_other(client: Client, foreign: dict[str, Any]) -> None:
    """Whoever is connected to another organisation is told nothing of `foreign`, a debtor."""
    for path in ("", "/statement.pdf"):
        with pytest.raises(MCPError) as refused:
            await client.read_resource(f"{ROOT}/debtors/{foreign['id']}{path}")
        assert refused.value.error.message == "Resource not found"
    with pytest.raises(MCPError) as refused:
        await client.get_prompt(BRIEFING, {"debtor_id": foreign["id"]})
    assert foreign["name"] not in str(refused.value)
    reference = PromptReference(name=BRIEFING)
    found = await client.complete(reference, {"name": "debtor_id", "value": foreign["name"]})
    assert foreign["id"] not in found.completion.values


def text_of(read: Any) -> dict[str, Any]:
    (contents,) = read.contents
    assert isinstance(contents, TextResourceContents)
    assert contents.mime_type == "application/json"
    document: dict[str, Any] = json.loads(contents.text)
    return document
