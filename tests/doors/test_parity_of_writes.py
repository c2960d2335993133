"""The same write through both doors: the same effect, or the same refusal."""

from typing import Any, Final

import pytest

from domain.dunning.debtors import DebtorStatus
from tests.builders import a_charge, a_debtor
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Door, House, both
from tests.doors.requests import a_new_charge

pytestmark = pytest.mark.anyio

Details = list[tuple[str, str]]

NOBODY: Final = "dbt_" + "0" * 26
A_CHARGE_ID: Final = "chg_" + "0" * 26

BAD_CHARGES: Final[list[tuple[dict[str, Any], Details]]] = [
    ({"amount": True}, [("amount", "wrong_type")]),
    ({"amount": "R$ 10"}, [("amount", "wrong_type")]),
    ({"amount": "NaN"}, [("amount", "wrong_type")]),
    ({"amount": 10.005}, [("amount", "too_many_decimals")]),
    ({"amount": 0}, [("amount", "out_of_range")]),
    ({"amount": 100_000_000}, [("amount", "out_of_range")]),
    ({"amount": None}, [("amount", "required")]),
    ({"ammount": 10}, [("ammount", "unknown_field")]),
    ({"due_date": "2026-10"}, [("due_date", "invalid_date")]),
    ({"due_date": "2026-08-31"}, [("due_date", "out_of_range")]),
    ({"due_date": "2036-09-02"}, [("due_date", "out_of_range")]),
    ({"description": " x "}, [("description", "too_short")]),
    ({"description": "x" * 201}, [("description", "too_long")]),
    ({"description": "a\x00b"}, [("description", "invalid_characters")]),
    ({"kind": "gift"}, [("kind", "not_allowed")]),
    ({"tags": "rural"}, [("tags", "invalid_json")]),
    ({"tags": ["x"] * 21}, [("tags", "too_many_items")]),
    ({"custom_data": [1]}, [("custom_data", "wrong_type")]),
    ({"custom_data": {"a": "x" * 8200}}, [("custom_data", "too_large")]),
    ({"debtor_id": A_CHARGE_ID}, [("debtor_id", "wrong_id_type")]),
    ({"debtor_id": NOBODY}, [("debtor_id", "not_found")]),
    ({"assigned_member_id": "mbr_" + "0" * 26}, [("assigned_member_id", "not_found")]),
    ({"idempotency_key": None}, [("idempotency_key", "required")]),
    ({"idempotency_key": "x" * 256}, [("idempotency_key", "too_long")]),
    ({"terms": {"fine": 2}}, [("terms.fine", "unknown_field")]),
    ({"terms": {"fine_percent": 1.00001}}, [("terms.fine_percent", "too_many_decimals")]),
    (
        {"terms": {"discounts": [{"days_before": 61, "type": "percent", "value": 1}]}},
        [("terms.discounts[0].days_before", "out_of_range")],
    ),
    (
        {"terms": {"discounts": [{"days_before": 5, "type": "amount", "value": 1250}]}},
        [("terms.discounts[0].value", "out_of_range")],
    ),
    (
        {"terms": {"discounts": [{"days_before": 5, "type": "percent", "value": 5}] * 2}},
        [("terms.discounts[1].days_before", "duplicate")],
    ),
    (
        {"terms": {"fine_percent": 1}, "contract_reference": None},
        [("terms.fine_percent", "required_with")],
    ),
    (
        {"terms": {"interest_mode": "contract"}, "contract_reference": None},
        [("terms.interest_mode", "required_with")],
    ),
    (
        {"terms": {"interest_mode": "none", "interest_percent_month": 1}},
        [("terms.interest_percent_month", "conflicts_with")],
    ),
    (
        {"payment_methods": {"payment_url": "http://x"}},
        [("payment_methods.payment_url", "invalid_url")],
    ),
]


@pytest.mark.parametrize(("fields", "details"), BAD_CHARGES)
async def test_a_bad_charge_is_refused_in_the_same_words(
    house: House, ledger: Ledger, pair: Pair, fields: dict[str, Any], details: Details
) -> None:
    debtor = a_debtor(pair.a.creditor)
    await ledger.keep(pair.a, debtor)
    arguments = a_new_charge(debtor.id) | fields
    rest, mcp = await both(house, pair.a.owner, "dunning_charges_create", arguments)
    assert (rest.status, rest.code) == (422, "VALIDATION_ERROR")
    assert rest.details == details
    assert mcp.refusal == rest.refusal
    assert await ledger.rows(pair.a.id, "charges") == []


@pytest.mark.parametrize(
    ("terms", "kind", "is_consumer", "field"),
    [
        ({"fine_percent": 2.01}, "service", True, "terms.fine_percent"),
        ({"fine_percent": 10.01}, "service", False, "terms.fine_percent"),
        ({"fine_percent": 2.01}, "condo", False, "terms.fine_percent"),
        ({"interest_percent_month": 9.99}, "service", False, "terms.interest_percent_month"),
    ],
)
async def test_terms_above_the_law_are_refused_in_the_same_words(
    house: House,
    ledger: Ledger,
    pair: Pair,
    *,
    terms: dict[str, float],
    kind: str,
    is_consumer: bool,
    field: str,
) -> None:
    document = {} if is_consumer else {"document": "12.ABC.345/01DE-35"}
    debtor = a_debtor(pair.a.creditor, **document)
    await ledger.keep(pair.a, debtor)
    arguments = a_new_charge(debtor.id, terms=terms, kind=kind)
    rest, mcp = await both(house, pair.a.owner, "dunning_charges_create", arguments)
    assert (rest.status, rest.code) == (422, "LEGAL_LIMIT_EXCEEDED")
    assert rest.details == [(field, "legal_limit")]
    assert mcp.refusal == rest.refusal
    lines = [(line["outcome"], line["code"]) for line in await ledger.audit(pair.a.id)]
    assert lines == [("error", "LEGAL_LIMIT_EXCEEDED")] * 2
    assert await ledger.audit(pair.b.id) == []


