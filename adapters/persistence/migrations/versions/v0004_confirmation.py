"""Four eyes and the confirmation page: requests for a second person, and what people decided."""

from typing import Final

from alembic import op

from adapters.persistence.migrations.tenancy import open_to_the_service

revision: Final = "0004"
down_revision: Final = "0003"

_TABLES: Final = (
    r"""
    CREATE TABLE approvals (
        organization_id TEXT COLLATE "C" NOT NULL,
        id TEXT COLLATE "C" NOT NULL,
        kind TEXT COLLATE "C" NOT NULL,
        subject_type TEXT COLLATE "C" NOT NULL,
        subject_id TEXT COLLATE "C" NOT NULL,
        debtor_id TEXT COLLATE "C" NOT NULL,
        operation TEXT NOT NULL,
        arguments JSONB NOT NULL,
        snapshot JSONB NOT NULL,
        requested_by JSONB NOT NULL,
        status TEXT COLLATE "C" NOT NULL,
        expires_at TIMESTAMPTZ NOT NULL,
        decided_by JSONB,
        decided_at TIMESTAMPTZ,
        note TEXT,
        version INTEGER NOT NULL,
        created_at TIMESTAMPTZ NOT NULL,
        updated_at TIMESTAMPTZ NOT NULL,
        CONSTRAINT pk_approvals PRIMARY KEY (organization_id, id),
        CONSTRAINT ck_approvals_id CHECK (id LIKE 'apr\_%'),
        CONSTRAINT fk_approvals_organization_id_debtor_id
            FOREIGN KEY (organization_id, debtor_id)
            REFERENCES debtors (organization_id, id)
            DEFERRABLE INITIALLY DEFERRED,
        CONSTRAINT fk_approvals_organization_id
            FOREIGN KEY (organization_id)
            REFERENCES organizations (id)
            DEFERRABLE INITIALLY DEFERRED
    )
    """,
    """
    CREATE TABLE confirmation_decisions (
        organization_id TEXT COLLATE "C" NOT NULL,
        id TEXT COLLATE "C" NOT NULL,
        issuer TEXT COLLATE "C" NOT NULL,
        subject TEXT COLLATE "C" NOT NULL,
        client_id TEXT COLLATE "C",
        operation TEXT COLLATE "C" NOT NULL,
        digest BYTEA NOT NULL,
        fingerprint TEXT COLLATE "C" NOT NULL,
        verdict TEXT COLLATE "C" NOT NULL,
        decided_at TIMESTAMPTZ NOT NULL,
        expires_at TIMESTAMPTZ NOT NULL,
        used_at TIMESTAMPTZ,
        CONSTRAINT pk_confirmation_decisions PRIMARY KEY (organization_id, id),
        CONSTRAINT ck_confirmation_decisions_verdict
            CHECK (verdict IN ('confirmed', 'refused')),
        CONSTRAINT fk_confirmation_decisions_organization_id
            FOREIGN KEY (organization_id)
            REFERENCES organizations (id)
            DEFERRABLE INITIALLY DEFERRED
    )
    """,
)

_INDEXES: Final = (
    "CREATE INDEX ix_approvals_created_at ON approvals (organization_id, created_at, id)",
    "CREATE INDEX ix_approvals_debtor_id ON approvals (organization_id, debtor_id, id)",
    (
        "CREATE UNIQUE INDEX uq_approvals_pending"
        " ON approvals (organization_id, kind, subject_id) WHERE status = 'pending'"
    ),
    (
        "CREATE INDEX ix_confirmation_decisions_digest"
        " ON confirmation_decisions (organization_id, digest) WHERE used_at IS NULL"
    ),
    (
        "CREATE INDEX ix_confirmation_decisions_expires_at"
        " ON confirmation_decisions (organization_id, expires_at)"
    ),
)

_TENANT_GRANTS: Final = {
    "approvals": "SELECT, INSERT, UPDATE",
    "confirmation_decisions": "SELECT, INSERT, UPDATE, DELETE",
}


def upgrade() -> None:
    for statement in (*_TABLES, *_INDEXES):
        op.execute(statement)
    open_to_the_service(_TENANT_GRANTS, {})


def downgrade() -> None:
    for table in _TENANT_GRANTS:
        op.execute(f"DROP TABLE {table} CASCADE")
