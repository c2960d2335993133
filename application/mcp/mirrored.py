"""Arguments that `Mcp-Param-*` headers repeat (`x-mcp-header`, streamable HTTP 2026-07-28)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from application.mcp.headers import RawHeaders, decoded, read_all

_KEYWORD: Final = "x-mcp-header"
_KINDS: Final = frozenset({"string", "integer", "boolean"})
_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_NUMBER: Final = re.compile(r"-?[0-9]{1,17}(?:\.0{1,17})?")
_PLAIN_DATA: Final = frozenset({"const", "default", "enum", "examples"})


@dataclass(frozen=True, slots=True)
class MirroredParam:
    """A header, and the path of the argument that it repeats."""

    header: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A header and an argument that disagree; `sent` is None when the header is missing."""

    sent: str | None
    reason: str


def mirrored_params(schema: Mapping[str, Any]) -> tuple[MirroredParam, ...]:
    """What an input schema declares; for start-up.

    Raises:
        ValueError: a declaration that clients would reject the whole tool for.
    """
    params: dict[str, MirroredParam] = {}
    for path, declaring in _declarations(schema, ()):
        name = declaring[_KEYWORD]
        if path is None:
            raise ValueError(f"{_KEYWORD} must be reachable through properties")
        if not isinstance(name, str) or not _TOKEN.fullmatch(name):
            raise ValueError(f"{_KEYWORD} must be a token: {path}")
        if declaring.get("type") not in _KINDS:
            raise ValueError(f"{_KEYWORD} needs a string, an integer or a boolean: {path}")
        if name.lower() in params:
            raise ValueError(f"{_KEYWORD} must be unique: {path}")
        params[name.lower()] = MirroredParam(f"Mcp-Param-{name}", path)
    return tuple(params.values())


def find_mismatch(
    params: Sequence[MirroredParam], arguments: Mapping[str, Any], headers: RawHeaders
) -> Mismatch | None:
    """The first header that does not say what the argument says, as it was sent."""
    found = (_mismatch(param, arguments, headers) for param in params)
    return next((mismatch for mismatch in found if mismatch is not None), None)


def _mismatch(
    param: MirroredParam, arguments: Mapping[str, Any], headers: RawHeaders
) -> Mismatch | None:
    argument = _value_at(param.path, arguments)
    sent = read_all(headers, param.header)
    if not sent:
        missing = Mismatch(None, f"the required {param.header} header is absent")
        return None if argument is None else missing
    if len(sent) > 1:
        return Mismatch(", ".join(sent), f"the {param.header} header was sent twice")
    if argument is None:
        return Mismatch(sent[0], f"the {param.header} header repeats no argument")
    value = decoded(sent[0])
    if value is None:
        return Mismatch(sent[0], f"the {param.header} header cannot be decoded")
    differs = Mismatch(sent[0], f"the {param.header} header differs from the argument")
    return None if _agree(value, argument) else differs


def _agree(text: str, argument: object) -> bool:
    if isinstance(argument, bool):
        return text == ("true" if argument else "false")
    if isinstance(argument, int | Decimal):
        return _NUMBER.fullmatch(text) is not None and Decimal(text) == argument
    return text == argument


def _value_at(path: Sequence[str], arguments: Mapping[str, Any]) -> object:
    value: object = arguments
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


_Declaration = tuple[tuple[str, ...] | None, Mapping[str, Any]]


def _declarations(schema: object, path: tuple[str, ...] | None) -> Iterator[_Declaration]:
    """Schemas with the keyword and the arguments' path to each; None off the path."""
    if isinstance(schema, list):
        for inner in schema:
            yield from _declarations(inner, None)
    elif isinstance(schema, Mapping):
        if _KEYWORD in schema:
            yield path, schema
        for keyword, inner in schema.items():
            if keyword == "properties" and isinstance(inner, Mapping):
                yield from _of_properties(inner, path)
            elif keyword not in _PLAIN_DATA:
                yield from _declarations(inner, None)


def _of_properties(
    properties: Mapping[str, Any], path: tuple[str, ...] | None
) -> Iterator[_Declaration]:
    for name, schema in properties.items():
        yield from _declarations(schema, None if path is None else (*path, name))
