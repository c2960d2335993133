"""What a person decided on the page counts for exactly their call, once, in their organisation."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

import pytest

from adapters.persistence.work import OpenSqlWork
from application.operations import forget
from application.operations.forget import ForgetAnswers
from domain.access.confirmation import CONFIRMED_FOR, AskedCall, Decision, Verdict
from tests.builders import IDS, NOW, ORIGIN, Creditor, StoppedClock, a_grant
from tests.conftest import Organisations

pytestmark = pytest.mark.anyio

CALL: Final = AskedCall(
    issuer="https://issuer.example.com",
    subject="person-1",
    client_id="client-1",
    operation="dunning_charges_cancel",
    digest=b"\x01" * 32,
    fingerprint="1:pending:125000",
)
CONFIRMED: Final = Decision(
    id="decision-1", call=CALL, verdict="confirmed", expires_at=NOW + CONFIRMED_FOR
)


async def add(open_work: OpenSqlWork, creditor: Creditor, decision: Decision) -> bool:
    async with open_work(a_grant(creditor), ORIGIN) as work:
        is_new = await work.decisions.add(decision)
        await work.commit()
    return is_new


async def use(open_work: OpenSqlWork, creditor: Creditor, decision: Decision = CONFIRMED) -> bool:
    async with open_work(a_grant(creditor), ORIGIN) as work:
        is_first = await work.decisions.use(decision)
        await work.commit()
    return is_first


async def unused(
    open_work: OpenSqlWork, creditor: Creditor, call: AskedCall = CALL
) -> Decision | None:
    async with open_work(a_grant(creditor), ORIGIN, read_only=True) as work:
        return await work.decisions.unused(call)


async def found(
    open_work: OpenSqlWork, creditor: Creditor, decision_id: str = CONFIRMED.id
) -> Decision | None:
    async with open_work(a_grant(creditor), ORIGIN, read_only=True) as work:
        return await work.decisions.find(decision_id)


async def test_a_decision_is_found_by_its_id_and_by_its_call_in_its_organisation_only(
    organisations: Organisations, open_work: OpenSqlWork
) -> None:
    assert await add(open_work, organisations.a, CONFIRMED)

    assert await found(open_work, organisations.a) == CONFIRMED
    assert await unused(open_work, organisations.a) == CONFIRMED
    assert await found(open_work, organisations.b) is None
    assert await unused(open_work, organisations.b) is None
    assert not await use(open_work, organisations.b, CONFIRMED)
    assert await found(open_work, organisations.a) == CONFIRMED


async def test_two_organisations_may_have_the_same_id(
    organisations: Organisations, open_work: OpenSqlWork
) -> None:
    refused = replace(CONFIRMED, verdict="refused")
    assert await add(open_work, organisations.a, CONFIRMED)
    assert await add(open_work, organisations.b, refused)
    assert await use(open_work, organisations.a)
    assert await found(open_work, organisations.b) == refused


@pytest.mark.parametrize(
    "other",
    [
        {"issuer": "https://other.example.com"},
        {"subject": "person-2"},
        {"client_id": "client-2"},
        {"client_id": None},
        {"operation": "dunning_charges_delete"},
        {"digest": b"\x02" * 32},
        {"fingerprint": "2:pending:125000"},
    ],
)
async def test_it_is_about_that_call_and_no_other(
    organisations: Organisations, open_work: OpenSqlWork, other: dict[str, Any]
) -> None:
    await add(open_work, organisations.a, CONFIRMED)
    assert await unused(open_work, organisations.a, replace(CALL, **other)) is None


async def test_a_call_without_a_client_is_a_call(
    organisations: Organisations, open_work: OpenSqlWork
) -> None:
    call = replace(CALL, client_id=None)
    await add(open_work, organisations.a, replace(CONFIRMED, call=call))
    assert await unused(open_work, organisations.a, call) is not None
    assert await unused(open_work, organisations.a) is None


async def test_a_no_stands_and_takes_the_place_of_a_yes_that_waits(
    organisations: Organisations, open_work: OpenSqlWork
) -> None:
    refused = replace(CONFIRMED, verdict="refused")
    assert await add(open_work, organisations.a, CONFIRMED)
    assert not await add(open_work, organisations.a, CONFIRMED)
    assert await add(open_work, organisations.a, refused)
    assert not await use(open_work, organisations.a, CONFIRMED)
    assert not await add(open_work, organisations.a, CONFIRMED)
    assert await found(open_work, organisations.a) == refused


async def test_a_yes_that_was_used_cannot_be_withdrawn(
    organisations: Organisations, open_work: OpenSqlWork
) -> None:
    await add(open_work, organisations.a, CONFIRMED)
    await use(open_work, organisations.a, CONFIRMED)
    assert not await add(open_work, organisations.a, replace(CONFIRMED, verdict="refused"))


async def test_a_word_that_expired_unused_leaves_room_for_another(
    organisations: Organisations, open_work: OpenSqlWork, system_clock: StoppedClock
) -> None:
    await add(open_work, organisations.a, CONFIRMED)
    system_clock.time += CONFIRMED_FOR
    again = replace(CONFIRMED, expires_at=NOW + 2 * CONFIRMED_FOR)
    assert await add(open_work, organisations.a, again)
    assert await found(open_work, organisations.a) == again


async def test_a_used_word_is_remembered_beyond_its_time(
    organisations: Organisations, open_work: OpenSqlWork, system_clock: StoppedClock
) -> None:
    await add(open_work, organisations.a, CONFIRMED)
    await use(open_work, organisations.a, CONFIRMED)
    system_clock.time += CONFIRMED_FOR
    assert await found(open_work, organisations.a) == replace(CONFIRMED, used_at=NOW)
    assert not await add(open_work, organisations.a, CONFIRMED)


@pytest.mark.parametrize("verdict", ["confirmed", "refused"])
async def test_of_several_about_one_call_the_last_word_alone_counts(
    organisations: Organisations,
    open_work: OpenSqlWork,
    system_clock: StoppedClock,
    verdict: Verdict,
) -> None:
    await add(open_work, organisations.a, CONFIRMED)
    await add(open_work, organisations.b, CONFIRMED)
    system_clock.time += timedelta(minutes=1)
    newer = replace(CONFIRMED, id="decision-0", verdict=verdict, expires_at=NOW + 2 * CONFIRMED_FOR)
    await add(open_work, organisations.a, newer)

    assert await unused(open_work, organisations.a) == newer
    assert await use(open_work, organisations.a, newer)
    assert await unused(open_work, organisations.a) is None
    assert not await use(open_work, organisations.a, CONFIRMED)
    assert await unused(open_work, organisations.b) == CONFIRMED


async def test_used_once_it_is_still_there_to_be_told(
    organisations: Organisations, open_work: OpenSqlWork
) -> None:
    await add(open_work, organisations.a, CONFIRMED)
    assert await use(open_work, organisations.a)
    assert not await use(open_work, organisations.a)
    assert await found(open_work, organisations.a) == replace(CONFIRMED, used_at=NOW)


async def test_a_use_that_is_not_committed_has_not_happened(
    organisations: Organisations, open_work: OpenSqlWork
) -> None:
    await add(open_work, organisations.a, CONFIRMED)
    async with open_work(a_grant(organisations.a), ORIGIN) as work:
        assert await work.decisions.use(CONFIRMED)
    assert await use(open_work, organisations.a)


async def test_of_many_at_once_exactly_one_uses_it(
    organisations: Organisations, open_work: OpenSqlWork
) -> None:
    await add(open_work, organisations.a, CONFIRMED)
    uses = [use(open_work, organisations.a) for _ in range(10)]
    assert sorted(await asyncio.gather(*uses)) == [False] * 9 + [True]


async def test_who_comes_second_waits_for_the_first_and_gets_it_where_that_one_gave_up(
    organisations: Organisations, open_work: OpenSqlWork
) -> None:
    await add(open_work, organisations.a, CONFIRMED)
    async with open_work(a_grant(organisations.a), ORIGIN) as first:
        assert await first.decisions.use(CONFIRMED)
        second = asyncio.create_task(use(open_work, organisations.a))
        async with open_work(a_grant(organisations.b), ORIGIN) as elsewhere:
            assert not await elsewhere.decisions.use(CONFIRMED)
        assert not second.done()
    assert await second


async def test_an_expired_decision_is_absent(
    organisations: Organisations, open_work: OpenSqlWork, system_clock: StoppedClock
) -> None:
    await add(open_work, organisations.a, CONFIRMED)
    system_clock.time = CONFIRMED.expires_at
    assert await found(open_work, organisations.a) is None
    assert await unused(open_work, organisations.a) is None
    assert not await use(open_work, organisations.a)


@pytest.mark.parametrize("batch", [2, 3, 1_000])
async def test_expired_decisions_are_forgotten_in_one_organisation_and_others_are_kept(
    organisations: Organisations,
    open_work: OpenSqlWork,
    system_clock: StoppedClock,
    monkeypatch: pytest.MonkeyPatch,
    batch: int,
) -> None:
    monkeypatch.setattr(forget, "BATCH", batch)
    later = replace(CONFIRMED, id="decision-9", expires_at=NOW + 2 * CONFIRMED_FOR)
    for creditor in (organisations.a, organisations.b):
        for name in ("1", "2", "3"):
            await add(open_work, creditor, replace(CONFIRMED, id=name))
        await add(open_work, creditor, later)
    system_clock.time = CONFIRMED.expires_at

    assert await ForgetAnswers(open_work, IDS)(a_grant(organisations.a).tenant) == 3

    system_clock.time = NOW
    assert await found(open_work, organisations.a, "1") is None
    assert await found(open_work, organisations.a, later.id) == later
    assert await found(open_work, organisations.b, "1") is not None
