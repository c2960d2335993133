"""JSON Schema as the lines of a table: one per member, those of nested objects one step deeper."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from adapters.v1.tool_schema import ID_TAIL

Schema = Mapping[str, Any]

_DEEPEST: Final = 5
_BY_FORMAT: Final = {"date": "date", "date-time": "timestamp"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRow:
    """One member; `depth` counts the objects around it. No `values`: any within `limits`."""

    name: str
    depth: int
    type: str
    required: bool
    description: str
    values: tuple[str, ...]
    limits: str
    default: str | None


class FieldRows:
    """Reads schemas that refer to `components`, the named ones of their document."""

    def __init__(self, components: Schema) -> None:
        self._components = components

    def of_object(self, schema: Schema, depth: int = 0) -> Iterator[FieldRow]:
        """The members of an object, in the order of the schema."""
        found = self._open(schema)
        required = frozenset(found.get("required", ()))
        for name, member in found.get("properties", {}).items():
            yield from self.of_member(name, member, required=name in required, depth=depth)

    def of_member(
        self, name: str, schema: Schema, *, required: bool, depth: int = 0
    ) -> Iterator[FieldRow]:
        """One member and what is nested in it."""
        found = self._open(schema)
        inner = self._open(found.get("items", found))
        yield FieldRow(
            name=name,
            depth=depth,
            type=self._type(found),
            required=required,
            description=found.get("description") or inner.get("description", ""),
            values=tuple(str(value) for value in inner.get("enum", ()) if value is not None),
            limits="; ".join(_limits(found, inner)),
            default=_written(found["default"]) if "default" in found else None,
        )
        if depth < _DEEPEST:
            yield from self._nested(inner, depth + 1)

    def _nested(self, found: Schema, depth: int) -> Iterator[FieldRow]:
        yield from self.of_object(found, depth)
        values = found.get("additionalProperties")
        if values:
            yield from self.of_member("{name}", values, required=False, depth=depth)

    def _open(self, schema: Schema) -> Schema:
        """The schema behind references; one that may be null says so in its `type`."""
        if "$ref" in schema:
            target = self._components[schema["$ref"].rpartition("/")[2]]
            return {**target, **{key: schema[key] for key in schema if key != "$ref"}}
        choices = schema.get("anyOf", ())
        others = [choice for choice in choices if choice.get("type") != "null"]
        if len(others) != 1:
            return schema
        found = self._open(others[0])
        nullable = {"type": [found["type"], "null"]} if len(others) < len(choices) else {}
        return {**found, **nullable}

    def _type(self, found: Schema) -> str:
        if "type" not in found:
            return "any"
        types = [found["type"]] if isinstance(found["type"], str) else list(found["type"])
        names = [
            f"list of {self._type(self._open(found['items']))}s"
            if name == "array"
            else _BY_FORMAT.get(found.get("format", ""), name)
            for name in types
            if name != "null"
        ]
        return " or ".join([*names, *(["null"] if "null" in types else [])])


def _limits(found: Schema, inner: Schema) -> Iterator[str]:
    if pattern := inner.get("pattern"):
        yield _pattern(pattern)
    yield from _range("", inner.get("minimum"), inner.get("maximum"))
    yield from _range(" characters", inner.get("minLength"), inner.get("maxLength"))
    yield from _range(" items", found.get("minItems"), found.get("maxItems"))


def _range(unit: str, low: float | None, high: float | None) -> Iterator[str]:
    if low is not None and high is not None:
        yield f"{_written(low)} to {_written(high)}{unit}"
    elif high is not None:
        yield f"at most {_written(high)}{unit}"
    elif low is not None:
        yield f"at least {_written(low)}{unit}"


def _pattern(pattern: str) -> str:
    prefix = pattern.removeprefix("^").removesuffix(f"{ID_TAIL}$")
    is_id = prefix.endswith("_") and pattern.endswith(f"{ID_TAIL}$")
    return f"`{prefix}` and 26 characters" if is_id else f"`{pattern}`"


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, list):
        return ",".join(str(item) for item in value)
    return str(value)
