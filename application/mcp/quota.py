"""The caller's buckets: what a request costs, and the answer when nothing is left."""

from application.mcp.errors import TOO_MANY_REQUESTS, RpcError
from application.mcp.outcomes import RawHeader, Refused
from domain.ports.limits import Allowance
from domain.ports.operations import RateClass


def refuse_when_spent(allowance: Allowance, rate_class: RateClass) -> Refused | None:
    """429, with `RateLimit` and `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers."""
    if not allowance.retry_after:
        return None
    state = f'"{rate_class}";r={allowance.remaining};t={allowance.reset_after}'
    headers: tuple[RawHeader, ...] = (
        retry_after(allowance.retry_after),
        (b"ratelimit", state.encode()),
        (b"ratelimit-policy", f'"{rate_class}";q={allowance.limit}'.encode()),
    )
    return Refused(RpcError(TOO_MANY_REQUESTS, "Too many requests"), headers)


def retry_after(seconds: int) -> RawHeader:
    """`Retry-After` in whole seconds (RFC 9110 section 10.2.3)."""
    return (b"retry-after", str(seconds).encode())
