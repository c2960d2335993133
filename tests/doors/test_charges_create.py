"""Creating a charge: what comes back, what is kept, and what is written down about it."""

from typing import Any

import pytest

from domain.access.roles import Role
from tests.builders import a_debtor
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Door, House
from tests.doors.requests import INTEGRATION, a_new_charge

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("door", Door)
async def test_a_new_charge_is_answered_kept_and_listed(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    debtor = a_debtor(pair.a.creditor, name="Paulo Nogueira")
    await ledger.keep(pair.a, debtor)
    sent: dict[str, Any] = {
        "kind": "tuition",
        "document_number": "202610-17",
        "external_id": "NF-17",
        "tags": ["integral", "médio"],
        "custom_data": {"turma": "3B", "bolsa": None, "peso": 0.1},
        "payment_methods": {"payment_url": "https://pay.example.com/17"},
        "assigned_member_id": pair.a.creditor.other_collector.id,
    }
    answer = await house.call(
        door, pair.a.owner, "dunning_charges_create", a_new_charge(debtor.id, **sent)
    )
    assert answer.status == (201 if door is Door.REST else 200)
    created = answer.data
    assert created["id"].startswith("chg_")
    assert (created["debtor_id"], created["debtor_name"]) == (debtor.id, "Paulo Nogueira")
    assert {name: created[name] for name in sent if name != "payment_methods"} == {
        name: value for name, value in sent.items() if name != "payment_methods"
    }
    assert created["payment_methods"] == {
        "pix_copy_paste": None,
        "boleto_line": None,
        "boleto_barcode": None,
        "payment_url": "https://pay.example.com/17",
    }
    assert (created["amount"], created["version"]) == (1250.0, 1)
    assert created["created_at"] == created["updated_at"] == "2026-09-01T13:00:00Z"
    for member in (pair.a.owner, pair.a.caller("viewer")):
        assert (await house.call(door, member, "dunning_charges_list")).data == [created]
    assert (await house.call(door, pair.b.owner, "dunning_charges_list")).data == []


@pytest.mark.parametrize("door", Door)
async def test_ways_to_pay_are_kept_whole(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    debtor = a_debtor(pair.a.creditor)
    await ledger.keep(pair.a, debtor)
    link = "https://pay.example.com/"
    longest = {
        "pix_copy_paste": "p" * 512,
        "boleto_line": "1" * 512,
        "boleto_barcode": "2" * 512,
        "payment_url": link + "x" * (2048 - len(link)),
    }
    answer = await house.call(
        door,
        pair.a.owner,
        "dunning_charges_create",
        a_new_charge(debtor.id, payment_methods=longest),
    )
    assert answer.data["payment_methods"] == longest
    longer = {name: f"{value}x" for name, value in longest.items()}
    refused = await house.call(
        door,
        pair.a.owner,
        "dunning_charges_create",
        a_new_charge(debtor.id, payment_methods=longer),
    )
    assert refused.details == [(f"payment_methods.{name}", "too_long") for name in longest]


@pytest.mark.parametrize(
    ("dates", "issued", "status"),
    [
        ({"due_date": "2026-10-09"}, "2026-09-01", "pending"),
        ({"due_date": "2026-09-01"}, "2026-09-01", "pending"),
        ({"due_date": "2026-08-31", "issue_date": "2026-08-01"}, "2026-08-01", "overdue"),
        # A Saturday: due on the Monday, which is the day before.
        ({"due_date": "2026-08-29", "issue_date": "2026-08-01"}, "2026-08-01", "overdue"),
    ],
)
async def test_a_charge_begins_pending_or_overdue_by_the_business_date(
    house: House, ledger: Ledger, pair: Pair, *, dates: dict[str, str], issued: str, status: str
) -> None:
    debtor = a_debtor(pair.a.creditor)
    await ledger.keep(pair.a, debtor)
    answer = await house.rest(
        pair.a.owner, "dunning_charges_create", a_new_charge(debtor.id, **dates)
    )
    assert (answer.data["issue_date"], answer.data["status"]) == (issued, status)


async def test_the_date_is_the_organisations_and_not_the_servers(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = a_debtor(pair.a.creditor)
    await ledger.keep(pair.a, debtor)
    house.clock.time = house.clock.time.replace(day=2, hour=2)
    answer = await house.rest(pair.a.owner, "dunning_charges_create", a_new_charge(debtor.id))
    assert answer.data["issue_date"] == "2026-09-01"
    assert answer.data["created_at"] == "2026-09-02T02:00:00Z"


@pytest.mark.parametrize(
    ("door", "column", "actor_type", "via"),
    [
        (Door.REST, "manager", "member", "rest"),
        (Door.REST, INTEGRATION, "api_client", "rest"),
        (Door.MCP, "manager", "mcp", "mcp"),
    ],
)
async def test_who_created_it_and_by_which_request_is_written_down_once(
    house: House, ledger: Ledger, pair: Pair, *, door: Door, column: str, actor_type: str, via: str
) -> None:
    debtor = a_debtor(pair.a.creditor, name="Paulo Nogueira")
    await ledger.keep(pair.a, debtor)
    answer = await house.call(
        door, pair.a.caller(column), "dunning_charges_create", a_new_charge(debtor.id)
    )
    (event,) = await ledger.events(pair.a.id)
    (line,) = await ledger.audit(pair.a.id)
    created = answer.data
    is_client = column == INTEGRATION
    actor = pair.a.client.id if is_client else pair.a.creditor.members[Role(column)].id
    assert (event["type"], event["resource_id"]) == ("charge.created", created["id"])
    assert (event["actor_type"], event["actor_id"]) == (actor_type, actor)
    assert (line["action"], line["outcome"], line["resource"]) == (
        "dunning_charges_create",
        "ok",
        created["id"],
    )
    assert (line["actor_id"], line["via"], line["ip"]) == (actor, via, "192.0.2.7")
    assert line["scopes_used"] == ["dunning.charges:create"]
    assert event["request_id"] == line["request_id"]
    if door is Door.REST:
        assert answer.headers["x-request-id"] == line["request_id"]
    assert "Mensalidade" not in str(event)
    assert await ledger.events(pair.b.id) == await ledger.audit(pair.b.id) == []


@pytest.mark.parametrize("door", Door)
async def test_a_refused_charge_leaves_nothing_but_the_line_about_it(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    debtor = a_debtor(pair.a.creditor)
    await ledger.keep(pair.a, debtor)
    before = await ledger.everything(pair.a.id)
    arguments = a_new_charge(debtor.id, assigned_member_id=pair.b.creditor.other_collector.id)
    answer = await house.call(door, pair.a.owner, "dunning_charges_create", arguments)
    assert answer.details == [("assigned_member_id", "not_found")]
    (line,) = await ledger.audit(pair.a.id)
    assert (line["outcome"], line["code"]) == ("denied", "VALIDATION_ERROR")
    after = await ledger.everything(pair.a.id)
    del before["audit_entries"], after["audit_entries"]
    assert after == before
