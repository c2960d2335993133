"""One operation as an OpenAPI 3.1 operation object."""

from collections.abc import Iterable
from http import HTTPStatus
from types import NoneType
from typing import Any, Final

from adapters.v1.examples import example_object, example_value
from adapters.v1.output_schema import REFERENCE, OutputSchemas
from adapters.v1.route import Route
from adapters.v1.shapes import FieldShape, NullMeans, ObjectShape, SeveralShape
from adapters.v1.statuses import STATUS_OF
from adapters.v1.tool_schema import (
    Schema,
    object_schema,
    or_null,
    property_schema,
    value_schema,
)
from application.operations.declaration import Operation
from application.operations.declaration_error import DeclarationError
from domain.access.roles import Role, permissions_of
from domain.ports.documents import Document

ACCESS: Final = "access"
ERROR: Final = "Error"
KEY_PARAMETER: Final = "IdempotencyKey"
REQUIRED_KEY_PARAMETER: Final = "RequiredIdempotencyKey"
LANGUAGE_PARAMETER: Final = "AcceptLanguage"

_ALWAYS: Final = (
    "BAD_REQUEST",
    "UNAUTHENTICATED",
    "SCOPE_MISSING",
    "PERMISSION_DENIED",
    "VALIDATION_ERROR",
    "RATE_LIMITED",
    "INTERNAL",
    "UNAVAILABLE",
)
_OF_WRITES: Final = ("IDEMPOTENCY_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED")
_OF_BODIES: Final = ("PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE")
_REPLAYED: Final[Schema] = {
    "Idempotency-Replayed": {"$ref": "#/components/headers/IdempotencyReplayed"}
}
_ATTACHED: Final[Schema] = {
    "Content-Disposition": {
        "description": "The file's name, without names of people.",
        "schema": {"type": "string"},
    }
}
_PDF: Final[Schema] = {
    "application/pdf": {"schema": {"type": "string", "contentMediaType": "application/pdf"}}
}
_RETRIED: Final = frozenset({409, 429, 503})


def operation_object(operation: Operation[Any], route: Route, answers: OutputSchemas) -> Schema:
    """The operation object; the types of its answer are added to `answers`.

    Raises:
        DeclarationError: an answer that cannot be described, or an unknown error code.
    """
    info = operation.info
    described: Schema = {
        "operationId": info.name,
        "summary": info.title,
        "description": info.description,
        "tags": [info.toolset],
        "security": [{ACCESS: sorted(info.scopes)}],
        **_permission(info.permission),
        "parameters": list(_parameters(operation, route)),
    }
    if route.body:
        described["requestBody"] = _body(route)
    described["responses"] = {
        str(operation.status): _success(operation, answers),
        **_waits(operation, answers),
        **_refusals(operation, route),
    }
    return described


def _permission(permission: str | None) -> Schema:
    if permission is None:
        return {}
    roles = [role.value for role in Role if permission in permissions_of(role)]
    return {"x-permission": permission, "x-roles": roles}


def _parameters(operation: Operation[Any], route: Route) -> Iterable[Schema]:
    for field in route.path_params:
        yield {"name": field.name, "in": "path", "required": True, **_described(field)}
    for field in route.query:
        yield {"name": field.name, "in": "query", "required": field.required, **_described(field)}
    if not operation.info.read_only:
        required = operation.info.key_required
        yield _parameter(REQUIRED_KEY_PARAMETER if required else KEY_PARAMETER)
    yield _parameter(LANGUAGE_PARAMETER)


def _parameter(name: str) -> Schema:
    return {"$ref": f"#/components/parameters/{name}"}


def _described(field: FieldShape) -> Schema:
    example = {"example": example_value(field)} if field.required else {}
    if not isinstance(field.shape, SeveralShape):
        schema = property_schema(field, closed=True)
        return {"description": schema.pop("description"), "schema": schema, **example}
    return {
        "description": f"{field.description} One or more, separated by commas.",
        **example,
        "style": "form",
        "explode": False,
        "schema": _several(field, field.shape),
    }


def _several(field: FieldShape, shape: SeveralShape) -> Schema:
    schema: Schema = {
        "type": "array",
        "items": value_schema(shape.item, closed=True),
        "maxItems": shape.max_items,
    }
    if field.default is not None:
        schema["default"] = field.default.split(",")
    return schema


def _body(route: Route) -> Schema:
    schema = object_schema(ObjectShape(route.body), closed=True)
    properties = schema["properties"]
    for field in route.body:
        if field.null is NullMeans.EMPTY:
            properties[field.name] = or_null(properties[field.name])
    example = example_object(route.body)
    return {
        "required": any(field.required for field in route.body),
        "content": {"application/json": {"schema": schema, "example": example}},
    }


def _success(operation: Operation[Any], answers: OutputSchemas) -> Schema:
    empty = operation.gives in (None, NoneType)
    if empty != (operation.status == HTTPStatus.NO_CONTENT):
        raise DeclarationError([f"{operation.info.name}: 204 and an empty answer go together"])
    described: Schema = {"description": HTTPStatus(operation.status).phrase}
    if not operation.info.read_only:
        described["headers"] = _REPLAYED
    if operation.gives is Document:
        return {**described, "headers": _ATTACHED, "content": _PDF}
    if not empty:
        schema = answers.schema_of(operation.gives, operation.info.name)
        described["content"] = {"application/json": {"schema": schema}}
    return described


def _waits(operation: Operation[Any], answers: OutputSchemas) -> Schema:
    """What is answered where a second person has to approve it first."""
    if operation.waits is None:
        return {}
    schema = answers.schema_of(operation.waits, operation.info.name)
    waiting = {
        "description": f"{HTTPStatus.ACCEPTED.phrase}: a second person has to approve it",
        "headers": _REPLAYED,
        "content": {"application/json": {"schema": schema}},
    }
    return {str(HTTPStatus.ACCEPTED.value): waiting}


def _refusals(operation: Operation[Any], route: Route) -> dict[str, Schema]:
    codes = {
        *_ALWAYS,
        *operation.refuses,
        *(() if operation.info.read_only else _OF_WRITES),
        *(_OF_BODIES if route.takes_body else ()),
        *(("NOT_FOUND",) if route.path_params else ()),
    }
    if unknown := sorted(codes - STATUS_OF.keys()):
        raise DeclarationError([f"{operation.info.name}: refuses {', '.join(unknown)}?"])
    statuses = sorted({STATUS_OF[code] for code in codes})
    return {
        str(status): _refusal(status, sorted(code for code in codes if STATUS_OF[code] == status))
        for status in statuses
    }


def _refusal(status: int, codes: list[str]) -> Schema:
    coded = {"properties": {"error": {"properties": {"code": {"enum": codes}}}}}
    described: Schema = {
        "description": f"{HTTPStatus(status).phrase}: {', '.join(codes)}",
        "content": {
            "application/json": {"schema": {"allOf": [{"$ref": f"{REFERENCE}{ERROR}"}, coded]}}
        },
    }
    if status in _RETRIED:
        described["headers"] = {"Retry-After": {"$ref": "#/components/headers/RetryAfter"}}
    return described