async def test_an_archived_debtor_gets_no_charge_through_either_door(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = a_debtor(pair.a.creditor)
    debtor.status = DebtorStatus.ARCHIVED
    await ledger.keep(pair.a, debtor)
    rest, mcp = await both(house, pair.a.owner, "dunning_charges_create", a_new_charge(debtor.id))
    assert (rest.status, rest.code) == (409, "STATE_CONFLICT")
    assert rest.error["current_status"] == "archived"
    assert mcp.refusal == rest.refusal


async def test_an_external_id_is_unique_in_its_own_organisation(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    mine, theirs = a_debtor(pair.a.creditor), a_debtor(pair.b.creditor)
    taken = a_charge(mine, external_id="NF-1")
    await ledger.keep(pair.a, mine, taken)
    await ledger.keep(pair.b, theirs, *(a_charge(theirs, external_id=f"NF-{n}") for n in range(3)))
    arguments = a_new_charge(mine.id, external_id="NF-1")
    rest, mcp = await both(house, pair.a.owner, "dunning_charges_create", arguments)
    assert (rest.status, rest.code) == (409, "DUPLICATE")
    assert rest.details == [("external_id", "duplicate")]
    assert rest.error["existing_id"] == taken.id
    assert mcp.refusal == rest.refusal
    for number, door in enumerate(Door):
        free = a_new_charge(mine.id, external_id=f"NF-{2 * number}")
        assert (await house.call(door, pair.a.owner, "dunning_charges_create", free)).code is None


BAD_CANCELLATIONS: Final[list[tuple[dict[str, Any], Details]]] = [
    ({}, [("reason", "required")]),
    ({"reason": "because"}, [("reason", "not_allowed")]),
    ({"reason": "other", "note": "x" * 501}, [("note", "too_long")]),
    ({"reason": "other", "notes": "x"}, [("notes", "unknown_field")]),
    ({"reason": "other", "idempotency_key": ""}, [("idempotency_key", "too_short")]),
]


@pytest.mark.parametrize(("fields", "details"), BAD_CANCELLATIONS)
async def test_a_bad_cancellation_is_refused_in_the_same_words(
    house: House, ledger: Ledger, pair: Pair, fields: dict[str, Any], details: Details
) -> None:
    debtor = a_debtor(pair.a.creditor)
    charge = a_charge(debtor)
    await ledger.keep(pair.a, debtor, charge)
    arguments = {"id": charge.id, **fields}
    rest, mcp = await both(house, pair.a.owner, "dunning_charges_cancel", arguments)
    assert (rest.status, rest.code) == (422, "VALIDATION_ERROR")
    assert rest.details == details
    assert mcp.refusal == rest.refusal


@pytest.mark.parametrize("sent", ["dbt_" + "0" * 26, "chg_1", "x"])
async def test_a_path_with_another_kind_of_id_is_refused_in_the_same_words(
    house: House, pair: Pair, sent: str
) -> None:
    arguments = {"id": sent, "reason": "other"}
    rest, mcp = await both(house, pair.a.owner, "dunning_charges_cancel", arguments)
    assert (rest.status, rest.code) == (422, "VALIDATION_ERROR")
    assert [field for field, _ in rest.details] == ["id"]
    assert mcp.refusal == rest.refusal


GOOD_CHARGES: Final[list[dict[str, Any]]] = [
    {},
    {"amount": "1250.00", "due_date": " 2026-10-09 "},
    {"terms": '{"fine_percent": "1.5", "discounts": []}', "tags": '["a", "b", "a"]'},
    {"terms": {"discounts": [{"days_before": "5", "type": "percent", "value": "12.5"}]}},
    {"custom_data": {"class": {"year": 3, "share": 0.1, "note": None}}},
    {"issue_date": "2026-08-01", "kind": "rent", "document_number": " 17 "},
    {"contract_reference": None},
    {"payment_methods": {"payment_url": "https://pay.example.com/1", "pix_copy_paste": "000201"}},
    {"description": "NULL", "external_id": "null", "assigned_member_id": ""},
]


@pytest.mark.parametrize("fields", GOOD_CHARGES)
async def test_a_good_charge_comes_out_the_same(
    house: House, ledger: Ledger, pair: Pair, fields: dict[str, Any]
) -> None:
    debtor = a_debtor(pair.a.creditor)
    other = a_debtor(pair.b.creditor)
    await ledger.keep(pair.a, debtor)
    await ledger.keep(pair.b, other)
    rest = await house.rest(
        pair.a.owner, "dunning_charges_create", a_new_charge(debtor.id) | fields
    )
    mcp = await house.tool(pair.b.owner, "dunning_charges_create", a_new_charge(other.id) | fields)
    assert (rest.status, mcp.code) == (201, None)
    (shown, kept), (_, other_kept) = [(one.data, one.data.copy()) for one in (rest, mcp)]
    assert shown["debtor_id"] == debtor.id
    for own in ("id", "debtor_id"):
        assert kept.pop(own) != other_kept.pop(own)
    assert other_kept == kept


async def test_amounts_are_numbers_with_their_own_two_decimals(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = a_debtor(pair.a.creditor)
    await ledger.keep(pair.a, debtor)
    for amount in (0.01, 0.1, 1284.58, 99_999_999.99):
        for door in Door:
            created = await house.call(
                door,
                pair.a.owner,
                "dunning_charges_create",
                a_new_charge(debtor.id, amount=amount),
            )
            assert created.data["amount"] == amount
            assert created.data["amounts"]["total_due"] == amount
