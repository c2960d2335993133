"""Changing the settings: within the law, in one organisation, and never behind a charge's back."""

import asyncio
from dataclasses import dataclass
from typing import Any, Final

import pytest

from domain.access.roles import Role
from tests.builders import a_debtor
from tests.doors.firms import Ledger, Pair
from tests.doors.house import Answer, Caller, Door, House, both
from tests.doors.requests import a_new_charge

pytestmark = pytest.mark.anyio

GET: Final = "dunning_settings_get"
UPDATE: Final = "dunning_settings_update"

ADDRESS: Final = {
    "street": "Rua das Palmeiras",
    "number": "7",
    "district": "Centro",
    "city": "Niterói",
    "uf": "RJ",
    "zipcode": "24020-000",
}
COLLECTOR: Final = {
    "charges_discount_percent": 40.0,
    "principal_discount_percent": 5.0,
    "max_installments": 4,
    "min_down_payment_percent": 20.0,
    "write_off_amount": 0.0,
    "messages_per_hour": 10,
    "bulk_charges_per_call": 0,
}
EVERYTHING: Final[dict[str, Any]] = {
    "name": "Colégio Poente",
    "legal_name": "Colégio Poente Ltda.",
    "document": "12.ABC.345/01DE-35",
    "address": {**ADDRESS, "complement": "Sala 3"},
    "creditor_kind": "financial_institution",
    "language": "en",
    "timezone": "America/Manaus",
    "uf": "RJ",
    "city": "Niterói",
    "default_fine_percent": 1.5,
    "default_fine_percent_business": 10.0,
    "default_interest_percent_month": 0.5,
    "default_correction_index": "ipca",
    "due_date_rule": "none",
    "rounding_mode": "half_up",
    "settlement_tolerance": 5.0,
    "contact_windows": {"monday": {"start": "09:30", "end": "18:00"}},
    "frequency_caps": {"per_day": 2, "per_7_days": 5, "voice_per_day": 1},
    "negativation_notice_days": 20,
    "negativation_notice_uf_overrides": {"RJ": 12, "SP": 15},
    "negativation_min_days_overdue": 45,
    "negativation_min_amount": 100.0,
    "approval_required_for": ["protest", "write_off"],
    "agreement_rules": {
        "max_installments": 24,
        "min_installment": 30.0,
        "min_down_payment_percent": 5.0,
        "max_first_due_days": 30,
        "breach_missed_installments": 1,
        "breach_days_late": 20,
        "on_breach": "accelerate",
    },
    "promise_rules": {"max_days_ahead": 10, "grace_business_days": 0, "max_open_per_debtor": 2},
    "role_limits": {"collector": COLLECTOR},
    "auto_enroll": False,
    "retention": {
        "events_months": 24,
        "notifications_months": 72,
        "audit_months": 84,
        "idempotency_hours": 96,
    },
}


@dataclass(frozen=True, slots=True)
class Office:
    """Two organisations, of which the first one is changed."""

    house: House
    ledger: Ledger
    pair: Pair

    async def update(
        self, door: Door = Door.REST, caller: Caller | None = None, **fields: Any
    ) -> Answer:
        return await self.house.call(door, caller or self.pair.a.owner, UPDATE, fields)

    async def settings(self, caller: Caller | None = None) -> dict[str, Any]:
        read = await self.house.rest(caller or self.pair.a.owner, GET, {})
        found: dict[str, Any] = read.data
        return found

    async def charge(self) -> dict[str, Any]:
        debtor = a_debtor(self.pair.a.creditor)
        await self.ledger.keep(self.pair.a, debtor)
        created = await self.house.rest(
            self.pair.a.owner, "dunning_charges_create", a_new_charge(debtor.id)
        )
        found: dict[str, Any] = created.data
        return found


@pytest.fixture
def office(house: House, ledger: Ledger, pair: Pair) -> Office:
    return Office(house, ledger, pair)


