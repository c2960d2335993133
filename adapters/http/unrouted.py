"""Answers for what no route takes, and for what fails outside a door: always our own JSON."""

from collections.abc import Callable
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException

from adapters.http.edge import Edge
from adapters.http.edge_errors import MethodNotAllowedError
from adapters.http.messages import Headers
from adapters.http.metadata import metadata_preflight
from adapters.http.resources import WELL_KNOWN_PREFIX
from application.operations.refusals import error_body, language_of
from domain.errors import BadRequestError, DomainError, InternalError, NotFoundError
from domain.texts import Text

_AnyRequest = Request[Any, Any, Any]
_Answer = Response[dict[str, dict[str, object]]] | Response[bytes]


def answer_error(edge: Edge) -> Callable[[_AnyRequest, Exception], _Answer]:
    """The last handler of errors; exception text never leaves the process."""

    def answer(request: _AnyRequest, error: Exception) -> _Answer:
        if request.method == "OPTIONS" and _is_well_known(request):
            return metadata_preflight()
        request_id = edge.ids.new("req")
        status = error.status_code if isinstance(error, HTTPException) else 500
        refused = _refusal(status)
        if isinstance(refused, InternalError):
            edge.on_failure(request_id, error)
        language = language_of(request.headers.get("accept-language"))
        return Response(
            error_body(refused, language, request_id),
            status_code=500 if isinstance(refused, InternalError) else status,
            headers={"Cache-Control": "no-store", **_cross_origin(edge, request), **_allow(error)},
        )

    return answer


def _is_well_known(request: _AnyRequest) -> bool:
    path: str = request.scope["path"]
    return path.startswith(WELL_KNOWN_PREFIX)


def _cross_origin(edge: Edge, request: _AnyRequest) -> dict[str, str]:
    """Any page may look for metadata, and has to be able to read that there is none."""
    if _is_well_known(request):
        return {"Access-Control-Allow-Origin": "*"}
    headers = edge.origins.judge(Headers(list(request.scope["headers"]))).headers
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in headers}


def _refusal(status: int) -> DomainError:
    if status == 404:  # noqa: PLR2004 -- an HTTP status
        return NotFoundError()
    if status == 405:  # noqa: PLR2004 -- an HTTP status
        return MethodNotAllowedError()
    if 400 <= status < 500:  # noqa: PLR2004 -- the client errors
        return BadRequestError(Text("Requisição inválida.", "The request is not valid."))
    return InternalError()


def _allow(error: Exception) -> dict[str, str]:
    sent = error.headers if isinstance(error, HTTPException) and error.headers else {}
    return {name: value for name, value in sent.items() if name.lower() == "allow"}
