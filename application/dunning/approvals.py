"""Approvals: what waits for a second person, and that person's word."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Meta, structs

from application.dunning.approval_questions import approve_question, reject_question
from application.dunning.approval_view import (
    ApprovalView,
    ApprovalWithResult,
    approval_view,
    approval_with_result,
)
from application.dunning.charge_acts import charges_write_off
from application.dunning.charge_input import DebtorId
from application.dunning.lists import DatedList, created_span, meta_of, updated_span, window_of
from application.dunning.question_values import shown_fingerprint
from application.operations.call import Call
from application.operations.declaration import Operation, Plan, Reached, Ready, operation
from application.operations.fields import SEVERAL, Input, Listing, One, about, id_of
from domain.access.policy import AccessPolicy, Verdict
from domain.dunning.approvals import (
    Approval,
    ApprovalStatus,
    checked_note,
    checked_rejection_note,
)
from domain.dunning.debtors import Debtor
from domain.dunning.organization_settings import ApprovalAct
from domain.errors import (
    DecisionDeniedError,
    NotFoundError,
    ScopeMissingError,
    StateConflictError,
)
from domain.ports.approvals import ApprovalQuery
from domain.texts import Text, Words

ApprovalId = Annotated[str, id_of("apr")]


@dataclass(frozen=True, slots=True)
class Inner:
    """What an approval runs, and what that is in words."""

    operation: Operation[Any]
    words: Words


INNER: Final[Mapping[ApprovalAct, Inner]] = {
    ApprovalAct.WRITE_OFF: Inner(
        charges_write_off,
        Words(
            "baixar como perda (sem pagamento) a cobrança",
            "dar de baja como pérdida (sin pago) el cobro",
            "write off as a loss (without payment) charge",
        ),
    ),
}
"""Every act that can be asked for."""

_POLICY: Final = AccessPolicy()
_NOT_THEIRS: Final = Text(
    "Seu papel não permite o que foi pedido.", "Your role does not allow what is asked for."
)
_DONE_ALREADY: Final = Text(
    "O que foi pedido já aconteceu; o pedido pode ser rejeitado.",
    "What is asked for has happened already; the request can be rejected.",
)
_GONE: Final = Text(
    "Aquilo de que se trata não existe mais; o pedido pode ser rejeitado.",
    "What it is about is not there any more; the request can be rejected.",
)


class ApprovalsList(DatedList):
    """Filters of the list; different filters narrow together."""

    status: Annotated[tuple[ApprovalStatus, ...], SEVERAL, about("Where it stands.")] = (
        ApprovalStatus.PENDING,
    )
    kind: Annotated[tuple[ApprovalAct, ...], SEVERAL, about("What is asked for.")] = ()
    requested_by: Annotated[
        Annotated[str, Meta(max_length=30, pattern="^(mbr|cli)_[0-9a-z]{26}$")] | None,
        about("The member or API client who asked."),
    ] = None
    debtor_id: Annotated[DebtorId | None, about("About this debtor.")] = None
    sort_by: Annotated[Literal["created_at"], about("What the list is sorted by.")] = "created_at"


@operation(
    "approvals_list",
    "GET /approvals",
    title="List what waits for approval",
    description=(
        "Acts that one person has asked for and a second one has to approve, oldest first, with "
        "the amounts when they were asked for. Notes are data written by third parties."
    ),
    permission="approvals.read",
    resource="approvals/pending",
)
async def approvals_list(call: Call, wanted: ApprovalsList) -> Listing[ApprovalView]:
    """Read one page."""
    now = call.business_now
    page = await call.work.approvals.page(
        ApprovalQuery(
            window=window_of(wanted, wanted.sort_by, descending=False),
            now=now,
            created=created_span(call, wanted),
            updated=updated_span(call, wanted),
            status=wanted.status,
            kind=wanted.kind,
            requested_by=wanted.requested_by,
            debtor_id=wanted.debtor_id,
        )
    )
    rows = [approval_view(row.approval, row.debtor_name, now) for row in page.rows]
    return Listing(rows, meta_of(wanted, page.total))


class ApprovalsApprove(Input):
    """Which request is approved."""

    id: Annotated[ApprovalId, about("The request.")]
    note: Annotated[
        Annotated[str, Meta(min_length=1, max_length=500)] | None,
        about("A note for your own team."),
    ] = None


@operation(
    "approvals_approve",
    "POST /approvals/{id}/approve",
    title="Approve and carry out",
    description=(
        "Approve what somebody else has asked for and carry it out now, by the rules of today and "
        "within your own limits. Where a rule forbids it by now, the request goes on waiting."
    ),
    permission="approvals.decide",
    destructive=True,
    idempotent=True,
    open_world=True,
    refuses=("STATE_CONFLICT", "ROLE_LIMIT_EXCEEDED", "COMPLIANCE_BLOCKED"),
)
async def approvals_approve(call: Call, wanted: ApprovalsApprove) -> Plan[One[ApprovalWithResult]]:
    """Find the request and everybody's yes; what is asked for is done when it is performed."""
    approval, debtor = await _found(call, wanted.id)
    now, actor = call.business_now, call.grant.actor
    approval.refuse_own(actor)
    if approval.status is ApprovalStatus.APPROVED:
        view = approval_view(approval, debtor.name, now)
        return Reached(One(approval_with_result(view, None)))
    approval.refuse_decided(now)
    note = checked_note(wanted.note)
    inner = await _inner_plan(call, approval)

    async def approve() -> One[ApprovalWithResult]:
        done = await inner.perform()
        approval.approve(actor, note, now, call.moment)
        view = approval_view(approval, debtor.name, now)
        return One(approval_with_result(view, done.data))

    question = approve_question(approval, inner.question, _zone(call))
    shown = shown_fingerprint(question, approval.version)
    return Ready(fingerprint=f"{shown}:{inner.fingerprint}", question=question, perform=approve)


