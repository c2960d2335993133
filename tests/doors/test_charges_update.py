"""Changing a charge: what is sent changes, what is left out stays, and who may change what."""

import asyncio
from typing import Any, Final

import pytest

from domain.access.roles import Role
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.moment import Moment
from domain.dunning.rates import NO_RATES
from tests.builders import NOW, TODAY, a_charge, a_debtor, a_member, a_payment
from tests.doors.firms import Firm, Ledger, Pair
from tests.doors.house import Answer, Caller, Door, House
from tests.doors.requests import INTEGRATION

pytestmark = pytest.mark.anyio

UPDATE: Final = "dunning_charges_update"


async def keep(ledger: Ledger, firm: Firm, **fields: Any) -> Charge:
    debtor = a_debtor(firm.creditor)
    charge = a_charge(debtor, **fields)
    await ledger.keep(firm, debtor, charge)
    return charge


@pytest.fixture
async def charge(ledger: Ledger, pair: Pair) -> Charge:
    """One of the first firm, not due yet; the other has one like it."""
    await keep(ledger, pair.b)
    return await keep(ledger, pair.a, external_id="NF-17")


async def change(
    house: House,
    caller: Caller,
    charge: Charge,
    door: Door = Door.REST,
    **fields: Any,
) -> Answer:
    return await house.call(door, caller, UPDATE, {"id": charge.id, **fields})


async def told(ledger: Ledger, pair: Pair) -> list[dict[str, Any]]:
    assert await ledger.events(pair.b.id) == []
    events = await ledger.events(pair.a.id)
    assert {event["type"] for event in events} <= {"charge.updated"}
    return events


@pytest.mark.parametrize("door", Door)
async def test_what_is_sent_changes_and_the_rest_stays(
    house: House, ledger: Ledger, pair: Pair, charge: Charge, door: Door
) -> None:
    before = (await house.rest(pair.a.owner, "dunning_charges_get", {"id": charge.id})).data
    guarantor = a_debtor(pair.a.creditor)
    await ledger.keep(pair.a, guarantor)
    sent: dict[str, Any] = {
        "description": "Mensalidade de novembro",
        "amount": 900.0,
        "due_date": "2026-11-10",
        "tags": ["integral"],
        "custom_data": {"turma": "3B"},
        "assigned_member_id": pair.a.creditor.other_collector.id,
        "guarantors": [guarantor.id],
    }
    terms = {
        "fine_percent": 1.5,
        "discounts": [{"days_before": 3, "type": "amount", "value": 40}],
    }
    ways = {"payment_url": "https://pay.example.com/18"}
    answer = await change(
        house, pair.a.owner, charge, door, **sent, terms=terms, payment_methods=ways
    )
    assert answer.status == 200
    after = answer.data
    assert {name: after[name] for name in sent} == sent
    assert after["payment_methods"]["payment_url"] == ways["payment_url"]
    assert (after["terms"]["fine_percent"], after["terms"]["discounts"]) == (
        1.5,
        terms["discounts"],
    )
    assert (after["amounts"]["principal_outstanding"], after["amounts"]["total_due"]) == (
        900.0,
        860.0,
    )
    assert (after["effective_due_date"], after["version"]) == ("2026-11-10", 2)
    kept = ("id", "external_id", "issue_date", "kind", "status", "created_at", "debtor_name")
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    assert (await house.rest(pair.a.owner, "dunning_charges_list", {})).data == [after]


