"""Many charges in one call: all or none, or each by itself, and never one too many."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from domain.dunning.debtors import Debtor
from domain.dunning.documents import cnpj_with_check_digits, cpf_with_check_digits
from domain.dunning.organization_settings import RoleLimits, Settings
from tests.builders import a_charge, a_debtor
from tests.doors.firms import Firm, Ledger, Pair, found_firm
from tests.doors.house import Answer, Caller, Door, House
from tests.doors.requests import INTEGRATION, a_key

pytestmark = pytest.mark.anyio

OPERATION: Final = "dunning_charges_bulk_create"


def cpf(number: int) -> str:
    return cpf_with_check_digits(f"{number:09d}").formatted


def an_item(owed_by: Debtor | None = None, /, **fields: Any) -> dict[str, Any]:
    known = {} if owed_by is None else {"debtor_id": owed_by.id}
    return {
        "description": "Mensalidade de outubro",
        "amount": 1250.00,
        "due_date": "2026-10-09",
        "contract_reference": "Contrato 17/2026",
        **known,
        **fields,
    }


def a_stranger(number: int, **fields: Any) -> dict[str, Any]:
    return {"name": "Rita Amaral", "document": cpf(number), **fields}


async def create(
    house: House,
    caller: Caller,
    *items: Mapping[str, Any],
    door: Door = Door.REST,
    **more: Any,
) -> Answer:
    arguments = {"items": list(items), "idempotency_key": a_key(), **more}
    return await house.call(door, caller, OPERATION, arguments)


async def kept(ledger: Ledger, firm: Firm, **fields: Any) -> Debtor:
    debtor = a_debtor(firm.creditor, **fields)
    await ledger.keep(firm, debtor)
    return debtor


async def in_book(ledger: Ledger, firm: Firm) -> tuple[int, int]:
    """How many debtors and charges there are."""
    rows = [await ledger.rows(firm.id, table) for table in ("debtors", "charges")]
    return len(rows[0]), len(rows[1])


@pytest.mark.parametrize("mode", ["atomic", "partial"])
@pytest.mark.parametrize("door", Door)
async def test_all_that_is_right_is_created_with_an_event_each_and_one_line(
    house: House, ledger: Ledger, pair: Pair, door: Door, mode: str
) -> None:
    debtor = await kept(ledger, pair.a)

    answer = await create(
        house,
        pair.a.owner,
        an_item(debtor, external_id="NF-1"),
        an_item(debtor=a_stranger(1)),
        door=door,
        mode=mode,
    )

    assert answer.status == (201 if door is Door.REST else 200)
    items = answer.data["items"]
    assert (answer.data["created"], answer.data["failed"]) == (2, 0)
    assert [(set(one), one["index"]) for one in items] == [
        ({"index", "id"}, 0),
        ({"index", "id"}, 1),
    ]
    rows = {row["id"]: row for row in await ledger.rows(pair.a.id, "charges")}
    assert [rows[one["id"]]["external_id"] for one in items] == ["NF-1", None]
    events = [event["type"] for event in await ledger.events(pair.a.id)]
    assert sorted(events) == ["charge.created", "charge.created", "debtor.created"]
    (line,) = await ledger.audit(pair.a.id)
    assert (line["action"], line["outcome"]) == (OPERATION, "ok")
    assert await in_book(ledger, pair.b) == (0, 0)


@pytest.mark.parametrize("door", Door)
async def test_one_bad_item_keeps_all_out_and_every_bad_one_is_named(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    debtor = await kept(ledger, pair.a)
    await ledger.keep(pair.a, a_charge(debtor, external_id="NF-1"))
    archived = a_debtor(pair.a.creditor)
    archived.status = type(archived.status).ARCHIVED
    await ledger.keep(pair.a, archived)
    before = await ledger.everything(pair.a.id)

    answer = await create(
        house,
        pair.a.owner,
        an_item(debtor),
        an_item(debtor, terms={"fine_percent": 5}),
        an_item(debtor, due_date="2026-08-01"),
        an_item(debtor, external_id="NF-1"),
        an_item(debtor=a_stranger(1, document="529.982.247-26")),
        an_item(),
        an_item(debtor, debtor=a_stranger(2)),
        an_item(archived),
        an_item(debtor, guarantors=[debtor.id]),
        door=door,
    )

    assert answer.code == "VALIDATION_ERROR"
    assert answer.details[:7] == [
        ("items[1].terms.fine_percent", "legal_limit"),
        ("items[2].due_date", "out_of_range"),
        ("items[3].external_id", "duplicate"),
        ("items[4].debtor.document", "invalid_document"),
        ("items[5].debtor_id", "required_with"),
        ("items[6].debtor", "conflicts_with"),
        ("items[7]", "state_conflict"),
    ]
    assert answer.details[7][0].startswith("items[8].guarantors")
    assert await ledger.everything(pair.a.id) == before


async def test_items_of_the_wrong_type_are_named_by_their_place(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = await kept(ledger, pair.a)

    answer = await create(
        house,
        pair.a.owner,
        an_item(debtor, ammount=3),
        an_item(debtor, amount="muito"),
        an_item(debtor=a_stranger(1, contact_points=[])),
        mode="partial",
    )

    assert answer.details == [
        ("items[0].ammount", "unknown_field"),
        ("items[1].amount", "wrong_type"),
        ("items[2].debtor.contact_points", "unknown_field"),
    ]
    assert await in_book(ledger, pair.a) == (1, 0)


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ({"terms": {"fine_percent": 5}}, "LEGAL_LIMIT_EXCEEDED"),
        ({"external_id": "NF-1"}, "DUPLICATE"),
    ],
)
async def test_what_is_wrong_alike_keeps_its_code(
    house: House, ledger: Ledger, pair: Pair, *, bad: dict[str, Any], code: str
) -> None:
    debtor = await kept(ledger, pair.a)
    await ledger.keep(pair.a, a_charge(debtor, external_id="NF-1"))

    answer = await create(
        house, pair.a.owner, an_item(debtor), an_item(debtor, **bad), an_item(debtor, **bad)
    )

    assert answer.code == code
    (field,) = bad if "terms" not in bad else ("terms.fine_percent",)
    assert [at for at, _ in answer.details] == [f"items[1].{field}", f"items[2].{field}"]
    assert await in_book(ledger, pair.a) == (1, 1)


@pytest.mark.parametrize("door", Door)
async def test_in_partial_mode_each_item_stands_by_itself(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    debtor = await kept(ledger, pair.a)
    theirs = await kept(ledger, pair.b)
    await ledger.keep(pair.a, a_charge(debtor, external_id="NF-1"))

    answer = await create(
        house,
        pair.a.owner,
        an_item(debtor, external_id="NF-2"),
        an_item(debtor, external_id="NF-1"),
        an_item(theirs),
        an_item(debtor, external_id="NF-2"),
        an_item(debtor=a_stranger(1), terms={"fine_percent": 5}),
        an_item(debtor=a_stranger(1)),
        mode="partial",
        door=door,
    )

    assert (answer.data["created"], answer.data["failed"]) == (2, 4)
    outcomes = [one.get("error", {}).get("code", "") for one in answer.data["items"]]
    assert outcomes == [
        "",
        "DUPLICATE",
        "VALIDATION_ERROR",
        "DUPLICATE",
        "LEGAL_LIMIT_EXCEEDED",
        "",
    ]
    error = answer.data["items"][2]["error"]
    assert error["details"] == [
        {"field": "items[2].debtor_id", "code": "not_found", "message": "Não encontrado."}
    ]
    assert await in_book(ledger, pair.a) == (2, 3)
    events = [event["type"] for event in await ledger.events(pair.a.id)]
    assert sorted(events) == ["charge.created", "charge.created", "debtor.created"]
    assert await in_book(ledger, pair.b) == (1, 0)
    lines = [(line["outcome"], line["code"]) for line in await ledger.audit(pair.a.id)]
    assert sorted(lines, key=str) == [("denied", "VALIDATION_ERROR"), ("ok", None)]


@pytest.mark.parametrize("field", ["debtor_id", "assigned_member_id", "guarantors", "debtor"])
@pytest.mark.parametrize("mode", ["atomic", "partial"])
async def test_an_id_of_another_organisation_is_one_of_nobody(
    house: House, ledger: Ledger, pair: Pair, field: str, mode: str
) -> None:
    mine, theirs = await kept(ledger, pair.a), await kept(ledger, pair.b)
    member = pair.b.creditor.other_collector.id
    wanted = {
        "debtor_id": an_item(theirs),
        "assigned_member_id": an_item(mine, assigned_member_id=member),
        "guarantors": an_item(mine, guarantors=[theirs.id]),
        "debtor": an_item(debtor=a_stranger(1, assigned_member_id=member)),
    }[field]
    place = {"guarantors": "guarantors[0]", "debtor": "debtor.assigned_member_id"}.get(field, field)
    before = await ledger.everything(pair.b.id)

    answer = await create(house, pair.a.owner, wanted, mode=mode)

    details = answer.error["details"] if mode == "atomic" else problems_of(answer, 0)
    assert [(one["field"], one["code"]) for one in details] == [(f"items[0].{place}", "not_found")]
    assert theirs.id.encode() not in answer.raw
    assert "denied" in [line["outcome"] for line in await ledger.audit(pair.a.id)]
    assert await ledger.everything(pair.b.id) == before


async def test_a_debtor_described_whose_document_is_known_is_used_and_not_overwritten(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = await kept(ledger, pair.a, name="Paulo Nogueira", document=cpf(7))
    await kept(ledger, pair.b, document=cpf(8))

    answer = await create(
        house,
        pair.a.owner,
        an_item(debtor=a_stranger(7, name="Outro Nome", external_id="C-7")),
        an_item(debtor=a_stranger(8)),
    )

    assert answer.status == 201
    rows = await ledger.rows(pair.a.id, "debtors")
    names = {row["id"]: (row["name"], row["external_id"]) for row in rows}
    assert names.pop(debtor.id) == ("Paulo Nogueira", None)
    assert list(names.values()) == [("Rita Amaral", None)]
    owners = {row["debtor_id"] for row in await ledger.rows(pair.a.id, "charges")}
    assert owners == {row["id"] for row in rows}


@pytest.mark.parametrize("mode", ["atomic", "partial"])
async def test_the_same_new_document_twice_is_one_debtor(
    house: House, ledger: Ledger, pair: Pair, mode: str
) -> None:
    unpunctuated = cpf(7).replace(".", "").replace("-", "")

    answer = await create(
        house,
        pair.a.owner,
        an_item(debtor=a_stranger(7)),
        an_item(debtor=a_stranger(7, name="Rita A.", document=unpunctuated)),
        mode=mode,
    )

    assert answer.data["created"] == 2
    assert await in_book(ledger, pair.a) == (1, 2)


async def test_a_taken_external_id_of_a_debtor_is_named_at_the_debtor(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    await kept(ledger, pair.a, external_id="C-1")

    answer = await create(house, pair.a.owner, an_item(debtor=a_stranger(1, external_id="C-1")))

    assert answer.code == "DUPLICATE"
    assert answer.details == [("items[0].debtor.external_id", "duplicate")]


async def test_rules_are_those_of_each_debtors_own_place(house: House, pair: Pair) -> None:
    company = cnpj_with_check_digits("112223330001").formatted

    answer = await create(
        house,
        pair.a.owner,
        an_item(debtor=a_stranger(1, document=company), terms={"fine_percent": 5}),
        an_item(debtor=a_stranger(2), terms={"fine_percent": 5}),
        mode="partial",
    )

    assert [set(one) for one in answer.data["items"]] == [{"index", "id"}, {"index", "error"}]


@pytest.mark.parametrize(
    ("column", "count", "required"),
    [
        ("manager", 3, "admin"),
        ("admin", 4, "admin"),
        ("owner", 4, "admin"),
        (INTEGRATION, 3, "admin"),
    ],
)
async def test_nobody_goes_above_the_ceiling_of_their_role(
    house: House, ledger: Ledger, *, column: str, count: int, required: str
) -> None:
    limits = RoleLimits()
    settings = Settings(
        role_limits=RoleLimits(
            manager=replace(limits.manager, bulk_charges_per_call=2),
            admin=replace(limits.admin, bulk_charges_per_call=3),
        )
    )
    firm = await found_firm(ledger.owner, "Colégio Ipê", settings)
    debtor = await kept(ledger, firm)
    items = [an_item(debtor) for _ in range(count)]

    refused = await create(house, firm.caller(column), *items)
    granted = await create(house, firm.caller(column), *items[1:])

    assert (refused.status, refused.code) == (403, "ROLE_LIMIT_EXCEEDED")
    assert refused.error["required_role"] == required
    assert refused.details == [("items", "too_many_items")]
    assert granted.data["created"] == count - 1


async def test_registering_a_debtor_needs_its_own_scope(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = await kept(ledger, pair.a, document=cpf(7))
    narrow = pair.a.owner.with_scopes("dunning.charges:create")

    known = await create(house, narrow, an_item(debtor), an_item(debtor=a_stranger(7)))
    unknown = await create(house, narrow, an_item(debtor=a_stranger(8)))

    assert known.status == 201
    assert (unknown.status, unknown.code) == (403, "SCOPE_MISSING")
    assert unknown.details == [("dunning.debtors:write", "scope_missing")]
    assert await in_book(ledger, pair.a) == (1, 2)


@pytest.mark.parametrize("mode", ["atomic", "partial"])
async def test_the_same_key_creates_nothing_twice(
    house: House, ledger: Ledger, pair: Pair, mode: str
) -> None:
    items = [an_item(debtor=a_stranger(1), external_id="NF-1"), an_item()]
    items = items if mode == "partial" else items[:1]
    key = a_key()

    first = await create(house, pair.a.owner, *items, mode=mode, idempotency_key=key)
    again = await create(house, pair.a.owner, *items, mode=mode, idempotency_key=key)

    assert again.body == first.body
    assert again.headers["idempotency-replayed"] == "true"
    assert await in_book(ledger, pair.a) == (1, 1)
    assert len(await ledger.events(pair.a.id)) == 2


def problems_of(answer: Answer, index: int) -> list[dict[str, str]]:
    found: list[dict[str, str]] = answer.data["items"][index]["error"]["details"]
    return found
