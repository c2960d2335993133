"""What both doors promise over HTTP, beside what the protocol engine promises."""

from tests.protocol.requirements import Requirement

HTTP_REQUIREMENTS = (
    # Before anybody's request is read
    Requirement(
        "http.verbs",
        "GET, HEAD, DELETE, PUT and PATCH on an endpoint: 405 with Allow: POST, OPTIONS.",
        "protocol §2 step 1",
    ),
    Requirement(
        "http.size",
        "Beyond 2,097,152 bytes, announced or sent: 413 -32600 before auth, without reading on.",
        "protocol §2 step 2",
    ),
    Requirement(
        "http.head-size",
        "Headers above 65,536 bytes: 431 before auth; trailers above it: hung up on.",
        "RFC 6585 §5",
    ),
    Requirement(
        "http.origin",
        "No Origin, our own and the allowed ones pass, compared whole; any other is 403.",
        "protocol §2 step 3",
    ),
    Requirement(
        "http.cors",
        "Every answer to an accepted origin names it, varies by it and exposes three headers.",
        "protocol §2 step 3",
    ),
    Requirement(
        "http.preflight",
        "OPTIONS of an accepted origin is 204 without token, for ten minutes, without credentials.",
        "protocol §2 step 3",
    ),
    Requirement("http.host", "Host is not checked.", "protocol §2 step 3"),
    Requirement(
        "http.flood",
        "Tokenless requests and refused tokens have a bucket each per address; neither touches "
        "the other nor remembered tokens.",
        "protocol §2 step 4",
    ),
    Requirement(
        "http.address",
        "The address is the peer's, or the hop that TRUSTED_PROXIES allows.",
        "protocol §2 step 4",
    ),
    Requirement(
        "http.open",
        "Metadata and health need no token and no origin; /livez asks nobody, /readyz everybody.",
        "protocol §2 step 5",
    ),
    Requirement(
        "http.media",
        "Content-Type application/json in any case with any parameters, else 415.",
        "protocol §2 step 6",
    ),
    Requirement(
        "http.accept",
        "Accept absent, any, or allowing one of the two types is fine; otherwise 406.",
        "protocol §2 step 6",
    ),
    Requirement(
        "http.plain",
        "401, Origin and membership 403, 405, 406, 415 and issuer 503 are small plain JSON.",
        "protocol §2",
    ),
    Requirement("http.no-store", "Cache-Control: no-store on all.", "protocol §2"),
    Requirement("http.slash", "One trailing slash is ignored, without redirect.", "protocol §1"),
    Requirement("http.notification", "202 has no body and no content type.", "protocol §2 step 8"),
    # Authorization
    Requirement(
        "auth.metadata",
        "Each resource has its document at the inserted path, byte for byte the public URL.",
        "protocol §9; RFC 9728 §3",
    ),
    Requirement(
        "auth.unknown", "Unknown well-knowns are JSON 404 without challenge.", "protocol §9"
    ),
    Requirement(
        "auth.challenge",
        "One WWW-Authenticate with resource_metadata and scope; error only with a token.",
        "protocol §9; RFC 6750 §3",
    ),
    Requirement(
        "auth.scope",
        "403 insufficient_scope with all scopes of the operation, hierarchy honoured.",
        "protocol §9; RFC 6750 §3.1",
    ),
    Requirement(
        "auth.membership", "No active member: 403 without WWW-Authenticate.", "protocol §9"
    ),
    Requirement(
        "auth.surfaces", "The MCP server and /v1 refuse each other's tokens.", "protocol §9"
    ),
    Requirement(
        "auth.header",
        "Bearer in any case; none, other scheme or empty: 401 without error; two headers: 400.",
        "protocol §9; RFC 6750 §2.1",
    ),
    Requirement("auth.query", "A token in query or body is never read.", "protocol §9"),
    Requirement("auth.passthrough", "A caller's token is never sent anywhere else.", "protocol §9"),
    Requirement(
        "auth.program", "A revoked or expired API client is 401 invalid_token.", "protocol §9"
    ),
    Requirement(
        "auth.issuer-down", "An issuer that is down is our 503 with Retry-After.", "protocol §9"
    ),
    Requirement(
        "auth.no-scope", "A token without a scope gets 200 and what needs none.", "protocol §9"
    ),
    # Limits
    Requirement(
        "limit.person",
        "Buckets are per person and organisation, never per address; both doors share them.",
        "protocol §10",
    ),
    Requirement(
        "limit.overload", "Beyond the bound 503 with Retry-After, never a hang.", "protocol §10"
    ),
    Requirement(
        "limit.gone",
        "A client that hangs up leaves a write whole or undone, and no transaction open.",
        "protocol §10",
    ),
    Requirement(
        "health.no-versions",
        "No answer tells secrets or which software and version serves it.",
        "cases N1",
    ),
    Requirement(
        "limit.deadline", "A request that takes too long is given up and undone.", "protocol §10"
    ),
)
