"""Tool definitions in the words that every client understands, and the check that keeps them so."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Any

import msgspec
import pytest
from jsonschema import Draft202012Validator
from msgspec import Meta

from adapters.v1.catalogue import V1Catalogue
from adapters.v1.input_shape import shape_of
from adapters.v1.lint import lint
from application.operations.call import Call
from application.operations.declaration import Operation, Plan, operation
from application.operations.declaration_error import DeclarationError
from application.operations.fields import SEVERAL, Input, Money, NoInput, One, about, id_of
from domain.access.grant import Actor, Environment, Grant, Tenant
from domain.access.policy import Selection
from domain.access.roles import Role, permissions_of
from domain.ports.operations import OperationInfo
from tests.unit.v1.samples import (
    OPERATIONS,
    Owner,
    bound,
    cancel_charge,
    create_charge,
    list_charges,
)

catalogue = V1Catalogue(OPERATIONS)
tools: list[dict[str, Any]] = [
    msgspec.json.decode(catalogue.tool_definition(info.name)) for info in catalogue.infos
]

HINTS = bound(list_charges).tool["annotations"]


def schema_of(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = next(t for t in tools if t["name"] == f"dunning_{name}")["inputSchema"]
    return schema


def every_schema(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    children = [*schema.get("properties", {}).values()]
    for child in [*children, schema["items"]] if "items" in schema else children:
        yield from every_schema(child)


def faults(info: OperationInfo, tool: Mapping[str, Any]) -> tuple[str, ...]:
    with pytest.raises(DeclarationError) as refused:
        lint([(info, tool)])
    return refused.value.faults


@pytest.mark.parametrize("tool", tools, ids=lambda tool: tool["name"])
def test_e3_each_schema_is_valid_by_the_2020_12_metaschema(tool: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(tool["inputSchema"])


@pytest.mark.parametrize("tool", tools, ids=lambda tool: tool["name"])
def test_e1_e2_e4_e16_no_combinator_reference_label_or_union_of_types(tool: dict[str, Any]) -> None:
    for schema in every_schema(tool["inputSchema"]):
        assert isinstance(schema["type"], str)
        assert not schema.keys() & {
            "anyOf", "oneOf", "allOf", "not", "if", "$ref", "$defs", "definitions", "$schema",
            "const", "nullable", "example",
        }  # fmt: skip


def test_e5_a_tool_without_parameters_has_empty_properties() -> None:
    assert schema_of("me") == {"type": "object", "properties": {}, "additionalProperties": False}


def test_reads_refuse_other_members_and_writes_do_not_say() -> None:
    assert schema_of("charges_list")["additionalProperties"] is False
    assert all(
        "additionalProperties" not in schema for schema in every_schema(schema_of("charges_create"))
    )


def test_ids_of_the_path_come_first_and_the_key_last() -> None:
    assert list(schema_of("charges_cancel")["properties"]) == ["id", "reason", "idempotency_key"]
    assert schema_of("charges_cancel")["required"] == ["id", "reason"]
    assert "idempotency_key" in schema_of("charges_create")["required"]


def test_several_values_are_one_text_with_the_values_in_the_description() -> None:
    assert schema_of("charges_list")["properties"]["status"] == {
        "type": "string",
        "description": "Status. One or more, separated by commas: pending, overdue.",
        "default": "pending",
    }


def test_money_dates_enums_and_defaults_are_spelled_out() -> None:
    properties = schema_of("charges_create")["properties"]

    assert properties["amount"] == {
        "type": "number",
        "minimum": 0.01,
        "maximum": 99_999_999.99,
        "description": "How much is owed. In BRL, at most 2 decimals.",
    }
    assert properties["due_date"]["format"] == "date"
    assert properties["kind"]["enum"] == ["rent", "service"]
    assert properties["kind"]["default"] == "service"
    assert properties["terms"]["properties"]["fine_percent"]["default"] == 1.5
    assert properties["terms"]["properties"]["fine_percent"]["maximum"] == 2


def test_no_good_amount_is_refused_by_a_validator_that_divides_floats() -> None:
    validator = Draft202012Validator(schema_of("charges_create")["properties"]["amount"])

    assert all(validator.is_valid(cents / 100) for cents in range(1, 2_000))


def test_g12_the_four_hints_are_there_and_as_declared() -> None:
    hints = {tool["name"]: tuple(tool["annotations"].items()) for tool in tools}

    assert hints["dunning_charges_list"] == (
        ("readOnlyHint", True),
        ("destructiveHint", False),
        ("idempotentHint", True),
        ("openWorldHint", False),
    )
    assert dict(hints["dunning_charges_cancel"])["destructiveHint"] is True
    assert dict(hints["dunning_charges_create"])["idempotentHint"] is False


def test_h2_each_write_says_to_reuse_the_key_on_a_retry_and_no_read_does() -> None:
    for tool in tools:
        says = "reuse the same key when retrying" in tool["description"]
        assert says is not tool["annotations"]["readOnlyHint"]


def test_definitions_are_the_same_bytes_in_the_order_of_the_operations() -> None:
    again = V1Catalogue(OPERATIONS)

    assert [info.name for info in catalogue.infos] == [o.info.name for o in OPERATIONS]
    assert all(
        bytes(again.tool_definition(info.name)) == bytes(catalogue.tool_definition(info.name))
        for info in catalogue.infos
    )


def grant_of(role: Role, scopes: set[str]) -> Grant:
    return Grant(
        tenant=Tenant(
            id="org_1",
            name="Invented",
            environment=Environment.SANDBOX,
            timezone="America/Sao_Paulo",
            clock_offset=timedelta(),
        ),
        actor=Actor(type="member", id="mbr_1", name="Ana"),
        role=role,
        permissions=permissions_of(role),
        scopes=frozenset(scopes),
    )


def test_the_catalogue_shows_what_the_grant_and_the_address_allow() -> None:
    viewer = grant_of(Role.VIEWER, {"dunning.charges:read", "dunning.charges:create"})

    assert catalogue.visible(viewer) == {"dunning_charges_list", "dunning_me"}
    assert catalogue.visible(viewer, Selection(frozenset({"debtors"}))) == {"dunning_me"}
    assert catalogue.variant(viewer) == ""
    assert catalogue.toolsets == {"charges", "me"}


def test_the_catalogue_finds_what_there_is() -> None:
    found = catalogue.find("dunning_charges_list")

    assert found is not None
    assert found.operation is list_charges
    assert catalogue.find("dunning_nothing") is None


@pytest.mark.parametrize("name", ["dunning_" + "x" * 33, "dunning.me", ""])
def test_e7_a_name_that_a_client_could_cut_or_refuse_stops_the_start(name: str) -> None:
    one = bound(list_charges)

    assert any(
        "40 characters" in fault for fault in faults(one.operation.info, {**one.tool, "name": name})
    )


def test_e7_two_tools_of_one_name_stop_the_start() -> None:
    with pytest.raises(DeclarationError, match="declared 2 times"):
        V1Catalogue([list_charges, list_charges])


@pytest.mark.parametrize(
    ("operation", "changes", "fault"),
    [
        (list_charges, {"destructive": True}, "only reads"),
        (list_charges, {"read_only": False}, "GET reads"),
        (create_charge, {"method": "DELETE"}, "DELETE is destructive"),
        (create_charge, {"scopes": frozenset()}, "no scope"),
        (create_charge, {"key_required": False}, "a key is required exactly"),
        (cancel_charge, {"destructive": False}, "destructive hint is not as declared"),
        (cancel_charge, {"read_only": True}, "read-only hint is not as declared"),
    ],
)
def test_g12_a_definition_that_says_else_than_its_declaration_stops_the_start(
    operation: Operation[Any], changes: dict[str, Any], fault: str
) -> None:
    found = faults(replace(operation.info, **changes), bound(operation).tool)

    assert any(fault in each for each in found)


async def gives_one(_call: Call, _wanted: NoInput) -> One[Owner]:
    raise NotImplementedError


async def gives_a_plan(_call: Call, _wanted: NoInput) -> Plan[One[Owner]]:
    raise NotImplementedError


async def does_not_say(_call: Call, _wanted: NoInput):  # type: ignore[no-untyped-def]  # noqa: ANN201  # the fault
    raise NotImplementedError


@pytest.mark.parametrize(
    ("route", "permission", "destructive", "use_case", "fault"),
    [
        ("PUT /things", None, False, gives_one, "the method is one of"),
        ("things", None, False, gives_one, "the method is one of"),
        ("GET things", None, False, gives_one, "the path begins with /"),
        ("GET", None, False, gives_one, "the path begins with /"),
        ("GET /things", "charges.raed", False, gives_one, "not in the table of roles"),
        ("GET /things", "", False, gives_one, "not in the table of roles"),
        ("POST /things", None, True, gives_one, "a Plan exactly where"),
        ("POST /things", None, False, gives_a_plan, "a Plan exactly where"),
        ("GET /things", None, False, does_not_say, "does not say what it gives"),
    ],
)
def test_a_declaration_that_cannot_be_names_its_operation(
    route: str,
    permission: str | None,
    destructive: bool,  # noqa: FBT001  # a column of the table
    use_case: Callable[[Call, NoInput], Awaitable[object]],
    fault: str,
) -> None:
    with pytest.raises(DeclarationError, match=f"dunning_things: .*{fault}"):
        operation(
            "things",
            route,
            title="x",
            description="x",
            permission=permission,
            destructive=destructive,
        )(use_case)


def test_h2_a_write_without_the_sentence_on_keys_stops_the_start() -> None:
    one = bound(cancel_charge)

    assert faults(one.operation.info, {**one.tool, "description": "Cancels."}) == (
        "dunning_charges_cancel: the sentence on keys belongs to each write and to no read",
    )


@pytest.mark.parametrize(
    ("part", "fault"),
    [
        ({"title": " "}, "no title"),
        ({"annotations": {"readOnlyHint": True}}, "four hints"),
        ({"annotations": dict.fromkeys(HINTS, "true")}, "four hints"),
        ({"annotations": {**HINTS, "idempotentHint": False}}, "reads are idempotent"),
        ({"inputSchema": {"type": "object"}}, "no object with properties"),
        ({"inputSchema": {"type": "object", "properties": {}}}, "reads refuse"),
    ],
)
def test_g12_a_definition_that_lacks_a_part_stops_the_start(
    part: dict[str, Any], fault: str
) -> None:
    one = bound(list_charges)

    assert any(fault in each for each in faults(one.operation.info, {**one.tool, **part}))


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "string", "description": "x", "$ref": "#"}, "$ref"),
        ({"anyOf": [], "description": "x"}, "anyOf"),
        ({"type": ["string", "null"], "description": "x"}, "single type"),
        ({"type": "string"}, "no description"),
        ({"type": "string", "description": "x", "enum": [1]}, "enum"),
    ],
)
def test_e16_a_schema_that_some_client_refuses_stops_the_start(
    schema: dict[str, Any], fault: str
) -> None:
    one = bound(list_charges)
    properties = {**one.tool["inputSchema"]["properties"], "odd": schema}
    tool = {**one.tool, "inputSchema": {**one.tool["inputSchema"], "properties": properties}}

    assert any(fault in each and "odd" in each for each in faults(one.operation.info, tool))


class NotDescribed(Input):
    amount: Money


class Nullable(Input):
    amount: Annotated[Money | None, about("x")]


class TwoTypes(Input):
    value: Annotated[int | str, about("x")]


class Binary(Input):
    value: Annotated[float, about("x")]


class NoEntity(Input):
    value: Annotated[str, id_of("zzz"), about("x")]


class MoneyAsText(Input):
    value: Annotated[str, Meta(extra={"kind": "money"}), about("x")]


class EndlessText(Input):
    value: Annotated[Annotated[str, Meta(min_length=1)] | None, about("x")] = None


class EndlessTexts(Input):
    value: Annotated[tuple[str, ...], SEVERAL, about("x")] = ()


class UnknownKind(Input):
    value: Annotated[str, Meta(extra={"kind": "colour"}), about("x")]


class SeveralNumbers(Input):
    value: Annotated[tuple[int, ...], SEVERAL, about("x")]


class NestedFault(Input):
    value: Annotated[tuple[NotDescribed, ...], about("x")]


class NumbersByName(Input):
    value: Annotated[dict[str, int], about("x")]


class LimitOnUnion(Input):
    value: Annotated[str | None, Meta(min_length=1), about("x")] = None


@pytest.mark.parametrize(
    ("takes", "field"),
    [
        (NotDescribed, "amount: has no description"),
        (Nullable, "amount: may be absent and has no default"),
        (TwoTypes, "value: of several types"),
        (Binary, "value: FloatType"),
        (NoEntity, "value: the prefix"),
        (MoneyAsText, "value: is declared as an integer"),
        (EndlessText, "value: has no greatest length"),
        (EndlessTexts, r"value\[\]: has no greatest length"),
        (UnknownKind, "value: colour"),
        (SeveralNumbers, "value: several values"),
        (NestedFault, r"value\[\].amount: has no description"),
        (NumbersByName, "value: a free-form object"),
        (LimitOnUnion, "min_length"),
    ],
)
def test_a_field_that_no_caller_could_send_stops_the_start(takes: type[Input], field: str) -> None:
    with pytest.raises(DeclarationError, match=f"dunning_x: .*{field}"):
        shape_of("dunning_x", takes)
