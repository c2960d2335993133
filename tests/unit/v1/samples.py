"""Small operations, with a field of every kind, that the tests of this folder bind."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from adapters.v1.bound import BoundV1, bind
from adapters.v1.output_schema import OutputSchemas
from application.operations.call import Call
from application.operations.declaration import Operation, Plan, Ready, operation
from application.operations.fields import (
    SEVERAL,
    Input,
    Listing,
    ListInput,
    Money,
    MoneyOut,
    NoInput,
    One,
    Percent,
    View,
    about,
    id_of,
)
from domain.access.confirmation import Question
from domain.texts import Words

CHARGE = "chg_01jd0000000000000000000001"
DEBTOR = "dbt_01jd0000000000000000000001"

CREATE = {
    "debtor_id": DEBTOR,
    "amount": Decimal("12.50"),
    "due_date": "2026-03-02",
    "idempotency_key": "first",
}


Tag = Annotated[str, Meta(max_length=30)]


class Status(StrEnum):
    PENDING = "pending"
    OVERDUE = "overdue"


class Owner(View):
    id: str
    nickname: str | None


class ChargeView(View):
    id: str
    status: Status
    amount: MoneyOut
    paid_on: date | None
    cancelled_as: Literal["duplicate", "other"] | None
    owner: Owner | None
    tags: tuple[str, ...]
    custom_data: dict[str, object] | None
    created_at: datetime


class ListCharges(ListInput, kw_only=True):
    status: Annotated[tuple[Status, ...], SEVERAL, about("Status.")] = (Status.PENDING,)
    tags: Annotated[tuple[Tag, ...] | None, SEVERAL, about("Tags.")] = None
    debtor_id: Annotated[str | None, id_of("dbt"), about("The debtor.")] = None
    q: Annotated[Annotated[str, Meta(min_length=2, max_length=8)] | None, about("Words.")] = None
    due_from: Annotated[date | None, about("Due on this day or later.")] = None
    min_amount: Annotated[Money | None, about("At least this much.")] = None
    listed: Annotated[bool | None, about("Listed at a bureau.")] = None


class Terms(Input):
    fine_percent: Annotated[Percent, Meta(ge=0, le=2_0000), about("Fine.")] = 1_5000
    note: Annotated[Annotated[str, Meta(max_length=255)] | None, about("A note.")] = None


class Item(Input):
    amount: Annotated[Money, about("How much.")]
    value: Annotated[Decimal | None, about("Money or percent.")] = None


class CreateCharge(Input):
    debtor_id: Annotated[str, id_of("dbt"), about("Who owes.")]
    amount: Annotated[Money, about("How much is owed.")]
    due_date: Annotated[date, about("When it is due.")]
    description: Annotated[
        Annotated[str, Meta(min_length=3, max_length=200)] | None, about("What for.")
    ] = None
    kind: Annotated[Literal["service", "rent"], about("What it is.")] = "service"
    code: Annotated[
        Annotated[str, Meta(max_length=20, pattern="^[A-Z]+$")] | None, about("A code.")
    ] = None
    count: Annotated[Annotated[int, Meta(ge=1, le=100)] | None, about("How many.")] = None
    enrol: Annotated[bool, about("Whether it enrols.")] = True
    paid_at: Annotated[datetime | None, about("When it was paid.")] = None
    terms: Annotated[Terms | None, about("Terms.")] = None
    items: Annotated[tuple[Item, ...], Meta(max_length=5), about("Items.")] = ()
    tags: Annotated[tuple[Tag, ...], about("Tags.")] = ()
    custom_data: Annotated[dict[str, object] | None, about("Yours.")] = None


_QUESTION: Final = Question(sentence=Words.same("Cancel it?"))


class OneCharge(Input):
    id: Annotated[str, id_of("chg"), about("The charge.")]


class CancelCharge(Input):
    reason: Annotated[Literal["duplicate", "other"], about("Why.")]
    id: Annotated[str, id_of("chg"), about("The charge.")]


@operation(
    "charges_list",
    "GET /charges",
    title="List charges",
    description="Filters charges.",
    permission="charges.read",
)
async def list_charges(_call: Call, _wanted: ListCharges) -> Listing[ChargeView]:
    raise NotImplementedError


@operation(
    "charges_create",
    "POST /charges",
    title="Create a charge",
    description="Creates a charge.",
    permission="charges.create",
    status=201,
    key_required=True,
    refuses=("DUPLICATE", "LEGAL_LIMIT_EXCEEDED"),
)
async def create_charge(_call: Call, _wanted: CreateCharge) -> One[ChargeView]:
    raise NotImplementedError


@operation(
    "charges_cancel",
    "POST /charges/{id}/cancel",
    title="Cancel a charge",
    description="Declares the debt not owed.",
    permission="charges.cancel",
    destructive=True,
    idempotent=True,
    refuses=("STATE_CONFLICT",),
)
async def cancel_charge(_call: Call, _wanted: CancelCharge) -> Plan[One[ChargeView]]:
    return Ready(fingerprint="", question=_QUESTION, perform=_nothing)


@operation(
    "charges_delete",
    "DELETE /charges/{id}",
    title="Delete a charge",
    description="Erases it.",
    permission="charges.delete",
    destructive=True,
    idempotent=True,
    status=204,
)
async def delete_charge(_call: Call, _wanted: OneCharge) -> Plan[None]:
    raise NotImplementedError


@operation(
    "me",
    "GET /me",
    title="Who I am",
    description="Whose token it is.",
    permission=None,
    always_listed=True,
)
async def me(_call: Call, _wanted: NoInput) -> One[Owner]:
    raise NotImplementedError


async def _nothing() -> One[ChargeView]:
    raise NotImplementedError


OPERATIONS: tuple[Operation[Any], ...] = (
    cancel_charge,
    create_charge,
    delete_charge,
    list_charges,
    me,
)


def bound(declared: Operation[Any]) -> BoundV1:
    return bind(declared, OutputSchemas())
