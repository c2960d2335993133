"""One operation with everything that the doors need of it, made once at the start."""

from dataclasses import dataclass
from typing import Any

from adapters.v1.arguments import ArgumentReader, key_field
from adapters.v1.input_shape import shape_of
from adapters.v1.openapi_operation import operation_object
from adapters.v1.output_schema import OutputSchemas
from adapters.v1.route import Route, route_of
from adapters.v1.shapes import ObjectShape
from adapters.v1.tool import tool_of
from adapters.v1.tool_schema import Schema
from application.operations.declaration import Operation
from application.operations.request import Bound


@dataclass(frozen=True, slots=True)
class BoundV1(Bound):
    """An operation bound to both doors: `tool` for MCP, `route` and `openapi` for REST."""

    read: ArgumentReader
    route: Route
    tool: Schema
    openapi: Schema


def bind(operation: Operation[Any], answers: OutputSchemas) -> BoundV1:
    """Make schema, coercion, tool and route; `answers` collects the types of all answers.

    Raises:
        DeclarationError: what a door cannot serve, naming operation and field.
    """
    info = operation.info
    declared = shape_of(info.name, operation.takes).fields
    route = route_of(info, declared)
    fields = (*route.path_params, *route.query, *route.body)
    if not info.read_only:
        fields = (*fields, key_field(required=info.key_required))
    return BoundV1(
        operation=operation,
        read=ArgumentReader(operation, fields, tuple(field.name for field in route.path_params)),
        route=route,
        tool=tool_of(info, ObjectShape(fields)),
        openapi=operation_object(operation, route, answers),
    )
