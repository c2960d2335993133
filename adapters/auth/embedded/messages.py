"""Requests and answers of the issuer, free of any web framework, and as Authlib wants them."""

# Authlib is not typed.

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl

import msgspec
from authlib.oauth2 import OAuth2Error, OAuth2Request
from authlib.oauth2.rfc6749 import InvalidRequestError
from authlib.oauth2.rfc6749.requests import OAuth2Payload

from domain.texts import DEFAULT_LANGUAGE, Language

Parameters = dict[str, list[str]]

FORM: Final = "application/x-www-form-urlencoded"
_NO_STORE: Final = {"Cache-Control": "no-store", "Pragma": "no-cache"}
_MAX_FIELDS: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingRequest:
    """What a handler hands in; `browser` is the value of the sign-in cookie."""

    query: bytes = b""
    body: bytes = b""
    content_type: str = ""
    has_authorization: bool = False
    browser: str | None = None
    language: Language = DEFAULT_LANGUAGE


@dataclass(frozen=True, slots=True)
class Answer:
    """What a handler sends back."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def json_answer(status: int, content: object) -> Answer:
    """JSON that no cache keeps (RFC 6749 §5.1)."""
    headers = {"Content-Type": "application/json", **_NO_STORE}
    return Answer(status, msgspec.json.encode(content), headers)


def error_answer(error: OAuth2Error) -> Answer:
    """An error of the token or registration endpoint: RFC 6749 §5.2, RFC 7591 §3.2.2."""
    status, body, headers = error()
    return Answer(status, msgspec.json.encode(body), dict(headers))


def redirect(location: str) -> Answer:
    """Send the browser elsewhere; what it posted stays here (RFC 9700 §4.12)."""
    return Answer(HTTPStatus.SEE_OTHER, b"", {"Location": location, **_NO_STORE})


def parameters(encoded: bytes) -> Parameters:
    """The form or query; what has no value was not sent (RFC 6749 §3.1).

    Raises:
        InvalidRequestError: it cannot be read.
    """
    try:
        pairs = parse_qsl(encoded.decode("ascii"), errors="strict", max_num_fields=_MAX_FIELDS)
    except ValueError as error:
        raise InvalidRequestError("The parameters cannot be read.") from error
    read: Parameters = {}
    for name, value in pairs:
        read.setdefault(name, []).append(value)
    return read


def form_parameters(request: IncomingRequest) -> Parameters:
    """The posted form, each field at most once except `resource` (RFC 6749 §3.2, RFC 8707 §2).

    Raises:
        InvalidRequestError: it is no form, or a field is repeated.
    """
    if request.content_type.partition(";")[0].strip().lower() != FORM:
        raise InvalidRequestError("The body must be a form.")
    fields = parameters(request.body)
    if any(len(values) > 1 for name, values in fields.items() if name != "resource"):
        raise InvalidRequestError("A parameter is repeated.")
    return fields


class IssuerRequest(OAuth2Request):
    """A request as Authlib reads it."""

    payload: Any
    authorization_code: Any

    def __init__(
        self, method: str, uri: str, sent: Parameters, *, has_authorization: bool = False
    ) -> None:
        super().__init__(method, uri)
        self.payload = _Payload(sent)
        self.has_authorization = has_authorization

    @property
    def form(self) -> dict[str, str]:
        """What was posted."""
        fields: dict[str, str] = self.payload.data
        return fields


class _Payload(OAuth2Payload):
    def __init__(self, sent: Parameters) -> None:
        self._sent = sent

    @property
    def data(self) -> dict[str, str]:
        """The first value of each parameter."""
        return {name: values[0] for name, values in self._sent.items()}

    @property
    def datalist(self) -> Any:  # noqa: ANN401 - Authlib says defaultdict, and only ever calls get
        """Every value of each parameter."""
        return self._sent
