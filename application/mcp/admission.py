"""Before a method does anything: its cost, and a client that can read its answer."""

from application.mcp.errors import TOO_MANY_REQUESTS, UNAVAILABLE, RpcError
from application.mcp.exchange import Exchange
from application.mcp.outcomes import NotAcceptable, Outcome, RawHeader, Refused
from application.mcp.ports import CallerT, Limits
from application.operations.quota import quota_headers
from domain.errors import RateLimitedError, UnavailableError
from domain.ports.limits import Allowance
from domain.ports.operations import RateClass


async def refuse_admission(
    limits: Limits[CallerT],
    exchange: Exchange[CallerT],
    rate_class: RateClass,
    *,
    as_stream: bool = False,
) -> Outcome | None:
    """Take one unit from the caller's bucket; the answer when none is left, or not of its kind."""
    allowance = await limits.take(exchange.caller, rate_class)
    if allowance.retry_after:
        return _too_many(allowance, rate_class)
    context = exchange.context
    takes_it = context.takes_stream if as_stream else context.takes_json
    return None if takes_it else NotAcceptable()


def retry_after(seconds: int) -> RawHeader:
    """`Retry-After` in whole seconds (RFC 9110 section 10.2.3)."""
    return (b"retry-after", str(seconds).encode())


def unavailable(refusal: UnavailableError) -> Refused:
    """Something that the method depends on does not answer."""
    error = RpcError(UNAVAILABLE, "Service unavailable")
    return Refused(error, (retry_after(refusal.retry_after),))


def _too_many(allowance: Allowance, rate_class: RateClass) -> Refused:
    headers = (retry_after(allowance.retry_after), *quota_headers(rate_class, allowance))
    refusal = RateLimitedError(allowance.retry_after)
    return Refused(RpcError(TOO_MANY_REQUESTS, "Too many requests"), headers, refusal)
