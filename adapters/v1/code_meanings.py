"""What each error code tells the caller, once for the document and its page."""

from collections.abc import Mapping
from typing import Final

MEANING_OF: Final[Mapping[str, str]] = {
    "BAD_REQUEST": (
        "The request cannot be read: the body is no JSON object, there are two Authorization or "
        "Idempotency-Key headers, or the two places of the idempotency key differ."
    ),
    "UNAUTHENTICATED": (
        "No token, or one that is expired, revoked or issued for something else. "
        "`WWW-Authenticate` says where tokens come from."
    ),
    "SCOPE_MISSING": (
        "The token lacks a scope that this operation needs. `details` and `WWW-Authenticate` "
        "name all of them."
    ),
    "PERMISSION_DENIED": (
        "The role does not allow this operation, or the caller is no active member of the "
        "organisation. A new token does not help."
    ),
    "ROLE_LIMIT_EXCEEDED": (
        "Allowed, but above the ceiling of the role. `required_role` names the role that may."
    ),
    "NOT_FOUND": "There is no such object among those that the caller may see.",
    "STATE_CONFLICT": (
        "The present state does not allow it. `current_status` and `allowed_actions` say what it "
        "is and what is possible."
    ),
    "HOLD_ACTIVE": "An active hold forbids it. `holds` lists those that do.",
    "DUPLICATE": (
        "Something that has to be unique is there already. `existing_id` names it where there is "
        "one object to name."
    ),
    "VERSION_CONFLICT": (
        "Somebody else has changed it since it was read. Read it again, then send the change with "
        "the version that there is now."
    ),
    "IDEMPOTENCY_IN_PROGRESS": (
        "The first request with this key is still running. Try again after `Retry-After` seconds."
    ),
    "PAYLOAD_TOO_LARGE": "The body is larger than 2 MB.",
    "UNSUPPORTED_MEDIA_TYPE": "The body was not sent as `Content-Type: application/json`.",
    "VALIDATION_ERROR": (
        "A value has the wrong shape, type or range, a field is unknown, or fields do not go "
        "together. `details` names each one."
    ),
    "LEGAL_LIMIT_EXCEEDED": (
        "More than the law, or the stricter cap of the organisation, allows. `details` names the "
        "field."
    ),
    "COMPLIANCE_BLOCKED": (
        "A precondition of law is missing. `reasons` names it; `next_allowed_at` is there where it "
        "is only a matter of time."
    ),
    "IDEMPOTENCY_KEY_REUSED": (
        "The key was used before with other arguments. A new action needs a new key."
    ),
    "RATE_LIMITED": "Too many requests. Try again after `Retry-After` seconds.",
    "INTERNAL": "Something failed on our side. Quote `request_id` when you report it.",
    "UNAVAILABLE": (
        "The service is overloaded, or something it depends on does not answer. Try again after "
        "`Retry-After` seconds."
    ),
}
