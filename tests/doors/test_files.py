"""Files through both doors: bytes from REST, a description from a tool, a blob from a resource."""

import base64
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

import msgspec
import pytest

from entrypoints.container import Container
from entrypoints.settings import read_settings
from tests.builders import NOW, StoppedClock
from tests.database import Database
from tests.doors.firms import Ledger, Pair, things
from tests.doors.house import MODERN, Door, House, open_house, settings_for
from tests.doors.requests import FILES, ROWS, Known

pytestmark = pytest.mark.anyio

_ENVELOPE: Final = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
STATEMENT: Final = "dunning_debtors_statement_pdf"
ADDRESSES: Final = {
    STATEMENT: "kobana://dunning/debtors/{debtor_id}/statement.pdf",
    "dunning_debtors_annual_clearance_pdf": (
        "kobana://dunning/debtors/{settled_debtor_id}/annual_clearance/2025.pdf"
    ),
    "dunning_charges_settlement_letter_pdf": (
        "kobana://dunning/charges/{settled_charge_id}/settlement_letter.pdf"
    ),
}
PATHS: Final = {
    STATEMENT: "/v1/debtors/{debtor_id}/statement/pdf",
    "dunning_debtors_annual_clearance_pdf": (
        "/v1/debtors/{settled_debtor_id}/annual_clearance/2025/pdf"
    ),
    "dunning_charges_settlement_letter_pdf": (
        "/v1/charges/{settled_charge_id}/settlement_letter/pdf"
    ),
}

files = pytest.mark.parametrize("name", sorted(FILES))


@pytest.fixture
async def known(ledger: Ledger, pair: Pair) -> Known:
    return await things(ledger, pair.a)


@pytest.fixture(scope="module")
async def running_with_links(doors_database: Database) -> AsyncIterator[House]:
    wanted = read_settings({"RESOURCE_LINKS": "true"})
    settings = replace(settings_for(doors_database), resource_links=wanted.resource_links)
    clock = StoppedClock()
    container = Container(settings=settings, clock=clock, patience=timedelta(0))
    async with open_house(container, clock) as house:
        yield house


@pytest.fixture
def with_links(running_with_links: House) -> House:
    running_with_links.clock.time = NOW
    return running_with_links


def filled(template: str, known: Known) -> str:
    named = re.findall(r"\{([a-z_]+)\}", template)
    return template.format(**{name: getattr(known, name) for name in named})


async def called(
    house: House, pair: Pair, name: str, arguments: Mapping[str, Any], revision: str = MODERN
) -> dict[str, Any]:
    """The result of a tool call as it came, in either era."""
    params: dict[str, Any] = {"name": name, "arguments": arguments}
    headers = {
        "authorization": f"Bearer {await house.token(pair.a.owner, Door.MCP)}",
        "content-type": "application/json",
        "mcp-protocol-version": revision,
    }
    if revision == MODERN:
        params["_meta"] = _ENVELOPE
        headers |= {"mcp-method": "tools/call", "mcp-name": name}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    response = await house.http.post("/mcp", content=msgspec.json.encode(body), headers=headers)
    result: dict[str, Any] = response.json()["result"]
    return result


@files
async def test_rest_answers_with_a_file_under_a_name_without_people(
    house: House, pair: Pair, known: Known, name: str
) -> None:
    answer = await house.rest(pair.a.owner, name, ROWS[name].arguments(known))
    assert answer.status == 200
    assert answer.raw.startswith(b"%PDF-")
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-length"] == str(len(answer.raw))
    assert "x-request-id" in answer.headers
    disposition = answer.headers["content-disposition"]
    assert re.fullmatch(r'attachment; filename="[a-z0-9-]+\.pdf"', disposition)
    assert "nogueira" not in disposition.lower()
    assert known.document not in disposition


@files
async def test_f9_a_tool_describes_the_file_and_carries_no_byte_of_it(
    house: House, pair: Pair, known: Known, name: str
) -> None:
    arguments = ROWS[name].arguments(known)
    file = await house.rest(pair.a.owner, name, arguments)
    result = await called(house, pair, name, arguments)
    (block,) = result["content"]
    described = msgspec.json.decode(block["text"])
    assert block["type"] == "text"
    assert described.pop("note").startswith("Binary payload.")
    assert described == {
        "content_type": "application/pdf",
        "byte_size": len(file.raw),
        "download_path": filled(PATHS[name], known),
        "resource_uri": filled(ADDRESSES[name], known),
    }
    assert "structuredContent" not in result
    assert len(block["text"]) < 1000


