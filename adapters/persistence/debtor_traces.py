"""What a debtor leaves in other tables: when something last happened, and what names them there."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Date,
    Select,
    Table,
    Text,
    cast,
    delete,
    func,
    literal,
    null,
    or_,
    select,
    union_all,
    update,
)

from adapters.persistence.tables import (
    approvals,
    charges,
    contact_points,
    debtors,
    idempotency_records,
    interactions,
    payments,
)
from adapters.persistence.transaction import PinnedTransaction
from domain.dunning.documents import Document
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
_PAYER: Final[dict[str, Any]] = {"payer_name": null(), "payer_document": null()}
_PAYMENT: Final[dict[str, Any]] = {
    **_PAYER,
    "external_id": null(),
    "note": null(),
    "reversal_note": null(),
}
_INTERACTION: Final[dict[str, Any]] = {"note": null()}
_APPROVAL: Final[dict[str, Any]] = {"arguments": {}, "note": null()}
_TRACES: Final = (
    (charges, _CHARGE),
    (payments, _PAYMENT),
    (interactions, _INTERACTION),
    (approvals, _APPROVAL),
)


def guaranteed_by(debtor_id: str) -> ColumnElement[bool]:
    """The charges of others that the debtor answers for."""
    return charges.c.guarantors.bool_op("@>")(literal([debtor_id], ARRAY(Text)))


async def last_movement(transaction: PinnedTransaction, debtor_id: str, timezone: str) -> date:
    """The last day in `timezone` on which the debtor, or anything of theirs, changed.

    A charge that the debtor guarantees is one of theirs.
    """
    own = transaction.organization_id

    def latest(table: Table, *days: Any) -> Select[Any]:  # noqa: ANN401 -- columns of any type
        key = table.c.id if table is debtors else table.c.debtor_id
        theirs = key == debtor_id
        if table is charges:
            theirs = or_(theirs, guaranteed_by(debtor_id))
        changed = cast(func.timezone(timezone, func.max(table.c.updated_at)), Date)
        return select(func.greatest(changed, *days).label("day")).where(
            table.c.organization_id == own, theirs
        )

    everything = union_all(
        latest(debtors),
        latest(contact_points),
        latest(charges, func.max(charges.c.paid_at)),
        latest(payments, func.max(payments.c.available_at), func.max(payments.c.reversed_at)),
        latest(
            interactions, cast(func.timezone(timezone, func.max(interactions.c.occurred_at)), Date)
        ),
        latest(approvals),
    ).subquery()
    day: date = (
        await transaction.connection.execute(select(func.max(everything.c.day)))
    ).scalar_one()
    return day


async def erase_traces(
    transaction: PinnedTransaction, debtor_id: str, document: Document, at: datetime
) -> None:
    """Empty what names the debtor, who had `document`; amounts and dates stay."""
    own, connection = transaction.organization_id, transaction.connection
    # In one order everywhere, or two who lock many would wait for each other.
    await connection.execute(
        select(charges.c.id)
        .where(charges.c.organization_id == own, charges.c.debtor_id == debtor_id)
        .order_by(charges.c.id)
        .with_for_update()
    )
    for table, values in _TRACES:
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
    paid_for_others = await _erase_payer(transaction, document)
    # Ids and digits are ASCII, which this form of bytes leaves as it is.
    body = func.encode(idempotency_records.c.body, "escape")
    signs = (debtor_id, document.number, document.formatted, *paid_for_others)
    sign = func.unnest(literal(signs, ARRAY(Text))).column_valued("sign")
    names_them = select(sign).where(func.strpos(body, sign) > 0).exists()
    await connection.execute(
        delete(idempotency_records).where(idempotency_records.c.organization_id == own, names_them)
    )


async def _erase_payer(transaction: PinnedTransaction, document: Document) -> Sequence[str]:
    """Empty the payer where `document` paid for anybody; gives the ids of those payments."""
    # Not `updated_at`: that would begin the retention of whoever owed it anew.
    erased = await transaction.connection.scalars(
        update(payments)
        .where(
            payments.c.organization_id == transaction.organization_id,
            payments.c.payer_document == document,
        )
        .values(**_PAYER, version=payments.c.version + 1)
        .returning(payments.c.id)
    )
    return erased.all()
