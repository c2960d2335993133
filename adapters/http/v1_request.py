"""From a raw request of `/v1` to what its operation reads."""

from collections.abc import Iterable
from functools import partial
from urllib.parse import parse_qsl

from adapters.http.edge_errors import UnsupportedMediaTypeError
from adapters.http.messages import Headers, Incoming, is_json
from adapters.v1.bound import BoundV1
from application.operations.request import Bound
from application.strict_json import NotJsonError, strict_json
from domain.errors import BadRequestError
from domain.texts import Text

_MOST_PARAMETERS = 200


def raw_arguments(incoming: Incoming, body: bytes, bound: BoundV1) -> dict[str, object]:
    """Path, query and body as one mapping, as sent.

    Raises:
        BadRequestError, UnsupportedMediaTypeError: the body is no JSON object.
        ValidationError: a name is sent twice, or in the wrong place.
    """
    scope = incoming.scope
    return bound.route.gather(
        scope.get("path_params", {}), _query(scope["query_string"]), _body(incoming.headers, body)
    )


def with_header_key(bound: BoundV1, headers: Headers) -> Bound:
    """The operation, reading the `Idempotency-Key` header as well when there is one.

    Raises:
        BadRequestError: the header was sent twice.
    """
    keys = headers.all(b"idempotency-key")
    if not keys:
        return bound
    if len(keys) > 1:
        raise BadRequestError(
            Text(
                "Envie um só cabeçalho Idempotency-Key.",
                "Send exactly one Idempotency-Key header.",
            )
        )
    return Bound(bound.operation, partial(bound.read, header_key=keys[0]))


def _query(raw: bytes) -> Iterable[tuple[str, str]]:
    try:
        return parse_qsl(
            raw.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_PARAMETERS,
        )
    except ValueError:
        raise BadRequestError(
            Text("A query não está em UTF-8 válido.", "The query string is not valid UTF-8.")
        ) from None


def _body(headers: Headers, body: bytes) -> object:
    if not body:
        return None
    if not is_json(headers):
        raise UnsupportedMediaTypeError
    try:
        value = strict_json(body)
    except NotJsonError:
        raise BadRequestError(
            Text("O corpo não é JSON válido.", "The body is not valid JSON.")
        ) from None
    if not isinstance(value, dict):
        raise BadRequestError(
            Text("O corpo deve ser um objeto JSON.", "The body has to be a JSON object.")
        )
    return value
