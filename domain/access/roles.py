"""The five roles and what each may do: one table, fixed, read from left to right."""

from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """What a person is in one organisation, most powerful first."""

    OWNER = "owner"
    ADMIN = "admin"
    MANAGER = "manager"
    COLLECTOR = "collector"
    VIEWER = "viewer"


# One letter per role that has the permission (owner, admin, manager, collector, viewer); the
# last sign is for API clients: "+" in the preset, "-" may be given, "x" never.
_TABLE: Final = {
    "agreements.accept": "oamc--",
    "agreements.cancel": "oam---",
    "agreements.read": "oamcv+",
    "agreements.write": "oamc--",
    "api_clients.read": "oa---x",
    "api_clients.revoke": "oa---x",
    "approvals.decide": "oam--x",
    "approvals.read": "oamcv-",
    "audit.read": "oa---x",
    "calendar.read": "oamcv+",
    "calendar.write": "oam---",
    "charges.cancel": "oam--+",
    "charges.create": "oam--+",
    "charges.delete": "oam---",
    "charges.read": "oamcv+",
    "charges.write": "oamc-+",
    "charges.write_off": "oam---",
    "debtors.anonymize": "oa---x",
    "debtors.archive": "oam---",
    "debtors.notify": "oamc--",
    "debtors.notify_third_party": "oam---",
    "debtors.read": "oamcv+",
    "debtors.reveal": "oamc--",
    "debtors.write": "oamc-+",
    "disputes.read": "oamcv+",
    "disputes.resolve": "oam---",
    "disputes.write": "oamc-+",
    "enrollments.read": "oamcv+",
    "enrollments.write": "oamc--",
    "events.read": "oamcv+",
    "exports.read": "oam-v+",
    "exports.write": "oam--+",
    "members.read": "oamcv-",
    "members.write": "oa---x",
    "negativations.file": "oamc--",
    "negativations.read": "oamcv+",
    "negativations.remove": "oamc--",
    "notifications.read": "oamcv+",
    "notifications.write": "oamc--",
    "payments.read": "oamcv+",
    "payments.reverse": "oam--+",
    "payments.write": "oam--+",
    "policies.activate": "oam---",
    "policies.archive": "oam---",
    "policies.read": "oamcv+",
    "policies.write": "oam---",
    "promises.read": "oamcv+",
    "promises.write": "oamc--",
    "protests.file": "oam---",
    "protests.read": "oamcv+",
    "protests.withdraw": "oam---",
    "reports.read": "oamcv+",
    "sandbox.advance": "oa---x",
    "settings.read": "oamcv+",
    "settings.write": "oa---x",
    "templates.archive": "oam---",
    "templates.read": "oamcv+",
    "templates.write": "oam---",
    "webhooks.delete": "oa----",
    "webhooks.read": "oam--+",
    "webhooks.send": "oam---",
    "webhooks.write": "oa----",
}

PERMISSIONS: Final = frozenset(_TABLE)

REVEAL: Final = "debtors.reveal"
"""The permission to see what is masked: an act of several reads, and no operation of its own."""

_SEES_NO_DOCUMENT: Final = frozenset({Role.COLLECTOR})

_BY_ROLE: Final = {
    role: frozenset(p for p, row in _TABLE.items() if row[column] != "-")
    for column, role in enumerate(Role)
}
NEVER_FOR_CLIENTS: Final = frozenset(p for p, row in _TABLE.items() if row[-1] == "x")
INTEGRATION_PRESET: Final = frozenset(p for p, row in _TABLE.items() if row[-1] == "+")


def permissions_of(role: Role) -> frozenset[str]:
    """Everything a person with `role` may do, before scopes, portfolio and ceilings."""
    return _BY_ROLE[role]


def may_reveal(role: Role, what: str) -> bool:
    """Whether a role that has `REVEAL` may see this; a document is not a collector's to see."""
    return what != "document" or role not in _SEES_NO_DOCUMENT


def permissions_of_client(ceiling: Role) -> frozenset[str]:
    """What an API client may be given at most: its ceiling's rights, less those of persons only."""
    return _BY_ROLE[ceiling] - NEVER_FOR_CLIENTS
