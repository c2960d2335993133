"""What has happened, and who did it."""

from typing import Final

from sqlalchemy import Column, Index, Integer, LargeBinary, Table, Text, text

from adapters.persistence.column_types import Id, JsonOf, Texts
from adapters.persistence.tables.columns import FREE_OBJECT, instant, key, metadata, tenant

events: Final = Table(
    "events",
    metadata,
    *key("evt"),
    Column("type", Text, nullable=False),
    instant("occurred_at"),
    Column("resource_type", Text, nullable=False),
    Column("resource_id", Id, nullable=False),
    Column("debtor_id", Id),
    Column("data", JsonOf(FREE_OBJECT), nullable=False),
    Column("changes", JsonOf(FREE_OBJECT), nullable=False),
    Column("actor_type", Text, nullable=False),
    Column("actor_id", Text, nullable=False),
    Column("request_id", Text, nullable=False),
    Index(
        "ix_events_debtor_id",
        "organization_id",
        "debtor_id",
        "occurred_at",
        "id",
        postgresql_where=text("debtor_id IS NOT NULL"),
    ),
)

audit_entries: Final = Table(
    "audit_entries",
    metadata,
    *key("aud"),
    instant("at"),
    Column("actor_type", Text, nullable=False),
    Column("actor_id", Text, nullable=False),
    Column("client_id", Text),
    Column("action", Text, nullable=False),
    Column("resource", Text),
    Column("outcome", Text, nullable=False),
    Column("code", Text),
    Column("confirmation", Text),
    Column("scopes_used", Texts(), nullable=False),
    Column("diff", JsonOf(FREE_OBJECT), nullable=False),
    Column("request_id", Text, nullable=False),
    Column("via", Text, nullable=False),
    Column("ip", Text),
)

idempotency_records: Final = Table(
    "idempotency_records",
    metadata,
    tenant(),
    Column("digest", LargeBinary, primary_key=True),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("status", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    instant("created_at"),
    instant("expires_at"),
    Index("ix_idempotency_records_expires_at", "organization_id", "expires_at"),
)
