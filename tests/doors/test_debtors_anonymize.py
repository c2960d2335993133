"""Forgetting a debtor: nothing that names them is left in any column; amounts and dates stay."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

import pytest
from sqlalchemy import LargeBinary, text

from adapters.persistence.tables import DIRECTORY_TABLES, metadata
from adapters.persistence.transaction import open_pinned
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.contact_points import ContactKind
from domain.dunning.debtors import Debtor
from domain.dunning.documents import Document
from domain.dunning.interactions import (
    Direction,
    Interaction,
    InteractionChannel,
    InteractionOutcome,
    NewInteraction,
)
from domain.dunning.moment import Moment
from domain.dunning.new_charges import PaymentMethods
from domain.dunning.restrictions import DebtorFlag
from tests.builders import (
    ADDRESS,
    IDS,
    NOW,
    a_charge,
    a_contact_point,
    a_debtor,
    a_payment,
    an_approval,
)
from tests.doors.firms import Firm, Ledger, Pair
from tests.doors.house import PUBLIC_URL, Answer, Caller, Door, House
from tests.doors.traces import Writer

pytestmark = pytest.mark.anyio

ANONYMIZE: Final = "dunning_debtors_anonymize"
NAME: Final = "Rosália Amarante"
CPF: Final = "529.982.247-25"
EMAIL: Final = "prima.vera@example.com"
PHONE: Final = "+5511987654321"
LONG_AGO: Final = Moment(datetime(2021, 8, 20, 15, 0, tzinfo=UTC), date(2021, 8, 20))
# However it is written: with accents and without, whole and in parts, as text and as bytes.
SECRETS: Final = (
    "ros[aá]lia",
    "amarante",
    "529[.]?982[.]?247",
    "prima[.]vera",
    "98765[-]?4321",
    "CLI-77",
    "NF-77",
    "segredo",
)


@dataclass(frozen=True, slots=True)
class Room:
    """A firm with one debtor whose name is everywhere, and their twin in the other firm."""

    house: House
    ledger: Ledger
    pair: Pair
    debtor: Debtor

    async def anonymize(
        self, door: Door = Door.REST, caller: Caller | None = None, **fields: Any
    ) -> Answer:
        arguments = {
            "id": self.debtor.id,
            "confirm_name": NAME,
            "request_reference": "LGPD-2026/17",
            **fields,
        }
        return await self.house.call(door, caller or self.pair.a.owner, ANONYMIZE, arguments)

    async def everything(self) -> list[dict[str, list[str]]]:
        return [await self.ledger.everything(firm.id) for firm in (self.pair.a, self.pair.b)]


async def keep_known(ledger: Ledger, firm: Firm) -> Debtor:
    debtor = a_debtor(
        firm.creditor,
        name=NAME,
        document=CPF,
        trade_name="Segredo de Rosália",
        birth_date=date(1980, 2, 29),
        address=replace(ADDRESS, street="Travessa do Segredo"),
        tags=("rosalia",),
        external_id="CLI-77",
        notes="Segredo: mora com Rosália.",
        custom_data={"mãe": "Rosália"},
    )
    debtor.flags = (DebtorFlag.REPRESENTED_BY_LAWYER,)
    charge = named_charge(debtor)
    payment = a_payment(debtor, charge, amount=100_00)
    charge.status, charge.paid_at = ChargeStatus.PAID, LONG_AGO.today
    payment.external_id = "NF-77"
    payment.payer_name, payment.payer_document = NAME, Document("52998224725")
    payment.note = payment.reversal_note = "Segredo de Rosália."
    payment.paid_at = payment.available_at = LONG_AGO.today
    points = [
        a_contact_point(debtor, value=PHONE, label="Rosália"),
        a_contact_point(debtor, kind=ContactKind.EMAIL, value=EMAIL),
    ]
    approval = an_approval(debtor, charge, now=LONG_AGO.instant, note="Segredo de Rosália.")
    approval.note = "Segredo de Rosália."
    kept: list[Any] = [debtor, charge, payment, *points, an_interaction(debtor), approval]
    for one in kept:
        one.created_at = one.updated_at = LONG_AGO.instant
    await ledger.keep(firm, *kept)
    return debtor


def an_interaction(debtor: Debtor) -> Interaction:
    new = NewInteraction(
        direction=Direction.INBOUND,
        channel=InteractionChannel.VOICE,
        outcome=InteractionOutcome.CONVERSATION,
        occurred_at=LONG_AGO.instant,
        note="Segredo: falou Rosália.",
    )
    return Interaction.record(IDS.new("itr"), new, debtor, NOW, LONG_AGO)


def named_charge(debtor: Debtor) -> Charge:
    charge = a_charge(
        debtor,
        description="Curso de Rosália Amarante",
        document_number="NF-77",
        external_id="NF-77",
        contract_reference="Contrato de Rosália",
        payment_methods=PaymentMethods(payment_url="https://pay.example.com/rosalia"),
        tags=("rosalia",),
        custom_data={"aluna": "Rosália"},
    )
    charge.cancel_note = charge.write_off_note = "Segredo de Rosália."
    return charge


@pytest.fixture
async def room(house: House, ledger: Ledger, pair: Pair) -> Room:
    await keep_known(ledger, pair.b)
    return Room(house, ledger, pair, await keep_known(ledger, pair.a))


async def found_in(ledger: Ledger, organization_id: str) -> set[tuple[str, str]]:
    """Tables and columns of the organisation in which anything of SECRETS stands."""
    found = set()
    async with open_pinned(ledger.owner, organization_id, read_only=True) as transaction:
        for name in sorted(set(metadata.tables) - DIRECTORY_TABLES):
            for column in metadata.tables[name].c:
                is_bytes = isinstance(column.type, LargeBinary)
                shown = f"encode({column.name}, 'escape')" if is_bytes else f'"{column.name}"::text'
                statement = text(
                    f"SELECT count(*) FROM {name}"  # noqa: S608 -- our own names
                    f" WHERE organization_id = :own AND {shown} ~* :secrets"
                )
                values = {"own": organization_id, "secrets": "|".join(SECRETS)}
                if await transaction.connection.scalar(statement, values):
                    found.add((name, column.name))
    return found


async def test_no_column_of_any_table_names_a_forgotten_debtor(room: Room) -> None:
    other = a_debtor(room.pair.a.creditor)
    await room.ledger.keep(room.pair.a, other, a_charge(other))
    second = room.pair.a.caller("admin")
    await Writer(room.house, room.pair.a.owner, second, room.debtor, other).write()
    room.house.clock.time += timedelta(days=1827)
    before = await found_in(room.ledger, room.pair.a.id)
    # What the test looks for was there to be found, but never in what is kept for good.
    assert {table for table, _ in before} == {
        "approvals",
        "charges",
        "contact_points",
        "debtors",
        "idempotency_records",
        "interactions",
        "payments",
    }

    answer = await room.anonymize(idempotency_key="k-2")

    assert (answer.status, answer.data["status"]) == (200, "anonymized")
    assert await found_in(room.ledger, room.pair.a.id) == set()


async def test_who_paid_for_another_is_forgotten_there_and_the_payment_stays(room: Room) -> None:
    other = a_debtor(room.pair.a.creditor)
    charge = a_charge(other)
    payer: dict[str, Any] = {"payer_name": "R. Amarante", "payer_document": CPF}
    payments = [
        a_payment(other, charge, amount=100_00, **payer),
        a_payment(other, charge, amount=90_00, payer_name="Nara", payer_document="16899535009"),
    ]
    await room.ledger.keep(room.pair.a, other, charge, *payments)
    before = await room.ledger.rows(room.pair.a.id, "payments")

    await room.anonymize()

    after = await room.ledger.rows(room.pair.a.id, "payments")
    erased = {"payer_name": None, "payer_document": None, "version": 2}
    assert after[1:] == [{**before[1], **erased}, before[2]]


async def test_a_guarantor_of_an_open_charge_is_not_forgotten(room: Room) -> None:
    other = a_debtor(room.pair.a.creditor)
    await room.ledger.keep(room.pair.a, other, a_charge(other, guarantors=(room.debtor.id,)))
    rest, mcp = [await room.anonymize(door) for door in Door]
    assert (rest.status, rest.code) == (409, "STATE_CONFLICT")
    assert mcp.refusal == rest.refusal


async def test_nobody_is_forgotten_while_a_request_about_them_waits(room: Room) -> None:
    charge = a_charge(room.debtor)
    charge.status, charge.canceled_at = ChargeStatus.CANCELED, NOW
    approval = an_approval(room.debtor, charge)
    await room.ledger.keep(room.pair.a, charge, approval)
    refused = await room.anonymize()
    assert refused.code == "STATE_CONFLICT"
    assert approval.id in refused.error["message"]


async def test_a_guaranteed_charge_that_ended_lately_keeps_the_guarantors_name(room: Room) -> None:
    other = a_debtor(room.pair.a.creditor)
    charge = a_charge(other, guarantors=(room.debtor.id,))
    charge.status = ChargeStatus.CANCELED
    await room.ledger.keep(room.pair.a, other, charge)
    assert (await room.anonymize()).error["reasons"] == ["retention"]


async def test_another_organisation_keeps_its_own_debtor_of_that_name(room: Room) -> None:
    before = await room.ledger.everything(room.pair.b.id)
    await room.anonymize()
    assert await room.ledger.everything(room.pair.b.id) == before


async def test_what_is_left_are_amounts_and_dates(room: Room) -> None:
    (charge,) = await room.ledger.rows(room.pair.a.id, "charges")
    (payment,) = await room.ledger.rows(room.pair.a.id, "payments")

    shown = (await room.anonymize()).data

    assert (shown["name"], shown["document"]) == ("***", "***")
    assert (shown["person_type"], shown["balances"]["credit"]) == ("individual", 0)
    (kept_charge,) = await room.ledger.rows(room.pair.a.id, "charges")
    (kept_payment,) = await room.ledger.rows(room.pair.a.id, "payments")
    for name in ("amount", "issue_date", "due_date", "paid_at", "status", "terms", "paid"):
        assert kept_charge[name] == charge[name]
    for name in ("amount", "paid_at", "available_at", "allocations", "status", "method"):
        assert kept_payment[name] == payment[name]
    assert len(await room.ledger.rows(room.pair.a.id, "interactions")) == 1
    assert await room.ledger.rows(room.pair.a.id, "contact_points") == []
    listed = await room.house.rest(room.pair.a.owner, "dunning_charges_list", {})
    assert (listed.data[0]["description"], listed.data[0]["debtor_name"]) == ("***", "***")


async def test_its_event_and_audit_line_have_the_reference_and_nothing_else(room: Room) -> None:
    await room.anonymize()

    (event,) = await room.ledger.events(room.pair.a.id)
    (line,) = await room.ledger.audit(room.pair.a.id)
    assert (event["type"], event["data"]) == ("debtor.anonymized", {})
    assert (line["action"], line["resource"]) == (ANONYMIZE, room.debtor.id)
    assert line["diff"] == event["changes"] == {"request_reference": [None, "LGPD-2026/17"]}


async def test_a_forgotten_document_may_be_registered_anew(room: Room) -> None:
    await room.anonymize()

    looked_up = await room.house.rest(
        room.pair.a.owner, "dunning_debtors_lookup", {"document": CPF}
    )
    assert looked_up.code == "NOT_FOUND"
    again = {"name": "Rosália Amarante", "document": CPF}
    created = await room.house.rest(room.pair.a.owner, "dunning_debtors_create", again)
    assert created.status == 201
    everybody = {"status": "active,anonymized", "q": "rosalia"}
    found = await room.house.rest(room.pair.a.owner, "dunning_debtors_list", everybody)
    assert [one["id"] for one in found.data] == [created.data["id"]]


async def test_a_second_time_gives_the_debtor_whatever_name_is_confirmed(room: Room) -> None:
    first = await room.anonymize()
    before = await room.everything()
    for door in Door:
        again = await room.anonymize(door, confirm_name="***")
        assert (again.code, again.body) == (None, first.body)
    assert await room.everything() == before


@pytest.mark.parametrize("door", Door)
async def test_a_forgotten_debtor_is_never_changed_again(room: Room, door: Door) -> None:
    await room.anonymize()
    for operation, fields in (
        ("dunning_debtors_update", {"name": NAME}),
        ("dunning_debtors_update", {"status": "active"}),
        ("dunning_debtors_archive", {}),
    ):
        arguments = {"id": room.debtor.id, **fields}
        answer = await room.house.call(door, room.pair.a.owner, operation, arguments)
        assert (answer.code, answer.error["current_status"]) == ("STATE_CONFLICT", "anonymized")


async def test_over_mcp_a_person_has_to_say_yes_first_and_nothing_happens(room: Room) -> None:
    before = await room.everything()
    answer = await room.anonymize(Door.MCP)
    assert (answer.status, answer.code) == (200, "confirmation_required")
    assert answer.error["confirmation_url"].startswith(f"{PUBLIC_URL}/confirm/")
    (line,) = await room.ledger.audit(room.pair.a.id)
    assert (line["action"], line["outcome"]) == (ANONYMIZE, "asked")
    after = await room.everything()
    trails = [one.pop("audit_entries") for one in (*before, *after)]
    assert [len(lines) for lines in trails] == [0, 0, 1, 0]
    assert after == before


@pytest.mark.parametrize(
    ("fields", "detail"),
    [
        ({"confirm_name": "rosália amarante"}, ("confirm_name", "conflicts_with")),
        ({"confirm_name": None}, ("confirm_name", "required")),
        ({"request_reference": "ab"}, ("request_reference", "too_short")),
        ({"force_before": True}, ("force_before", "unknown_field")),
    ],
)
async def test_without_the_right_name_nobody_is_forgotten(
    room: Room, fields: dict[str, Any], detail: tuple[str, str]
) -> None:
    before = await room.everything()
    for door in Door:
        answer = await room.anonymize(door, **fields)
        assert (answer.code, answer.details) == ("VALIDATION_ERROR", [detail])
        assert NAME.encode() not in answer.raw
    assert await room.everything() == before


async def test_a_reference_that_would_keep_the_name_is_refused(room: Room) -> None:
    answer = await room.anonymize(request_reference=f"Pedido de {NAME}")
    assert answer.details == [("request_reference", "names_the_debtor")]


async def test_an_open_charge_comes_before_the_retention(room: Room) -> None:
    await room.ledger.keep(room.pair.a, a_charge(room.debtor))
    rest, mcp = [await room.anonymize(door) for door in Door]
    assert (rest.status, rest.code) == (409, "STATE_CONFLICT")
    assert mcp.refusal == rest.refusal


LAST: Final = datetime(2021, 9, 1, 15, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("debtors", "updated_at", LAST),
        ("contact_points", "updated_at", LAST),
        ("charges", "updated_at", LAST),
        ("charges", "paid_at", LAST.date()),
        ("payments", "updated_at", LAST),
        ("payments", "available_at", LAST.date()),
        ("payments", "reversed_at", LAST.date()),
        ("approvals", "updated_at", LAST),
        ("interactions", "occurred_at", LAST),
        # 1 September is still 31 August in São Paulo.
        ("interactions", "occurred_at", datetime(2021, 9, 2, 2, 0, tzinfo=UTC)),
    ],
)
async def test_any_movement_of_the_last_five_years_keeps_the_name(
    room: Room, table: str, column: str, value: object
) -> None:
    async with open_pinned(room.ledger.owner, room.pair.a.id) as transaction:
        await transaction.connection.execute(
            text(f"UPDATE {table} SET {column} = :value WHERE organization_id = :own"),  # noqa: S608 -- our own names
            {"value": value, "own": room.pair.a.id},
        )
        await transaction.commit()

    rest, mcp = [await room.anonymize(door) for door in Door]

    assert (rest.status, rest.code) == (422, "COMPLIANCE_BLOCKED")
    assert rest.error["reasons"] == ["retention"]
    assert rest.error["next_allowed_at"] == "2026-09-02T00:00:00-03:00"
    assert mcp.refusal == rest.refusal
    room.house.clock.time += timedelta(days=1)
    assert (await room.anonymize()).data["status"] == "anonymized"
