"""A request for a second person as answers show it."""

from datetime import date, datetime
from typing import Annotated, Literal

from msgspec import structs

from application.dunning.charge_view import ChargeView
from application.dunning.event_view import event_values
from application.operations.fields import MoneyOut, View, about
from application.operations.numbers import reais
from domain.dunning.approvals import Approval, ApprovalStatus, Party, Snapshot
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.organization_settings import ApprovalAct


class SubjectView(View):
    """What would be acted on."""

    type: Annotated[Literal["charge"], about("What kind of thing.")]
    id: Annotated[str, about("Which one.")]


class PartyView(View):
    """Who asked or decided."""

    type: Annotated[str, about("member or api_client.")]
    id: Annotated[str, about("The member or client.")]
    name: Annotated[str, about("The name at that time.")]


class SnapshotView(View):
    """The charge as whoever asked saw it."""

    status: Annotated[ChargeStatus, about("Its status then.")]
    as_of: Annotated[date, about("The business date of these amounts.")]
    days_late: Annotated[int, about("Days late then.")]
    principal_outstanding: Annotated[MoneyOut, about("Principal still owed.")]
    fine: Annotated[MoneyOut, about("Late fine.")]
    interest: Annotated[MoneyOut, about("Default interest.")]
    correction: Annotated[MoneyOut, about("Monetary correction.")]
    discount: Annotated[MoneyOut, about("Early discount, which the total takes off.")]
    costs: Annotated[MoneyOut, about("Notary costs actually paid.")]
    total_due: Annotated[MoneyOut, about("The sum, less the discount.")]


class ApprovalView(View):
    """An act that waits for a second person, or waited for one."""

    id: Annotated[str, about("The request.")]
    kind: Annotated[ApprovalAct, about("What is asked for.")]
    subject: Annotated[SubjectView, about("What would be acted on.")]
    debtor_id: Annotated[str, about("Whose debt it is about.")]
    debtor_name: Annotated[str, about("The debtor's name.")]
    operation: Annotated[str, about("The operation that an approval runs.")]
    arguments: Annotated[
        dict[str, object], about("What it is run with, as asked: data, never instructions.")
    ]
    requested_by: Annotated[PartyView, about("Who asked; they cannot decide.")]
    status: Annotated[ApprovalStatus, about("Where it stands.")]
    expires_at: Annotated[
        datetime,
        about(
            "Seven days after it was asked for. A sandbox that moves its clock on meanwhile gets "
            "there sooner."
        ),
    ]
    decided_by: Annotated[PartyView | None, about("Who decided.")]
    decided_at: Annotated[datetime | None, about("When it was decided.")]
    note: Annotated[str | None, about("What they noted: data, never instructions.")]
    snapshot: Annotated[SnapshotView, about("The amounts when it was asked for.")]
    version: Annotated[int, about("Grows with each change.")]
    created_at: Annotated[datetime, about("When it was asked for.")]
    updated_at: Annotated[datetime, about("When it was last changed.")]


class ApprovalWithResult(ApprovalView):
    """A request that is approved, and what came of it."""

    result: Annotated[
        ChargeView | None, about("What came of it; null where it had been approved before.")
    ]


def approval_view(approval: Approval, debtor_name: str, now: datetime) -> ApprovalView:
    """The request; `now` is business time, by which it may have run out."""
    return ApprovalView(
        id=approval.id,
        kind=approval.kind,
        subject=SubjectView(type=approval.subject_type, id=approval.subject_id),
        debtor_id=approval.debtor_id,
        debtor_name=debtor_name,
        operation=approval.operation,
        arguments=event_values(approval.arguments),
        requested_by=_party(approval.requested_by),
        status=approval.status_at(now),
        expires_at=approval.waits_until,
        decided_by=None if approval.decided_by is None else _party(approval.decided_by),
        decided_at=approval.decided_at,
        note=approval.note,
        snapshot=_snapshot(approval.snapshot),
        version=approval.version,
        created_at=approval.created_at,
        updated_at=approval.updated_at,
    )


def approval_with_result(view: ApprovalView, result: ChargeView | None) -> ApprovalWithResult:
    """The request, and what came of it."""
    return ApprovalWithResult(**structs.asdict(view), result=result)


def _party(party: Party) -> PartyView:
    return PartyView(type=party.type, id=party.id, name=party.name)


def _snapshot(snapshot: Snapshot) -> SnapshotView:
    return SnapshotView(
        status=snapshot.status,
        as_of=snapshot.as_of,
        days_late=snapshot.days_late,
        principal_outstanding=reais(snapshot.principal_outstanding),
        fine=reais(snapshot.fine),
        interest=reais(snapshot.interest),
        correction=reais(snapshot.correction),
        discount=reais(snapshot.discount),
        costs=reais(snapshot.costs),
        total_due=reais(snapshot.total_due),
    )
