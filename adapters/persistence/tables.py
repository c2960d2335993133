"""The tables. A tenant table carries `organization_id` and is bound by row-level security."""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    DateTime,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    Interval,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

from adapters.persistence.column_types import DocumentText, EnumText, Id, JsonOf, Texts
from domain.access.grant import Environment
from domain.access.members import MemberStatus, Portfolio
from domain.access.roles import Role
from domain.dunning.addresses import Address
from domain.dunning.amounts import Component
from domain.dunning.calendar import DueDateRule
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import CancelReason
from domain.dunning.debtors import Channel, DebtorFlag, DebtorStatus, DoNotContact
from domain.dunning.documents import PersonType
from domain.dunning.languages import Language
from domain.dunning.new_charges import PaymentMethods
from domain.dunning.organization_settings import Settings
from domain.dunning.organizations import CreditorKind
from domain.dunning.terms import Terms

metadata: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

DIRECTORY_TABLES: Final = frozenset(
    {"organizations", "issuer_clients", "issuer_codes", "issuer_keys", "issuer_people"}
)
"""Tables of no organisation; they hold nobody's personal data, but for invented people."""

FREE_OBJECT: Final = dict[str, Any]


def _instant(name: str) -> Column[Any]:
    return Column(name, DateTime(timezone=True), nullable=False)


# A session writes new rows table by table, in no order that references would ask for.
_AT_COMMIT: Final[Any] = {"deferrable": True, "initially": "DEFERRED"}


def _in_the_directory() -> ForeignKey:
    return ForeignKey("organizations.id", **_AT_COMMIT)


def _tenant() -> Column[Any]:
    return Column("organization_id", Id, _in_the_directory(), primary_key=True)


def _key(prefix: str) -> tuple[Column[Any], Column[Any], CheckConstraint]:
    return (
        _tenant(),
        Column("id", Id, primary_key=True),
        _check("id", rf"id LIKE '{prefix}\_%'"),
    )


def _check(name: str, condition: str) -> CheckConstraint:
    return CheckConstraint(condition, name=name)


def _belongs(column: str, table: str) -> ForeignKeyConstraint:
    """A reference that cannot leave the organisation."""
    return ForeignKeyConstraint(
        ["organization_id", column],
        [f"{table}.organization_id", f"{table}.id"],
        **_AT_COMMIT,
    )


def _versioned() -> tuple[Column[Any], Column[Any], Column[Any]]:
    return (
        Column("version", Integer, nullable=False),
        _instant("created_at"),
        _instant("updated_at"),
    )


def _cents(name: str) -> Column[Any]:
    return Column(name, BigInteger, nullable=False)


organizations: Final = Table(
    "organizations",
    metadata,
    Column("id", Id, primary_key=True),
    Column("claim", Id),
    Column("environment", EnumText(Environment), nullable=False),
    Column("status", Text, nullable=False, server_default="active"),
    Column("clock_offset", Interval, nullable=False, server_default="0"),
    _instant("created_at"),
    _check("id", r"id LIKE 'org\_%'"),
    _check("status", "status IN ('active', 'suspended')"),
    _check("clock_offset", "environment = 'sandbox' OR clock_offset = '0'"),
    Index("uq_organizations_claim", "claim", unique=True),
)

organization_settings: Final = Table(
    "organization_settings",
    metadata,
    _tenant(),
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
    *_versioned(),
)

members: Final = Table(
    "members",
    metadata,
    *_key("mbr"),
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False),
    Column("role", EnumText(Role), nullable=False),
    Column("status", EnumText(MemberStatus), nullable=False),
    Column("portfolio", EnumText(Portfolio), nullable=False),
    *_versioned(),
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
    _tenant(),
    Column("issuer", Id, primary_key=True),
    Column("subject", Id, primary_key=True),
    Column("member_id", Id, nullable=False),
    _belongs("member_id", "members"),
)

