"""Before a method does anything: its cost, and a client that can read its answer."""

from application.mcp.errors import TOO_MANY_REQUESTS, RpcError
from application.mcp.exchange import Exchange
from application.mcp.outcomes import NotAcceptable, Outcome, RawHeader, Refused
from application.mcp.ports import CallerT, Limits
from application.operations.quota import quota_headers
from domain.ports.limits import Allowance
from domain.ports.operations import RateClass


async def refuse_admission(
    limits: Limits[CallerT], exchange: Exchange[CallerT], rate_class: RateClass
) -> Outcome | None:
    """Take one unit from the caller's bucket; the answer when nothing is left, or not JSON."""
    allowance = await limits.take(exchange.caller, rate_class)
    if allowance.retry_after:
        return _too_many(allowance, rate_class)
    return None if exchange.context.takes_json else NotAcceptable()


def retry_after(seconds: int) -> RawHeader:
    """`Retry-After` in whole seconds (RFC 9110 section 10.2.3)."""
    return (b"retry-after", str(seconds).encode())


def _too_many(allowance: Allowance, rate_class: RateClass) -> Refused:
    headers = (retry_after(allowance.retry_after), *quota_headers(rate_class, allowance))
    return Refused(RpcError(TOO_MANY_REQUESTS, "Too many requests"), headers)
