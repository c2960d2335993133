"""The book: contact points, interactions, payments, own holidays and the index rates."""

from typing import Final

from alembic import op

from adapters.persistence.migrations.tenancy import open_to_the_service

revision: Final = "0003"
down_revision: Final = "0002"

_TABLES: Final = (
    r"""
    CREATE TABLE contact_points (
        organization_id TEXT COLLATE "C" NOT NULL,
        id TEXT COLLATE "C" NOT NULL,
        debtor_id TEXT COLLATE "C" NOT NULL,
        kind TEXT COLLATE "C" NOT NULL,
        value TEXT COLLATE "C" NOT NULL,
        address JSONB,
        label TEXT,
        relation TEXT COLLATE "C" NOT NULL,
        is_primary BOOLEAN NOT NULL,
        status TEXT COLLATE "C" NOT NULL,
        verified_at TIMESTAMPTZ,
        last_success_at TIMESTAMPTZ,
        last_failure_at TIMESTAMPTZ,
        failure_count INTEGER NOT NULL,
        opt_out JSONB,
        usable_as_legal_notice BOOLEAN NOT NULL,
        source TEXT COLLATE "C" NOT NULL,
        version INTEGER NOT NULL,
        created_at TIMESTAMPTZ NOT NULL,
        updated_at TIMESTAMPTZ NOT NULL,
        CONSTRAINT pk_contact_points PRIMARY KEY (organization_id, id),
        CONSTRAINT ck_contact_points_id CHECK (id LIKE 'cpt\_%'),
        CONSTRAINT fk_contact_points_organization_id_debtor_id
            FOREIGN KEY (organization_id, debtor_id)
            REFERENCES debtors (organization_id, id)
            DEFERRABLE INITIALLY DEFERRED,
        CONSTRAINT fk_contact_points_organization_id
            FOREIGN KEY (organization_id)
            REFERENCES organizations (id)
            DEFERRABLE INITIALLY DEFERRED
    )
    """,
    r"""
    CREATE TABLE interactions (
        organization_id TEXT COLLATE "C" NOT NULL,
        id TEXT COLLATE "C" NOT NULL,
        debtor_id TEXT COLLATE "C" NOT NULL,
        direction TEXT COLLATE "C" NOT NULL,
        channel TEXT COLLATE "C" NOT NULL,
        outcome TEXT COLLATE "C" NOT NULL,
        note TEXT,
        occurred_at TIMESTAMPTZ NOT NULL,
        member_id TEXT COLLATE "C",
        contact_point_id TEXT COLLATE "C",
        charge_ids TEXT[] NOT NULL,
        version INTEGER NOT NULL,
        created_at TIMESTAMPTZ NOT NULL,
        updated_at TIMESTAMPTZ NOT NULL,
        CONSTRAINT pk_interactions PRIMARY KEY (organization_id, id),
        CONSTRAINT ck_interactions_id CHECK (id LIKE 'itr\_%'),
        CONSTRAINT fk_interactions_organization_id_debtor_id
            FOREIGN KEY (organization_id, debtor_id)
            REFERENCES debtors (organization_id, id)
            DEFERRABLE INITIALLY DEFERRED,
        CONSTRAINT fk_interactions_organization_id_member_id
            FOREIGN KEY (organization_id, member_id)
            REFERENCES members (organization_id, id)
            DEFERRABLE INITIALLY DEFERRED,
        CONSTRAINT fk_interactions_organization_id
            FOREIGN KEY (organization_id)
            REFERENCES organizations (id)
            DEFERRABLE INITIALLY DEFERRED
    )
    """,
    r"""
    CREATE TABLE payments (
        organization_id TEXT COLLATE "C" NOT NULL,
        id TEXT COLLATE "C" NOT NULL,
        debtor_id TEXT COLLATE "C" NOT NULL,
        amount BIGINT NOT NULL,
        method TEXT COLLATE "C" NOT NULL,
        paid_at DATE NOT NULL,
        available_at DATE NOT NULL,
        charge_ids TEXT[] NOT NULL,
        allocations JSONB NOT NULL,
        unallocated_amount BIGINT NOT NULL,
        external_id TEXT COLLATE "C",
        payer_name TEXT,
        payer_document TEXT COLLATE "C",
        note TEXT,
        status TEXT COLLATE "C" NOT NULL,
        reversal_reason TEXT COLLATE "C",
        reversal_note TEXT,
        reversed_at DATE,
        version INTEGER NOT NULL,
        created_at TIMESTAMPTZ NOT NULL,
        updated_at TIMESTAMPTZ NOT NULL,
        CONSTRAINT pk_payments PRIMARY KEY (organization_id, id),
        CONSTRAINT ck_payments_id CHECK (id LIKE 'pay\_%'),
        CONSTRAINT fk_payments_organization_id_debtor_id
            FOREIGN KEY (organization_id, debtor_id)
            REFERENCES debtors (organization_id, id)
            DEFERRABLE INITIALLY DEFERRED,
        CONSTRAINT ck_payments_amount CHECK (amount > 0),
        CONSTRAINT ck_payments_unallocated_amount CHECK (unallocated_amount BETWEEN 0 AND amount),
        CONSTRAINT ck_payments_available_at CHECK (available_at >= paid_at),
        CONSTRAINT fk_payments_organization_id
            FOREIGN KEY (organization_id)
            REFERENCES organizations (id)
            DEFERRABLE INITIALLY DEFERRED
    )
    """,
    r"""
    CREATE TABLE holidays (
        organization_id TEXT COLLATE "C" NOT NULL,
        id TEXT COLLATE "C" NOT NULL,
        date DATE NOT NULL,
        name TEXT NOT NULL,
        scope TEXT COLLATE "C" NOT NULL,
        uf TEXT COLLATE "C",
        city TEXT,
        source TEXT NOT NULL,
        version INTEGER NOT NULL,
        created_at TIMESTAMPTZ NOT NULL,
        updated_at TIMESTAMPTZ NOT NULL,
        CONSTRAINT pk_holidays PRIMARY KEY (organization_id, id),
        CONSTRAINT ck_holidays_id CHECK (id LIKE 'hol\_%'),
        CONSTRAINT ck_holidays_scope CHECK (scope IN ('national', 'uf', 'city')),
        CONSTRAINT ck_holidays_place
            CHECK ((scope <> 'national') = (uf IS NOT NULL)
                AND (scope = 'city') = (city IS NOT NULL)),
        CONSTRAINT fk_holidays_organization_id
            FOREIGN KEY (organization_id)
            REFERENCES organizations (id)
            DEFERRABLE INITIALLY DEFERRED
    )
    """,
    """
    CREATE TABLE index_rates (
        code TEXT COLLATE "C" NOT NULL,
        month DATE NOT NULL,
        percent NUMERIC(14, 8) NOT NULL,
        published_on DATE NOT NULL,
        CONSTRAINT pk_index_rates PRIMARY KEY (code, month),
        CONSTRAINT ck_index_rates_month CHECK (extract(day FROM month) = 1)
    )
    """,
)

