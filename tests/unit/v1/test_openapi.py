"""The OpenAPI document is valid, says what the door does, and fits what operations give."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from adapters.v1.bound import bind
from adapters.v1.catalogue import V1Catalogue
from adapters.v1.openapi import Publication, openapi_document
from adapters.v1.output_schema import OutputSchemas
from application.operations.call import Call
from application.operations.declaration import operation
from application.operations.declaration_error import DeclarationError
from application.operations.fields import (
    Listing,
    ListMeta,
    NoInput,
    One,
    View,
)
from application.operations.refusals import error_body
from domain.errors import BadRequestError, NotFoundError, StateConflictError, ValidationError
from domain.texts import Text
from tests.unit.v1.samples import (
    CHARGE,
    OPERATIONS,
    ChargeView,
    Owner,
    Status,
    bound,
    cancel_charge,
    create_charge,
    delete_charge,
    list_charges,
)

BARE = Publication(title="Dunning", version="1", public_url="https://dunning.example.com")
WITH_ISSUER = Publication(
    title="Dunning",
    version="1",
    public_url="https://dunning.example.com",
    authorization_url="https://issuer.example.com/authorize",
    token_url="https://issuer.example.com/token",
)

document = openapi_document(V1Catalogue(OPERATIONS), WITH_ISSUER)


def answer_schema(path: str, method: str, status: str) -> dict[str, Any]:
    response = document["paths"][path][method]["responses"][status]
    schema: dict[str, Any] = response["content"]["application/json"]["schema"]
    return schema


def check(body: object, schema: Mapping[str, Any]) -> None:
    whole = {**schema, "components": document["components"]}
    Draft202012Validator(whole).validate(msgspec.json.decode(msgspec.json.encode(body)))


@pytest.mark.parametrize("publication", [BARE, WITH_ISSUER])
def test_the_document_is_valid_openapi_3_1(publication: Publication) -> None:
    validate(openapi_document(V1Catalogue(OPERATIONS), publication))


def test_the_document_is_the_same_bytes_each_time() -> None:
    again = openapi_document(V1Catalogue(OPERATIONS), WITH_ISSUER)

    assert msgspec.json.encode(again) == msgspec.json.encode(document)


def test_an_answer_with_and_without_its_optional_parts_fits_its_schema() -> None:
    empty = ChargeView(
        id=CHARGE,
        status=Status.PENDING,
        amount=1284.58,
        paid_on=None,
        cancelled_as=None,
        owner=None,
        tags=(),
        custom_data={},
        created_at=datetime(2026, 3, 2, tzinfo=UTC),
    )
    full = msgspec.structs.replace(
        empty,
        paid_on=date(2026, 3, 2),
        cancelled_as="other",
        owner=Owner(id="x", nickname=None),
        tags=("a",),
        custom_data={"a": [1, None]},
    )
    meta = ListMeta(total=2, page=1, per_page=25, total_pages=1)
    lower_bound = msgspec.structs.replace(meta, total_is_lower_bound=True)

    check(One(full), answer_schema("/v1/charges", "post", "201"))
    check(Listing([empty, full], meta), answer_schema("/v1/charges", "get", "200"))
    check(Listing[ChargeView]([], lower_bound), answer_schema("/v1/charges", "get", "200"))


def test_an_answer_that_lacks_a_member_does_not_fit() -> None:
    schema = {**answer_schema("/v1/me", "get", "200"), "components": document["components"]}

    assert not Draft202012Validator(schema).is_valid({"data": {"id": "x"}})
    assert not Draft202012Validator(schema).is_valid({"data": {"id": None, "nickname": None}})


def test_refusals_fit_the_schema_of_their_status() -> None:
    path = "/v1/charges/{id}/cancel"
    conflict = StateConflictError(Text("x", "x"), current_status="paid", allowed_actions=["hold"])

    for status, refused in {
        "400": BadRequestError(Text("x", "x")),
        "404": NotFoundError(),
        "409": conflict,
        "422": ValidationError(),
    }.items():
        check(error_body(refused, "en", "req_1"), answer_schema(path, "post", status))


def codes(path: str, method: str) -> dict[str, list[str]]:
    found = document["paths"][path][method]["responses"]
    return {
        status: response["content"]["application/json"]["schema"]["allOf"][1]["properties"][
            "error"
        ]["properties"]["code"]["enum"]
        for status, response in found.items()
        if int(status) >= 400
    }


def test_each_operation_lists_the_codes_it_may_answer() -> None:
    assert codes("/v1/charges", "post")["409"] == ["DUPLICATE", "IDEMPOTENCY_IN_PROGRESS"]
    assert codes("/v1/charges", "post")["422"] == [
        "IDEMPOTENCY_KEY_REUSED",
        "LEGAL_LIMIT_EXCEEDED",
        "VALIDATION_ERROR",
    ]
    assert codes("/v1/charges/{id}", "delete")["404"] == ["NOT_FOUND"]
    assert not {"404", "409", "413"} & codes("/v1/charges", "get").keys()


def test_paths_carry_their_parameters_and_writes_their_key() -> None:
    described = bound(delete_charge).openapi

    assert described["parameters"][0]["name"] == "id"
    assert described["parameters"][0]["in"] == "path"
    assert {"$ref": "#/components/parameters/IdempotencyKey"} in described["parameters"]
    assert "content" not in described["responses"]["204"]
    required = {"$ref": "#/components/parameters/RequiredIdempotencyKey"}
    assert required in bound(create_charge).openapi["parameters"]


def test_several_values_are_a_list_written_with_commas() -> None:
    [status] = [p for p in bound(list_charges).openapi["parameters"] if p.get("name") == "status"]

    assert (status["style"], status["explode"], status["required"]) == ("form", False, False)
    assert status["schema"]["items"]["enum"] == ["pending", "overdue"]
    assert status["schema"]["default"] == ["pending"]


def test_a_body_says_that_it_takes_no_other_members() -> None:
    schema = bound(create_charge).openapi["requestBody"]["content"]["application/json"]["schema"]

    assert schema["additionalProperties"] is False
    assert schema["properties"]["terms"]["additionalProperties"] is False
    assert "idempotency_key" not in schema["properties"]


def test_scopes_are_those_of_the_operations() -> None:
    access = document["components"]["securitySchemes"]["access"]

    assert sorted(access["flows"]["authorizationCode"]["scopes"]) == [
        "dunning.charges:cancel",
        "dunning.charges:create",
        "dunning.charges:delete",
        "dunning.charges:read",
    ]


class Strange(View):
    value: bytes


def test_an_answer_that_cannot_be_described_stops_the_start() -> None:
    @operation("x", "GET /x", title="x", description="x", permission=None)
    async def strange(_call: Call, _wanted: NoInput) -> One[Strange]:
        raise NotImplementedError

    with pytest.raises(DeclarationError, match="dunning_x: BytesType"):
        bind(strange, OutputSchemas())


def test_an_unknown_error_code_or_a_wrong_204_stops_the_start() -> None:
    @operation("x", "GET /x", title="x", description="x", permission=None, refuses=("OOPS",))
    async def oops(_call: Call, _wanted: NoInput) -> One[Owner]:
        raise NotImplementedError

    @operation("y", "GET /y", title="y", description="y", permission=None, status=204)
    async def empty(_call: Call, _wanted: NoInput) -> One[Owner]:
        raise NotImplementedError

    with pytest.raises(DeclarationError, match="OOPS"):
        bind(oops, OutputSchemas())
    with pytest.raises(DeclarationError, match="204"):
        bind(empty, OutputSchemas())


def test_two_answers_of_one_name_stop_the_start() -> None:
    class Owner(View):
        other: int

    answers = OutputSchemas()
    answers.schema_of(ChargeView, "dunning_x")
    with pytest.raises(DeclarationError, match="named Owner"):
        answers.schema_of(Owner, "dunning_y")


def test_query_parameters_of_several_parts_and_foreign_path_parameters_stop_the_start() -> None:
    @operation("x", "GET /x/{id}", title="x", description="x", permission=None)
    async def no_id(_call: Call, _wanted: NoInput) -> One[Owner]:
        raise NotImplementedError

    with pytest.raises(DeclarationError, match="id of the path"):
        bind(no_id, OutputSchemas())


def test_path_query_and_body_become_one_mapping() -> None:
    route = bound(cancel_charge).route

    assert route.gather({"id": CHARGE}, [], {"reason": "other"}) == {
        "id": CHARGE,
        "reason": "other",
    }
    assert bound(list_charges).route.gather({}, [("q", "ab")]) == {"q": "ab"}


@pytest.mark.parametrize(
    ("query", "body", "problem"),
    [
        ([], {"id": CHARGE}, ("id", "unknown_field")),
        ([("reason", "other")], {}, ("reason", "unknown_field")),
        ([("x y", "1")], None, ("", "unknown_field")),
    ],
)
def test_a_name_outside_its_place_is_refused(
    query: list[tuple[str, str]], body: object, problem: tuple[str, str]
) -> None:
    with pytest.raises(ValidationError) as refused:
        bound(cancel_charge).route.gather({"id": CHARGE}, query, body)

    assert [(d.field, d.code) for d in refused.value.details] == [problem]


def test_a_query_parameter_sent_twice_and_a_body_that_is_no_object_are_refused() -> None:
    with pytest.raises(ValidationError) as refused:
        bound(list_charges).route.gather({}, [("q", "ab"), ("q", "cd")])
    with pytest.raises(BadRequestError):
        bound(create_charge).route.gather({}, [], [1])

    assert refused.value.details[0].code == "repeated"
