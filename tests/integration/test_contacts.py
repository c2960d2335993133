"""Contact points and interactions as they are stored: they come back the same, to their own."""

from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

import pytest

from adapters.persistence.work import OpenSqlWork
from domain.access.roles import Role
from domain.dunning.contact_points import (
    ContactKind,
    ContactPoint,
    ContactStatus,
)
from domain.dunning.contact_rules import PastContact
from domain.dunning.interactions import (
    Direction,
    Interaction,
    InteractionChannel,
    InteractionOutcome,
    NewInteraction,
)
from domain.dunning.opt_outs import OptOut, OptOutSource
from domain.errors import DuplicateError
from tests.builders import (
    ADDRESS,
    IDS,
    MOMENT,
    NOW,
    ORIGIN,
    Creditor,
    a_contact_point,
    a_debtor,
    a_grant,
)
from tests.conftest import Organisations
from tests.integration.conftest import Store

pytestmark = pytest.mark.anyio

CALL = NewInteraction(
    direction=Direction.OUTBOUND,
    channel=InteractionChannel.VOICE,
    outcome=InteractionOutcome.CONVERSATION,
)


def state_of(aggregate: Any) -> dict[str, object]:
    return {one.name: getattr(aggregate, one.name) for one in fields(aggregate)}


async def points_of(
    open_work: OpenSqlWork, creditor: Creditor, debtor_id: str, assigned_to: str | None = None
) -> list[ContactPoint]:
    grant = a_grant(creditor, assigned_to=assigned_to)
    async with open_work(grant, ORIGIN, read_only=True) as work:
        return list(await work.contact_points.ever_of_debtor(debtor_id))


async def test_contact_points_come_back_the_same(
    organisations: Organisations, open_work: OpenSqlWork, store: Store
) -> None:
    debtor = a_debtor(organisations.a)
    mobile = a_contact_point(debtor, label="trabalho")
    mobile.status = ContactStatus.OPTED_OUT
    mobile.verified_at = mobile.last_failure_at = mobile.last_success_at = NOW
    mobile.opt_out = OptOut(
        at=NOW,
        source=OptOutSource.FORM,
        evidence="Formulário 17",
        ended_at=NOW + timedelta(days=1),
        ended_evidence="Pediu de volta",
    )
    letters = a_contact_point(debtor, kind=ContactKind.POSTAL, value=None, address=ADDRESS)
    await store(organisations.a, debtor, mobile, letters)

    found = await points_of(open_work, organisations.a, debtor.id)

    assert [state_of(one) for one in found] == [state_of(mobile), state_of(letters)]


async def test_only_those_of_the_portfolio_are_seen_and_deleted_ones_only_when_asked_for(
    organisations: Organisations, open_work: OpenSqlWork, store: Store
) -> None:
    collector = organisations.a.members[Role.COLLECTOR].id
    debtor = a_debtor(organisations.a, assigned_member_id=collector)
    kept, deleted = a_contact_point(debtor), a_contact_point(debtor, value="+5521912345678")
    deleted.delete(MOMENT)
    await store(organisations.a, debtor, kept, deleted)
    other = organisations.a.other_collector.id

    assert len(await points_of(open_work, organisations.a, debtor.id, collector)) == 2
    assert await points_of(open_work, organisations.a, debtor.id, other) == []
    assert await points_of(open_work, organisations.b, debtor.id) == []
    async with open_work(a_grant(organisations.a), ORIGIN, read_only=True) as work:
        assert [one.id for one in await work.contact_points.of_debtor(debtor.id)] == [kept.id]


async def test_the_database_refuses_a_value_twice(
    organisations: Organisations, store: Store
) -> None:
    debtor = a_debtor(organisations.a)
    await store(organisations.a, debtor, a_contact_point(debtor))
    with pytest.raises(DuplicateError) as refused:
        await store(organisations.a, a_contact_point(debtor))
    assert refused.value.details[0].field == "value"


async def test_interactions_come_back_and_ours_are_counted(
    organisations: Organisations, open_work: OpenSqlWork, store: Store
) -> None:
    collector = organisations.a.members[Role.COLLECTOR].id
    debtor = a_debtor(organisations.a, assigned_member_id=collector)
    await store(organisations.a, debtor)
    since = NOW - timedelta(days=7)
    news = [
        replace(CALL, occurred_at=NOW, note="Prometeu pagar.", charge_ids=(IDS.new("chg"),)),
        replace(CALL, occurred_at=since, channel=InteractionChannel.EMAIL, member_id=collector),
        replace(CALL, occurred_at=since - timedelta(seconds=1)),
        replace(CALL, occurred_at=NOW, direction=Direction.INBOUND),
    ]
    logged = [Interaction.record(IDS.new("itr"), new, debtor, NOW, MOMENT) for new in news]
    async with open_work(a_grant(organisations.a), ORIGIN) as work:
        for one in logged:
            work.interactions.add(one)
        await work.commit()

    ours = [
        PastContact(since, InteractionChannel.EMAIL),
        PastContact(NOW, InteractionChannel.VOICE),
    ]
    other = organisations.a.other_collector.id
    for creditor, assigned_to, expected in (
        (organisations.a, None, ours),
        (organisations.a, collector, ours),
        (organisations.a, other, []),
        (organisations.b, None, []),
    ):
        grant = a_grant(creditor, assigned_to=assigned_to)
        async with open_work(grant, ORIGIN, read_only=True) as work:
            assert await work.interactions.outbound_since(debtor.id, since) == expected
