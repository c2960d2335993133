"""`dunning stdio`, a process that speaks in lines: what it takes, what it says, how it ends."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final

import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.auth.embedded.tokens import Bearer
from adapters.persistence import tables
from adapters.persistence.admin import Administration
from adapters.system.clock import UtcClock
from application.access.enter import REMEMBERED
from domain.access.members import ApiClient
from tests.builders import IDS
from tests.e2e.blocked import Watch, blocked_charges
from tests.e2e.service import Service
from tests.e2e.spoken import Spoken, environment, spoken, spoken_in
from tests.protocol.fixtures import Sent, legacy, modern
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

ME: Final = modern("tools/call", {"name": "dunning_me", "arguments": {}})
CHARGES: Final = modern("tools/call", {"name": "dunning_charges_list", "arguments": {}})
PING: Final = legacy("ping")
LIMIT: Final = 2_097_152
PIECE: Final = b"[" * 65_536


def with_id(sent: Sent, request_id: int | str) -> Sent:
    return Sent({**sent.message, "id": request_id}, ())


def cancelled(request_id: int | str) -> bytes:
    params = {"requestId": request_id, "reason": "The person has left."}
    said = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
    return json.dumps(said).encode() + b"\n"


def document(message: dict[str, Any]) -> dict[str, Any]:
    """What a tool's answer says."""
    (block,) = message["result"]["content"]
    said: dict[str, Any] = json.loads(block["text"])
    return said


@proves("stdio.lines", "stdio.version", "stdio.end")
async def test_it_speaks_both_eras_and_says_nothing_but_answers(service: Service) -> None:
    async with spoken(service) as client:
        discovered = await client.ask(modern("server/discover"))
        modern_me = await client.ask(ME)
        settled = await client.ask(legacy("initialize", {"protocolVersion": "2025-03-26"}))
        await client.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        legacy_me = await client.ask(legacy("tools/call", ME.message["params"] | {"_meta": {}}))
        ended = await client.end()

    assert "2026-07-28" in discovered["result"]["supportedVersions"]
    assert modern_me["result"]["resultType"] == "complete"
    assert settled["result"]["protocolVersion"] == "2025-03-26"
    assert "resultType" not in legacy_me["result"]
    assert document(modern_me)["data"]["principal"]["name"] == "Helena Prado"
    assert ended.exit_code == 0
    assert all(json.loads(line)["level"] for line in ended.log.splitlines())


@proves("stdio.token")
async def test_two_tokens_of_two_organisations_each_see_their_own(service: Service) -> None:
    seen: dict[str, str] = {}
    async with spoken(service, "Helena") as aurora, spoken(service, "Vera") as pampa:
        for client in (aurora, pampa):
            name = document(await client.ask(ME))["data"]["organization"]["name"]
            seen[name] = json.dumps(document(await client.ask(CHARGES))["data"])
    (one, other) = ({charge["id"] for charge in json.loads(charges)} for charges in seen.values())

    assert set(seen) == {"Colégio Aurora", "Pampa Distribuidora"}
    assert one
    assert other
    assert one.isdisjoint(other)


