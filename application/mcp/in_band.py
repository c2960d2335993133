"""Connections on which nothing but messages passes: what HTTP tells by status and headers."""

from application.mcp.bounding import as_text
from application.mcp.errors import TOO_MANY_REQUESTS, RpcError
from application.mcp.ladder import Route
from application.mcp.outcomes import Outcome, Refused
from application.mcp.ports import Context
from application.mcp.profile import ServerProfile
from application.mcp.refusals import invalid_by
from application.mcp.results import decoration, encode, text_result
from application.operations.refusals import error_body
from domain.errors import RateLimitedError, ScopeMissingError


class InBand:
    """Tells missing scopes and empty buckets in messages: a tool's in its result."""

    def __init__(self, profile: ServerProfile) -> None:
        self._trailing = {
            revision: decoration(profile, revision).plain for revision in profile.spoken
        }

    def __call__(self, outcome: Outcome, route: Route, context: Context) -> Outcome:
        """The outcome as it is, unless it needs HTTP to be understood."""
        if not isinstance(outcome, Refused) or outcome.refusal is None:
            return outcome
        if route.method != "tools/call":
            return Refused(_error(outcome.refusal))
        text = as_text(encode(_document(outcome.refusal, context)))
        return text_result(text, self._trailing[route.revision], is_error=True)


def _error(refusal: ScopeMissingError | RateLimitedError) -> RpcError:
    if isinstance(refusal, RateLimitedError):
        data = {"code": refusal.code, "retry_after": refusal.retry_after}
        return RpcError(TOO_MANY_REQUESTS, "Too many requests", data)
    return invalid_by(refusal)


def _document(
    refusal: ScopeMissingError | RateLimitedError, context: Context
) -> dict[str, dict[str, object]]:
    document = error_body(refusal, context.language, context.origin.request_id)
    if isinstance(refusal, RateLimitedError):
        document["error"]["retry_after"] = refusal.retry_after
    return document
