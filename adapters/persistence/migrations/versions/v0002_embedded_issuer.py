"""The embedded development issuer: clients, codes, its key, and the invented people it offers."""

from typing import Final

from alembic import op

revision: Final = "0002"
down_revision: Final = "0001"

_TABLES: Final = (
    """
    CREATE TABLE issuer_clients (
        client_id TEXT COLLATE "C" NOT NULL,
        name TEXT NOT NULL,
        redirect_uris TEXT[] NOT NULL,
        created_at TIMESTAMPTZ NOT NULL,
        CONSTRAINT pk_issuer_clients PRIMARY KEY (client_id)
    )
    """,
    """
    CREATE TABLE issuer_codes (
        digest TEXT COLLATE "C" NOT NULL,
        client_id TEXT COLLATE "C" NOT NULL,
        redirect_uri TEXT,
        code_challenge TEXT NOT NULL,
        resource TEXT NOT NULL,
        scopes TEXT[] NOT NULL,
        subject TEXT NOT NULL,
        organization_id TEXT COLLATE "C" NOT NULL,
        expires_at TIMESTAMPTZ NOT NULL,
        CONSTRAINT pk_issuer_codes PRIMARY KEY (digest)
    )
    """,
    """
    CREATE TABLE issuer_keys (
        id INTEGER NOT NULL,
        private_jwk TEXT NOT NULL,
        CONSTRAINT pk_issuer_keys PRIMARY KEY (id),
        CONSTRAINT ck_issuer_keys_id CHECK (id = 1)
    )
    """,
    """
    CREATE TABLE issuer_people (
        organization_id TEXT COLLATE "C" NOT NULL,
        subject TEXT COLLATE "C" NOT NULL,
        name TEXT NOT NULL,
        email TEXT NOT NULL,
        role TEXT COLLATE "C" NOT NULL,
        organization_name TEXT NOT NULL,
        CONSTRAINT pk_issuer_people PRIMARY KEY (organization_id, subject),
        CONSTRAINT fk_issuer_people_organization_id
            FOREIGN KEY (organization_id) REFERENCES organizations (id)
            DEFERRABLE INITIALLY DEFERRED
    )
    """,
)

_GRANTS: Final = {
    "issuer_clients": "SELECT, INSERT",
    "issuer_codes": "SELECT, INSERT, DELETE",
    "issuer_keys": "SELECT, INSERT",
    "issuer_people": "SELECT",
}


def upgrade() -> None:
    for statement in _TABLES:
        op.execute(statement)
    for table, rights in _GRANTS.items():
        op.execute(f"GRANT {rights} ON {table} TO dunning_app")


def downgrade() -> None:
    for table in _GRANTS:
        op.execute(f"DROP TABLE {table} CASCADE")
