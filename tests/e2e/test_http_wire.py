"""What the MCP endpoint does with verbs, hosts, slashes, types and notifications."""

import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence import tables
from tests.e2e.service import Service
from tests.protocol.fixtures import Sent, legacy, modern
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

LIST = modern("tools/list")
ME = modern("tools/call", {"name": "dunning_me", "arguments": {}})
LEGACY_ME = legacy("tools/call", {"name": "dunning_me", "arguments": {}})
JSON = "application/json"


@proves("http.accept")
@pytest.mark.parametrize(
    "accept",
    [None, "*/*", JSON, "application/*;q=0.5", "Application/JSON",
     "text/event-stream, application/json;q=0.9", "application/json, text/event-stream",
     "text/html, */*;q=0.1"],
)  # fmt: skip
@pytest.mark.parametrize("sent", [ME, LEGACY_ME])
async def test_c1_whoever_takes_json_in_some_way_is_answered_in_json(
    service: Service, accept: str | None, sent: Sent
) -> None:
    given = {} if accept is None else {"Accept": accept}
    answer = await service.post(sent, await service.token(), **given)

    assert answer.status_code == 200
    assert answer.headers["content-type"] == JSON


@proves("http.accept", "http.plain")
@pytest.mark.parametrize(
    "accept",
    ["text/html", "application/json;q=0", "*/*;q=0", "text/html, application/json;q=0.0, */*;q=0",
     "image/png", "text/event-stream", "text/*"],
)  # fmt: skip
async def test_c1_whoever_takes_no_json_is_told_406_in_json(service: Service, accept: str) -> None:
    answer = await service.post(ME, await service.token(), Accept=accept)

    assert answer.status_code == 406
    assert answer.headers["content-type"] == JSON
    assert answer.json()["error"]["code"] == "NOT_ACCEPTABLE"


@proves("http.verbs", "http.plain", "http.no-store")
@pytest.mark.parametrize("accept", ["text/html", "text/event-stream"])
@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/"])
async def test_c2_a_browser_or_a_stream_is_told_405_at_once(
    service: Service, accept: str, path: str
) -> None:
    for headers in ({}, {"Authorization": f"Bearer {await service.token()}"}):
        answer = await service.http.get(path, headers={"Accept": accept, **headers})
        assert answer.status_code == 405
        assert answer.headers["allow"] == "POST, OPTIONS"
        assert answer.headers["content-type"] == JSON
        assert answer.headers["cache-control"] == "no-store"


@proves("http.verbs", "http.plain")
@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH"])
@pytest.mark.parametrize("path", ["/mcp", "/"])
async def test_c3_no_other_verb_does_anything(service: Service, method: str, path: str) -> None:
    answer = await service.http.request(
        method, path, headers={"Authorization": f"Bearer {await service.token()}"}
    )

    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST, OPTIONS"
    assert answer.json()["error"]["code"] == "METHOD_NOT_ALLOWED"


@proves("http.media")
@pytest.mark.parametrize(
    "media",
    [JSON, "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"',
     "APPLICATION/JSON ; profile=x"],
)  # fmt: skip
async def test_c4_json_is_json_in_any_case_with_any_parameters(
    service: Service, media: str
) -> None:
    answer = await service.post(ME, await service.token(), Content_Type=media)

    assert answer.status_code == 200


@proves("http.media", "http.plain")
@pytest.mark.parametrize(
    "media", ["text/plain", "application/jsonx", "application/json-rpc", "", None]
)
async def test_c4_what_is_not_json_is_415(service: Service, media: str | None) -> None:
    headers = {"Authorization": f"Bearer {await service.token()}"}
    if media is not None:
        headers["Content-Type"] = media
    answer = await service.http.post("/mcp", content=b"{}", headers=headers)

    assert answer.status_code == 415
    assert answer.json()["error"]["code"] == "UNSUPPORTED_MEDIA_TYPE"


@proves("http.notification")
@pytest.mark.parametrize("version", ["2026-07-28", "2025-06-18", None])
async def test_c12_a_notification_is_202_with_nothing_in_it(
    service: Service, version: str | None
) -> None:
    message = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    headers = () if version is None else (("MCP-Protocol-Version", version),)
    answer = await service.post(Sent(message, headers), await service.token())

    assert answer.status_code == 202
    assert answer.content == b""
    assert answer.headers["content-length"] == "0"
    assert "content-type" not in answer.headers


@proves("http.notification")
async def test_c13_a_call_without_id_writes_no_row(service: Service, owner: AsyncEngine) -> None:
    async def rows() -> list[int]:
        counted = (tables.charges, tables.events, tables.audit_entries, tables.idempotency_records)
        async with owner.connect() as connection:
            return [
                await connection.scalar(select(func.count()).select_from(table)) or 0
                for table in counted
            ]

    token = await service.token()
    debtors = (
        await service.http.get(
            "/v1/debtors", headers={"Authorization": f"Bearer {await service.token(door='v1')}"}
        )
    ).json()["data"]
    create = modern(
        "tools/call",
        {
            "name": "dunning_charges_create",
            "arguments": {
                "debtor_id": debtors[0]["id"],
                "description": "Mensalidade",
                "amount": 120,
                "due_date": "2027-01-10",
                "idempotency_key": "c13",
            },
        },
    )
    without_id = {name: value for name, value in create.message.items() if name != "id"}

    before = await rows()
    answer = await service.post(Sent(without_id, create.headers), token)
    assert (answer.status_code, answer.content) == (202, b"")
    assert await rows() == before
    asked = await service.post(create, token)
    assert "isError" not in asked.json()["result"]
    assert await rows() != before


@proves("http.host", "http.open")
@pytest.mark.parametrize(
    "host", ["mcp.example.com", "mcp.example.com:443", "10.0.0.7:8000", "[::1]:8000", "evil.test"]
)
async def test_c15_whatever_host_is_named_both_doors_and_health_answer(
    service: Service, host: str
) -> None:
    token = await service.token(door="v1")

    assert (await service.post(ME, await service.token(), Host=host)).status_code == 200
    for path in ("/livez", "/readyz", "/v1/me"):
        answer = await service.http.get(
            path, headers={"Host": host, "Authorization": f"Bearer {token}"}
        )
        assert answer.status_code == 200


@proves("http.slash")
@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/", ""])
async def test_a17_with_and_without_slash_the_same_answer_and_no_redirect(
    service: Service, path: str
) -> None:
    answer = await service.post(LIST, await service.token(), path=path)

    assert answer.status_code == 200
    assert answer.content == (await service.post(LIST, await service.token())).content


@proves("session.ignored")
@pytest.mark.parametrize("sent", [ME, LEGACY_ME, legacy("initialize", version=None)])
async def test_c24_sessions_and_events_are_ignored_and_never_made(
    service: Service, sent: Sent
) -> None:
    answer = await service.post(
        sent, await service.token(), Mcp_Session_Id="s-1", Last_Event_ID="7"
    )

    assert answer.status_code == 200
    assert "mcp-session-id" not in answer.headers


@proves("http.no-store")
async def test_i2_nobody_else_may_keep_an_answer(service: Service) -> None:
    token = await service.token()
    tools = await service.post(LIST, token)
    said = [
        tools,
        await service.post(ME, token),
        await service.post(modern("nope"), token),
        await service.post(LIST, "x"),
        await service.http.get("/v1/me"),
    ]

    assert tools.json()["result"]["cacheScope"] == "private"
    assert tools.json()["result"]["ttlMs"] == 0
    assert [answer.headers["cache-control"] for answer in said] == ["no-store"] * len(said)
