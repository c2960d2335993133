"""Ending the work with a debtor: set aside, or forgotten for good."""

from typing import Annotated

from msgspec import Meta

from application.dunning.charge_input import DebtorId
from application.dunning.debtor_input import Reason
from application.dunning.debtor_questions import anonymize_question, archive_question
from application.dunning.debtor_view import DebtorView
from application.dunning.debtors import view_of
from application.dunning.question_values import shown_fingerprint
from application.operations.call import Call
from application.operations.declaration import Plan, Reached, Ready, operation
from application.operations.fields import Input, One, about
from domain.dunning.approvals import Approval, ApprovalStatus
from domain.dunning.debtors import Debtor, DebtorStatus
from domain.dunning.erasure import (
    checked_reference,
    refuse_other_name,
    refuse_within_retention,
)
from domain.dunning.new_debtors import checked_reason
from domain.errors import NotFoundError, StateConflictError
from domain.ports.approvals import ApprovalQuery
from domain.ports.lists import Window
from domain.texts import Text


class DebtorsArchive(Input):
    """Which debtor is set aside."""

    id: Annotated[DebtorId, about("The debtor.")]
    reason: Annotated[
        Reason | None, about("Why; not kept: the trail says only that a reason was given.")
    ] = None


@operation(
    "debtors_archive",
    "POST /debtors/{id}/archive",
    title="Archive a debtor",
    description=(
        "Set a debtor aside who has no open charge: no new charges until "
        "debtors_update brings them back with status active."
    ),
    permission="debtors.archive",
    destructive=True,
    idempotent=True,
    refuses=("STATE_CONFLICT",),
)
async def debtors_archive(call: Call, wanted: DebtorsArchive) -> Plan[One[DebtorView]]:
    """Find the debtor and the rules' yes."""
    debtor = await _found(call, wanted.id)
    if debtor.status is DebtorStatus.ARCHIVED:
        return Reached(One(await view_of(call, debtor)))
    charges = await _charges_left(call, debtor)
    reason = checked_reason(wanted.reason)
    question = archive_question(debtor, charges)

    async def archive() -> One[DebtorView]:
        debtor.archive(reason, call.moment)
        return One(await view_of(call, debtor))

    return Ready(
        fingerprint=shown_fingerprint(question, debtor.version), question=question, perform=archive
    )


class DebtorsAnonymize(Input):
    """Who is to be forgotten, confirmed by name."""

    id: Annotated[DebtorId, about("The debtor.")]
    confirm_name: Annotated[
        Annotated[str, Meta(min_length=1, max_length=120)],
        about("The debtor's name exactly as it is registered."),
    ]
    request_reference: Annotated[
        Annotated[str, Meta(min_length=3, max_length=100)],
        about("Your number of the person's request; it is kept, so no name and no document."),
    ]


@operation(
    "debtors_anonymize",
    "POST /debtors/{id}/anonymize",
    title="Anonymise a debtor",
    description=(
        "Erase who a debtor was, for good, five years after the last movement (LGPD). Name, "
        "document, contacts and free text go, also on charges and payments; amounts and dates stay."
    ),
    permission="debtors.anonymize",
    destructive=True,
    idempotent=True,
    refuses=("STATE_CONFLICT", "COMPLIANCE_BLOCKED"),
)
async def debtors_anonymize(call: Call, wanted: DebtorsAnonymize) -> Plan[One[DebtorView]]:
    """Find the debtor and the rules' yes."""
    debtor = await _found(call, wanted.id)
    if debtor.status is DebtorStatus.ANONYMIZED:
        return Reached(One(await view_of(call, debtor)))
    timezone = call.grant.tenant.timezone
    refuse_other_name(wanted.confirm_name, debtor.name)
    debtor.refuse_credit()
    charges = await _charges_left(call, debtor)
    await _refuse_undecided(call, debtor)
    last = await call.work.debtors.last_movement(debtor.id, timezone)
    refuse_within_retention(last, call.today, timezone)
    reference = checked_reference(wanted.request_reference, debtor.name, debtor.document)
    question = anonymize_question(debtor, charges, last)

    async def anonymize() -> One[DebtorView]:
        document = debtor.document
        debtor.anonymize(reference, timezone, call.moment)
        await call.work.debtors.erase_traces(debtor.id, document, call.moment.instant)
        return One(await view_of(call, debtor))

    return Ready(
        fingerprint=shown_fingerprint(question, debtor.version),
        question=question,
        perform=anonymize,
    )


async def _charges_left(call: Call, debtor: Debtor) -> int:
    """How many charges are past, once nothing of the debtor's is to be collected any more."""
    debtors = call.work.debtors
    charges = await debtors.charge_counts(debtor.id)
    debtor.refuse_leaving(charges, await debtors.guaranteed_counts(debtor.id))
    return sum(charges.values())


async def _refuse_undecided(call: Call, debtor: Debtor) -> None:
    """What is asked for about a debtor cannot be understood once nobody knows who it was."""
    any_one = Window(page=1, per_page=1, sort_by="created_at", descending=False)
    waiting = await call.work.approvals.page(
        ApprovalQuery(
            window=any_one,
            now=call.business_now,
            status=(ApprovalStatus.PENDING,),
            debtor_id=debtor.id,
        )
    )
    if waiting.rows:
        raise StateConflictError(_undecided(waiting.rows[0].approval), current_status=debtor.status)


def _undecided(approval: Approval) -> Text:
    return Text(
        f"Há um pedido à espera de outra pessoa: {approval.id}; decida-o antes.",
        f"A request is waiting for a second person: {approval.id}; decide on it first.",
    )


async def _found(call: Call, debtor_id: str) -> Debtor:
    debtor = await call.work.debtors.find(debtor_id, lock=call.locks)
    if debtor is None:
        raise NotFoundError
    return debtor
