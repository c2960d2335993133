"""Who is asking, as the verified token says it; no organisation has let them in yet."""

from typing import NamedTuple


class Principal(NamedTuple):
    """A verified token, reduced to what the rules read.

    `organization` is the claim's text, an id or a configured claim value; `expires_at` is in Unix
    seconds. A person is (`issuer`, `subject`), whatever the client.
    """

    issuer: str
    subject: str
    client_id: str | None
    organization: str | None
    scopes: frozenset[str]
    expires_at: float
    email: str | None = None
    email_verified: bool = False
