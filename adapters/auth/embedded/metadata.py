"""What the issuer says about itself, in the two forms that clients look for."""

from typing import Any

from adapters.auth.embedded.settings import SIGNING_ALGORITHM, EmbeddedSettings
from domain.access.scopes import UMBRELLAS


def oauth_metadata(settings: EmbeddedSettings) -> dict[str, Any]:
    """Authorization server metadata (RFC 8414 §2, RFC 9207 §3)."""
    issuer = settings.issuer
    return {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}/authorize",
        "token_endpoint": f"{issuer}/token",
        "registration_endpoint": f"{issuer}/register",
        "jwks_uri": f"{issuer}/jwks",
        "scopes_supported": list(UMBRELLAS),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code"],
        "token_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
    }


def openid_metadata(settings: EmbeddedSettings) -> dict[str, Any]:
    """The same, with what OpenID Connect Discovery §3 requires though no ID token is issued."""
    return {
        **oauth_metadata(settings),
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": [SIGNING_ALGORITHM],
    }
