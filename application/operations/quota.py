"""What a caller is told whose bucket is empty, the same at both doors."""

from domain.ports.limits import Allowance
from domain.ports.operations import RateClass


def quota_headers(rate_class: RateClass, allowance: Allowance) -> tuple[tuple[bytes, bytes], ...]:
    """`RateLimit` and `RateLimit-Policy`, as in draft-ietf-httpapi-ratelimit-headers."""
    state = f'"{rate_class}";r={allowance.remaining};t={allowance.reset_after}'
    policy = f'"{rate_class}";q={allowance.limit};w={allowance.window}'
    return (b"ratelimit", state.encode()), (b"ratelimit-policy", policy.encode())
