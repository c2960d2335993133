"""The tables. A tenant table carries `organization_id` and is bound by row-level security."""

from adapters.persistence.tables.charges import charges, holidays, index_rates, payments
from adapters.persistence.tables.columns import DIRECTORY_TABLES, FREE_OBJECT, metadata
from adapters.persistence.tables.confirmation import approvals, confirmation_decisions
from adapters.persistence.tables.debtors import contact_points, debtors, interactions
from adapters.persistence.tables.issuer import (
    issuer_clients,
    issuer_codes,
    issuer_keys,
    issuer_people,
)
from adapters.persistence.tables.people import (
    api_clients,
    member_identities,
    members,
    organization_settings,
    organizations,
)
from adapters.persistence.tables.trail import audit_entries, events, idempotency_records

__all__ = [
    "DIRECTORY_TABLES",
    "FREE_OBJECT",
    "api_clients",
    "approvals",
    "audit_entries",
    "charges",
    "confirmation_decisions",
    "contact_points",
    "debtors",
    "events",
    "holidays",
    "idempotency_records",
    "index_rates",
    "interactions",
    "issuer_clients",
    "issuer_codes",
    "issuer_keys",
    "issuer_people",
    "member_identities",
    "members",
    "metadata",
    "organization_settings",
    "organizations",
    "payments",
]
