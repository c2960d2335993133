"""Who owes."""

from typing import Final

from sqlalchemy import Boolean, Column, Date, DateTime, Index, Integer, Table, Text, text

from adapters.persistence.column_types import DocumentText, EnumText, Id, JsonOf, Texts
from adapters.persistence.tables.columns import (
    FREE_OBJECT,
    belongs,
    cents,
    check,
    instant,
    key,
    metadata,
    versioned,
)
from domain.dunning.addresses import Address
from domain.dunning.contact_points import (
    ContactKind,
    ContactSource,
    ContactStatus,
    Relation,
)
from domain.dunning.debtors import DebtorStatus
from domain.dunning.documents import PersonType
from domain.dunning.interactions import Direction, InteractionChannel, InteractionOutcome
from domain.dunning.languages import Language
from domain.dunning.opt_outs import OptOut
from domain.dunning.restrictions import Channel, DebtorFlag, DoNotContact

debtors: Final = Table(
    "debtors",
    metadata,
    *key("dbt"),
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
    cents("credit"),
    Column("anonymized_at", DateTime(timezone=True)),
    Column("search_text", Id, nullable=False),
    Column("sort_name", Id, nullable=False),
    *versioned(),
    belongs("assigned_member_id", "members"),
    check("credit", "credit >= 0"),
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

contact_points: Final = Table(
    "contact_points",
    metadata,
    *key("cpt"),
    Column("debtor_id", Id, nullable=False),
    Column("kind", EnumText(ContactKind), nullable=False),
    Column("value", Id, nullable=False),
    Column("address", JsonOf(Address)),
    Column("label", Text),
    Column("relation", EnumText(Relation), nullable=False),
    Column("is_primary", Boolean, nullable=False),
    Column("status", EnumText(ContactStatus), nullable=False),
    Column("verified_at", DateTime(timezone=True)),
    Column("last_success_at", DateTime(timezone=True)),
    Column("last_failure_at", DateTime(timezone=True)),
    Column("failure_count", Integer, nullable=False),
    Column("opt_out", JsonOf(OptOut)),
    Column("usable_as_legal_notice", Boolean, nullable=False),
    Column("source", EnumText(ContactSource), nullable=False),
    *versioned(),
    belongs("debtor_id", "debtors"),
    Index("uq_contact_points_value", "organization_id", "debtor_id", "kind", "value", unique=True),
)

interactions: Final = Table(
    "interactions",
    metadata,
    *key("itr"),
    Column("debtor_id", Id, nullable=False),
    Column("direction", EnumText(Direction), nullable=False),
    Column("channel", EnumText(InteractionChannel), nullable=False),
    Column("outcome", EnumText(InteractionOutcome), nullable=False),
    Column("note", Text),
    instant("occurred_at"),
    Column("member_id", Id),
    Column("contact_point_id", Id),
    Column("charge_ids", Texts(), nullable=False),
    *versioned(),
    belongs("debtor_id", "debtors"),
    belongs("member_id", "members"),
    Index("ix_interactions_debtor_id", "organization_id", "debtor_id", "occurred_at", "id"),
)