@proves("stdio.lines", "stdio.size")
async def test_after_hostile_lines_it_answers_as_before(service: Service) -> None:
    async with spoken(service) as client:
        await client.send(b"\n", b"  \r\n", b"\x00\n", b"{}\n", b'"\xff\xfe"\n')
        refused = [(await client.next())["error"]["code"] for _ in range(3)]
        for _ in range(LIMIT // len(PIECE) + 1):
            await client.send(PIECE)
        endless = await client.next()
        await client.send(PIECE, b'{"jsonrpc":"2.0","id":1,"method":"ping"}', b"\n")
        answer = await client.ask(json.dumps(PING.message).encode() + b"\r\n")
        ended = await client.end()

    assert refused == [-32700, -32600, -32700]
    assert (endless["id"], endless["error"]["code"]) == (None, -32600)
    assert answer == {"jsonrpc": "2.0", "id": 7, "result": {}}
    assert ended.exit_code == 0


@proves("stdio.cancel")
async def test_a_cancelled_request_is_undone_and_never_answered(
    service: Service, owner: AsyncEngine, watch: Watch
) -> None:
    async with spoken(service) as client:
        debtors = modern("tools/call", {"name": "dunning_debtors_list", "arguments": {}})
        debtor_id = document(await client.ask(debtors))["data"][0]["id"]
        arguments = {
            "debtor_id": debtor_id,
            "description": "Cancelled on its way",
            "amount": 10,
            "due_date": "2030-01-02",
            "idempotency_key": "stdio-cancelled",
        }
        create = modern("tools/call", {"name": "dunning_charges_create", "arguments": arguments})
        async with blocked_charges(owner):
            await client.send(with_id(create, 1))
            await watch.waiting(1)
            await client.send(cancelled("1"))
            assert (await client.ask(PING))["result"] == {}
            await watch.waiting(1)
            await client.send(cancelled(1))
            await watch.rest()
        ended = await client.end()

    described = tables.charges.c.description == "Cancelled on its way"
    async with owner.connect() as rows:
        assert await rows.scalar(select(func.count()).where(described)) == 0
    assert ended.exit_code == 0


@proves("stdio.at-once")
async def test_a_request_that_is_held_up_holds_up_no_other(
    service: Service, owner: AsyncEngine, watch: Watch
) -> None:
    async with spoken(service) as client, blocked_charges(owner) as lift:
        await client.send(with_id(CHARGES, "slow"))
        await watch.waiting(1)
        quick = await client.ask(with_id(ME, "quick"))
        await lift()
        slow = await client.next()

    assert quick["id"] == "quick"
    assert slow["id"] == "slow"
    assert document(slow)["data"]


@proves("stdio.end")
async def test_when_its_input_ends_it_answers_what_was_begun(service: Service) -> None:
    async with spoken(service) as client:
        await client.send(json.dumps(ME.message).encode())
        assert client.process.stdin is not None
        client.process.stdin.close()
        answer = await client.next()
        ended = await client.ended()

    assert document(answer)["data"]["principal"]["name"] == "Helena Prado"
    assert ended.exit_code == 0


@proves("stdio.end")
async def test_sigterm_ends_it_and_undoes_what_is_in_work(
    service: Service, owner: AsyncEngine, watch: Watch
) -> None:
    async with spoken(service) as client, blocked_charges(owner):
        await client.send(CHARGES)
        await watch.waiting(1)
        client.process.terminate()
        ended = await client.ended()
        await watch.rest()

    assert ended.exit_code == 0
    assert "Traceback" not in ended.log


@proves("stdio.end")
async def test_sigterm_ends_it_while_nobody_says_anything(service: Service) -> None:
    async with spoken(service) as client:
        await client.ask(PING)
        client.process.terminate()
        ended = await client.ended()

    assert ended.exit_code == 0


@proves("stdio.end")
async def test_a_client_that_reads_no_more_ends_it(service: Service) -> None:
    async with spoken(service) as client:
        await client.ask(PING)
        deaf(client)
        await client.send(PING)
        exit_code = await asyncio.wait_for(client.process.wait(), 20)
        assert client.process.stderr is not None
        log = (await client.process.stderr.read()).decode()

    assert exit_code == 0
    assert "Traceback" not in log


def deaf(client: Spoken) -> None:
    """Close the client's end of the output."""
    pipe = client.process._transport.get_pipe_transport(1)  # type: ignore[attr-defined]  # asyncio has no other way to it
    pipe.close()


@proves("stdio.scope")
async def test_a_token_without_the_scope_is_told_by_the_tool(service: Service) -> None:
    token = await service.token("Helena", scopes=("dunning.debtors:read",))
    async with spoken_in(environment(service, token)) as client:
        refused = await client.ask(CHARGES)

    assert refused["result"]["isError"]
    assert document(refused)["error"]["code"] == "SCOPE_MISSING"
    assert document(refused)["error"]["details"][0]["field"] == "dunning.charges:read"


@proves("stdio.scope")
async def test_a_resource_without_the_scope_is_an_error_of_the_protocol(service: Service) -> None:
    debtors = modern("tools/call", {"name": "dunning_debtors_list", "arguments": {}})
    async with spoken(service) as client:
        debtor_id = document(await client.ask(debtors))["data"][0]["id"]
    token = await service.token("Helena", scopes=("dunning.charges:read",))
    read = modern("resources/read", {"uri": f"kobana://dunning/debtors/{debtor_id}"})
    async with spoken_in(environment(service, token)) as client:
        error = (await client.ask(read))["error"]

    assert error["code"] == -32602
    assert error["data"]["code"] == "SCOPE_MISSING"
    assert error["data"]["details"][0]["field"] == "dunning.debtors:read"


@proves("stdio.limit")
async def test_an_empty_bucket_is_told_by_the_tool(service: Service) -> None:
    async with spoken(service, RATE_READ="1") as client:
        await client.ask(ME)
        refused = await client.ask(ME)

    assert refused["result"]["isError"]
    assert document(refused)["error"]["code"] == "RATE_LIMITED"
    assert 1 <= document(refused)["error"]["retry_after"] <= 60


Mint = Callable[[Service], Awaitable[str | None]]


async def _none(_service: Service) -> None:
    return None


async def _blank(_service: Service) -> str:
    return "  "


async def _rubbish(_service: Service) -> str:
    return "zażółć.gęślą.jaźń"


async def _nobody(service: Service) -> str:
    return await service.mint_for(service.demo.person("Helena").organization_id)


async def _of_the_other_door(service: Service) -> str:
    return await service.token("Helena", door="v1")


@proves("stdio.token")
@pytest.mark.parametrize(
    ("mint", "reason"),
    [
        (_none, "is not set"),
        (_blank, "is not set"),
        (_rubbish, "not a signed JWT"),
        (Service.expired_token, "has expired"),
        (_of_the_other_door, "audience"),
        (_nobody, "no active member"),
    ],
)
async def test_it_does_not_begin_with_a_token_that_does_not_count(
    service: Service, mint: Mint, reason: str
) -> None:
    token = await mint(service)
    async with spoken_in(environment(service, token)) as client:
        ended = await client.ended()

    assert ended.exit_code == 1
    (line,) = ended.log.splitlines()
    assert line.startswith("dunning: DUNNING_TOKEN: ")
    assert reason in line
    assert not (token or "").strip() or (token or "") not in line


async def _no_database(service: Service) -> dict[str, str]:
    unreachable = "postgresql://dunning_app:secret@127.0.0.1:1/nowhere"
    return environment(service, await service.token(), DATABASE_URL=unreachable)


@proves("stdio.token")
async def test_it_does_not_begin_without_its_database(service: Service) -> None:
    async with spoken_in(await _no_database(service)) as client:
        ended = await client.ended()

    assert ended.exit_code == 1
    (line,) = ended.log.splitlines()
    assert line.startswith("dunning: DATABASE_URL: the database does not answer")
    assert "secret" not in line


@proves("stdio.keys")
async def test_it_does_not_begin_without_the_keys_of_the_pages_that_it_sends_people_to(
    service: Service,
) -> None:
    environ = environment(service, await service.token())
    del environ["SEALING_KEYS"]
    async with spoken_in(environ) as client:
        ended = await client.ended()

    assert ended.exit_code == 2
    (line,) = ended.log.splitlines()
    assert line.startswith("dunning: SEALING_KEYS: is not set; set the same value as `dunning ser")
    assert "`dunning keys new`" in line


async def own_program(service: Service, owner: AsyncEngine) -> ApiClient:
    """A program of the first organisation that no other test knows."""
    like = next(iter(service.demo.planted.api_clients))
    program_id = IDS.new("cli")
    program = replace(
        like, id=program_id, name="stdio", client_id=program_id, subject=f"of-{program_id}"
    )
    await Administration(owner).add_api_client(program)
    return program


@proves("stdio.token")
async def test_a_token_that_is_revoked_meanwhile_ends_it_within_seconds(
    service: Service, owner: AsyncEngine
) -> None:
    program = await own_program(service, owner)
    token = await service.mint(
        Bearer(
            subject=program.subject,
            client_id=program.client_id,
            organization_id=program.organization_id,
            scopes=tuple(program.scopes),
        )
    )
    async with spoken_in(environment(service, token)) as client:
        assert (await client.ask(PING))["result"] == {}
        administration = Administration(owner)
        await administration.revoke_api_client(
            program.organization_id, program.id, UtcClock().now()
        )
        async with asyncio.timeout(REMEMBERED.total_seconds() + 1):
            while "result" in (answer := await client.ask(PING)):
                pass
        ended = await client.ended()

    assert answer["error"]["data"]["code"] == "UNAUTHENTICATED"
    assert ended.exit_code == 1
    assert ended.log.splitlines()[-1].startswith(
        "dunning: DUNNING_TOKEN: the API client is revoked"
    )
