"""Refusals of the product as errors of the protocol, where no result can carry them."""

import msgspec

from application.mcp.admission import unavailable
from application.mcp.cleaning import clean
from application.mcp.errors import INVALID_PARAMS, RpcError, insufficient_scope
from application.mcp.outcomes import Refused
from application.mcp.results import encode
from domain.errors import DomainError, ScopeMissingError, UnavailableError


def refused_as(refusal: DomainError) -> Refused:
    """What the client is told; the product's own code stands in `data`."""
    if isinstance(refusal, ScopeMissingError):
        return Refused(insufficient_scope(refusal.scopes), refusal=refusal)
    if isinstance(refusal, UnavailableError):
        return unavailable(refusal)
    return Refused(invalid_by(refusal))


def invalid_by(refusal: DomainError) -> RpcError:
    """Any refusal as one of the request's parameters."""
    details = [
        {"field": detail.field, "code": detail.code, "message": detail.message.en}
        for detail in refusal.details
    ]
    data = {"code": refusal.code, "details": details, **refusal.extras()}
    # What a refusal carries may be somebody's words.
    cleaned = msgspec.json.decode(clean(encode(data).decode()))
    return RpcError(INVALID_PARAMS, refusal.message.en, cleaned)
