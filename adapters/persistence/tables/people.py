"""Organisations, their settings, and the people and programs that may act in them."""

from typing import Final

from sqlalchemy import Column, Index, Interval, Table, Text, text

from adapters.persistence.column_types import DocumentText, EnumText, Id, JsonOf, Texts
from adapters.persistence.tables.columns import (
    belongs,
    check,
    instant,
    key,
    metadata,
    tenant,
    versioned,
)
from domain.access.grant import Environment
from domain.access.members import MemberStatus, Portfolio
from domain.access.roles import Role
from domain.dunning.addresses import Address
from domain.dunning.languages import Language
from domain.dunning.organization_settings import Settings
from domain.dunning.organizations import CreditorKind

organizations: Final = Table(
    "organizations",
    metadata,
    Column("id", Id, primary_key=True),
    Column("claim", Id),
    Column("environment", EnumText(Environment), nullable=False),
    Column("status", Text, nullable=False, server_default="active"),
    Column("clock_offset", Interval, nullable=False, server_default="0"),
    instant("created_at"),
    check("id", r"id LIKE 'org\_%'"),
    check("status", "status IN ('active', 'suspended')"),
    check("clock_offset", "environment = 'sandbox' OR clock_offset = '0'"),
    Index("uq_organizations_claim", "claim", unique=True),
)

organization_settings: Final = Table(
    "organization_settings",
    metadata,
    tenant(),
    Column("name", Text, nullable=False),
    Column("legal_name", Text, nullable=False),
    Column("document", DocumentText, nullable=False),
    Column("uf", Text, nullable=False),
    Column("city", Text, nullable=False),
    Column("address", JsonOf(Address), nullable=False),
    Column("creditor_kind", EnumText(CreditorKind), nullable=False),
    Column("language", EnumText(Language), nullable=False),
    Column("timezone", Text, nullable=False),
    Column("settings", JsonOf(Settings), nullable=False),
    *versioned(),
)

members: Final = Table(
    "members",
    metadata,
    *key("mbr"),
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False),
    Column("role", EnumText(Role), nullable=False),
    Column("status", EnumText(MemberStatus), nullable=False),
    Column("portfolio", EnumText(Portfolio), nullable=False),
    *versioned(),
    Index(
        "uq_members_email",
        "organization_id",
        text("lower(email)"),
        unique=True,
        postgresql_where=text("status <> 'removed'"),
    ),
)

member_identities: Final = Table(
    "member_identities",
    metadata,
    tenant(),
    Column("issuer", Id, primary_key=True),
    Column("subject", Id, primary_key=True),
    Column("member_id", Id, nullable=False),
    belongs("member_id", "members"),
)

api_clients: Final = Table(
    "api_clients",
    metadata,
    *key("cli"),
    Column("name", Text, nullable=False),
    Column("issuer", Id, nullable=False),
    Column("client_id", Id, nullable=False),
    Column("subject", Id, nullable=False),
    Column("scopes", Texts(gather=frozenset), nullable=False),
    Column("role_ceiling", EnumText(Role), nullable=False),
    Column("status", Text, nullable=False),
    instant("expires_at"),
    *versioned(),
    check("status", "status IN ('active', 'revoked')"),
    Index("uq_api_clients_client_id", "organization_id", "issuer", "client_id", unique=True),
)