@pytest.mark.parametrize("door", Door)
async def test_everything_that_may_be_changed_is_changed_and_read_again(
    office: Office, door: Door
) -> None:
    before = await office.settings()
    others = await office.settings(office.pair.b.owner)
    answer = await office.update(door, **EVERYTHING)
    assert (answer.status, answer.code) == (200, None)
    expected = EVERYTHING | {
        "address": {**ADDRESS, "complement": "Sala 3", "zipcode": "24020000"},
        "role_limits": {**before["role_limits"], "collector": COLLECTOR},
    }
    assert {name: answer.data[name] for name in EVERYTHING} == expected
    assert (answer.data["version"], answer.data["environment"]) == (2, "sandbox")
    assert await office.settings() == answer.data
    assert await office.settings(office.pair.b.owner) == others


async def test_what_is_left_out_stays(office: Office) -> None:
    before = await office.settings()
    after = (await office.update(city="Santos")).data
    moved = {"city": "Santos", "version": 2}
    assert after == before | moved | {"updated_at": after["updated_at"]}
    assert after["updated_at"] == "2026-09-01T13:00:00Z"


async def test_it_is_written_down_with_who_and_what_but_no_name_document_or_address(
    office: Office,
) -> None:
    admin = office.pair.a.creditor.members[Role.ADMIN]
    fields: dict[str, Any] = {
        "name": "Colégio Poente",
        "document": "529.982.247-25",
        "address": ADDRESS,
        "settlement_tolerance": 1,
        "frequency_caps": {"per_day": 2, "per_7_days": 3, "voice_per_day": 1},
    }
    answer = await office.update(caller=office.pair.a.person(admin), **fields)
    assert answer.data["document"] == "***.982.247-**"
    (event,) = await office.ledger.events(office.pair.a.id)
    (line,) = await office.ledger.audit(office.pair.a.id)
    assert (event["type"], event["resource_id"]) == ("settings.updated", office.pair.a.id)
    assert event["data"]["changed"] == sorted(fields)
    once = {"per_day": 1, "per_7_days": 3, "voice_per_day": 1}
    assert (
        line["diff"]
        == event["changes"]
        == {
            "name": [None, None],
            "document": [None, None],
            "address": [None, None],
            "settlement_tolerance": [5, 1_00],
            "frequency_caps": [once, {**once, "per_day": 2}],
        }
    )
    assert (line["action"], line["outcome"], line["actor_id"]) == (UPDATE, "ok", admin.id)
    assert line["scopes_used"] == ["dunning.settings:write"]
    assert await office.ledger.events(office.pair.b.id) == []
    assert await office.ledger.audit(office.pair.b.id) == []


@pytest.mark.parametrize("door", Door)
async def test_asking_for_what_is_so_already_changes_nothing(office: Office, door: Door) -> None:
    before = await office.settings()
    answer = await office.update(
        door,
        name=before["name"],
        uf=before["uf"],
        default_fine_percent=before["default_fine_percent"],
        negativation_notice_uf_overrides=before["negativation_notice_uf_overrides"],
        role_limits={"admin": before["role_limits"]["admin"]},
        approval_required_for=list(reversed(before["approval_required_for"])),
    )
    assert (answer.status, answer.data) == (200, before)
    assert (await office.update(door)).data == before
    assert await office.ledger.events(office.pair.a.id) == []


LEGAL: Final[list[tuple[dict[str, Any], str, str, str]]] = [
    (
        {"default_fine_percent": 2.0001},
        "default_fine_percent",
        "The cap is 2 % (CDC 52 §1).",
        "O limite é de 2 % (CDC 52 §1).",
    ),
    (
        {"default_fine_percent_business": 10.5},
        "default_fine_percent_business",
        "The cap is 10 % (CC 412, 413).",
        "O limite é de 10 % (CC 412, 413).",
    ),
    (
        {"default_interest_percent_month": 2},
        "default_interest_percent_month",
        "The cap is 1 % (CC 406; Decreto 22.626/1933).",
        "O limite é de 1 % (CC 406; Decreto 22.626/1933).",
    ),
    (
        {"contact_windows": {"saturday": {"start": "08:00", "end": "15:00"}}},
        "contact_windows.saturday",
        "Allowed is 08:00-14:00 (Lei 15.426/2014).",
        "O permitido é 08:00-14:00 (Lei 15.426/2014).",
    ),
    (
        {"uf": "RJ", "contact_windows": {"saturday": {"start": "10:00", "end": "11:00"}}},
        "contact_windows.saturday",
        "There is no contact on this day (Lei 7.868/2018).",
        "Neste dia não há contato (Lei 7.868/2018).",
    ),
]


