"""From a raw request of `/v1` to the arguments of its operation."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl

from adapters.http.edge_errors import UnsupportedMediaTypeError
from adapters.http.messages import Scope, values_of
from application.strict_json import NotJsonError, strict_json
from domain.errors import BadRequestError, Detail, ValidationError
from domain.texts import Text


def raw_arguments(scope: Scope, body: bytes, *, in_query: bool) -> dict[str, object]:
    """Query or body beside the path's ids, by name, as sent.

    Raises:
        BadRequestError, UnsupportedMediaTypeError: the body is no JSON object.
        ValidationError: a name is sent twice, or in the wrong place.
    """
    query = _query(scope["query_string"])
    path: Mapping[str, object] = scope.get("path_params", {})
    sent: dict[str, object] = dict(query) if in_query else _body(scope, body)
    misplaced = sorted(sent.keys() & path.keys()) + ([] if in_query else sorted(query))
    if misplaced:
        raise ValidationError(
            *[Detail(name[:40], "unknown_field", _MISPLACED) for name in misplaced]
        )
    return {**path, **sent}


_MISPLACED: Final = Text(
    "Este campo não é aceito neste lugar.", "This field is not accepted in this place."
)
_REPEATED: Final = Text(
    "Envie o parâmetro uma vez; separe vários valores por vírgulas.",
    "Send the parameter once; separate several values by commas.",
)


def _query(raw: bytes) -> dict[str, str]:
    try:
        pairs = parse_qsl(
            raw.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=200
        )
    except ValueError:
        raise BadRequestError(
            Text("A query não está em UTF-8 válido.", "The query string is not valid UTF-8.")
        ) from None
    names = [name for name, _ in pairs]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValidationError(*[Detail(name[:40], "repeated", _REPEATED) for name in repeated])
    return dict(pairs)


def _body(scope: Scope, body: bytes) -> dict[str, object]:
    if not body:
        return {}
    sent = values_of(scope["headers"], b"content-type")
    if not sent or sent[0].partition(";")[0].strip().lower() != "application/json":
        raise UnsupportedMediaTypeError
    try:
        value = strict_json(body)
    except NotJsonError:
        raise BadRequestError(
            Text("O corpo não é JSON válido.", "The body is not valid JSON.")
        ) from None
    if not isinstance(value, dict):
        raise BadRequestError(
            Text("O corpo deve ser um objeto JSON.", "The body must be one JSON object.")
        )
    return value
