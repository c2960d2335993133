"""The official TypeScript client reads, runs a prompt and completes an argument, in both eras."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.named import BRIEFING, DEBTOR, ROOT
from tests.e2e.service import Service
from tests.e2e.typescript_client import NamedTalk, asked

pytestmark = pytest.mark.anyio

ERAS = [("auto", "2026-07-28"), ("legacy", "2025-06-18")]


async def first_debtor(service: Service, first_name: str) -> dict[str, Any]:
    headers = await service.rest_headers(first_name)
    answer = await service.http.get("/v1/debtors", params={"per_page": 1}, headers=headers)
    debtor: dict[str, Any] = answer.json()["data"][0]
    return debtor


async def asked_by(  # noqa: PLR0917 -- a client, who it is for, and what it asks
    folder: Path, live: str, service: Service, first_name: str, mode: str, debtor: dict[str, Any]
) -> NamedTalk:
    """What this person's client hears that asks for everything there is about the debtor."""
    uri = f"{ROOT}/debtors/{debtor['id']}"
    briefing = {"name": BRIEFING, "arguments": {"debtor_id": debtor["id"], "language": "en"}}
    typed = debtor["name"].split()[0]
    of_prompt = {"type": "ref/prompt", "name": BRIEFING}
    of_template = {"type": "ref/resource", "uri": DEBTOR}
    requests = [
        {"method": "readResource", "params": {"uri": f"{ROOT}/me"}},
        {"method": "readResource", "params": {"uri": uri}},
        {"method": "readResource", "params": {"uri": f"{uri}/statement.pdf"}},
        {"method": "getPrompt", "params": briefing},
        {
            "method": "complete",
            "params": {"ref": of_prompt, "argument": {"name": "debtor_id", "value": typed}},
        },
        {
            "method": "complete",
            "params": {"ref": of_template, "argument": {"name": "id", "value": typed}},
        },
        {"method": "listResources", "params": {}},
        {"method": "listResourceTemplates", "params": {}},
        {"method": "listPrompts", "params": {}},
    ]
    token = await service.token(first_name)
    return await asked(folder, f"{live}/mcp", token, mode, requests)


@pytest.mark.parametrize(("mode", "version"), ERAS)
async def test_it_gets_everything_that_has_a_name(
    typescript: Path, live: str, service: Service, mode: str, version: str
) -> None:
    debtor = await first_debtor(service, "Helena")
    talk = await asked_by(typescript, live, service, "Helena", mode, debtor)

    results = [told["result"] for told in talk.heard]
    me, read, pdf, script, of_prompt, of_template, resources, templates, prompts = results
    assert talk.version == version
    assert "Colégio Aurora" in me["contents"][0]["text"]
    assert json.loads(read["contents"][0]["text"])["data"]["name"] == debtor["name"]
    assert pdf["contents"][0]["mimeType"] == "application/pdf"
    assert base64.b64decode(pdf["contents"][0]["blob"], validate=True).startswith(b"%PDF-")
    assert debtor["name"] in json.dumps(script["messages"], ensure_ascii=False)
    for found in (of_prompt, of_template):
        assert debtor["id"] in found["completion"]["values"]
    assert f"{ROOT}/me" in {one["uri"] for one in resources["resources"]}
    assert DEBTOR in {one["uriTemplate"] for one in templates["resourceTemplates"]}
    assert BRIEFING in {one["name"] for one in prompts["prompts"]}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_it_is_told_nothing_of_the_other_organisation(
    typescript: Path, live: str, service: Service, mode: str
) -> None:
    foreign = await first_debtor(service, "Helena")
    talk = await asked_by(typescript, live, service, "Vera", mode, foreign)

    me, read, pdf, script, of_prompt, of_template, *_ = talk.heard
    assert "Pampa Distribuidora" in me["result"]["contents"][0]["text"]
    assert [set(told) for told in (read, pdf, script)] == [{"refused"}] * 3
    assert "Resource not found" in read["refused"]["message"]
    for found in (of_prompt, of_template):
        assert foreign["id"] not in found["result"]["completion"]["values"]
