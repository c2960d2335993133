"""Everything that the first operations need: directory, people, debtors, charges, trails."""

from typing import Final

from alembic import op

from adapters.persistence.migrations.tenancy import open_to_the_service

revision: Final = "0001"
down_revision: Final = None

_TABLES: Final = (
    r"""
    CREATE TABLE organizations (
        id TEXT COLLATE "C" NOT NULL,
        claim TEXT COLLATE "C",
        environment TEXT COLLATE "C" NOT NULL,
        status TEXT DEFAULT 'active' NOT NULL,
        clock_offset INTERVAL DEFAULT '0' NOT NULL,
        created_at TIMESTAMPTZ NOT NULL,
        CONSTRAINT pk_organizations PRIMARY KEY (id),
        CONSTRAINT ck_organizations_id CHECK (id LIKE 'org\_%'),
        CONSTRAINT ck_organizations_status CHECK (status IN ('active', 'suspended')),
        CONSTRAINT ck_organizations_clock_offset
            CHECK (environment = 'sandbox' OR clock_offset = '0')
    )
    """,
    """
    CREATE TABLE organization_settings (
        organization_id TEXT COLLATE "C" NOT NULL,
        name TEXT NOT NULL,
        legal_name TEXT NOT NULL,
        document TEXT COLLATE "C" NOT NULL,
        uf TEXT NOT NULL,
        city TEXT NOT NULL,
        address JSONB NOT NULL,
        creditor_kind TEXT COLLATE "C" NOT NULL,
        language TEXT COLLATE "C" NOT NULL,
        timezone TEXT NOT NULL,
        settings JSONB NOT NULL,
        version INTEGER NOT NULL,
        created_at TIMESTAMPTZ NOT NULL,
        updated_at TIMESTAMPTZ NOT NULL,
        CONSTRAINT pk_organization_settings PRIMARY KEY (organization_id),
        CONSTRAINT fk_organization_settings_organization_id
            FOREIGN KEY (organization_id) REFERENCES organizations (id)
            DEFERRABLE INITIALLY DEFERRED
    )
    """,
    r"""
    CREATE TABLE members (
        organization_id TEXT COLLATE "C" NOT NULL,
        id TEXT COLLATE "C" NOT NULL,
        name TEXT NOT NULL,
        email TEXT NOT NULL,
        role TEXT COLLATE "C" NOT NULL,
        status TEXT COLLATE "C" NOT NULL,
        portfolio TEXT COLLATE "C" NOT NULL,
        version INTEGER NOT NULL,
        created_at TIMESTAMPTZ NOT NULL,
        updated_at TIMESTAMPTZ NOT NULL,
        CONSTRAINT pk_members PRIMARY KEY (organization_id, id),
        CONSTRAINT ck_members_id CHECK (id LIKE 'mbr\_%'),
        CONSTRAINT fk_members_organization_id
            FOREIGN KEY (organization_id) REFERENCES organizations (id)
            DEFERRABLE INITIALLY DEFERRED
    )
    """,
    """
    CREATE TABLE member_identities (
        organization_id TEXT COLLATE "C" NOT NULL,
        issuer TEXT COLLATE "C" NOT NULL,
        subject TEXT COLLATE "C" NOT NULL,
        member_id TEXT COLLATE "C" NOT NULL,
        CONSTRAINT pk_member_identities PRIMARY KEY (organization_id, issuer, subject),
        CONSTRAINT fk_member_identities_organization_id_member_id
            FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id)
            DEFERRABLE INITIALLY DEFERRED,
        CONSTRAINT fk_member_identities_organization_id
            FOREIGN KEY (organization_id) REFERENCES organizations (id)
            DEFERRABLE INITIALLY DEFERRED
    )
    """,
    r"""
    CREATE TABLE api_clients (
        organization_id TEXT COLLATE "C" NOT NULL,
        id TEXT COLLATE "C" NOT NULL,
        name TEXT NOT NULL,
        issuer TEXT COLLATE "C" NOT NULL,
        client_id TEXT COLLATE "C" NOT NULL,
        subject TEXT COLLATE "C" NOT NULL,
        scopes TEXT[] NOT NULL,
        role_ceiling TEXT COLLATE "C" NOT NULL,
        status TEXT NOT NULL,
        expires_at TIMESTAMPTZ NOT NULL,
        version INTEGER NOT NULL,
        created_at TIMESTAMPTZ NOT NULL,
        updated_at TIMESTAMPTZ NOT NULL,
        CONSTRAINT pk_api_clients PRIMARY KEY (organization_id, id),
        CONSTRAINT ck_api_clients_id CHECK (id LIKE 'cli\_%'),
        CONSTRAINT ck_api_clients_status CHECK (status IN ('active', 'revoked')),
        CONSTRAINT fk_api_clients_organization_id
            FOREIGN KEY (organization_id) REFERENCES organizations (id)
            DEFERRABLE INITIALLY DEFERRED
    )
    """,
    r"""
    CREATE TABLE debtors (
        organization_id TEXT COLLATE "C" NOT NULL,
        id TEXT COLLATE "C" NOT NULL,
        name TEXT NOT NULL,
        trade_name TEXT,
        document TEXT COLLATE "C" NOT NULL,
        person_type TEXT COLLATE "C" NOT NULL,
        is_consumer BOOLEAN NOT NULL,
        is_consumer_reason TEXT,
        birth_date DATE,
        address JSONB,
        uf TEXT COLLATE "C",
        timezone TEXT NOT NULL,
        language TEXT COLLATE "C" NOT NULL,
        tags TEXT[] NOT NULL,
        external_id TEXT COLLATE "C",
        notes TEXT,
        custom_data JSONB,
        assigned_member_id TEXT COLLATE "C",
        status TEXT COLLATE "C" NOT NULL,
        do_not_contact JSONB NOT NULL,
        opted_out_channels TEXT[] NOT NULL,
        flags TEXT[] NOT NULL,
        credit BIGINT NOT NULL,
        anonymized_at TIMESTAMPTZ,
        search_text TEXT COLLATE "C" NOT NULL,
        sort_name TEXT COLLATE "C" NOT NULL,
        version INTEGER NOT NULL,
        created_at TIMESTAMPTZ NOT NULL,
        updated_at TIMESTAMPTZ NOT NULL,
        CONSTRAINT pk_debtors PRIMARY KEY (organization_id, id),
        CONSTRAINT ck_debtors_id CHECK (id LIKE 'dbt\_%'),
        CONSTRAINT ck_debtors_credit CHECK (credit >= 0),
        CONSTRAINT fk_debtors_organization_id_assigned_member_id
            FOREIGN KEY (organization_id, assigned_member_id)
            REFERENCES members (organization_id, id)
            DEFERRABLE INITIALLY DEFERRED,
        CONSTRAINT fk_debtors_organization_id
            FOREIGN KEY (organization_id) REFERENCES organizations (id)
            DEFERRABLE INITIALLY DEFERRED
    )
    """,
    r"""
    CREATE TABLE charges (
        organization_id TEXT COLLATE "C" NOT NULL,
        id TEXT COLLATE "C" NOT NULL,
        debtor_id TEXT COLLATE "C" NOT NULL,
        description TEXT NOT NULL,
        kind TEXT COLLATE "C" NOT NULL,
        document_number TEXT COLLATE "C",
        external_id TEXT COLLATE "C",
        contract_reference TEXT,
        amount BIGINT NOT NULL,
        issue_date DATE NOT NULL,
        due_date DATE NOT NULL,
        due_date_rule TEXT COLLATE "C" NOT NULL,
        effective_due_date DATE NOT NULL,
        terms JSONB NOT NULL,
        payment_methods JSONB NOT NULL,
        status TEXT COLLATE "C" NOT NULL,
        principal_outstanding BIGINT NOT NULL,
        fine BIGINT NOT NULL,
        interest BIGINT NOT NULL,
        correction BIGINT NOT NULL,
        discount BIGINT NOT NULL,
        costs BIGINT NOT NULL,
        total_due BIGINT NOT NULL,
        paid BIGINT NOT NULL,
        days_late INTEGER NOT NULL,
        amounts_as_of DATE NOT NULL,
        amounts_memory JSONB NOT NULL,
        prescription_date DATE NOT NULL,
        listing_limit_date DATE NOT NULL,
        tags TEXT[] NOT NULL,
        custom_data JSONB,
        assigned_member_id TEXT COLLATE "C",
        guarantors TEXT[] NOT NULL,
        credits JSONB NOT NULL,
        manual_hold JSONB,
        paid_at DATE,
        written_off_at TIMESTAMPTZ,
        write_off_reason TEXT COLLATE "C",
        write_off_note TEXT,
        written_off_amount BIGINT,
        canceled_at TIMESTAMPTZ,
        cancel_reason TEXT COLLATE "C",
        cancel_note TEXT,
        search_text TEXT COLLATE "C" NOT NULL,
        version INTEGER NOT NULL,
        created_at TIMESTAMPTZ NOT NULL,
        updated_at TIMESTAMPTZ NOT NULL,
        CONSTRAINT pk_charges PRIMARY KEY (organization_id, id),
        CONSTRAINT ck_charges_id CHECK (id LIKE 'chg\_%'),
        CONSTRAINT fk_charges_organization_id_debtor_id
            FOREIGN KEY (organization_id, debtor_id) REFERENCES debtors (organization_id, id)
            DEFERRABLE INITIALLY DEFERRED,
        CONSTRAINT fk_charges_organization_id_assigned_member_id
            FOREIGN KEY (organization_id, assigned_member_id)
            REFERENCES members (organization_id, id)
            DEFERRABLE INITIALLY DEFERRED,
        CONSTRAINT ck_charges_amount CHECK (amount BETWEEN 1 AND 9999999999),
        CONSTRAINT ck_charges_components
            CHECK (principal_outstanding >= 0 AND fine >= 0 AND interest >= 0
                AND correction >= 0 AND discount >= 0 AND costs >= 0 AND paid >= 0
                AND total_due >= 0),
        CONSTRAINT ck_charges_total_due
            CHECK (total_due
                = principal_outstanding + fine + interest + correction + costs - discount),
        CONSTRAINT ck_charges_due_date
            CHECK (issue_date <= due_date AND due_date <= effective_due_date),
        CONSTRAINT fk_charges_organization_id
            FOREIGN KEY (organization_id) REFERENCES organizations (id)
            DEFERRABLE INITIALLY DEFERRED
    )
    """,
    r"""
    CREATE TABLE events (
        organization_id TEXT COLLATE "C" NOT NULL,
        id TEXT COLLATE "C" NOT NULL,
        type TEXT NOT NULL,
        occurred_at TIMESTAMPTZ NOT NULL,
        resource_type TEXT NOT NULL,
        resource_id TEXT COLLATE "C" NOT NULL,
        debtor_id TEXT COLLATE "C",
        data JSONB NOT NULL,
        changes JSONB NOT NULL,
        actor_type TEXT NOT NULL,
        actor_id TEXT NOT NULL,
        request_id TEXT NOT NULL,
        CONSTRAINT pk_events PRIMARY KEY (organization_id, id),
        CONSTRAINT ck_events_id CHECK (id LIKE 'evt\_%'),
        CONSTRAINT fk_events_organization_id
            FOREIGN KEY (organization_id) REFERENCES organizations (id)
            DEFERRABLE INITIALLY DEFERRED
    )
    """,
    r"""
    CREATE TABLE audit_entries (
        organization_id TEXT COLLATE "C" NOT NULL,
        id TEXT COLLATE "C" NOT NULL,
        at TIMESTAMPTZ NOT NULL,
        actor_type TEXT NOT NULL,
        actor_id TEXT NOT NULL,
        client_id TEXT,
        action TEXT NOT NULL,
        resource TEXT,
        outcome TEXT NOT NULL,
        code TEXT,
        confirmation TEXT,
        scopes_used TEXT[] NOT NULL,
        diff JSONB NOT NULL,
        request_id TEXT NOT NULL,
        via TEXT NOT NULL,
        ip TEXT,
        CONSTRAINT pk_audit_entries PRIMARY KEY (organization_id, id),
        CONSTRAINT ck_audit_entries_id CHECK (id LIKE 'aud\_%'),
        CONSTRAINT fk_audit_entries_organization_id
            FOREIGN KEY (organization_id) REFERENCES organizations (id)
            DEFERRABLE INITIALLY DEFERRED
    )
    """,
    """
    CREATE TABLE idempotency_records (
        organization_id TEXT COLLATE "C" NOT NULL,
        digest BYTEA NOT NULL,
        fingerprint BYTEA NOT NULL,
        status INTEGER NOT NULL,
        body BYTEA NOT NULL,
        created_at TIMESTAMPTZ NOT NULL,
        expires_at TIMESTAMPTZ NOT NULL,
        CONSTRAINT pk_idempotency_records PRIMARY KEY (organization_id, digest),
        CONSTRAINT fk_idempotency_records_organization_id
            FOREIGN KEY (organization_id) REFERENCES organizations (id)
            DEFERRABLE INITIALLY DEFERRED
    )
    """,
)