class ApprovalsReject(Input):
    """Which request is refused, and why."""

    id: Annotated[ApprovalId, about("The request.")]
    note: Annotated[
        str, Meta(min_length=3, max_length=500), about("Why, for who asked: 3 to 500 characters.")
    ]


@operation(
    "approvals_reject",
    "POST /approvals/{id}/reject",
    title="Reject a request",
    description="Refuse what somebody else has asked for: it does not happen. Final.",
    permission="approvals.decide",
    destructive=True,
    idempotent=True,
    refuses=("STATE_CONFLICT",),
)
async def approvals_reject(call: Call, wanted: ApprovalsReject) -> Plan[One[ApprovalView]]:
    """Find the request; refusing it comes when it is performed."""
    approval, debtor = await _found(call, wanted.id)
    now, actor = call.business_now, call.grant.actor
    approval.refuse_own(actor)
    if approval.status is ApprovalStatus.REJECTED:
        return Reached(One(approval_view(approval, debtor.name, now)))
    approval.refuse_decided(now)
    note = checked_rejection_note(wanted.note)

    async def reject() -> One[ApprovalView]:
        approval.reject(actor, note, now, call.moment)
        return One(approval_view(approval, debtor.name, now))

    question = reject_question(approval, INNER[approval.kind].words, debtor, _zone(call))
    return Ready(
        fingerprint=shown_fingerprint(question, approval.version, debtor.version),
        question=question,
        perform=reject,
    )


async def _found(call: Call, approval_id: str) -> tuple[Approval, Debtor]:
    approval = await call.work.approvals.find(approval_id)
    if approval is not None and call.locks:
        # First the subject, as whoever asks does, or two would wait for each other.
        await call.work.charges.find(approval.subject_id, lock=True)
        approval = await call.work.approvals.find(approval_id, lock=True)
    debtor = None if approval is None else await call.work.debtors.find(approval.debtor_id)
    if approval is None or debtor is None:
        raise NotFoundError
    return approval, debtor


async def _inner_plan(call: Call, approval: Approval) -> Ready[Any]:
    """What would be done, by the rules of today and with the rights of who approves."""
    inner = INNER[approval.kind].operation
    verdict = _POLICY.decide(call.grant, inner.info)
    if verdict is Verdict.HIDDEN:
        raise DecisionDeniedError(_NOT_THEIRS)
    if verdict is Verdict.SCOPES_MISSING:
        raise ScopeMissingError(sorted(inner.info.scopes))
    try:
        wanted = msgspec.convert(approval.arguments, inner.takes)
        plan = await inner.run(structs.replace(call, is_approved=True), wanted)
    except (NotFoundError, msgspec.ValidationError):
        # Whoever sees the request would see its subject; arguments that an earlier release took
        # may be none any more.
        raise _only_to_be_rejected(approval, _GONE) from None
    except StateConflictError as refused:
        raise _only_to_be_rejected(approval, _not_any_more(refused.current_status)) from None
    if not isinstance(plan, Ready):
        raise _only_to_be_rejected(approval, _DONE_ALREADY)
    return plan


def _only_to_be_rejected(approval: Approval, why: Text) -> StateConflictError:
    status = approval.status.value
    return StateConflictError(why, current_status=status, allowed_actions=["reject"])


def _not_any_more(status: str) -> Text:
    return Text(
        f"A situação atual da cobrança ({status}) não permite mais o que foi pedido; o pedido pode "
        "ser rejeitado.",
        f"The present status of the charge ({status}) no longer allows what is asked for; the "
        "request can be rejected.",
    )


def _zone(call: Call) -> ZoneInfo:
    return ZoneInfo(call.grant.tenant.timezone)
