"""The HTTP status of each error code, once for every REST answer."""

from collections.abc import Mapping
from typing import Final

STATUS_OF: Final[Mapping[str, int]] = {
    "BAD_REQUEST": 400,
    "UNAUTHENTICATED": 401,
    "SCOPE_MISSING": 403,
    "PERMISSION_DENIED": 403,
    "ROLE_LIMIT_EXCEEDED": 403,
    "NOT_FOUND": 404,
    "STATE_CONFLICT": 409,
    "HOLD_ACTIVE": 409,
    "DUPLICATE": 409,
    "VERSION_CONFLICT": 409,
    "IDEMPOTENCY_IN_PROGRESS": 409,
    "PAYLOAD_TOO_LARGE": 413,
    "UNSUPPORTED_MEDIA_TYPE": 415,
    "VALIDATION_ERROR": 422,
    "LEGAL_LIMIT_EXCEEDED": 422,
    "COMPLIANCE_BLOCKED": 422,
    "IDEMPOTENCY_KEY_REUSED": 422,
    "RATE_LIMITED": 429,
    "INTERNAL": 500,
    "UNAVAILABLE": 503,
}
