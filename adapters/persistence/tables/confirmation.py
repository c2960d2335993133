"""What people are asked before something happens: a second person's approval, and a yes."""

from typing import Final

from sqlalchemy import Column, DateTime, Index, LargeBinary, Table, Text, text

from adapters.persistence.column_types import EnumText, Id, JsonOf
from adapters.persistence.tables.columns import (
    FREE_OBJECT,
    belongs,
    check,
    instant,
    key,
    metadata,
    tenant,
    versioned,
)
from domain.dunning.approvals import ApprovalStatus, Party, Snapshot
from domain.dunning.organization_settings import ApprovalAct

approvals: Final = Table(
    "approvals",
    metadata,
    *key("apr"),
    Column("kind", EnumText(ApprovalAct), nullable=False),
    Column("subject_type", Id, nullable=False),
    Column("subject_id", Id, nullable=False),
    Column("debtor_id", Id, nullable=False),
    Column("operation", Text, nullable=False),
    Column("arguments", JsonOf(FREE_OBJECT), nullable=False),
    Column("snapshot", JsonOf(Snapshot), nullable=False),
    Column("requested_by", JsonOf(Party), nullable=False),
    Column("status", EnumText(ApprovalStatus), nullable=False),
    instant("expires_at"),
    Column("decided_by", JsonOf(Party)),
    Column("decided_at", DateTime(timezone=True)),
    Column("note", Text),
    *versioned(),
    belongs("debtor_id", "debtors"),
    Index(
        "uq_approvals_pending",
        "organization_id",
        "kind",
        "subject_id",
        unique=True,
        postgresql_where=text("status = 'pending'"),
    ),
    Index("ix_approvals_created_at", "organization_id", "created_at", "id"),
    Index("ix_approvals_debtor_id", "organization_id", "debtor_id", "id"),
)

confirmation_decisions: Final = Table(
    "confirmation_decisions",
    metadata,
    tenant(),
    Column("id", Id, primary_key=True),
    Column("issuer", Id, nullable=False),
    Column("subject", Id, nullable=False),
    Column("client_id", Id),
    Column("operation", Id, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("fingerprint", Id, nullable=False),
    Column("verdict", Id, nullable=False),
    instant("decided_at"),
    instant("expires_at"),
    Column("used_at", DateTime(timezone=True)),
    check("verdict", "verdict IN ('confirmed', 'refused')"),
    Index(
        "ix_confirmation_decisions_digest",
        "organization_id",
        "digest",
        postgresql_where=text("used_at IS NULL"),
    ),
    Index("ix_confirmation_decisions_expires_at", "organization_id", "expires_at"),
)
