"""A change tells a field that is left out from one that is emptied, and both from a value."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Final

import pytest
from msgspec import UNSET, Meta, UnsetType

from adapters.v1.bound import BoundV1
from adapters.v1.examples import example_value
from adapters.v1.input_shape import shape_of
from application.operations.call import Call
from application.operations.declaration import Operation, operation
from application.operations.declaration_error import DeclarationError
from application.operations.fields import Input, ListInput, Money, One, about, one_of
from domain.errors import ValidationError
from tests.unit.v1.samples import Owner, Status, bound

STATES: Final = ("SP", "RJ")


class Place(Input):
    street: Annotated[Annotated[str, Meta(max_length=20)] | UnsetType, about("Street.")] = UNSET
    flat: Annotated[Annotated[str, Meta(max_length=20)] | UnsetType | None, about("Flat.")] = UNSET


class Change(Input):
    note: Annotated[Annotated[str, Meta(max_length=20)] | UnsetType | None, about("A note.")] = (
        UNSET
    )
    due: Annotated[date | UnsetType | None, about("A day.")] = UNSET
    status: Annotated[Status | UnsetType | None, about("Status.")] = UNSET
    name: Annotated[Annotated[str, Meta(max_length=20)] | UnsetType, about("A name.")] = UNSET
    limit: Annotated[Annotated[Money, Meta(ge=0)] | UnsetType, about("A limit.")] = UNSET
    place: Annotated[Place | UnsetType, about("A place.")] = UNSET
    version: Annotated[int | None, about("The version.")] = None
    days: Annotated[
        dict[Annotated[str, one_of(STATES)], Annotated[int, Meta(ge=10, le=60)]] | UnsetType,
        about("Days by state."),
    ] = UNSET


def declared(takes: type[Input], route: str = "PATCH /things") -> Operation[Any]:
    async def change(_call: Call, _wanted: Input) -> One[Owner]:
        raise NotImplementedError

    change.__annotations__["_wanted"] = takes
    return operation("things", route, title="x", description="x", permission=None)(change)


CHANGE: Final[BoundV1] = bound(declared(Change))


def read(**sent: object) -> Any:
    return CHANGE.read(sent).values


def problems(sent: Mapping[str, object]) -> list[tuple[str, str]]:
    with pytest.raises(ValidationError) as refused:
        CHANGE.read(sent)
    return [(detail.field, detail.code) for detail in refused.value.details]


def property_of(name: str) -> dict[str, Any]:
    described = CHANGE.openapi["requestBody"]["content"]["application/json"]["schema"]
    found: dict[str, Any] = described["properties"][name]
    return found


def test_what_is_left_out_is_unset() -> None:
    assert all(
        getattr(read(), name) is UNSET for name in Change.__struct_fields__ if name != "version"
    )


@pytest.mark.parametrize("field", ["note", "due", "status"])
def test_null_empties_what_may_be_empty(field: str) -> None:
    assert getattr(read(**{field: None}), field) is None


@pytest.mark.parametrize("nothing", ["", "null"])
def test_e13_a_text_that_stands_for_nothing_empties_nothing(nothing: str) -> None:
    assert read(due=nothing).due is UNSET
    assert read(limit=nothing).limit is UNSET


@pytest.mark.parametrize("field", ["name", "limit", "place", "days"])
def test_null_is_refused_where_there_is_always_a_value(field: str) -> None:
    with pytest.raises(ValidationError) as refused:
        CHANGE.read({field: None})

    [detail] = refused.value.details
    assert (detail.field, detail.code) == (field, "null_not_allowed")
    assert detail.message.en == (
        "It cannot be without a value; leave the field out to keep the present one."
    )
    assert detail.message.pt == ("Não pode ficar sem valor; omita o campo para manter o atual.")


def test_null_inside_an_object_goes_by_its_own_field() -> None:
    assert read(place={"flat": None}).place == Place(flat=None)
    assert problems({"place": {"street": None}}) == [("place.street", "null_not_allowed")]


def test_null_where_absent_and_empty_are_the_same_is_not_sent() -> None:
    assert read(version=None) == read()


def test_h3_emptying_and_leaving_out_are_different_requests() -> None:
    emptied = CHANGE.read({"note": None, "idempotency_key": "k"})
    untouched = CHANGE.read({"idempotency_key": "k"})

    assert emptied.fingerprint != untouched.fingerprint


def test_the_document_says_what_may_be_null_and_the_tool_says_it_in_words() -> None:
    assert property_of("note")["type"] == ["string", "null"]
    assert property_of("status")["enum"] == ["pending", "overdue", None]
    assert property_of("name")["type"] == "string"
    properties = CHANGE.tool["inputSchema"]["properties"]
    assert properties["due"] == {
        "type": "string",
        "format": "date",
        "description": "A day. Null empties it.",
    }
    assert properties["limit"]["description"] == "A limit. In BRL, at most 2 decimals."
    assert "required" not in CHANGE.tool["inputSchema"]


def test_a_map_is_read_by_its_names_and_the_shape_of_its_values() -> None:
    assert read(days={"SP": "15", "RJ": 20}).days == {"SP": 15, "RJ": 20}
    assert read(days='{"SP": 15}').days == {"SP": 15}
    assert read(days={}).days == {}
    assert problems({"days": {"SP": 9, "XX": 15, "RJ": "many"}}) == [
        ("days.SP", "out_of_range"),
        ("days.XX", "unknown_field"),
        ("days.RJ", "wrong_type"),
    ]
    assert problems({"days": [15]}) == [("days", "wrong_type")]


def test_a_map_names_its_names_in_words_where_schemas_have_none() -> None:
    assert CHANGE.tool["inputSchema"]["properties"]["days"] == {
        "type": "object",
        "description": "Days by state. Any of the names RJ, SP.",
    }
    described = property_of("days")
    assert described["propertyNames"] == {"enum": ["RJ", "SP"]}
    assert described["additionalProperties"] == {"type": "integer", "minimum": 10, "maximum": 60}
    [days] = [one for one in shape_of("x", Change).fields if one.name == "days"]
    assert example_value(days) == {"RJ": 10}


class EmptyValues(Input):
    value: Annotated[dict[Annotated[str, one_of(STATES)], int | None], about("x")]


class NumberOfStates(Input):
    value: Annotated[int, one_of(STATES), about("x")]


@pytest.mark.parametrize(
    ("takes", "fault"),
    [
        (EmptyValues, r"value\{\}: a value cannot be absent"),
        (NumberOfStates, "value: is declared as a string"),
    ],
)
def test_a_map_that_no_caller_could_send_stops_the_start(takes: type[Input], fault: str) -> None:
    with pytest.raises(DeclarationError, match=f"dunning_x: .*{fault}"):
        shape_of("dunning_x", takes)


class MapInQuery(ListInput, kw_only=True):
    days: Annotated[
        dict[Annotated[str, one_of(STATES)], int] | UnsetType, about("Days by state.")
    ] = UNSET


def test_a_map_cannot_stand_in_a_query() -> None:
    with pytest.raises(DeclarationError, match="days cannot stand in a query"):
        bound(declared(MapInQuery, "GET /things"))


class State(Input):
    state: Annotated[str, one_of(STATES), about("State.")]


def test_one_of_a_table_is_an_enum_to_the_caller() -> None:
    one = bound(declared(State))

    assert one.tool["inputSchema"]["properties"]["state"]["enum"] == ["RJ", "SP"]
    assert one.read({"state": "SP"}).values.state == "SP"
    with pytest.raises(ValidationError) as refused:
        one.read({"state": "sp"})
    assert [detail.code for detail in refused.value.details] == ["not_allowed"]
