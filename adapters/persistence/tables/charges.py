"""What is owed."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Date,
    DateTime,
    Index,
    Integer,
    Numeric,
    Table,
    Text,
    text,
)

from adapters.persistence.column_types import DocumentText, EnumText, Id, JsonOf, Texts
from adapters.persistence.tables.columns import (
    FREE_OBJECT,
    belongs,
    cents,
    check,
    key,
    metadata,
    versioned,
)
from domain.dunning.calendar import DueDateRule
from domain.dunning.charge_acts import CancelReason, WriteOffReason
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.components import Component
from domain.dunning.holds import ManualHold
from domain.dunning.ledger import Credit
from domain.dunning.new_charges import PaymentMethods
from domain.dunning.payments import Allocation, PaymentMethod, PaymentStatus, ReversalReason
from domain.dunning.terms import Terms

charges: Final = Table(
    "charges",
    metadata,
    *key("chg"),
    Column("debtor_id", Id, nullable=False),
    Column("description", Text, nullable=False),
    Column("kind", EnumText(ChargeKind), nullable=False),
    Column("document_number", Id),
    Column("external_id", Id),
    Column("contract_reference", Text),
    cents("amount"),
    Column("issue_date", Date, nullable=False),
    Column("due_date", Date, nullable=False),
    Column("due_date_rule", EnumText(DueDateRule), nullable=False),
    Column("effective_due_date", Date, nullable=False),
    Column("terms", JsonOf(Terms), nullable=False),
    Column("payment_methods", JsonOf(PaymentMethods), nullable=False),
    Column("status", EnumText(ChargeStatus), nullable=False),
    cents("principal_outstanding"),
    cents("fine"),
    cents("interest"),
    cents("correction"),
    cents("discount"),
    cents("costs"),
    cents("total_due"),
    cents("paid"),
    Column("days_late", Integer, nullable=False),
    Column("amounts_as_of", Date, nullable=False),
    Column("amounts_memory", JsonOf(tuple[Component, ...]), nullable=False),
    Column("prescription_date", Date, nullable=False),
    Column("listing_limit_date", Date, nullable=False),
    Column("tags", Texts(), nullable=False),
    Column("custom_data", JsonOf(FREE_OBJECT)),
    Column("assigned_member_id", Id),
    Column("guarantors", Texts(), nullable=False),
    Column("credits", JsonOf(tuple[Credit, ...]), nullable=False),
    Column("manual_hold", JsonOf(ManualHold)),
    Column("paid_at", Date),
    Column("written_off_at", DateTime(timezone=True)),
    Column("write_off_reason", EnumText(WriteOffReason)),
    Column("write_off_note", Text),
    Column("written_off_amount", BigInteger),
    Column("canceled_at", DateTime(timezone=True)),
    Column("cancel_reason", EnumText(CancelReason)),
    Column("cancel_note", Text),
    Column("search_text", Id, nullable=False),
    *versioned(),
    belongs("debtor_id", "debtors"),
    belongs("assigned_member_id", "members"),
    check("amount", "amount BETWEEN 1 AND 9999999999"),
    check(
        "components",
        "principal_outstanding >= 0 AND fine >= 0 AND interest >= 0 AND correction >= 0"
        " AND discount >= 0 AND costs >= 0 AND paid >= 0 AND total_due >= 0",
    ),
    check(
        "total_due",
        "total_due = principal_outstanding + fine + interest + correction + costs - discount",
    ),
    check("due_date", "issue_date <= due_date AND due_date <= effective_due_date"),
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

payments: Final = Table(
    "payments",
    metadata,
    *key("pay"),
    Column("debtor_id", Id, nullable=False),
    cents("amount"),
    Column("method", EnumText(PaymentMethod), nullable=False),
    Column("paid_at", Date, nullable=False),
    Column("available_at", Date, nullable=False),
    Column("charge_ids", Texts(), nullable=False),
    Column("allocations", JsonOf(tuple[Allocation, ...]), nullable=False),
    cents("unallocated_amount"),
    Column("external_id", Id),
    Column("payer_name", Text),
    Column("payer_document", DocumentText),
    Column("note", Text),
    Column("status", EnumText(PaymentStatus), nullable=False),
    Column("reversal_reason", EnumText(ReversalReason)),
    Column("reversal_note", Text),
    Column("reversed_at", Date),
    *versioned(),
    belongs("debtor_id", "debtors"),
    check("amount", "amount > 0"),
    check("unallocated_amount", "unallocated_amount BETWEEN 0 AND amount"),
    check("available_at", "available_at >= paid_at"),
    Index(
        "uq_payments_external_id",
        "organization_id",
        "external_id",
        unique=True,
        postgresql_where=text("external_id IS NOT NULL"),
    ),
    Index("ix_payments_debtor_id", "organization_id", "debtor_id", "paid_at", "id"),
    Index("ix_payments_paid_at", "organization_id", "paid_at", "id"),
    Index("ix_payments_amount", "organization_id", "amount", "id"),
    Index("ix_payments_created_at", "organization_id", "created_at", "id"),
)

holidays: Final = Table(
    "holidays",
    metadata,
    *key("hol"),
    Column("date", Date, nullable=False),
    Column("name", Text, nullable=False),
    Column("scope", Id, nullable=False),
    Column("uf", Id),
    Column("city", Text),
    Column("source", Text, nullable=False),
    *versioned(),
    check("scope", "scope IN ('national', 'uf', 'city')"),
    check(
        "place",
        "(scope <> 'national') = (uf IS NOT NULL) AND (scope = 'city') = (city IS NOT NULL)",
    ),
)

index_rates: Final = Table(
    "index_rates",
    metadata,
    Column("code", Id, primary_key=True),
    Column("month", Date, primary_key=True),
    Column("percent", Numeric(14, 8), nullable=False),
    Column("published_on", Date, nullable=False),
    check("month", "extract(day FROM month) = 1"),
)