api_clients: Final = Table(
    "api_clients",
    metadata,
    *_key("cli"),
    Column("name", Text, nullable=False),
    Column("issuer", Id, nullable=False),
    Column("client_id", Id, nullable=False),
    Column("subject", Id, nullable=False),
    Column("scopes", Texts(gather=frozenset), nullable=False),
    Column("role_ceiling", EnumText(Role), nullable=False),
    Column("status", Text, nullable=False),
    _instant("expires_at"),
    *_versioned(),
    _check("status", "status IN ('active', 'revoked')"),
    Index("uq_api_clients_client_id", "organization_id", "issuer", "client_id", unique=True),
)

debtors: Final = Table(
    "debtors",
    metadata,
    *_key("dbt"),
    Column("name", Text, nullable=False),
    Column("trade_name", Text),
    Column("document", DocumentText, nullable=False),
    Column("person_type", EnumText(PersonType), nullable=False),
    Column("is_consumer", Boolean, nullable=False),
    Column("is_consumer_reason", Text),
    Column("birth_date", Date),
    Column("address", JsonOf(Address)),
    Column("uf", Id),
    Column("timezone", Text, nullable=False),
    Column("language", EnumText(Language), nullable=False),
    Column("tags", Texts(), nullable=False),
    Column("external_id", Id),
    Column("notes", Text),
    Column("custom_data", JsonOf(FREE_OBJECT)),
    Column("assigned_member_id", Id),
    Column("status", EnumText(DebtorStatus), nullable=False),
    Column("do_not_contact", JsonOf(DoNotContact), nullable=False),
    Column("opted_out_channels", Texts(Channel), nullable=False),
    Column("flags", Texts(DebtorFlag), nullable=False),
    Column("search_text", Id, nullable=False),
    Column("sort_name", Id, nullable=False),
    *_versioned(),
    _belongs("assigned_member_id", "members"),
    Index("uq_debtors_document", "organization_id", "document", unique=True),
    Index(
        "uq_debtors_external_id",
        "organization_id",
        "external_id",
        unique=True,
        postgresql_where=text("external_id IS NOT NULL"),
    ),
    Index("ix_debtors_sort_name", "organization_id", "sort_name", "id"),
    Index("ix_debtors_created_at", "organization_id", "created_at", "id"),
    Index("ix_debtors_assigned_member_id", "organization_id", "assigned_member_id", "id"),
)

