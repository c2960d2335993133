"""From what an operation gives to OpenAPI 3.1 component schemas, by what msgspec will encode."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, get_args, get_origin

from msgspec import inspect

from adapters.v1.tool_schema import Schema, or_null
from application.operations.declaration_error import DeclarationError

REFERENCE: Final = "#/components/schemas/"


class OutputSchemas:
    """Schemas of answers: each named type once, referred to wherever it is given."""

    def __init__(self) -> None:
        self._named: dict[str, tuple[object, Schema]] = {}

    @property
    def components(self) -> dict[str, Schema]:
        """The named schemas, in the order of their names."""
        return {name: self._named[name][1] for name in sorted(self._named)}

    def schema_of(self, given: object, where: str) -> Schema:
        """The schema of type `given`; `where` names the operation in errors.

        Raises:
            DeclarationError: a type that no answer can have, or two types of one name.
        """
        return self._schema(inspect.type_info(given), where)

    def _schema(self, found: inspect.Type, where: str) -> Schema:
        match found:
            case inspect.Metadata(type=inner, extra_json_schema=keywords, extra=extra):
                unit = _UNITS.get((extra or {}).get("kind"), {})
                return {**self._schema(inner, where), **unit, **(keywords or {})}
            case inspect.UnionType(types=types):
                return self._union(types, where)
            case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
                return {"type": "array", "items": self._schema(item, where)}
            case inspect.DictType(value_type=value):
                return {"type": "object", "additionalProperties": self._schema(value, where)}
            case inspect.StructType(cls=cls) | inspect.DataclassType(cls=cls):
                return self._reference(cls, found.fields, where)
            case _:
                return _plain(found, where)

    def _union(self, types: tuple[inspect.Type, ...], where: str) -> Schema:
        schemas = [self._schema(t, where) for t in types if not isinstance(t, inspect.NoneType)]
        if len(schemas) == len(types):
            return {"anyOf": schemas}
        if len(schemas) == 1 and "type" in schemas[0]:
            return or_null(schemas[0])
        return {"anyOf": [*schemas, {"type": "null"}]}

    def _reference(self, cls: object, fields: tuple[inspect.Field, ...], where: str) -> Schema:
        name = _name(cls)
        known = self._named.get(name)
        if known is None:
            schema: Schema = {"type": "object", **_about(cls)}
            self._named[name] = (cls, schema)
            schema["properties"] = {f.encode_name: self._schema(f.type, where) for f in fields}
            schema["required"] = [f.encode_name for f in fields if _always_sent(cls, f)]
        elif known[0] != cls:
            raise DeclarationError([f"{where}: two answers are named {name}"])
        return {"$ref": f"{REFERENCE}{name}"}


def _name(cls: Any) -> str:  # noqa: ANN401 -- a class or a generic alias of one
    """`Listing[ChargeRow]` is `ChargeRowListing`."""
    arguments = "".join(_name(argument) for argument in get_args(cls))
    name: str = (get_origin(cls) or cls).__name__
    return f"{arguments}{name[0].upper()}{name[1:]}"


def _about(cls: object) -> Schema:
    """The docstring of an answer's class is what readers of the API are told of it."""
    doc = (get_origin(cls) or cls).__doc__
    return {"description": " ".join(doc.split())} if doc else {}


def _always_sent(cls: object, field: inspect.Field) -> bool:
    config = getattr(get_origin(cls) or cls, "__struct_config__", None)
    return field.required or not getattr(config, "omit_defaults", False)


def _plain(found: inspect.Type, where: str) -> Schema:
    if isinstance(found, inspect.EnumType):
        return _enumerated([_value(member) for member in found.cls])
    if isinstance(found, inspect.LiteralType):
        return _enumerated(list(found.values))
    schema = {} if found == _OBJECT else _PLAIN.get(type(found))
    if schema is None:
        raise DeclarationError([f"{where}: {type(found).__name__} cannot be part of an answer"])
    return dict(schema)


def _value(member: Enum) -> object:
    return member.value


def _enumerated(values: list[object]) -> Schema:
    if not all(isinstance(value, str) for value in values):
        return {"enum": values}
    return {"type": "string", "enum": values}


_UNITS: Final[Mapping[str | None, Schema]] = {
    "money": {"description": "In BRL, at most 2 decimals."},
    "percent": {"description": "In percent, at most 4 decimals."},
}

_OBJECT: Final = inspect.CustomType(object)

_PLAIN: Final[Mapping[type[inspect.Type], Schema]] = {
    inspect.AnyType: {},
    inspect.BoolType: {"type": "boolean"},
    inspect.IntType: {"type": "integer"},
    inspect.FloatType: {"type": "number"},
    inspect.DecimalType: {"type": "number"},
    inspect.StrType: {"type": "string"},
    inspect.DateType: {"type": "string", "format": "date"},
    inspect.DateTimeType: {"type": "string", "format": "date-time"},
}
