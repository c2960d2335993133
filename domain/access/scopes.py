"""Names of rights as tokens carry them: scopes, and the three umbrellas over them."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from domain.access.roles import PERMISSIONS

PREFIX: Final = "dunning."
READ: Final = f"{PREFIX}read"
WRITE: Final = f"{PREFIX}write"
ALL: Final = f"{PREFIX}all"
UMBRELLAS: Final = (READ, WRITE, ALL)

_NOT_IN_READ: Final = frozenset({"audit.read", "api_clients.read", "members.read"})
_NOT_IN_ALL: Final = frozenset({"debtors.reveal"})
_HARMLESS_WRITES: Final = frozenset(
    {
        "agreements.write",
        "calendar.write",
        "charges.create",
        "charges.write",
        "debtors.write",
        "disputes.write",
        "enrollments.write",
        "exports.write",
        "payments.write",
        "policies.write",
        "promises.write",
        "settings.write",
        "templates.write",
    }
)


def scope_of(permission: str) -> str:
    """The scope a token needs for `permission`: `charges.read` is `dunning.charges:read`."""
    resource, _, act = permission.partition(".")
    return f"{PREFIX}{resource}:{act}"


def _scopes(permissions: Iterable[str]) -> frozenset[str]:
    return frozenset(scope_of(permission) for permission in permissions)


SCOPES: Final = _scopes(PERMISSIONS)

_UNDER_READ: Final = _scopes(
    p for p in PERMISSIONS if p.endswith(".read") and p not in _NOT_IN_READ
)
_UNDER: Final = {
    READ: _UNDER_READ,
    WRITE: _UNDER_READ | _scopes(_HARMLESS_WRITES),
    ALL: _scopes(p for p in PERMISSIONS if p not in _NOT_IN_ALL),
}


@lru_cache(maxsize=1024)
def expand(scopes: frozenset[str]) -> frozenset[str]:
    """The scopes that a token really has: ours alone, each umbrella opened."""
    opened = scopes & SCOPES
    for umbrella in UMBRELLAS:
        if umbrella in scopes:
            opened |= _UNDER[umbrella]
    return opened