@pytest.mark.parametrize(("fields", "field", "en", "pt"), LEGAL)
async def test_no_legal_cap_is_loosened_at_either_door(
    office: Office, fields: dict[str, Any], field: str, en: str, pt: str
) -> None:
    before = await office.settings()
    rest, mcp = await both(office.house, office.pair.a.owner, UPDATE, fields)
    assert (rest.status, rest.code) == (422, "LEGAL_LIMIT_EXCEEDED")
    assert rest.error["details"] == [{"field": field, "code": "legal_limit", "message": en}]
    assert mcp.refusal == rest.refusal
    in_portuguese = await office.house.rest(
        office.pair.a.owner, UPDATE, fields, accept_language="pt-BR"
    )
    assert in_portuguese.error["details"][0]["message"] == pt
    assert await office.settings() == before
    lines = await office.ledger.audit(office.pair.a.id)
    assert [(line["outcome"], line["code"]) for line in lines] == [
        ("error", "LEGAL_LIMIT_EXCEEDED")
    ] * 3
    assert await office.ledger.events(office.pair.a.id) == []


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        (
            {"frequency_caps": {"per_day": 3, "per_7_days": 3, "voice_per_day": 1}},
            "frequency_caps.per_day",
            "out_of_range",
        ),
        ({"frequency_caps": {"per_day": 1, "per_7_days": 3}}, "frequency_caps.voice_per_day",
         "required"),
        ({"frequency_caps": {"per_week": 3}}, "frequency_caps.per_week", "unknown_field"),
        ({"frequency_caps": None}, "frequency_caps", "null_not_allowed"),
        ({"name": None}, "name", "null_not_allowed"),
        ({"settlement_tolerance": 5.01}, "settlement_tolerance", "out_of_range"),
        ({"settlement_tolerance": 0.001}, "settlement_tolerance", "too_many_decimals"),
        ({"negativation_notice_days": 9}, "negativation_notice_days", "out_of_range"),
        (
            {"negativation_notice_uf_overrides": {"SP": 61}},
            "negativation_notice_uf_overrides.SP",
            "out_of_range",
        ),
        (
            {"negativation_notice_uf_overrides": {"XX": 15}},
            "negativation_notice_uf_overrides.XX",
            "unknown_field",
        ),
        (
            {"role_limits": {"manager": {**COLLECTOR, "max_installments": 61}}},
            "role_limits.manager.max_installments",
            "out_of_range",
        ),
        ({"role_limits": {"owner": COLLECTOR}}, "role_limits.owner", "unknown_field"),
        ({"retention": {}}, "retention.events_months", "required"),
        (
            {"contact_windows": {"sunday": {"start": "09:00", "end": "10:00"}}},
            "contact_windows.sunday",
            "unknown_field",
        ),
        (
            {"contact_windows": {"monday": {"start": "9:00", "end": "24:00"}}},
            "contact_windows.monday.start",
            "invalid_format",
        ),
        (
            {"contact_windows": {"monday": {"start": "12:00", "end": "11:00"}}},
            "contact_windows.monday.end",
            "out_of_range",
        ),
        ({"approval_required_for": ["everything"]}, "approval_required_for[0]", "not_allowed"),
        ({"document": "11.222.333/0001-82"}, "document", "invalid_document"),
        ({"timezone": "America/Lugar_Nenhum"}, "timezone", "invalid_timezone"),
        ({"uf": "XX"}, "uf", "not_allowed"),
        ({"address": {**ADDRESS, "zipcode": "1"}}, "address.zipcode", "invalid_format"),
        ({"environment": "live"}, "environment", "unknown_field"),
        ({"default_fine": 1}, "default_fine", "unknown_field"),
        ({"legal_caps": []}, "legal_caps", "unknown_field"),
    ],
)  # fmt: skip
async def test_what_cannot_be_set_is_named_by_its_path_at_both_doors(
    office: Office, fields: dict[str, Any], field: str, code: str
) -> None:
    before = await office.settings()
    rest, mcp = await both(office.house, office.pair.a.owner, UPDATE, fields)
    assert (rest.status, rest.code) == (422, "VALIDATION_ERROR")
    assert rest.details[0] == (field, code)
    assert mcp.refusal == rest.refusal
    assert await office.settings() == before
    assert await office.ledger.audit(office.pair.a.id) == []


