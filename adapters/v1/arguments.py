"""Reading the arguments of one operation: coerced, decoded strictly, and known by a fingerprint."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

import msgspec

from adapters.v1.coercion import ObjectReader
from adapters.v1.shapes import FieldShape, TextShape
from application.operations.declaration import Operation
from application.operations.request import KEY, Arguments
from domain.errors import BadRequestError, Detail, ValidationError
from domain.texts import Text

_PLACE: Final = re.compile(r"`\$\.?([A-Za-z0-9_.\[\]]*)`")
_NO_KEY: Final = Text(
    "Campo obrigatório; em REST vale também o cabeçalho Idempotency-Key.",
    "This field is required; over REST the header Idempotency-Key does as well.",
)


def key_field(*, required: bool) -> FieldShape:
    """The member that every write has besides its own."""
    return FieldShape(
        name=KEY,
        shape=TextShape(min_length=1, max_length=255),
        description=(
            "Names this action: reuse it when retrying the same action; "
            "a new action needs a new key."
        ),
        required=required,
    )


class ArgumentReader:
    """Reads what a door received for one operation."""

    __slots__ = ("_object", "_path_params", "_takes_key", "_type")

    def __init__(
        self,
        operation: Operation[Any],
        fields: tuple[FieldShape, ...],
        path_params: tuple[str, ...],
    ) -> None:
        self._object = ObjectReader(fields)
        self._type = operation.takes
        self._path_params = path_params
        self._takes_key = not operation.info.read_only

    def __call__(self, raw: Mapping[str, object], /, *, header_key: str | None = None) -> Arguments:
        """Coerce and check; `header_key` is REST's `Idempotency-Key`.

        Raises:
            ValidationError: every problem of the request, at most 20.
            BadRequestError: header and body have different keys.
        """
        if header_key is not None and self._takes_key:
            raw = _with_key(raw, header_key)
        values = self._members(raw)
        key = values.pop(KEY, None) if self._takes_key else None
        return Arguments(
            values=self._decoded(values),
            path_ids=self._path_ids(values) if self._path_params else (),
            key=key,
            fingerprint=fingerprint(values) if self._takes_key else b"",
        )

    def _members(self, raw: Mapping[str, object]) -> dict[str, Any]:
        try:
            return self._object.members(raw)
        except ValidationError as refused:
            raise ValidationError(*map(_with_header, refused.details)) from None

    def _path_ids(self, values: Mapping[str, object]) -> tuple[str, ...]:
        return tuple(str(values[name]) for name in self._path_params)

    def _decoded(self, values: dict[str, Any]) -> object:
        try:
            return msgspec.convert(values, self._type, strict=True)
        except msgspec.ValidationError as error:
            raise _without_values(str(error)) from None


def fingerprint(values: Mapping[str, object]) -> bytes:
    """SHA-256 of coerced values without the key, keys sorted and numbers in one form."""
    return hashlib.sha256(msgspec.json.encode(_alike(values), order="deterministic")).digest()


def _alike(value: object) -> object:
    if isinstance(value, Decimal):
        return value.normalize()
    if isinstance(value, Mapping):
        return {name: _alike(member) for name, member in value.items()}
    return [_alike(item) for item in value] if isinstance(value, list) else value


def _with_key(raw: Mapping[str, object], header_key: str) -> Mapping[str, object]:
    sent = raw.get(KEY)
    if isinstance(sent, str) and sent.strip() != header_key.strip():
        raise BadRequestError(
            Text(
                "O cabeçalho Idempotency-Key e o campo idempotency_key têm valores diferentes.",
                "The header Idempotency-Key and the field idempotency_key differ.",
            )
        )
    return raw if sent is not None else {**raw, KEY: header_key}


def _with_header(detail: Detail) -> Detail:
    is_missing_key = (detail.field, detail.code) == (KEY, "required")
    return replace(detail, message=_NO_KEY) if is_missing_key else detail


def _without_values(message: str) -> ValidationError:
    place = _PLACE.search(message)
    return ValidationError(
        Detail(
            place[1] if place else "",
            "invalid",
            Text("O valor não é válido para este campo.", "The value is not valid for this field."),
        )
    )
