"""A key makes a repeated write one effect, whichever door it comes through."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import msgspec
import pytest

from domain.access.idempotency import KeyScope
from tests.builders import ORIGIN, a_debtor, a_grant
from tests.doors.firms import ISSUER, Ledger, Pair
from tests.doors.house import Answer, Caller, Door, House
from tests.doors.requests import INTEGRATION, a_new_charge

pytestmark = pytest.mark.anyio

CREATE: Final = "dunning_charges_create"
CANCEL: Final = "dunning_charges_cancel"


@dataclass(frozen=True, slots=True)
class Writing:
    """Writes for one debtor of a firm under the key `k-1`."""

    house: House
    ledger: Ledger
    pair: Pair
    debtor_id: str

    def arguments(self, **fields: Any) -> dict[str, Any]:
        return a_new_charge(self.debtor_id, **{"idempotency_key": "k-1", **fields})

    async def create(
        self, *, door: Door = Door.REST, caller: Caller | None = None, **fields: Any
    ) -> Answer:
        who = caller or self.pair.a.owner
        return await self.house.call(door, who, CREATE, self.arguments(**fields))

    async def effects(self) -> tuple[int, int, int]:
        """Charges, events and lines of the audit trail about an effect."""
        own = self.pair.a.id
        lines = [line for line in await self.ledger.audit(own) if line["outcome"] == "ok"]
        charges = await self.ledger.rows(own, "charges")
        return len(charges), len(await self.ledger.events(own)), len(lines)


@pytest.fixture
async def writing(house: House, ledger: Ledger, pair: Pair) -> Writing:
    debtor = a_debtor(pair.a.creditor)
    await ledger.keep(pair.a, debtor)
    return Writing(house, ledger, pair, debtor.id)


async def test_h1_the_same_key_again_is_the_same_answer_and_no_second_effect(
    writing: Writing,
) -> None:
    first = await writing.create()
    again = await writing.create()
    assert (first.status, again.status) == (201, 201)
    assert again.raw == first.raw
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    assert await writing.effects() == (1, 1, 1)


@pytest.mark.parametrize("first_door", Door)
async def test_a_key_used_at_one_door_is_used_at_the_other(
    writing: Writing, first_door: Door
) -> None:
    (other_door,) = (door for door in Door if door is not first_door)
    first = await writing.create(door=first_door)
    again = await writing.create(door=other_door)
    assert again.body == first.body
    assert again.status == (201 if other_door is Door.REST else 200)
    reused = await writing.create(door=other_door, amount=1)
    assert reused.code == "IDEMPOTENCY_KEY_REUSED"
    assert await writing.effects() == (1, 1, 1)


async def test_two_at_once_are_one_effect(writing: Writing) -> None:
    doors = (Door.REST, Door.MCP, Door.REST, Door.MCP)
    answers = await asyncio.gather(*(writing.create(door=door) for door in doors))
    done = [answer for answer in answers if answer.code is None]
    waiting = [answer for answer in answers if answer.code is not None]
    assert {answer.code for answer in waiting} <= {"IDEMPOTENCY_IN_PROGRESS"}
    assert {answer.headers.get("retry-after") for answer in waiting if answer.status == 409} <= {
        "1"
    }
    again = await writing.create()
    assert done
    assert {msgspec.json.encode(answer.body) for answer in done} == {again.raw}
    assert await writing.effects() == (1, 1, 1)


async def test_while_the_first_is_running_the_second_is_told_to_wait(writing: Writing) -> None:
    first = await writing.create()
    owner = writing.pair.a.owner
    scope = KeyScope(issuer=ISSUER, subject=owner.subject, operation=CREATE, path_ids=(), key="k-2")
    async with writing.ledger.open_work(a_grant(writing.pair.a.creditor), ORIGIN) as work:
        assert await work.idempotency.claim(scope) is None
        for door in Door:
            waiting = await writing.create(door=door, idempotency_key="k-2")
            assert waiting.code == "IDEMPOTENCY_IN_PROGRESS"
    assert (await writing.create(idempotency_key="k-2")).data["id"] != first.data["id"]


@pytest.mark.parametrize(
    "fields",
    [
        {"amount": 1250.01},
        {"description": "Mensalidade de novembro"},
        {"tags": ["x"]},
        {"terms": {"fine_percent": 0}},
        {"terms": {"charges_on_corrected": True}},
    ],
)
async def test_h3_other_arguments_under_the_same_key_are_refused(
    writing: Writing, fields: dict[str, Any]
) -> None:
    await writing.create()
    for door in Door:
        reused = await writing.create(door=door, **fields)
        assert reused.code == "IDEMPOTENCY_KEY_REUSED"
        assert reused.details == [("idempotency_key", "reused")]
        assert reused.status == (422 if door is Door.REST else 200)
    assert await writing.effects() == (1, 1, 1)


@pytest.mark.parametrize(
    "fields",
    [
        {"amount": "1250.00"},
        {"amount": 1250},
        {"external_id": None},
        {"due_date": " 2026-10-09 "},
        {"description": "  Mensalidade de outubro "},
        {"terms": '{"interest_percent_month": "1", "fine_percent": 2.0}'},
    ],
)
async def test_what_is_equal_once_it_is_read_is_the_same_request(
    writing: Writing, fields: dict[str, Any]
) -> None:
    terms = {"fine_percent": 2, "interest_percent_month": 1.0000}
    first = await writing.create(terms=terms)
    again = await writing.create(**{"terms": terms, **fields})
    assert again.raw == first.raw


async def test_the_order_of_keys_does_not_matter(writing: Writing) -> None:
    first = await writing.create(terms={"fine_percent": 1, "interest_percent_month": 0.5})
    turned = {"interest_percent_month": 0.5, "fine_percent": 1}
    arguments = dict(reversed(writing.arguments(terms=turned).items()))
    again = await writing.house.rest(writing.pair.a.owner, CREATE, arguments)
    assert again.raw == first.raw


async def test_h6_a_key_belongs_to_one_person_one_organisation_and_one_operation(
    writing: Writing,
) -> None:
    pair, house = writing.pair, writing.house
    theirs = a_debtor(pair.b.creditor)
    await writing.ledger.keep(pair.b, theirs)
    by_owner = await writing.create()
    by_manager = await writing.create(caller=pair.a.caller("manager"))
    by_client = await writing.create(caller=pair.a.caller(INTEGRATION))
    elsewhere = await house.rest(
        pair.b.owner, CREATE, a_new_charge(theirs.id, idempotency_key="k-1")
    )
    cancelled = await house.rest(
        pair.a.owner,
        CANCEL,
        {"id": by_owner.data["id"], "reason": "other", "idempotency_key": "k-1"},
    )
    answers = (by_owner, by_manager, by_client, elsewhere, cancelled)
    assert [answer.status for answer in answers] == [201, 201, 201, 201, 200]
    assert not any("idempotency-replayed" in answer.headers for answer in answers)
    assert len({answer.data["id"] for answer in answers[:4]}) == 4


async def test_a_key_of_a_path_belongs_to_its_id(writing: Writing) -> None:
    charges = [(await writing.create(idempotency_key=f"k-{n}")).data["id"] for n in range(2)]
    answers = [
        await writing.house.rest(
            writing.pair.a.owner, CANCEL, {"id": one, "reason": "other", "idempotency_key": "x"}
        )
        for one in charges
    ]
    assert [answer.data["id"] for answer in answers] == charges


async def test_another_token_of_the_same_person_is_the_same_person(writing: Writing) -> None:
    first = await writing.create()
    writing.house.clock.time = writing.house.clock.time.replace(hour=20)
    narrower = writing.pair.a.owner.with_scopes("dunning.charges:create")
    assert (await writing.create(caller=narrower)).raw == first.raw


async def test_a_refusal_is_not_kept_under_the_key(writing: Writing) -> None:
    refused = await writing.create(terms={"fine_percent": 9})
    assert refused.code == "LEGAL_LIMIT_EXCEEDED"
    kept = await writing.ledger.everything(writing.pair.a.id)
    assert kept["idempotency_records"] == []
    assert (await writing.create(terms={"fine_percent": 1})).status == 201


async def test_an_answer_is_kept_for_72_hours(writing: Writing) -> None:
    first = await writing.create()
    writing.house.clock.time += timedelta(hours=72, seconds=-1)
    assert (await writing.create()).raw == first.raw
    writing.house.clock.time += timedelta(seconds=1)
    assert (await writing.create()).data["id"] != first.data["id"]


async def test_the_key_may_stand_in_the_header(writing: Writing) -> None:
    arguments = writing.arguments(idempotency_key=None)
    house, owner = writing.house, writing.pair.a.owner
    first = await house.rest(owner, CREATE, arguments, idempotency_key="k-1")
    assert first.status == 201
    in_body = await writing.create()
    assert in_body.raw == first.raw
    both_places = await house.rest(owner, CREATE, writing.arguments(), idempotency_key="k-1")
    assert both_places.raw == first.raw
    assert await writing.effects() == (1, 1, 1)


async def test_two_different_keys_are_refused(writing: Writing) -> None:
    owner = writing.pair.a.owner
    answer = await writing.house.rest(owner, CREATE, writing.arguments(), idempotency_key="k-2")
    assert (answer.status, answer.code) == (400, "BAD_REQUEST")
    assert await writing.effects() == (0, 0, 0)


@pytest.mark.parametrize("door", Door)
async def test_a_required_key_is_asked_for_by_name(writing: Writing, door: Door) -> None:
    for key in (None, ""):
        answer = await writing.create(door=door, idempotency_key=key)
        assert answer.code == "VALIDATION_ERROR"
        assert [field for field, _ in answer.details] == ["idempotency_key"]
    assert await writing.effects() == (0, 0, 0)


async def test_over_mcp_the_header_is_not_a_key(writing: Writing) -> None:
    arguments = writing.arguments(idempotency_key=None)
    answer = await writing.house.tool(
        writing.pair.a.owner, CREATE, arguments, idempotency_key="k-1"
    )
    assert answer.details == [("idempotency_key", "required")]
    assert "Idempotency-Key" in answer.error["details"][0]["message"]


async def test_every_write_says_how_to_use_keys(writing: Writing) -> None:
    for tool in await writing.house.tools(writing.pair.a.owner):
        if not tool["annotations"]["readOnlyHint"]:
            assert "reuse the same key when retrying the same action" in tool["description"]
            assert "a new action needs a new key" in tool["description"]


async def test_a_key_is_stored_as_a_digest_only(writing: Writing) -> None:
    await writing.create(idempotency_key="a-secret-of-the-caller")
    rows = msgspec.json.encode(await writing.ledger.everything(writing.pair.a.id))
    assert b"a-secret-of-the-caller" not in rows


async def test_a_cancellation_under_a_key_is_replayed_even_when_the_state_is_reached(
    writing: Writing,
) -> None:
    created = await writing.create()
    arguments = {"id": created.data["id"], "reason": "other", "idempotency_key": "k-9"}
    first = await writing.house.rest(writing.pair.a.owner, CANCEL, arguments)
    again = await writing.house.rest(writing.pair.a.owner, CANCEL, arguments)
    assert again.raw == first.raw
    assert again.headers["idempotency-replayed"] == "true"


@pytest.mark.parametrize("door", Door)
async def test_h7_after_a_lost_answer_a_retry_without_the_key_moves_no_money_again(
    writing: Writing, door: Door
) -> None:
    await writing.create(external_id="NF-1")
    without = writing.arguments(external_id="NF-1")
    del without["idempotency_key"]
    who = writing.pair.a.owner
    asked = await writing.house.call(door, who, CREATE, without)
    assert asked.details == [("idempotency_key", "required")]
    another = await writing.create(door=door, external_id="NF-1", idempotency_key="k-2")
    assert another.code == "DUPLICATE"
    (found,) = (await writing.house.call(door, who, "dunning_charges_list", {})).data
    assert another.error["existing_id"] == found["id"]
