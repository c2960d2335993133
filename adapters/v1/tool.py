"""An operation as an MCP tool (protocol revision 2025-06-18 and later; older ones skip `title`)."""

from typing import Any

from adapters.v1.shapes import ObjectShape
from adapters.v1.tool_schema import object_schema
from domain.ports.operations import OperationInfo


def tool_of(info: OperationInfo, shape: ObjectShape) -> dict[str, Any]:
    """The definition as `tools/list` shows it; reads refuse other members by their schema."""
    return {
        "name": info.name,
        "title": info.title,
        "description": info.description,
        "inputSchema": object_schema(shape, closed=info.read_only),
        "annotations": {
            "readOnlyHint": info.read_only,
            "destructiveHint": info.destructive,
            "idempotentHint": info.idempotent,
            "openWorldHint": info.open_world,
        },
    }