@pytest.mark.parametrize("door", Door)
async def test_a_stale_version_is_a_conflict_that_says_what_to_do(
    office: Office, door: Door
) -> None:
    assert (await office.update(door, version=1, city="Santos")).data["version"] == 2
    stale = await office.update(door, version=1, city="Campinas")
    assert stale.code == "VERSION_CONFLICT"
    assert stale.details == [("version", "stale")]
    assert "version now: 2" in stale.error["details"][0]["message"]
    if door is Door.REST:
        assert stale.status == 409
    assert (await office.settings())["city"] == "Santos"
    portuguese = await office.house.call(
        door, office.pair.a.owner, UPDATE, {"version": 1}, accept_language="pt-BR"
    )
    assert "versão atual: 2" in portuguese.error["details"][0]["message"]


async def test_of_two_changes_of_one_version_one_comes_through(office: Office) -> None:
    cities = ["Santos", "Campinas", "Franca"]
    answers = await asyncio.gather(*(office.update(version=1, city=city) for city in cities))
    assert sorted(answer.status for answer in answers) == [200, 409, 409]
    assert (await office.settings())["version"] == 2
    assert len(await office.ledger.events(office.pair.a.id)) == 1


async def test_changes_at_once_lose_nothing(office: Office) -> None:
    answers = await asyncio.gather(
        office.update(settlement_tolerance=1),
        office.update(auto_enroll=False),
        office.update(negativation_notice_days=30),
    )
    assert [answer.status for answer in answers] == [200] * 3
    after = await office.settings()
    assert (after["settlement_tolerance"], after["auto_enroll"]) == (1.0, False)
    assert (after["negativation_notice_days"], after["version"]) == (30, 4)


async def test_a_charge_keeps_the_terms_it_was_created_with(office: Office) -> None:
    first = await office.charge()
    await office.update(default_fine_percent=1, default_interest_percent_month=0.5)
    second = await office.charge()
    assert (first["terms"]["fine_percent"], second["terms"]["fine_percent"]) == (2.0, 1.0)
    assert second["terms"]["interest_percent_month"] == 0.5
    listed = (await office.house.rest(office.pair.a.owner, "dunning_charges_list", {})).data
    kept = {charge["id"]: charge["terms"] for charge in listed}
    assert kept == {first["id"]: first["terms"], second["id"]: second["terms"]}


async def test_the_same_key_changes_once(office: Office) -> None:
    done = await office.update(city="Santos", idempotency_key="k-1")
    await office.update(city="Campinas")
    again = await office.update(city="Santos", idempotency_key="k-1")
    assert (again.body, again.headers["idempotency-replayed"]) == (done.body, "true")
    assert (await office.settings())["city"] == "Campinas"


async def test_an_environment_and_an_id_of_another_organisation_are_no_fields(
    office: Office,
) -> None:
    fields: list[dict[str, Any]] = [
        {"organization_id": office.pair.b.id},
        {"id": office.pair.b.id},
        {"environment": "live"},
    ]
    for field in fields:
        refused = await office.update(**field)
        assert refused.details == [(*field, "unknown_field")]
