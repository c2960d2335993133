"""Tools that answer at once: contents of every kind, reports, schemas and headers."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from application.mcp.ports import Given
from application.mcp.rounds import Rounds
from tests.conformance.content import Block, audio, embedded, image, text
from tests.conformance.toolbox import FixtureTool, Run, said

_STEP: Final = 0.05
"""Seconds between two reports, as the suite asks for them."""

_JSON_SCHEMA_2020_12: Final[Mapping[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
_MIRRORED: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    "required": ["region"],
}


def _always(*content: Block, is_error: bool = False) -> Run:
    given = Given(content=content, is_error=is_error)

    async def run(_arguments: Mapping[str, Any], _rounds: Rounds) -> Given:
        return given

    return run


async def _repeat(arguments: Mapping[str, Any], _rounds: Rounds) -> Given:
    document = msgspec.json.encode(arguments).decode()
    return Given(content=(text(document),), structured=arguments)


async def _work_with_notes(_arguments: Mapping[str, Any], rounds: Rounds) -> Given:
    rounds.reports.note("info", "Tool execution started")
    await asyncio.sleep(_STEP)
    rounds.reports.note("info", "Tool processing data")
    await asyncio.sleep(_STEP)
    rounds.reports.note("info", "Tool execution completed")
    return said("Noted three times.")


async def _work_with_progress(_arguments: Mapping[str, Any], rounds: Rounds) -> Given:
    rounds.reports.progress(0, total=100)
    await asyncio.sleep(_STEP)
    rounds.reports.progress(50, total=100)
    await asyncio.sleep(_STEP)
    rounds.reports.progress(100, total=100)
    return said("Done.")


PLAIN_TOOLS: Final = (
    FixtureTool(
        name="test_simple_text",
        description="Gives a text.",
        run=_always(text("This is a simple text response for testing.")),
    ),
    FixtureTool(
        name="test_image_content",
        description="Gives a picture.",
        run=_always(image()),
    ),
    FixtureTool(
        name="test_audio_content",
        description="Gives a sound.",
        run=_always(audio()),
    ),
    FixtureTool(
        name="test_embedded_resource",
        description="Gives a resource.",
        run=_always(embedded("test://embedded-resource", "This is an embedded resource content.")),
    ),
    FixtureTool(
        name="test_multiple_content_types",
        description="Gives a text, a picture and a resource.",
        run=_always(
            text("Multiple content types test:"),
            image(),
            embedded(
                "test://mixed-content-resource",
                '{"test":"data","value":123}',
                "application/json",
            ),
        ),
    ),
    FixtureTool(
        name="test_error_handling",
        description="Always fails.",
        run=_always(
            text("This tool intentionally returns an error for testing"),
            is_error=True,
        ),
    ),
    FixtureTool(
        name="test_tool_with_logging",
        description="Notes three things while it works.",
        run=_work_with_notes,
    ),
    FixtureTool(
        name="test_logging_tool",
        description="Notes three things while it works.",
        run=_work_with_notes,
    ),
    FixtureTool(
        name="test_tool_with_progress",
        description="Reports how far it is while it works.",
        run=_work_with_progress,
    ),
    FixtureTool(
        name="json_schema_2020_12_tool",
        description="Tool with JSON Schema 2020-12 features",
        run=_repeat,
        schema=_JSON_SCHEMA_2020_12,
    ),
    FixtureTool(
        name="test_mirrored_argument",
        description="Takes an argument that a header has to repeat.",
        run=_repeat,
        schema=_MIRRORED,
    ),
)