@files
async def test_f9_what_the_resource_gives_is_the_same_file(
    house: House, pair: Pair, known: Known, name: str
) -> None:
    file = await house.rest(pair.a.owner, name, ROWS[name].arguments(known))
    uri = filled(ADDRESSES[name], known)
    answer = await house.message(pair.a.owner, "resources/read", {"uri": uri}, mcp_name=uri)
    (contents,) = answer.json()["result"]["contents"]
    assert (contents["uri"], contents["mimeType"]) == (uri, "application/pdf")
    assert base64.b64decode(contents["blob"]) == file.raw


@files
async def test_the_path_that_a_tool_gives_is_where_the_file_is(
    house: House, pair: Pair, known: Known, name: str
) -> None:
    arguments = ROWS[name].arguments(known)
    described = (await house.tool(pair.a.owner, name, arguments)).body
    token = await house.token(pair.a.owner, Door.REST)
    found = await house.http.get(
        described["download_path"], headers={"authorization": f"Bearer {token}"}
    )
    assert found.status_code == 200
    assert len(found.content) == described["byte_size"]


async def test_what_was_asked_for_beside_the_id_is_in_the_path_and_no_resource_has_it(
    house: House, pair: Pair, known: Known
) -> None:
    asked = {"id": known.debtor_id, "include_paid": True, "from": "2026-08-01"}
    described = (await house.tool(pair.a.owner, STATEMENT, asked)).body
    path = f"/v1/debtors/{known.debtor_id}/statement/pdf?from=2026-08-01&include_paid=true"
    assert described["download_path"] == path
    assert "resource_uri" not in described
    plain = (await house.tool(pair.a.owner, STATEMENT, {**asked, "from": None})).body
    assert plain["download_path"].endswith("/statement/pdf?include_paid=true")


@files
async def test_f9_links_to_the_resource_where_the_operator_wants_them(
    with_links: House, pair: Pair, known: Known, name: str
) -> None:
    arguments = ROWS[name].arguments(known)
    for revision in (MODERN, "2025-06-18"):
        text, link = (await called(with_links, pair, name, arguments, revision))["content"]
        described = msgspec.json.decode(text["text"])
        assert link["type"] == "resource_link"
        assert link["uri"] == described["resource_uri"] == filled(ADDRESSES[name], known)
        assert (link["mimeType"], link["size"]) == ("application/pdf", described["byte_size"])
        assert re.fullmatch(r"[a-z0-9-]+\.pdf", link["name"])
    (only,) = (await called(with_links, pair, name, arguments, "2025-03-26"))["content"]
    assert only["type"] == "text"


@files
async def test_every_file_that_was_made_is_written_down_with_whose_it_is(
    house: House, ledger: Ledger, pair: Pair, known: Known, name: str
) -> None:
    arguments = ROWS[name].arguments(known)
    for door in Door:
        await house.call(door, pair.a.owner, name, arguments)
    uri = filled(ADDRESSES[name], known)
    await house.message(pair.a.owner, "resources/read", {"uri": uri}, mcp_name=uri)
    lines = await ledger.audit(pair.a.id)
    assert [(line["action"], line["outcome"], line["resource"]) for line in lines] == [
        (name, "ok", arguments["id"])
    ] * 3
    assert {line["via"] for line in lines} == {"rest", "mcp"}
    assert {line["actor_id"] for line in lines} == {next(iter(pair.a.creditor.people)).id}
    assert await ledger.audit(pair.b.id) == []


@files
async def test_a_file_changes_nothing_else(
    house: House, ledger: Ledger, pair: Pair, known: Known, name: str
) -> None:
    before = await ledger.everything(pair.a.id)
    await house.rest(pair.a.owner, name, ROWS[name].arguments(known))
    after = await ledger.everything(pair.a.id)
    del before["audit_entries"], after["audit_entries"]
    assert before == after


async def test_a_refusal_is_json_as_ever(house: House, pair: Pair, known: Known) -> None:
    refused = await house.rest(
        pair.a.owner, "dunning_charges_settlement_letter_pdf", {"id": known.charge_id}
    )
    assert refused.headers["content-type"] == "application/json"
    assert "content-disposition" not in refused.headers
    assert (refused.status, refused.code) == (409, "STATE_CONFLICT")


async def test_the_document_says_what_comes(house: House) -> None:
    document = (await house.http.get("/v1/openapi.json")).json()
    for name in FILES:
        method, path = house.routes[name]
        answer = document["paths"][f"/v1{path}"][method.lower()]["responses"]["200"]
        assert list(answer["content"]) == ["application/pdf"]
        assert "Content-Disposition" in answer["headers"]


async def test_the_page_for_people_says_what_comes(house: House) -> None:
    page = (await house.http.get("/v1/docs")).text
    assert page.count("A file, <code>application/pdf</code>.") == len(FILES)
