"""What a debtor leaves in other tables: when something last happened, and what names them there."""

from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import (
    Date,
    Select,
    Table,
    cast,
    delete,
    func,
    null,
    select,
    union_all,
    update,
)

from adapters.persistence.tables import (
    charges,
    contact_points,
    debtors,
    idempotency_records,
    interactions,
    payments,
)
from adapters.persistence.transaction import PinnedTransaction
from domain.dunning.erasure import ERASED
from domain.dunning.new_charges import PaymentMethods

_CHARGE: Final[dict[str, Any]] = {
    "description": ERASED,
    "search_text": "",
    "document_number": null(),
    "external_id": null(),
    "contract_reference": null(),
    "payment_methods": PaymentMethods(),
    "tags": [],
    "custom_data": null(),
    "manual_hold": null(),
    "cancel_note": null(),
    "write_off_note": null(),
}
_PAYMENT: Final[dict[str, Any]] = {
    "external_id": null(),
    "payer_name": null(),
    "payer_document": null(),
    "note": null(),
    "reversal_note": null(),
}
_INTERACTION: Final[dict[str, Any]] = {"note": null()}


async def last_movement(transaction: PinnedTransaction, debtor_id: str, timezone: str) -> date:
    """The last day in `timezone` on which the debtor, a charge, payment or interaction changed."""
    own = transaction.organization_id

    def latest(table: Table, *days: Any) -> Select[Any]:  # noqa: ANN401 -- columns of any type
        key = table.c.id if table is debtors else table.c.debtor_id
        changed = cast(func.timezone(timezone, func.max(table.c.updated_at)), Date)
        return select(func.greatest(changed, *days).label("day")).where(
            table.c.organization_id == own, key == debtor_id
        )

    everything = union_all(
        latest(debtors),
        latest(charges, func.max(charges.c.paid_at)),
        latest(payments, func.max(payments.c.available_at), func.max(payments.c.reversed_at)),
        latest(
            interactions, cast(func.timezone(timezone, func.max(interactions.c.occurred_at)), Date)
        ),
    ).subquery()
    day: date = (
        await transaction.connection.execute(select(func.max(everything.c.day)))
    ).scalar_one()
    return day


async def erase_traces(transaction: PinnedTransaction, debtor_id: str, at: datetime) -> None:
    """Empty what names the debtor; amounts and dates stay."""
    own, connection = transaction.organization_id, transaction.connection
    # In one order everywhere, or two who lock many would wait for each other.
    await connection.execute(
        select(charges.c.id)
        .where(charges.c.organization_id == own, charges.c.debtor_id == debtor_id)
        .order_by(charges.c.id)
        .with_for_update()
    )
    for table, values in ((charges, _CHARGE), (payments, _PAYMENT), (interactions, _INTERACTION)):
        await connection.execute(
            update(table)
            .where(table.c.organization_id == own, table.c.debtor_id == debtor_id)
            .values(**values, version=table.c.version + 1, updated_at=at)
        )
    await connection.execute(
        delete(contact_points).where(
            contact_points.c.organization_id == own, contact_points.c.debtor_id == debtor_id
        )
    )
    named = func.strpos(func.encode(idempotency_records.c.body, "escape"), debtor_id) > 0
    await connection.execute(
        delete(idempotency_records).where(idempotency_records.c.organization_id == own, named)
    )
