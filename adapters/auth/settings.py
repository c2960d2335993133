"""What an operator says about the one OpenID Connect provider whose tokens count."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

ASYMMETRIC_ALGORITHMS: Final = frozenset(
    {f"{family}{bits}" for family in ("RS", "PS", "ES") for bits in (256, 384, 512)}
    | {"EdDSA", "Ed25519"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OidcSettings:
    """The provider, and how patient we are with it.

    `timeout` bounds one whole look at the provider's keys; `cool_down` is the least time between
    two looks, and `key_max_age` the time after which known keys are looked at again.

    Raises:
        ValueError: no issuer, no algorithm, or one that is not asymmetric.
    """

    issuer: str
    algorithms: tuple[str, ...] = ("RS256", "ES256")
    organization_claim: str = "org_id"
    leeway: timedelta = timedelta(seconds=30)
    timeout: timedelta = timedelta(seconds=3)
    cool_down: timedelta = timedelta(seconds=10)
    key_max_age: timedelta = timedelta(minutes=5)

    def __post_init__(self) -> None:
        if not self.issuer.strip():
            raise ValueError("The issuer is empty")
        if not self.algorithms:
            raise ValueError("No signature algorithm is configured")
        if odd := sorted(set(self.algorithms) - ASYMMETRIC_ALGORITHMS):
            raise ValueError(f"Not an asymmetric signature algorithm: {', '.join(odd)}")
