"""What the embedded issuer is told when it is made."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from adapters.auth.embedded.clients import is_trustworthy
from domain.access.scopes import ALL
from domain.ports.issuer import RegisteredClient

SIGNING_ALGORITHM: Final = "ES256"
ORGANIZATION_CLAIM: Final = "org_id"
CONFIRMATION_CLIENT: Final = "confirmation-page"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedSettings:
    """Where the issuer lives and for whom it signs; the first of `resources` is the default.

    `default_scopes` are offered to a client that asks for none. `own_client` is known without
    having registered, and returns to exactly its address.

    Raises:
        ValueError: there is no resource that a token could be for, or the address is plain http
            beyond this machine.
    """

    public_url: str
    resources: tuple[str, ...]
    product: str = "Kobana Dunning"
    own_client: RegisteredClient | None = None
    default_scopes: tuple[str, ...] = (ALL,)
    token_lifetime: timedelta = timedelta(hours=1)
    code_lifetime: timedelta = timedelta(seconds=60)
    form_lifetime: timedelta = timedelta(minutes=10)

    def __post_init__(self) -> None:
        if not self.resources:
            raise ValueError("The embedded issuer has no resource to sign tokens for")
        if not is_trustworthy(self.public_url):
            raise ValueError("The public address must be https, or http on this machine")

    @property
    def issuer(self) -> str:
        """The issuer identifier, `<public>/issuer`."""
        return f"{self.public_url.removesuffix('/')}/issuer"

    @property
    def path(self) -> str:
        """The path of the issuer identifier, under which its endpoints are mounted."""
        return urlsplit(self.issuer).path


def confirmation_client(product: str, redirect_uri: str) -> RegisteredClient:
    """The service's own confirmation page as a client of its issuer."""
    return RegisteredClient(
        client_id=CONFIRMATION_CLIENT,
        name=f"{product} · confirmação / confirmation",
        redirect_uris=(redirect_uri,),
        created_at=datetime.min.replace(tzinfo=UTC),
    )
