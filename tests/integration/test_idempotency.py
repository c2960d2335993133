"""One transaction holds a key at a time; its answer is kept with the effect until it expires."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.tables import idempotency_records
from adapters.persistence.work import OpenSqlWork
from application.operations import forget
from application.operations.forget import ForgetAnswers
from domain.access.idempotency import KeyScope, StoredAnswer
from domain.errors import IdempotencyBusyError
from tests.builders import IDS, NOW, ORIGIN, Creditor, StoppedClock, a_grant
from tests.conftest import Organisations

pytestmark = pytest.mark.anyio

SCOPE = KeyScope(
    issuer="https://issuer.example.com",
    subject="person-1",
    operation="dunning_charges_create",
    path_ids=(),
    key="1",
)
ANSWER = StoredAnswer(
    fingerprint=b"\x01" * 32,
    status=201,
    body=b'{"data":{}}',
    expires_at=NOW + timedelta(hours=72),
)
OTHER_ANSWER = StoredAnswer(
    fingerprint=b"\x02" * 32, status=200, body=b"", expires_at=NOW + timedelta(hours=144)
)


async def keep(open_work: OpenSqlWork, grant_of: Organisations, answer: StoredAnswer) -> None:
    async with open_work(a_grant(grant_of.a), ORIGIN) as work:
        assert await work.idempotency.claim(SCOPE) is None
        await work.idempotency.save(SCOPE, answer)
        await work.commit()


async def test_a_committed_answer_is_found_and_claimed_again(
    organisations: Organisations, open_work: OpenSqlWork
) -> None:
    await keep(open_work, organisations, ANSWER)

    async with open_work(a_grant(organisations.a), ORIGIN) as work:
        assert await work.idempotency.find(SCOPE) == ANSWER
        assert await work.idempotency.claim(SCOPE) == ANSWER


async def test_an_answer_belongs_to_its_organisation(
    organisations: Organisations, open_work: OpenSqlWork
) -> None:
    await keep(open_work, organisations, ANSWER)

    async with open_work(a_grant(organisations.b), ORIGIN) as work:
        assert await work.idempotency.claim(SCOPE) is None


async def test_an_answer_that_was_not_committed_does_not_exist(
    organisations: Organisations, open_work: OpenSqlWork
) -> None:
    async with open_work(a_grant(organisations.a), ORIGIN) as work:
        await work.idempotency.save(SCOPE, ANSWER)

    async with open_work(a_grant(organisations.a), ORIGIN, read_only=True) as work:
        assert await work.idempotency.find(SCOPE) is None


async def test_a_key_that_another_transaction_holds_is_busy_until_that_one_ends(
    organisations: Organisations, open_work: OpenSqlWork
) -> None:
    async with open_work(a_grant(organisations.a), ORIGIN) as first:
        assert await first.idempotency.claim(SCOPE) is None

        async with open_work(a_grant(organisations.b), ORIGIN) as elsewhere:
            assert await elsewhere.idempotency.claim(SCOPE) is None
        async with open_work(a_grant(organisations.a), ORIGIN) as second:
            with pytest.raises(IdempotencyBusyError):
                await second.idempotency.claim(SCOPE)
        await first.idempotency.save(SCOPE, ANSWER)
        await first.commit()

    async with open_work(a_grant(organisations.a), ORIGIN) as third:
        assert await third.idempotency.claim(SCOPE) == ANSWER


async def test_an_expired_answer_gives_way_to_the_next_one(
    organisations: Organisations, open_work: OpenSqlWork, system_clock: StoppedClock
) -> None:
    await keep(open_work, organisations, ANSWER)
    system_clock.time = ANSWER.expires_at

    await keep(open_work, organisations, OTHER_ANSWER)

    async with open_work(a_grant(organisations.a), ORIGIN, read_only=True) as work:
        assert await work.idempotency.find(SCOPE) == OTHER_ANSWER


@pytest.mark.parametrize("batch", [2, 3, 1_000])
async def test_expired_answers_are_forgotten_in_one_organisation_and_others_are_kept(
    organisations: Organisations,
    *,
    open_work: OpenSqlWork,
    owner_engine: AsyncEngine,
    system_clock: StoppedClock,
    monkeypatch: pytest.MonkeyPatch,
    batch: int,
) -> None:
    monkeypatch.setattr(forget, "BATCH", batch)
    for creditor in (organisations.a, organisations.b):
        async with open_work(a_grant(creditor), ORIGIN) as work:
            for key in ("1", "2", "3"):
                await work.idempotency.save(replace(SCOPE, key=key), ANSWER)
            await work.idempotency.save(replace(SCOPE, key="4"), OTHER_ANSWER)
            await work.commit()
    system_clock.time = ANSWER.expires_at

    forgotten = await ForgetAnswers(open_work, IDS)(a_grant(organisations.a).tenant)

    assert forgotten == 3
    assert await answers_of(owner_engine, organisations.a) == [OTHER_ANSWER.fingerprint]
    assert len(await answers_of(owner_engine, organisations.b)) == 4


async def answers_of(engine: AsyncEngine, creditor: Creditor) -> list[bytes]:
    kept = select(idempotency_records.c.fingerprint).where(
        idempotency_records.c.organization_id == creditor.id
    )
    async with engine.connect() as connection:
        return list(await connection.scalars(kept))