charges: Final = Table(
    "charges",
    metadata,
    *_key("chg"),
    Column("debtor_id", Id, nullable=False),
    Column("description", Text, nullable=False),
    Column("kind", EnumText(ChargeKind), nullable=False),
    Column("document_number", Id),
    Column("external_id", Id),
    Column("contract_reference", Text),
    _cents("amount"),
    Column("issue_date", Date, nullable=False),
    Column("due_date", Date, nullable=False),
    Column("due_date_rule", EnumText(DueDateRule), nullable=False),
    Column("effective_due_date", Date, nullable=False),
    Column("terms", JsonOf(Terms), nullable=False),
    Column("payment_methods", JsonOf(PaymentMethods), nullable=False),
    Column("status", EnumText(ChargeStatus), nullable=False),
    _cents("principal_outstanding"),
    _cents("fine"),
    _cents("interest"),
    _cents("correction"),
    _cents("discount"),
    _cents("costs"),
    _cents("total_due"),
    _cents("paid"),
    Column("days_late", Integer, nullable=False),
    Column("amounts_as_of", Date, nullable=False),
    Column("amounts_memory", JsonOf(tuple[Component, ...]), nullable=False),
    Column("prescription_date", Date, nullable=False),
    Column("listing_limit_date", Date, nullable=False),
    Column("tags", Texts(), nullable=False),
    Column("custom_data", JsonOf(FREE_OBJECT)),
    Column("assigned_member_id", Id),
    Column("paid_at", DateTime(timezone=True)),
    Column("written_off_at", DateTime(timezone=True)),
    Column("canceled_at", DateTime(timezone=True)),
    Column("cancel_reason", EnumText(CancelReason)),
    Column("cancel_note", Text),
    Column("search_text", Id, nullable=False),
    *_versioned(),
    _belongs("debtor_id", "debtors"),
    _belongs("assigned_member_id", "members"),
    _check("amount", "amount BETWEEN 1 AND 9999999999"),
    _check(
        "components",
        "principal_outstanding >= 0 AND fine >= 0 AND interest >= 0 AND correction >= 0"
        " AND discount >= 0 AND costs >= 0 AND paid >= 0 AND total_due >= 0",
    ),
    _check(
        "total_due",
        "total_due = principal_outstanding + fine + interest + correction + costs - discount",
    ),
    _check("due_date", "issue_date <= due_date AND due_date <= effective_due_date"),
    Index(
        "uq_charges_external_id",
        "organization_id",
        "external_id",
        unique=True,
        postgresql_where=text("external_id IS NOT NULL"),
    ),
    Index(
        "ix_charges_document_number",
        "organization_id",
        "document_number",
        postgresql_where=text("document_number IS NOT NULL"),
    ),
    Index("ix_charges_debtor_id", "organization_id", "debtor_id", "id"),
    Index("ix_charges_assigned_member_id", "organization_id", "assigned_member_id", "id"),
    Index("ix_charges_status", "organization_id", "status", "due_date", "id"),
    Index("ix_charges_due_date", "organization_id", "due_date", "id"),
    Index("ix_charges_effective_due_date", "organization_id", "effective_due_date", "id"),
    Index("ix_charges_amount", "organization_id", "amount", "id"),
    Index("ix_charges_total_due", "organization_id", "total_due", "id"),
    Index("ix_charges_created_at", "organization_id", "created_at", "id"),
    Index(
        "ix_charges_amounts_as_of",
        "organization_id",
        "amounts_as_of",
        "id",
        postgresql_where=text("status IN ('pending', 'overdue', 'renegotiated', 'written_off')"),
    ),
)

events: Final = Table(
    "events",
    metadata,
    *_key("evt"),
    Column("type", Text, nullable=False),
    _instant("occurred_at"),
    Column("resource_type", Text, nullable=False),
    Column("resource_id", Id, nullable=False),
    Column("data", JsonOf(FREE_OBJECT), nullable=False),
    Column("changes", JsonOf(FREE_OBJECT), nullable=False),
    Column("actor_type", Text, nullable=False),
    Column("actor_id", Text, nullable=False),
    Column("request_id", Text, nullable=False),
)

audit_entries: Final = Table(
    "audit_entries",
    metadata,
    *_key("aud"),
    _instant("at"),
    Column("actor_type", Text, nullable=False),
    Column("actor_id", Text, nullable=False),
    Column("client_id", Text),
    Column("action", Text, nullable=False),
    Column("resource", Text),
    Column("outcome", Text, nullable=False),
    Column("code", Text),
    Column("scopes_used", Texts(), nullable=False),
    Column("diff", JsonOf(FREE_OBJECT), nullable=False),
    Column("request_id", Text, nullable=False),
    Column("via", Text, nullable=False),
    Column("ip", Text),
)

idempotency_records: Final = Table(
    "idempotency_records",
    metadata,
    _tenant(),
    Column("digest", LargeBinary, primary_key=True),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("status", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    _instant("created_at"),
    _instant("expires_at"),
    Index("ix_idempotency_records_expires_at", "organization_id", "expires_at"),
)

issuer_clients: Final = Table(
    "issuer_clients",
    metadata,
    Column("client_id", Id, primary_key=True),
    Column("name", Text, nullable=False),
    Column("redirect_uris", Texts(), nullable=False),
    _instant("created_at"),
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
    _instant("expires_at"),
)

issuer_keys: Final = Table(
    "issuer_keys",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("private_jwk", Text, nullable=False),
    _check("id", "id = 1"),
)

issuer_people: Final = Table(
    "issuer_people",
    metadata,
    Column("organization_id", Id, _in_the_directory(), primary_key=True),
    Column("subject", Id, primary_key=True),
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False),
    Column("role", EnumText(Role), nullable=False),
    Column("organization_name", Text, nullable=False),
)
