"""What every tool definition has to be, checked at the start over all of them at once."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from adapters.v1.tool_schema import Schema
from application.operations.declaration import KEY_REQUIRED_SENTENCE, KEY_SENTENCE
from application.operations.declaration_error import DeclarationError
from application.operations.request import KEY
from domain.ports.operations import OperationInfo

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
_HINTS: Final = frozenset({"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"})
_TYPES: Final = ("string", "integer", "number", "boolean", "array", "object")
_KEYWORDS: Final = frozenset(
    {
        "type",
        "description",
        "default",
        "enum",
        "pattern",
        "format",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "items",
        "minItems",
        "maxItems",
        "properties",
        "required",
        "additionalProperties",
    }
)


def lint(tools: Sequence[tuple[OperationInfo, Mapping[str, Any]]]) -> None:
    """Check all definitions.

    Raises:
        DeclarationError: names every fault of every tool.
    """
    faults = list(_twins(info.name for info, _ in tools))
    for info, tool in tools:
        found = [*_declared(info), *_described(info, tool), *_root(info, tool["inputSchema"])]
        found += _hints(info, tool["annotations"])
        found += _schema(tool["inputSchema"], "inputSchema")
        faults += [f"{info.name}: {fault}" for fault in found]
    if faults:
        raise DeclarationError(faults)


def _twins(names: Iterable[str]) -> Iterator[str]:
    for name, count in Counter(names).items():
        if count > 1:
            yield f"{name}: declared {count} times"


def _declared(info: OperationInfo) -> Iterator[str]:
    if info.read_only and (info.destructive or info.key_required):
        yield "what only reads neither destroys nor needs a key"
    if info.method == "GET" and not info.read_only:
        yield "GET reads"
    if info.method == "DELETE" and not info.destructive:
        yield "DELETE is destructive"
    if info.permission is not None and not info.scopes:
        yield "has a permission and no scope"


def _described(info: OperationInfo, tool: Mapping[str, Any]) -> Iterator[str]:
    if not _NAME.fullmatch(tool["name"]):
        yield "the name is longer than 40 characters or has others than [A-Za-z0-9_-]"
    if not (tool["title"].strip() and tool["description"].strip()):
        yield "has no title or no description"
    sentence = KEY_REQUIRED_SENTENCE if info.key_required else KEY_SENTENCE
    if (sentence in tool["description"]) is info.read_only:
        yield "the sentence on keys belongs to each write and to no read"


def _hints(info: OperationInfo, annotations: Mapping[str, Any]) -> Iterator[str]:
    if annotations.keys() != _HINTS or not all(type(hint) is bool for hint in annotations.values()):
        yield "the four hints are not all there as booleans"
    elif annotations["destructiveHint"] is not info.destructive:
        yield "the destructive hint is not as declared"
    elif annotations["readOnlyHint"] is not info.read_only:
        yield "the read-only hint is not as declared"
    elif info.read_only and not annotations["idempotentHint"]:
        yield "reads are idempotent"


def _root(info: OperationInfo, schema: Schema) -> Iterator[str]:
    if schema.get("type") != "object" or "properties" not in schema:
        yield "the input is no object with properties"
        return
    if schema.get("additionalProperties", True) is info.read_only:
        yield "reads refuse other members, writes do not say so"
    if (KEY in schema["properties"]) is info.read_only:
        yield "writes take a key, reads do not"
    if (KEY in schema.get("required", ())) is not info.key_required:
        yield "a key is required exactly where it is declared so"


def _schema(schema: Schema, where: str) -> Iterator[str]:
    if foreign := sorted(schema.keys() - _KEYWORDS):
        yield f"{where}: {', '.join(foreign)} is not understood by every client"
    if schema.get("type") not in _TYPES:
        yield f"{where}: has no single type"
    if not all(isinstance(value, str) and value for value in schema.get("enum", ())):
        yield f"{where}: an enum's values are texts"
    for name, member in schema.get("properties", {}).items():
        if not member.get("description", "").strip():
            yield f"{where}.{name}: has no description"
        yield from _schema(member, f"{where}.{name}")
    if "items" in schema:
        yield from _schema(schema["items"], f"{where}[]")
