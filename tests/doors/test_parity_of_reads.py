"""The same read through both doors: the same document, or the same refusal."""

from typing import Any, Final

import pytest

from tests.builders import a_debtor
from tests.doors.conftest import Demo
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Door, House, both

pytestmark = pytest.mark.anyio

Details = list[tuple[str, str]]

A_DEBTOR_ID: Final = "dbt_" + "0" * 26
A_CHARGE_ID: Final = "chg_" + "0" * 26


GOOD_READS: Final[list[tuple[str, dict[str, Any]]]] = [
    ("dunning_me", {}),
    ("dunning_settings_get", {}),
    ("dunning_debtors_list", {}),
    ("dunning_debtors_list", {"page": 2, "per_page": 7, "sort_by": "overdue_amount"}),
    ("dunning_debtors_list", {"q": "tavares lobo", "sort_order": "desc"}),
    ("dunning_debtors_list", {"has_overdue": "false", "min_overdue_amount": "0.01"}),
    ("dunning_debtors_list", {"flag": "deceased,minor", "status": "active,archived"}),
    ("dunning_debtors_list", {"contactable": "true", "sort_by": "risk_score"}),
    ("dunning_debtors_list", {"uf": "sp,rj", "person_type": "individual", "tags": "integral"}),
    ("dunning_charges_list", {}),
    ("dunning_charges_list", {"per_page": "50", "page": "2"}),
    ("dunning_charges_list", {"per_page": 5.0, "sort_by": "total_due", "sort_order": "desc"}),
    ("dunning_charges_list", {"status": "overdue, pending", "kind": "tuition"}),
    ("dunning_charges_list", {"aging_bucket": "31_60,91_180", "min_amount": "450"}),
    ("dunning_charges_list", {"due_from": "2026-12-01", "due_to": "2026-12-31"}),
    ("dunning_charges_list", {"created_from": "", "debtor_id": "null", "min_amount": ""}),
    ("dunning_charges_list", {"q": "nothing is called so"}),
]


@pytest.mark.parametrize(("operation", "arguments"), GOOD_READS)
async def test_a_read_gives_the_same_document(
    house: House, demo: Demo, operation: str, arguments: dict[str, Any]
) -> None:
    rest, mcp = await both(house, demo.caller("Helena"), operation, arguments)
    assert (rest.status, mcp.code) == (200, None)
    assert mcp.body == rest.body


async def test_what_is_too_long_for_a_model_is_the_beginning_of_the_same_document(
    house: House, demo: Demo
) -> None:
    rest, mcp = await both(house, demo.caller("Helena"), "dunning_charges_list", {"per_page": 100})
    shown = mcp.body["meta"].pop("truncated")["shown"]
    assert 0 < shown < len(rest.data) == 100
    assert mcp.data == rest.data[:shown]
    assert mcp.body["meta"] == rest.body["meta"]


async def test_hidden_characters_go_through_one_door_only(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    family = "Família \U0001f469\u200d\U0001f467 Nogueira"
    debtor = a_debtor(pair.a.creditor, name=family, notes="ok\u200b\U000e0041 sim")
    await ledger.keep(pair.a, debtor)
    rest, mcp = await both(house, pair.a.owner, "dunning_debtors_list", {})
    assert rest.data[0]["notes"] == "ok\u200b\U000e0041 sim"
    assert mcp.data[0]["notes"] == "ok sim"
    assert mcp.data[0]["name"] == rest.data[0]["name"] == family


BAD_READS: Final[list[tuple[str, dict[str, Any], Details]]] = [
    ("dunning_me", {"organization_id": "x"}, [("organization_id", "unknown_field")]),
    ("dunning_settings_get", {"verbose": "true"}, [("verbose", "unknown_field")]),
    ("dunning_debtors_list", {"reveal": "name"}, [("reveal", "not_allowed")]),
    ("dunning_debtors_list", {"has_overdue": "1"}, [("has_overdue", "wrong_type")]),
    ("dunning_debtors_list", {"q": "a"}, [("q", "too_short")]),
    ("dunning_debtors_list", {"q": "\u0301\u0303"}, [("q", "too_short")]),
    ("dunning_charges_list", {"q": "\u0301\u0303"}, [("q", "too_short")]),
    ("dunning_debtors_list", {"status": "active,gone"}, [("status", "not_allowed")]),
    (
        "dunning_debtors_list",
        {"assigned_member_id": A_DEBTOR_ID},
        [("assigned_member_id", "wrong_id_type")],
    ),
    ("dunning_charges_list", {"stauts": "pending"}, [("stauts", "unknown_field")]),
    ("dunning_charges_list", {"status": "late"}, [("status", "not_allowed")]),
    ("dunning_charges_list", {"status": "paid," * 100 + "paid"}, [("status", "too_many_items")]),
    ("dunning_charges_list", {"sort_by": "name"}, [("sort_by", "not_allowed")]),
    ("dunning_charges_list", {"sort_order": "up"}, [("sort_order", "not_allowed")]),
    ("dunning_charges_list", {"page": 0}, [("page", "out_of_range")]),
    ("dunning_charges_list", {"per_page": 101}, [("per_page", "out_of_range")]),
    ("dunning_charges_list", {"page": "50.5"}, [("page", "wrong_type")]),
    ("dunning_charges_list", {"page": "1_000"}, [("page", "wrong_type")]),
    ("dunning_charges_list", {"page": "\uff11"}, [("page", "wrong_type")]),
    ("dunning_charges_list", {"page": "NaN"}, [("page", "wrong_type")]),
    ("dunning_charges_list", {"min_amount": "Infinity"}, [("min_amount", "wrong_type")]),
    ("dunning_charges_list", {"min_amount": "0.001"}, [("min_amount", "too_many_decimals")]),
    ("dunning_charges_list", {"due_from": "2026-02-30"}, [("due_from", "invalid_date")]),
    ("dunning_charges_list", {"due_to": "01/12/2026"}, [("due_to", "invalid_date")]),
    ("dunning_charges_list", {"debtor_id": A_CHARGE_ID}, [("debtor_id", "wrong_id_type")]),
    ("dunning_charges_list", {"debtor_id": "dbt_1"}, [("debtor_id", "invalid_id")]),
    ("dunning_charges_list", {"page": 101, "per_page": 100}, [("page", "window_too_large")]),
    (
        "dunning_charges_list",
        {"page": "x", "kind": "y"},
        [("page", "wrong_type"), ("kind", "not_allowed")],
    ),
]


@pytest.mark.parametrize(("operation", "arguments", "details"), BAD_READS)
async def test_a_bad_read_is_refused_in_the_same_words(
    house: House, demo: Demo, operation: str, arguments: dict[str, Any], details: Details
) -> None:
    rest, mcp = await both(house, demo.caller("Helena"), operation, arguments)
    assert (rest.status, rest.code) == (422, "VALIDATION_ERROR")
    assert rest.details == details
    assert mcp.refusal == rest.refusal


async def test_both_doors_speak_the_language_that_is_asked_for(house: House, demo: Demo) -> None:
    helena = demo.caller("Helena")
    said = {}
    for language in ("pt-BR", "en"):
        answers = [
            await house.call(
                door, helena, "dunning_charges_list", {"page": "x"}, accept_language=language
            )
            for door in Door
        ]
        assert answers[0].refusal == answers[1].refusal
        said[language] = answers[0].refusal["message"]
    assert said == {"pt-BR": "Dados inválidos.", "en": "The request is not valid."}
