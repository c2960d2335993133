"""One request to Authlib: what was read for it, and what it decided that is still to be written."""

from dataclasses import dataclass
from datetime import datetime

from joserfc.jwk import ECKey

from adapters.auth.embedded.settings import EmbeddedSettings
from domain.ports.issuer import DemoPerson, IssuedCode, RegisteredClient


@dataclass(slots=True, kw_only=True)
class Exchange:
    """`person` is who signs in or, with `code`, whom the code was given to.

    `chosen_scopes` are what the person left of those asked for; `issued` is ours to save.
    """

    settings: EmbeddedSettings
    now: datetime
    client: RegisteredClient | None = None
    person: DemoPerson | None = None
    chosen_scopes: tuple[str, ...] = ()
    code: IssuedCode | None = None
    key: ECKey | None = None
    issued: IssuedCode | None = None
