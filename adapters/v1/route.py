"""Where REST has an operation: its path below the host, and what of its input stands where."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from adapters.v1 import details
from adapters.v1.coercion import MOST_DETAILS
from adapters.v1.shapes import ArrayShape, FieldShape, FreeFormShape, MapShape, ObjectShape
from application.operations.declaration_error import DeclarationError
from domain.errors import BadRequestError, Detail, ValidationError
from domain.ports.operations import OperationInfo
from domain.texts import Text

ROOT: Final = "/v1"

_PARAMETER: Final = re.compile(r"\{([a-z_]+)\}")
_WITH_BODY: Final = frozenset({"POST", "PATCH"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A method and a path with `{name}` parameters, and the fields by their place."""

    method: str
    path: str
    path_params: tuple[FieldShape, ...]
    query: tuple[FieldShape, ...]
    body: tuple[FieldShape, ...]

    @property
    def takes_body(self) -> bool:
        """Whether fields beside the path come as a JSON object rather than in the query."""
        return self.method in _WITH_BODY

    def gather(
        self, path: Mapping[str, str], query: Iterable[tuple[str, str]], body: object = None
    ) -> dict[str, object]:
        """What came in path, query and body as one raw mapping; `body` None means that none came.

        Raises:
            BadRequestError: the body is not an object.
            ValidationError: a name outside its place, or a query parameter sent twice.
        """
        pairs = list(query)
        members = _members(body)
        found = [*self._misplaced(pairs, members), *_sent_twice(pairs)]
        if found:
            raise ValidationError(*found[:MOST_DETAILS])
        return {**dict(pairs), **members, **path}

    def _misplaced(
        self, pairs: list[tuple[str, str]], members: Mapping[str, object]
    ) -> list[Detail]:
        in_path = {field.name for field in self.path_params}
        queried = {name for name, _ in pairs if self.takes_body or name in in_path}
        sent = {name for name in members if not self.takes_body or name in in_path}
        return [details.unknown("", name, ()) for name in sorted(queried | sent)[:MOST_DETAILS]]


def route_of(info: OperationInfo, fields: tuple[FieldShape, ...]) -> Route:
    """The route of an operation whose input has `fields`.

    Raises:
        DeclarationError: a path parameter that is no field, or a query field of several parts.
    """
    names = _PARAMETER.findall(info.path)
    by_name = {field.name: field for field in fields}
    if faults := [
        f"{info.name}: {name} of the path is not a required field"
        for name in names
        if name not in by_name or not by_name[name].required
    ]:
        raise DeclarationError(faults)
    rest = tuple(field for field in fields if field.name not in names)
    takes_body = info.method in _WITH_BODY
    if not takes_body:
        _refuse_nested(info, rest)
    return Route(
        method=info.method,
        path=f"{ROOT}{info.path}",
        path_params=tuple(by_name[name] for name in names),
        query=() if takes_body else rest,
        body=rest if takes_body else (),
    )


def _refuse_nested(info: OperationInfo, query: tuple[FieldShape, ...]) -> None:
    nested = [
        f"{info.name}: {field.name} cannot stand in a query"
        for field in query
        if isinstance(field.shape, ArrayShape | ObjectShape | MapShape | FreeFormShape)
    ]
    if nested:
        raise DeclarationError(nested)


def _members(body: object) -> dict[str, Any]:
    if body is None:
        return {}
    if not isinstance(body, dict):
        raise BadRequestError(
            Text("O corpo deve ser um objeto JSON.", "The body has to be a JSON object.")
        )
    return body


def _sent_twice(pairs: list[tuple[str, str]]) -> list[Detail]:
    text = Text("Parâmetro repetido.", "This parameter was sent twice.")
    return [
        Detail(details.nameable(name), "repeated", text)
        for name, count in Counter(name for name, _ in pairs).items()
        if count > 1
    ]
