"""The OpenAPI document of `/v1` as a page shows it: operations by tag, and what they share."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from adapters.http.docs_page.curl import curl_of
from adapters.http.docs_page.field_rows import FieldRow, FieldRows

Document = Mapping[str, Any]

_JSON: Final = "application/json"


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error code that may be answered, and what it tells the caller."""

    status: int
    code: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A success: `data` names the object that it gives, one or `many`; `rows` come beside it.

    `meaning` is what the document says of the status; `file` is the media type where it is a file.
    """

    status: int
    meaning: str
    file: str | None
    data: str | None
    many: bool
    rows: tuple[FieldRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationEntry:
    """One operation. `key` says whether an idempotency key is required, None that none is taken."""

    id: str
    method: str
    path: str
    title: str
    description: str
    scopes: tuple[str, ...]
    permission: str | None
    roles: tuple[str, ...]
    key: bool | None
    path_rows: tuple[FieldRow, ...]
    query_rows: tuple[FieldRow, ...]
    body_rows: tuple[FieldRow, ...]
    answers: tuple[Answer, ...]
    refusals: tuple[Refusal, ...]
    curl: str


@dataclass(frozen=True, slots=True)
class ObjectEntry:
    """An object that operations give."""

    name: str
    description: str
    rows: tuple[FieldRow, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The operations of one tag, and the objects that are first given there."""

    name: str
    operations: tuple[OperationEntry, ...]
    objects: tuple[ObjectEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """The whole page. `refusals` are those of every operation; entries list only the others."""

    title: str
    version: str
    base_url: str
    access: Document
    first: OperationEntry | None
    groups: tuple[Group, ...]
    refusals: tuple[Refusal, ...]
    refused: str


def reference_of(document: Document) -> Reference:
    """Read a document that `adapters.v1.openapi` made."""
    return _Reader(document).reference()


class _Reader:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._components = document["components"]
        self._schemas = self._components["schemas"]
        self._rows = FieldRows(self._schemas)
        self._base_url = document["servers"][0]["url"]
        error = self._schemas["Error"]
        self._refused = error["examples"][0]
        self._meanings = error["properties"]["error"]["properties"]["code"]["x-enumDescriptions"]
        self._operations = [
            (path, method.upper(), operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        ]
        self._common = frozenset.intersection(
            *(frozenset(_codes(operation)) for _, _, operation in self._operations)
        )

    def reference(self) -> Reference:
        groups = tuple(self._groups())
        entries = [entry for group in groups for entry in group.operations]
        every = {code: status for _, _, one in self._operations for status, code in _pairs(one)}
        return Reference(
            title=self._document["info"]["title"],
            version=self._document["info"]["version"],
            base_url=self._base_url,
            access=self._components["securitySchemes"]["access"],
            first=next((entry for entry in entries if _is_open_read(entry)), None),
            groups=groups,
            refusals=self._refusals((every[code], code) for code in self._common),
            refused=_indented(self._refused),
        )

    def _groups(self) -> Iterator[Group]:
        shown: set[str] = set()
        for tag in self._document["tags"]:
            entries = tuple(
                self._entry(path, method, operation)
                for path, method, operation in self._operations
                if tag["name"] in operation["tags"]
            )
            answers = [answer for entry in entries for answer in entry.answers]
            given = dict.fromkeys(answer.data for answer in answers if answer.data)
            names = [name for name in given if name not in shown]
            shown.update(names)
            yield Group(tag["name"], entries, tuple(self._object(name) for name in names))

    def _object(self, name: str) -> ObjectEntry:
        schema = self._schemas[name]
        rows = tuple(self._rows.of_object(schema))
        return ObjectEntry(name, schema.get("description", ""), rows)

    def _entry(self, path: str, method: str, operation: Document) -> OperationEntry:
        parameters = [self._parameter(one) for one in operation["parameters"]]
        body = operation.get("requestBody", {}).get("content", {}).get(_JSON, {})
        example = body.get("example")
        keys = [one["required"] for one in parameters if one["name"] == "Idempotency-Key"]
        return OperationEntry(
            id=operation["operationId"],
            method=method,
            path=path,
            title=operation["summary"],
            description=operation["description"],
            scopes=tuple(scope for one in operation["security"] for scope in one["access"]),
            permission=operation.get("x-permission"),
            roles=tuple(operation.get("x-roles", ())),
            key=keys[0] if keys else None,
            path_rows=self._placed(parameters, "path"),
            query_rows=self._placed(parameters, "query"),
            body_rows=tuple(self._rows.of_object(body.get("schema", {}))),
            answers=tuple(
                self._answer(int(status), response)
                for status, response in operation["responses"].items()
                if status < "400"
            ),
            refusals=self._refusals(
                pair for pair in _pairs(operation) if pair[1] not in self._common
            ),
            curl=curl_of(method, f"{self._base_url}{path}", parameters, example),
        )

    def _parameter(self, parameter: Document) -> Document:
        if "$ref" not in parameter:
            return parameter
        found: Document = self._components["parameters"][parameter["$ref"].rpartition("/")[2]]
        return found

    def _placed(self, parameters: Iterable[Document], place: str) -> tuple[FieldRow, ...]:
        return tuple(
            row
            for one in parameters
            if one["in"] == place
            for row in self._rows.of_member(
                one["name"],
                {**one["schema"], "description": one["description"]},
                required=one["required"],
            )
        )

    def _answer(self, status: int, response: Document) -> Answer:
        content = response.get("content", {})
        envelope = self._named(content.get(_JSON, {}).get("schema", {}))
        properties = dict(envelope.get("properties", {}))
        data = properties.pop("data", {})
        return Answer(
            status=status,
            meaning=response["description"],
            file=next((kind for kind in content if kind != _JSON), None),
            data=data.get("items", data).get("$ref", "").rpartition("/")[2] or None,
            many="items" in data,
            rows=tuple(self._rows.of_object({**envelope, "properties": properties})),
        )

    def _named(self, schema: Document) -> Document:
        found: Document = self._schemas.get(schema.get("$ref", "").rpartition("/")[2], schema)
        return found

    def _refusals(self, pairs: Iterable[tuple[int, str]]) -> tuple[Refusal, ...]:
        return tuple(Refusal(status, code, self._meanings[code]) for status, code in sorted(pairs))


def _pairs(operation: Document) -> Iterator[tuple[int, str]]:
    for status, response in operation["responses"].items():
        if status >= "400":
            _, coded = response["content"][_JSON]["schema"]["allOf"]
            for code in coded["properties"]["error"]["properties"]["code"]["enum"]:
                yield int(status), code


def _codes(operation: Document) -> Iterator[str]:
    return (code for _, code in _pairs(operation))


def _is_open_read(entry: OperationEntry) -> bool:
    return entry.method == "GET" and not entry.scopes and not entry.path_rows


def _indented(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
