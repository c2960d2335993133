"""What only a real connection can show: chunks, HEAD, half-sent bodies, people who hang up."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence import tables
from tests.e2e.blocked import Watch
from tests.e2e.service import Service
from tests.protocol.fixtures import Sent, legacy, modern
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

LIMIT = 2_097_152
HEADERS = 65_536
ME = modern("tools/call", {"name": "dunning_me", "arguments": {}})
LONGEST = 10


@pytest.fixture
async def http(live: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=live, timeout=LONGEST) as client:
        yield client


@asynccontextmanager
async def connection(
    live: str,
) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    address = urlsplit(live)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        yield reader, writer
    finally:
        writer.close()


def head_of(sent: Sent, token: str, *, length: int | None = None) -> bytes:
    """The request line and headers of a POST to the endpoint, names in capitals."""
    size = len(json.dumps(sent.message)) if length is None else length
    lines = [
        "POST /mcp HTTP/1.1",
        "HOST: mcp.example.com",
        f"AUTHORIZATION: bEARER {token}",
        "CONTENT-TYPE: application/json",
        f"CONTENT-LENGTH: {size}",
        *(f"{name.upper()}: {value}" for name, value in sent.headers),
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def in_chunks(body: bytes, size: int) -> AsyncIterator[bytes]:
    async def chunks() -> AsyncGenerator[bytes]:
        for start in range(0, len(body), size):
            yield body[start : start + size]

    return chunks()


@proves("http.verbs", "http.open")
async def test_c25_head_is_answered_without_a_body_and_the_connection_stays(
    http: httpx.AsyncClient,
) -> None:
    for path, status in [
        ("/mcp", 405),
        ("/", 405),
        ("/.well-known/oauth-protected-resource/mcp", 200),
        ("/livez", 200),
        ("/readyz", 200),
    ]:
        answer = await http.head(path)
        assert answer.status_code == status
        assert answer.content == b""
    assert (await http.get("/livez")).json() == {"status": "ok"}


@proves("http.size")
async def test_c21_a_body_in_chunks_counts_as_it_comes(
    http: httpx.AsyncClient, service: Service
) -> None:
    body = json.dumps(ME.message).encode()
    headers = {
        **dict(ME.headers),
        "Authorization": f"Bearer {await service.token()}",
        "Content-Type": "application/json",
    }
    small = await http.post("/mcp", content=in_chunks(body, 7), headers=headers)
    padded = body.ljust(LIMIT)
    full = await http.post("/mcp", content=in_chunks(padded, 60_000), headers=headers)

    assert (small.status_code, full.status_code) == (200, 200)


@proves("http.size")
@pytest.mark.parametrize("path", ["/mcp", "/v1/charges"])
async def test_c21_one_byte_too_many_is_413_before_any_token_is_looked_at(
    http: httpx.AsyncClient, path: str
) -> None:
    answer = await http.post(path, content=in_chunks(b" " * (LIMIT + 1), 60_000))

    assert answer.status_code == 413
    if path == "/mcp":
        error = {"code": -32600, "message": "Request body too large"}
        assert answer.json() == {"jsonrpc": "2.0", "id": None, "error": error}


@proves("http.size")
async def test_c21_fifty_megabytes_that_are_announced_are_never_read(live: str) -> None:
    async with connection(live) as (reader, writer), asyncio.timeout(LONGEST):
        writer.write(head_of(ME, "x", length=50_000_000))
        said = await reader.read()

    assert said.startswith(b"HTTP/1.1 413 ")
    assert b"\r\nconnection: close\r\n" in said


@proves("http.size")
async def test_c21_a_hundred_thousand_brackets_are_a_parse_error(
    http: httpx.AsyncClient, service: Service
) -> None:
    answer = await http.post(
        "/mcp",
        content=b"[" * 100_000,
        headers={
            "Authorization": f"Bearer {await service.token()}",
            "Content-Type": "application/json",
        },
    )

    assert answer.status_code == 400
    assert answer.json()["error"]["code"] in {-32700, -32600}


@proves("era.header-values", "auth.header")
async def test_d7_header_names_and_the_scheme_come_in_any_case(live: str, service: Service) -> None:
    async with connection(live) as (reader, writer), asyncio.timeout(LONGEST):
        writer.write(head_of(ME, await service.token()) + json.dumps(ME.message).encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")


@proves("era.routing-twice", "era.legacy-version")
async def test_d4_a_version_that_is_sent_twice_is_refused_in_both_eras(
    http: httpx.AsyncClient, service: Service
) -> None:
    bearer = ("Authorization", f"Bearer {await service.token()}")
    for sent, code in [(ME, -32020), (legacy("ping"), -32022)]:
        version = next(pair for pair in sent.headers if pair[0] == "MCP-Protocol-Version")
        answer = await http.post(
            "/mcp", json=sent.message, headers=[*sent.headers, version, bearer]
        )
        assert answer.status_code == 400
        assert answer.json()["error"]["code"] == code


@proves("result.modern", "result.legacy", "version.header")
@pytest.mark.parametrize(
    ("sent", "version"),
    [(ME, "2026-07-28"), (legacy("tools/list"), "2025-06-18"),
     (legacy("tools/list", version=None), "2025-03-26")],
)  # fmt: skip
async def test_d10_each_era_is_dressed_as_it_should_be_over_http(
    http: httpx.AsyncClient, service: Service, sent: Sent, version: str
) -> None:
    bearer = {"Authorization": f"Bearer {await service.token()}"}
    answer = await http.post("/mcp", json=sent.message, headers={**dict(sent.headers), **bearer})

    assert answer.headers["mcp-protocol-version"] == version
    result = answer.json()["result"]
    is_modern = version == "2026-07-28"
    assert ("resultType" in result) is is_modern
    assert ("_meta" in result) is is_modern


async def said_to(live: str, *pieces: bytes) -> bytes:
    """Everything that the server says until it hangs up, to what is sent piece by piece."""
    said = bytearray()
    async with connection(live) as (reader, writer), asyncio.timeout(LONGEST):
        # Hanging up on what is still being sent resets the connection.
        with suppress(ConnectionError):
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
            while more := await reader.read(LIMIT):
                said += more
    return bytes(said)


def with_cookie(size: int, *, method: str = "GET", more: str = "") -> bytes:
    """A request to `/v1/me` without a token, with a header of so many bytes."""
    return f"{method} /v1/me HTTP/1.1\r\nHost: x\r\n{more}Cookie: {'c' * size}\r\n\r\n".encode()


def assert_refused_for_its_headers(said: bytes) -> None:
    head, _, body = said.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 431 ")
    assert b"\r\ncontent-type: application/json\r\n" in head
    assert b"\r\nconnection: close" in head
    assert json.loads(body)["error"]["code"] == "HEADERS_TOO_LARGE"


@proves("http.head-size")
async def test_headers_above_64_kb_are_431_before_any_token_is_looked_at(live: str) -> None:
    assert_refused_for_its_headers(await said_to(live, with_cookie(HEADERS)))
    many = "".join(f"X-{number}: {number}\r\n" for number in range(10_000))
    assert_refused_for_its_headers(await said_to(live, with_cookie(1, more=many)))
    path = b"GET /" + b"a" * HEADERS + b" HTTP/1.1\r\n\r\n"
    assert_refused_for_its_headers(await said_to(live, path))


@proves("http.head-size")
async def test_headers_that_never_end_are_431_as_soon_as_they_are_too_many(live: str) -> None:
    start = b"GET /v1/me HTTP/1.1\r\nCookie: "
    assert_refused_for_its_headers(await said_to(live, start, b"c" * HEADERS, b"c"))


@proves("http.head-size")
async def test_the_bound_on_headers_is_for_each_request_of_a_connection(live: str) -> None:
    last = with_cookie(30_000, more="Connection: close\r\n")
    one_by_one = await said_to(live, *[with_cookie(60_000)] * 5, last)
    body = with_cookie(0, method="POST", more="Content-Length: 100000\r\n") + b" " * 100_000
    pipelined = await said_to(live, (body + with_cookie(30_000)) * 2 + last)

    assert one_by_one.count(b"HTTP/1.1 401 ") == 6
    assert pipelined.count(b"HTTP/1.1 405 ") == 2
    assert pipelined.count(b"HTTP/1.1 401 ") == 3


@proves("http.head-size")
async def test_trailers_that_never_end_are_hung_up_on(live: str) -> None:
    chunked = b"POST /mcp HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\nX: "
    assert await said_to(live, chunked, *[b"c" * HEADERS] * 10) == b""


@proves("health.no-versions")
async def test_no_answer_names_the_server_s_software(http: httpx.AsyncClient) -> None:
    for path in ("/livez", "/mcp", "/v1/me", "/nope"):
        assert "server" not in (await http.get(path)).headers


@proves("limit.overload")
async def test_people_who_never_finish_their_body_keep_nobody_waiting(
    live: str, http: httpx.AsyncClient, service: Service
) -> None:
    token = await service.token()
    async with AsyncExitStack() as stack:
        for _ in range(120):
            _, writer = await stack.enter_async_context(connection(live))
            writer.write(head_of(ME, token) + b'{"jsonrpc"')
            await writer.drain()
        bearer = {"Authorization": f"Bearer {token}"}
        answer = await http.post("/mcp", json=ME.message, headers={**dict(ME.headers), **bearer})
        assert answer.status_code == 200


@proves("limit.gone")
async def test_m4_a_write_whose_client_hangs_up_is_whole_and_its_key_has_the_answer(
    live: str, http: httpx.AsyncClient, service: Service, owner: AsyncEngine, watch: Watch
) -> None:
    debtors = await http.get("/v1/debtors", headers=await service.rest_headers())
    arguments = {
        "debtor_id": debtors.json()["data"][0]["id"],
        "description": "Hung up",
        "amount": 90,
        "due_date": "2027-02-10",
        "idempotency_key": "m4-hung-up",
    }
    create = modern("tools/call", {"name": "dunning_charges_create", "arguments": arguments})
    token = await service.token()
    async with connection(live) as (_, writer):
        writer.write(head_of(create, token) + json.dumps(create.message).encode())
        await writer.drain()

    bearer = {"Authorization": f"Bearer {token}"}
    async with asyncio.timeout(LONGEST):
        while True:
            again = await http.post(
                "/mcp", json=create.message, headers={**dict(create.headers), **bearer}
            )
            if "IDEMPOTENCY_IN_PROGRESS" not in again.text:
                break
    assert "isError" not in again.json()["result"]
    hung_up = tables.charges.c.description == "Hung up"
    await watch.rest()
    async with owner.connect() as rows:
        stored = select(func.count()).select_from(tables.charges).where(hung_up)
        assert await rows.scalar(stored) == 1