_INDEXES: Final = (
    (
        "CREATE UNIQUE INDEX uq_contact_points_value"
        " ON contact_points (organization_id, debtor_id, kind, value)"
    ),
    (
        "CREATE INDEX ix_interactions_debtor_id"
        " ON interactions (organization_id, debtor_id, occurred_at, id)"
    ),
    "CREATE INDEX ix_payments_amount ON payments (organization_id, amount, id)",
    "CREATE INDEX ix_payments_created_at ON payments (organization_id, created_at, id)",
    "CREATE INDEX ix_payments_debtor_id ON payments (organization_id, debtor_id, paid_at, id)",
    "CREATE INDEX ix_payments_paid_at ON payments (organization_id, paid_at, id)",
    (
        "CREATE UNIQUE INDEX uq_payments_external_id"
        " ON payments (organization_id, external_id) WHERE external_id IS NOT NULL"
    ),
)

_TENANT_GRANTS: Final = {
    "contact_points": "SELECT, INSERT, UPDATE, DELETE",
    "interactions": "SELECT, INSERT, UPDATE",
    "payments": "SELECT, INSERT, UPDATE",
    "holidays": "SELECT",
}
_DIRECTORY_GRANTS: Final = {"index_rates": "SELECT"}


def upgrade() -> None:
    for statement in (*_TABLES, *_INDEXES):
        op.execute(statement)
    open_to_the_service(_TENANT_GRANTS, _DIRECTORY_GRANTS)


def downgrade() -> None:
    for table in (*_TENANT_GRANTS, *_DIRECTORY_GRANTS):
        op.execute(f"DROP TABLE {table} CASCADE")
