"""The embedded issuer, which is for development only."""

from typing import Final

from sqlalchemy import Column, Integer, Table, Text

from adapters.persistence.column_types import EnumText, Id, Texts
from adapters.persistence.tables.columns import check, in_the_directory, instant, metadata
from domain.access.roles import Role

issuer_clients: Final = Table(
    "issuer_clients",
    metadata,
    Column("client_id", Id, primary_key=True),
    Column("name", Text, nullable=False),
    Column("redirect_uris", Texts(), nullable=False),
    instant("created_at"),
)

issuer_codes: Final = Table(
    "issuer_codes",
    metadata,
    Column("digest", Id, primary_key=True),
    Column("client_id", Id, nullable=False),
    Column("redirect_uri", Text),
    Column("code_challenge", Text, nullable=False),
    Column("resource", Text, nullable=False),
    Column("scopes", Texts(), nullable=False),
    Column("subject", Text, nullable=False),
    Column("organization_id", Id, nullable=False),
    instant("expires_at"),
)

issuer_keys: Final = Table(
    "issuer_keys",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("private_jwk", Text, nullable=False),
    check("id", "id = 1"),
)

issuer_people: Final = Table(
    "issuer_people",
    metadata,
    Column("organization_id", Id, in_the_directory(), primary_key=True),
    Column("subject", Id, primary_key=True),
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False),
    Column("role", EnumText(Role), nullable=False),
    Column("organization_name", Text, nullable=False),
)