_INDEXES: Final = (
    "CREATE UNIQUE INDEX uq_organizations_claim ON organizations (claim)",
    (
        "CREATE UNIQUE INDEX uq_members_email"
        " ON members (organization_id, lower(email)) WHERE status <> 'removed'"
    ),
    (
        "CREATE UNIQUE INDEX uq_api_clients_client_id"
        " ON api_clients (organization_id, issuer, client_id)"
    ),
    (
        "CREATE INDEX ix_debtors_assigned_member_id"
        " ON debtors (organization_id, assigned_member_id, id)"
    ),
    "CREATE INDEX ix_debtors_created_at ON debtors (organization_id, created_at, id)",
    "CREATE INDEX ix_debtors_sort_name ON debtors (organization_id, sort_name, id)",
    "CREATE UNIQUE INDEX uq_debtors_document ON debtors (organization_id, document)",
    (
        "CREATE UNIQUE INDEX uq_debtors_external_id"
        " ON debtors (organization_id, external_id) WHERE external_id IS NOT NULL"
    ),
    "CREATE INDEX ix_charges_amount ON charges (organization_id, amount, id)",
    (
        "CREATE INDEX ix_charges_amounts_as_of"
        " ON charges (organization_id, amounts_as_of, id)"
        " WHERE status IN ('pending', 'overdue', 'renegotiated', 'written_off')"
    ),
    (
        "CREATE INDEX ix_charges_assigned_member_id"
        " ON charges (organization_id, assigned_member_id, id)"
    ),
    "CREATE INDEX ix_charges_created_at ON charges (organization_id, created_at, id)",
    "CREATE INDEX ix_charges_debtor_id ON charges (organization_id, debtor_id, id)",
    (
        "CREATE INDEX ix_charges_document_number"
        " ON charges (organization_id, document_number) WHERE document_number IS NOT NULL"
    ),
    "CREATE INDEX ix_charges_due_date ON charges (organization_id, due_date, id)",
    (
        "CREATE INDEX ix_charges_effective_due_date"
        " ON charges (organization_id, effective_due_date, id)"
    ),
    "CREATE INDEX ix_charges_status ON charges (organization_id, status, due_date, id)",
    "CREATE INDEX ix_charges_total_due ON charges (organization_id, total_due, id)",
    (
        "CREATE UNIQUE INDEX uq_charges_external_id"
        " ON charges (organization_id, external_id) WHERE external_id IS NOT NULL"
    ),
    (
        "CREATE INDEX ix_events_debtor_id"
        " ON events (organization_id, debtor_id, occurred_at, id)"
        " WHERE debtor_id IS NOT NULL"
    ),
    (
        "CREATE INDEX ix_idempotency_records_expires_at"
        " ON idempotency_records (organization_id, expires_at)"
    ),
)

# What the service may do; a tenant table is also bound by its policies.
_TENANT_GRANTS: Final = {
    "organization_settings": "SELECT, UPDATE",
    "members": "SELECT, UPDATE (status, updated_at, version)",
    "member_identities": "SELECT, INSERT",
    "api_clients": "SELECT",
    "debtors": "SELECT, INSERT, UPDATE",
    "charges": "SELECT, INSERT, UPDATE, DELETE",
    "events": "SELECT, INSERT",
    "audit_entries": "SELECT, INSERT",
    "idempotency_records": "SELECT, INSERT, UPDATE, DELETE",
}
_DIRECTORY_GRANTS: Final = {
    "organizations": "SELECT",
    "alembic_version": "SELECT",
}


def upgrade() -> None:
    for statement in (*_TABLES, *_INDEXES):
        op.execute(statement)
    open_to_the_service(_TENANT_GRANTS, _DIRECTORY_GRANTS)


def downgrade() -> None:
    for table in (*_TENANT_GRANTS, *_DIRECTORY_GRANTS):
        if table != "alembic_version":
            op.execute(f"DROP TABLE {table} CASCADE")