async def test_it_is_written_down_with_money_and_dates_and_no_free_text(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    await change(
        house,
        pair.a.caller("manager"),
        charge,
        description="CPF 529.982.247-25",
        tags=["paulo"],
        due_date="2026-11-10",
    )
    (event,) = await told(ledger, pair)
    (line,) = await ledger.audit(pair.a.id)
    assert (
        line["diff"]
        == event["changes"]
        == {
            "description": [None, None],
            "tags": [None, None],
            "due_date": ["2026-10-09", "2026-11-10"],
            "effective_due_date": ["2026-10-09", "2026-11-10"],
            "prescription_date": ["2031-10-09", "2031-11-10"],
            "listing_limit_date": ["2031-10-09", "2031-11-10"],
        }
    )
    assert line["actor_id"] == pair.a.creditor.members[Role.MANAGER].id


async def test_null_empties_and_leaving_out_keeps(house: House, ledger: Ledger, pair: Pair) -> None:
    member = pair.a.creditor.other_collector.id
    charge = await keep(
        ledger, pair.a, custom_data={"x": 1}, assigned_member_id=member, tags=("a",)
    )
    kept = (await change(house, pair.a.owner, charge, description="Outra")).data
    assert (kept["custom_data"], kept["assigned_member_id"], kept["tags"]) == (
        {"x": 1},
        member,
        ["a"],
    )
    emptied = await change(
        house,
        pair.a.owner,
        charge,
        custom_data=None,
        assigned_member_id=None,
        payment_methods=None,
        tags=[],
    )
    assert emptied.data["custom_data"] is emptied.data["assigned_member_id"] is None
    assert emptied.data["tags"] == []


@pytest.mark.parametrize("door", Door)
@pytest.mark.parametrize("field", ["description", "amount", "due_date", "terms", "tags"])
async def test_what_always_has_a_value_is_not_emptied(
    house: House, pair: Pair, charge: Charge, door: Door, field: str
) -> None:
    answer = await change(house, pair.a.owner, charge, door, **{field: None})
    assert answer.details == [(field, "null_not_allowed")]


@pytest.mark.parametrize("field", ["status", "debtor_id", "issue_date", "kind", "external_id"])
async def test_what_never_changes_is_no_field(
    house: House, pair: Pair, charge: Charge, field: str
) -> None:
    sent: dict[str, Any] = {field: "x"}
    answer = await change(house, pair.a.owner, charge, **sent)
    assert answer.details == [(field, "unknown_field")]
    terms = await change(house, pair.a.owner, charge, terms={"rounding_mode": "half_up"})
    assert terms.details == [("terms.rounding_mode", "unknown_field")]


async def test_what_is_so_already_gives_the_charge_and_nothing_happens(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    same: list[dict[str, Any]] = [
        {},
        {"amount": 1250, "due_date": "2026-10-09", "tags": [], "guarantors": []},
        {"terms": {}, "custom_data": None, "version": 1},
    ]
    for fields in same:
        answer = await change(house, pair.a.owner, charge, **fields)
        assert (answer.status, answer.data["version"]) == (200, 1)
    assert await told(ledger, pair) == []


async def test_of_two_who_read_the_same_version_one_wins(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    writers = (
        change(house, pair.a.owner, charge, version=1, description=f"Escrita {one}")
        for one in range(2)
    )
    answers = sorted(await asyncio.gather(*writers), key=lambda answer: answer.status)
    assert [(answer.status, answer.code) for answer in answers] == [
        (200, None),
        (409, "VERSION_CONFLICT"),
    ]
    assert answers[1].details == [("version", "stale")]
    (row,) = await ledger.rows(pair.a.id, "charges")
    assert (row["description"], row["version"]) == (answers[0].data["description"], 2)
    assert len(await told(ledger, pair)) == 1
    assert (await change(house, pair.a.owner, charge, version=2, tags=["a"])).status == 200


FOR_MANAGERS: Final[dict[str, Any]] = {
    "amount": 900,
    "due_date": "2026-11-10",
    "terms": {"fine_percent": 1},
    "guarantors": [],
    "assigned_member_id": None,
}


@pytest.mark.parametrize("door", Door)
async def test_a_collector_changes_words_and_links_only(
    house: House, ledger: Ledger, pair: Pair, charge: Charge, door: Door
) -> None:
    collector = pair.a.caller("collector")
    refused = await change(house, collector, charge, door, **FOR_MANAGERS, tags=["a"])
    assert (refused.code, refused.error["required_role"]) == ("ROLE_LIMIT_EXCEEDED", "manager")
    assert sorted(refused.details) == sorted((name, "role_limit") for name in FOR_MANAGERS)
    assert await told(ledger, pair) == []
    (line,) = await ledger.audit(pair.a.id)
    assert (line["outcome"], line["code"]) == ("denied", "ROLE_LIMIT_EXCEEDED")
    allowed = {
        "description": "Outra",
        "tags": ["a"],
        "payment_methods": {"pix_copy_paste": "00020126"},
        "custom_data": {"x": 1},
    }
    assert (await change(house, collector, charge, door, **allowed)).data["version"] == 2


@pytest.mark.parametrize("column", ["owner", "admin", "manager", INTEGRATION])
async def test_managers_and_programs_change_everything(
    house: House, pair: Pair, charge: Charge, column: str
) -> None:
    answer = await change(house, pair.a.caller(column), charge, **FOR_MANAGERS)
    assert (answer.status, answer.data["amount"]) == (200, 900.0)


@pytest.mark.parametrize("door", Door)
async def test_edge_case_20_terms_are_capped_as_at_the_creation(
    house: House, pair: Pair, charge: Charge, door: Door
) -> None:
    answer = await change(house, pair.a.owner, charge, door, terms={"fine_percent": 5})
    assert (answer.code, answer.details) == (
        "LEGAL_LIMIT_EXCEEDED",
        [("terms.fine_percent", "legal_limit")],
    )


@pytest.mark.parametrize("door", Door)
async def test_an_amount_stays_after_the_first_payment_even_if_it_was_reversed(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    debtor = a_debtor(pair.a.creditor)
    paid, reversed_ = a_charge(debtor), a_charge(debtor)
    confirmed = a_payment(debtor, paid, amount=100_00)
    undone = a_payment(debtor, reversed_, amount=100_00)
    reversed_.undo(undone.id, Moment(NOW, TODAY), NO_RATES)
    assert reversed_.credits == ()
    await ledger.keep(pair.a, debtor, paid, reversed_, confirmed, undone)
    for one in (paid, reversed_):
        refused = await change(house, pair.a.owner, one, door, amount=900)
        assert (refused.code, refused.error["current_status"]) == ("STATE_CONFLICT", "pending")
        answer = await change(house, pair.a.owner, one, door, amount=1250, tags=["a"])
        assert (answer.status, answer.data["tags"]) == (200, ["a"])


@pytest.mark.parametrize(
    ("status", "allowed"),
    [
        (ChargeStatus.PAID, []),
        (ChargeStatus.RENEGOTIATED, []),
        (ChargeStatus.WRITTEN_OFF, []),
        (ChargeStatus.CANCELED, []),
    ],
)
async def test_what_is_owed_changes_only_while_the_charge_is_open(
    house: House, ledger: Ledger, pair: Pair, status: ChargeStatus, allowed: list[str]
) -> None:
    debtor = a_debtor(pair.a.creditor)
    closed = a_charge(debtor)
    closed.status = status
    await ledger.keep(pair.a, debtor, closed)
    for fields in ({"amount": 1}, {"due_date": "2026-11-10"}, {"terms": {"fine_percent": 1}}):
        rest, mcp = [await change(house, pair.a.owner, closed, door, **fields) for door in Door]
        assert (rest.code, rest.error["current_status"]) == ("STATE_CONFLICT", status)
        assert rest.error["allowed_actions"] == allowed
        assert mcp.refusal == rest.refusal
    harmless = await change(house, pair.a.owner, closed, description="Outra")
    assert harmless.status == (409 if status is ChargeStatus.CANCELED else 200)


@pytest.mark.parametrize("door", Door)
@pytest.mark.parametrize("operation", [UPDATE, "dunning_charges_create"])
async def test_guarantors_are_other_debtors_whom_the_caller_may_see(
    house: House, ledger: Ledger, pair: Pair, door: Door, operation: str
) -> None:
    debtor, known, theirs = (a_debtor(firm.creditor) for firm in (pair.a, pair.a, pair.b))
    charge = a_charge(debtor)
    await ledger.keep(pair.a, debtor, known, charge)
    await ledger.keep(pair.b, theirs)
    absent = "dbt_01jd" + "7" * 22
    base: dict[str, Any] = (
        {"id": charge.id}
        if operation == UPDATE
        else {
            "debtor_id": debtor.id,
            "description": "Mensalidade",
            "amount": 10,
            "due_date": "2026-10-09",
        }
    )

    async def send(index: int, *guarantors: str) -> Answer:
        keyed = {**base, "guarantors": list(guarantors), "idempotency_key": f"{door}-{index}"}
        return await house.call(door, pair.a.owner, operation, keyed)

    for index, stranger in enumerate((theirs.id, absent)):
        refused = await send(index, known.id, stranger)
        assert refused.details == [("guarantors[1]", "not_found")]
    assert (await send(2, debtor.id)).details == [("guarantors[0]", "conflicts_with")]
    assert (await send(3, known.id, known.id)).details == [("guarantors[1]", "duplicate")]
    four = [f"dbt_{index:026d}" for index in range(4)]
    assert (await send(4, *four)).details == [("guarantors", "too_many_items")]
    assert (await send(5, charge.id)).details == [("guarantors[0]", "wrong_id_type")]
    assert (await send(6, known.id)).data["guarantors"] == [known.id]
    assert await ledger.audit(pair.b.id) == await ledger.events(pair.b.id) == []


@pytest.mark.parametrize("door", Door)
async def test_a_member_has_to_be_there_and_active(
    house: House, pair: Pair, charge: Charge, door: Door
) -> None:
    stranger = a_member(pair.a.creditor.organization)
    for member in (stranger, pair.b.creditor.other_collector):
        answer = await change(house, pair.a.owner, charge, door, assigned_member_id=member.id)
        assert answer.details == [("assigned_member_id", "not_found")]


async def test_a_narrowed_collector_changes_charges_of_their_own_debtors_only(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    narrowed = pair.a.narrowed
    own = a_debtor(pair.a.creditor, assigned_member_id=narrowed.id)
    visible = a_charge(own)
    await ledger.keep(pair.a, own, visible)
    caller = pair.a.person(narrowed)
    assert (await change(house, caller, visible, tags=["a"])).status == 200
    hidden = await change(house, caller, charge, tags=["a"])
    assert (hidden.status, hidden.code) == (404, "NOT_FOUND")


async def test_the_same_key_is_one_change(
    house: House, ledger: Ledger, pair: Pair, charge: Charge
) -> None:
    first = await change(house, pair.a.owner, charge, tags=["a"], idempotency_key="k-1")
    await change(house, pair.a.owner, charge, tags=["b"])
    again = await change(house, pair.a.owner, charge, tags=["a"], idempotency_key="k-1")
    assert again.body == first.body
    assert again.headers["idempotency-replayed"] == "true"
    (row,) = await ledger.rows(pair.a.id, "charges")
    assert row["tags"] == ["b"]
