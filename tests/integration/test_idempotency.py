"""One transaction holds a key at a time; its answer is kept with the effect until it expires."""

from datetime import timedelta

import pytest

from adapters.persistence.work import OpenSqlWork
from domain.access.idempotency import KeyScope, StoredAnswer
from domain.errors import IdempotencyBusyError
from tests.builders import NOW, ORIGIN, StoppedClock, a_grant
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
